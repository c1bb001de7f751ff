"""REINFORCE on the cart-pole problem: a policy that learns from the number of steps that the pole stayed up.

A pole stands on a cart; each step pushes the cart to the left or to the right, with a reward of 1 until the pole leans
too far or the cart leaves the track, or for 500 steps. The physics are those of Barto, Sutton and Anderson,
"Neuronlike Adaptive Elements", 1983, with the constants of Gym's CartPole-v1, in a NumPy class below.

Williams, "Simple Statistical Gradient-Following Algorithms", 1992: the gradient of the mean return is the mean of
(return - baseline) * gradient of log p(action). The returns are discounted; the baseline is the mean of the returns at
the same step of the episodes played together. Several carts are simulated at the same time, so that one call of the
network selects the actions of all of them.

    python examples/policy_gradient_cartpole.py

Expected: a mean return of at least 475 of 500 over the last 100 episodes (by which Gym defines CartPole-v1 as solved), in
about ten seconds on one core. A plot of all returns is saved as returns.png in the folder --out.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import paddle_lite as paddle
import paddle_lite.fluid as fluid

EXPECTED = 475.0
QUICK_EXPECTED = 60.0  # with --quick; random actions keep the pole up for 22 steps
QUICK = {"epochs": 20}


class CartPoles:
    """Several carts with poles, simulated together. A state is position, speed, angle, angular speed."""

    GRAVITY, CART, POLE, HALF_LENGTH, FORCE, SECONDS = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02
    FARTHEST, STEEPEST, LONGEST = 2.4, np.radians(12), 500

    def __init__(self, count, rng):
        self.count, self.rng = count, rng

    def reset(self):
        """Reset all poles to upright, nearly still; return the states, float32 [count, 4]."""
        self.state = self.rng.uniform(-0.05, 0.05, [self.count, 4])
        self.standing = np.ones(self.count, bool)
        self.steps = 0
        return self.state.astype("float32")

    def step(self, actions):
        """Push each cart to the left (0) or right (1).

        Return the new states, the rewards (1 if the pole was up before), and whether all episodes have ended.
        """
        _, speed, angle, turning = self.state.T
        force = np.where(actions == 1, self.FORCE, -self.FORCE)
        total = self.CART + self.POLE
        sine, cosine = np.sin(angle), np.cos(angle)
        push = (force + self.POLE * self.HALF_LENGTH * turning**2 * sine) / total
        lever = self.HALF_LENGTH * (4 / 3 - self.POLE * cosine**2 / total)
        turning_faster = (self.GRAVITY * sine - cosine * push) / lever
        faster = push - self.POLE * self.HALF_LENGTH * turning_faster * cosine / total
        change = np.stack([speed, faster, turning, turning_faster], axis=1)
        rewards = self.standing.astype("float32")
        self.state = np.where(self.standing[:, None], self.state + self.SECONDS * change, self.state)
        self.standing &= (abs(self.state[:, 0]) <= self.FARTHEST) & (abs(self.state[:, 2]) <= self.STEEPEST)
        self.steps += 1
        return self.state.astype("float32"), rewards, not self.standing.any() or self.steps == self.LONGEST


class Policy(fluid.dygraph.Layer):
    """Maps states [n, 4] to the logits [n, 2] of both actions."""

    def __init__(self, width=64):
        super().__init__()
        self.hidden = fluid.dygraph.Linear(4, width, act="tanh")
        self.output = fluid.dygraph.Linear(width, 2)

    def forward(self, states):
        return self.output(self.hidden(states))


@fluid.dygraph.no_grad
def play(policy, carts, rng):
    """Play one episode with each cart; return states [t, n, 4], actions [t, n] and rewards [t, n]."""
    states, actions, rewards = [], [], []
    state, over = carts.reset(), False
    while not over:
        scores = policy(fluid.dygraph.to_variable(state)).numpy()
        right = 1 / (1 + np.exp(scores[:, 0] - scores[:, 1]))
        action = (rng.random(carts.count) < right).astype("int64")
        states.append(state)
        actions.append(action)
        state, reward, over = carts.step(action)
        rewards.append(reward)
    return np.stack(states), np.stack(actions), np.stack(rewards)


def advantages(rewards, discount):
    """Return the advantage of each step: the discounted return minus its mean over the carts."""
    returns = np.zeros_like(rewards)
    after = np.zeros_like(rewards[0])
    for t in reversed(range(len(rewards))):
        after = returns[t] = rewards[t] + discount * after
    standing = rewards > 0
    baseline = returns.sum(1, keepdims=True) / standing.sum(1, keepdims=True)
    better = np.where(standing, returns - baseline, 0)
    return better / (better[standing].std() + 1e-6)


def learn(policy, adam, states, actions, better):
    """Run a gradient ascent step on the mean return and return the loss, which is its negative surrogate."""
    scores = policy(fluid.dygraph.to_variable(states))
    surprise = fluid.layers.softmax_with_cross_entropy(scores, fluid.dygraph.to_variable(actions[:, None]))
    loss = fluid.layers.mean(surprise * fluid.dygraph.to_variable(better[:, None]))
    loss.backward()
    adam.minimize(loss)
    policy.clear_gradients()
    return float(loss)


def run(options):
    """Play and learn alternately; return the return of each episode."""
    paddle.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    policy = Policy()
    adam = fluid.optimizer.Adam(options.rate, parameter_list=policy.parameters())
    carts = CartPoles(options.carts, rng)
    returns = []
    start = time.perf_counter()
    bar = paddle.utils.progress_bar(
        range(options.epochs), desc=f"{options.carts} episodes each", unit="round", file=sys.stdout
    )
    for _ in bar:
        states, actions, rewards = play(policy, carts, rng)
        better = advantages(rewards, options.discount)
        standing = rewards > 0
        learn(policy, adam, states[standing], actions[standing], better[standing])
        returns += rewards.sum(0).tolist()
        bar.set_postfix(mean_of_100=f"{np.mean(returns[-100:]):.1f}", refresh=False)
    print(f"{len(returns)} episodes in {time.perf_counter() - start:.0f} s")
    return returns


def draw(returns, path):
    """Plot the return of each episode and the mean over 100 episodes, as PNG."""
    curves = {"steps until the pole fell": returns}
    paddle.plot.curves(curves, smooth=100, x_label="episode", title="REINFORCE on the cart and the pole").save(path)
    print(f"drawn: {path}")


def main(argv=None):
    """Run the command line; return 0 if the expected figure is reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=100, help="how often all carts play and the policy learns")
    parser.add_argument("--carts", type=int, default=20)
    parser.add_argument("--rate", type=float, default=0.01, help="learning rate")
    parser.add_argument("--discount", type=float, default=0.99)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a few seconds, with a lower figure: to see that it runs")
    parser.add_argument("--out", type=Path, default=Path("examples_out"), help="folder for the picture")
    options = parser.parse_args(argv)
    if options.quick:
        vars(options).update(QUICK)
    with fluid.dygraph.guard():
        returns = run(options)
    draw(returns, options.out / "returns.png")
    expected = QUICK_EXPECTED if options.quick else EXPECTED
    reached = float(np.mean(returns[-100:]))
    print(f"mean return of the last 100 episodes: expected at least {expected:.0f}, reached {reached:.1f}")
    return 0 if reached >= expected else 1


if __name__ == "__main__":
    sys.exit(main())
