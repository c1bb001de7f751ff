"""REINFORCE on a pole that is to be balanced: the policy is called for one state after another, then learns from all of them."""

from __future__ import annotations

import math

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import Layer, Linear, declarative, to_variable

from .base import Model

L = fluid.layers


class CartPole:
    """A cart on a track with a pole on it. A push to the left (0) or to the right (1) keeps the pole up for another step."""

    gravity, cart, pole, half_length, force, tau = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02
    longest = 60

    def __init__(self, numbers):
        self.numbers = numbers

    def reset(self):
        self.steps = 0
        self.state = self.numbers.uniform(-0.05, 0.05, 4)
        return self.state

    def step(self, action):
        """(state, reward, whether the episode is over)."""
        x, speed, angle, turning = self.state
        push = self.force if action == 1 else -self.force
        mass, sin, cos = self.cart + self.pole, math.sin(angle), math.cos(angle)
        pushed = (push + self.pole * self.half_length * turning**2 * sin) / mass
        lever = self.half_length * (4.0 / 3.0 - self.pole * cos**2 / mass)
        faster = (self.gravity * sin - cos * pushed) / lever
        gained = pushed - self.pole * self.half_length * faster * cos / mass
        self.state = self.state + self.tau * np.array([speed, gained, turning, faster])
        self.steps += 1
        x, _, angle, _ = self.state
        done = abs(x) > 2.4 or abs(angle) > math.radians(12) or self.steps == self.longest
        return self.state, 1.0, done


class Policy(Layer):
    def __init__(self, hidden_size=16):
        super().__init__()
        self.affine1 = Linear(4, hidden_size)
        self.affine2 = Linear(hidden_size, 2)

    @declarative
    def forward(self, x):
        return L.softmax(self.affine2(L.relu(self.affine1(x))), axis=1)

    @declarative
    def loss(self, states, actions, rewards):
        """Actions are made the likelier, the more came of them than usual."""
        probabilities = self(states)
        chosen = L.reduce_sum(probabilities * L.one_hot(actions, depth=2), dim=1, keep_dim=True)
        spread = L.reduce_mean(L.square(rewards - L.reduce_mean(rewards)))
        if spread > 1e-6:
            rewards = (rewards - L.reduce_mean(rewards)) / L.sqrt(spread)
        else:
            rewards = rewards - L.reduce_mean(rewards)
        return L.reduce_mean(-1 * L.log(chosen + 1e-6) * rewards)


def discounted(rewards, gamma=0.95):
    """What each step earns, now and later."""
    returns, total = [], 0.0
    for reward in reversed(rewards):
        total = reward + gamma * total
        returns.append(total)
    return np.array(returns[::-1], "float32").reshape(-1, 1)


def played(policy, numbers):
    """An episode: (states, actions, what the actions earned)."""
    world = CartPole(numbers)
    state, done = world.reset(), False
    states, actions, rewards = [], [], []
    while not done:
        states.append(state.astype("float32"))
        with fluid.dygraph.no_grad():
            [probabilities] = policy(to_variable(states[-1].reshape(1, 4))).numpy()
        actions.append(int(numbers.rand() > probabilities[0]))
        state, reward, done = world.step(actions[-1])
        rewards.append(reward)
    return np.stack(states), np.array(actions, "int64").reshape(-1, 1), discounted(rewards)


class Balance(Model):
    rate, fit, falls = 0.02, 20, 0.5
    control = {"conditional_block"}

    def build(self):
        return Policy()

    def batch(self, numbers):
        return [to_variable(values) for values in played(self.net, numbers)]

    def loss(self, *batch):
        return self.net.loss(*batch)

    def inputs(self, numbers, size):
        states, rewards = numbers.rand(size, 4) - 0.5, numbers.rand(size, 1)
        return [states.astype("float32"), numbers.randint(0, 2, [size, 1]).astype("int64"), rewards.astype("float32")]

    def examples(self, numbers):
        return [self.inputs(numbers, size) for size in (3, 1, 7)]  # one episode of one step has no spread

    def predict(self, *inputs):
        return self.net.loss(*inputs)
