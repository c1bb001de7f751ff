"""The world of two agents that should meet."""

import types

import numpy as np


class Scenario:
    """Two agents on a plane; the reward is how near they are."""

    def make_world(self):
        """Return a world with two agents."""
        return types.SimpleNamespace(rng=np.random.RandomState(3), places=np.zeros((2, 2)))

    def reset_world(self, world):
        """Put the agents somewhere."""
        world.places = world.rng.uniform(-1, 1, (2, 2))

    def reward(self, agent, world):
        """Return the reward of an agent."""
        return -float(np.abs(world.places[0] - world.places[1]).sum())

    def observation(self, agent, world):
        """Return what an agent sees: itself, and how far the other is; the second sees its own place only."""
        seen = [world.places[agent], world.places[1 - agent] - world.places[agent]]
        return np.concatenate(seen[: 2 - agent]).astype("float32")


def load(name):
    """Return the only scenario there is."""
    return types.SimpleNamespace(Scenario=Scenario)
