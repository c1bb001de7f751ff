"""Environments of several agents."""

import numpy as np
from gym import spaces

MOVES = 0.1 * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])


class MultiAgentEnv:
    """Agents that choose among five moves."""

    def __init__(self, world, reset, reward, observation):
        self.world, self.n = world, 2
        self._reset, self._reward, self._observation = reset, reward, observation
        sizes = [len(observation(agent, world)) for agent in range(self.n)]
        self.observation_space = [spaces.Box(np.full(size, -9.0), np.full(size, 9.0)) for size in sizes]
        self.action_space = [spaces.Discrete(len(MOVES)) for _ in range(self.n)]

    def reset(self):
        """Put the agents somewhere; return what they see."""
        self._reset(self.world)
        return [self._observation(agent, self.world) for agent in range(self.n)]

    def step(self, actions):
        """Move each agent by the mean of the moves, weighted by its action."""
        self.world.places = self.world.places + np.stack([np.asarray(action) @ MOVES for action in actions])
        agents = range(self.n)
        rewards = [self._reward(agent, self.world) for agent in agents]
        return [self._observation(agent, self.world) for agent in agents], rewards, [False] * self.n, {}
