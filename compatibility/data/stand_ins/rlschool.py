"""Tasks of rlschool as linear systems, with the sizes of its own."""

from gym import Linear


def make_env(name, task="hovering_control", **keywords):
    """Return a system of the size of the quadrotor: 16 states that hover, or 19 that follow a speed; 4 controls."""
    return Linear(19 if task == "velocity_control" else 16, 4)
