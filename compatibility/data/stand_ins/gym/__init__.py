"""Environments with the interface that gym had in 2019: carts, a game of pictures, and
linear systems; all are deterministic."""

import logging
import math
import types

import numpy as np

from . import spaces
from .envs.registration import entries, made

logger = logging.getLogger("gym")


class Env:
    """An environment; `rng` is its source of random numbers."""

    metadata = {}
    reward_range = (-float("inf"), float("inf"))
    spec = None

    @property
    def unwrapped(self):
        """The environment itself."""
        return self

    def seed(self, seed=None):
        """Begin the random numbers anew."""
        self.rng = np.random.RandomState(seed or 0)
        self.action_space.seed(seed)

    def render(self, mode="human"):
        """Show nothing."""

    def close(self):
        """Hold nothing open."""


class Wrapper(Env):
    """An environment around another."""

    def __init__(self, env):
        self.env = env
        self.action_space = env.action_space
        self.observation_space = env.observation_space

    def seed(self, seed=None):
        """Seed the inner one."""
        self.env.seed(seed)

    def reset(self, **keywords):
        """Reset the inner one."""
        return self.env.reset(**keywords)

    def step(self, action):
        """Step the inner one."""
        return self.env.step(action)


class CartPole(Env):
    """A pole on a cart, for at most 40 steps; the reward is 1 a step."""

    spec = types.SimpleNamespace(reward_threshold=195.0)

    def __init__(self):
        self.observation_space = spaces.Box(np.full(4, -5.0), np.full(4, 5.0))
        self.action_space = spaces.Discrete(2)
        self.seed()

    def reset(self):
        """Put the pole up; return position, speed, angle, and angular speed."""
        self.state = self.rng.uniform(-0.05, 0.05, 4)
        self.steps = 0
        return self.state.copy()

    def step(self, action):
        """Push the cart to the right (1) or to the left (0) for 20 ms."""
        _, speed, angle, turn = self.state
        cosine, sine = math.cos(angle), math.sin(angle)
        push = ((10.0 if int(action) == 1 else -10.0) + 0.05 * turn**2 * sine) / 1.1
        turned = (9.8 * sine - cosine * push) / (0.5 * (4.0 / 3.0 - 0.1 * cosine**2 / 1.1))
        moved = push - 0.05 * turned * cosine / 1.1
        self.state += 0.02 * np.array([speed, moved, turn, turned])
        self.steps += 1
        over = abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.2095 or self.steps >= 40
        return self.state.copy(), 1.0, bool(over), {}


class MountainCar(Env):
    """A car between two hills, for at most 60 steps; the reward is -1 a step."""

    def __init__(self):
        self.observation_space = spaces.Box(np.array([-1.2, -0.07]), np.array([0.6, 0.07]))
        self.action_space = spaces.Discrete(3)
        self.seed()

    def reset(self):
        """Put the car into the valley; return place and speed."""
        self.state = np.array([self.rng.uniform(-0.6, -0.4), 0.0])
        self.steps = 0
        return self.state.copy()

    def step(self, action):
        """Drive to the left (0), not at all (1), or to the right (2)."""
        place, speed = self.state
        speed = np.clip(speed + 0.001 * (int(action) - 1) - 0.0025 * math.cos(3 * place), -0.07, 0.07)
        place = np.clip(place + speed, -1.2, 0.6)
        self.state = np.array([place, 0.0 if place == -1.2 and speed < 0 else speed])
        self.steps += 1
        return self.state.copy(), -1.0, bool(place >= 0.5 or self.steps >= 60), {}


class Pong(Env):
    """Three balls that come down, and a bat, as pictures of 210 x 160; the reward is 1 for a ball hit, -1 for one missed."""

    def __init__(self):
        self.observation_space = spaces.Box(np.zeros((210, 160, 3)), np.full((210, 160, 3), 255.0))
        self.action_space = spaces.Discrete(6)
        self.seed()

    def reset(self):
        """Serve the first ball; return a picture."""
        self.balls, self.bat = 0, 80
        return self._serve()

    def step(self, action):
        """Move the bat to the right (2, 4), to the left (3, 5), or not at all."""
        self.bat = int(np.clip(self.bat + (0, 0, 12, -12, 12, -12)[int(action)], 16, 144))
        self.height += 16
        if self.height < 180:
            return self._picture(), 0.0, False, {}
        self.balls += 1
        reward = 1.0 if abs(self.bat - self.place) < 16 else -1.0
        return self._serve(), reward, self.balls == 3, {}

    def _serve(self):
        self.height, self.place = 40, int(self.rng.randint(16, 144))
        return self._picture()

    def _picture(self):
        picture = np.full((210, 160, 3), 144, np.uint8)
        picture[self.height : self.height + 4, self.place : self.place + 4] = 236
        picture[188:192, self.bat - 12 : self.bat + 12] = 92
        return picture


class Linear(Env):
    """A linear system with bounded controls, for 50 steps; the reward is its first state less the cost of control."""

    def __init__(self, states, controls):
        fixed = np.random.RandomState(3)
        self.inner = 0.8 * np.eye(states) + 0.2 / math.sqrt(states) * fixed.randn(states, states)
        self.outer = 0.3 * fixed.randn(controls, states)
        self.observation_space = spaces.Box(np.full(states, -10.0), np.full(states, 10.0))
        self.action_space = spaces.Box(np.full(controls, -1.0), np.full(controls, 1.0))
        self.seed()

    def reset(self):
        """Start near zero; return the states."""
        self.state = 0.1 * self.rng.randn(len(self.inner))
        self.steps = 0
        return self.state.copy()

    def step(self, action):
        """Apply controls in [-1, 1]."""
        action = np.clip(np.asarray(action, dtype="float64").reshape(-1), -1, 1)
        self.state = np.clip(self.state @ self.inner + action @ self.outer, -10, 10)
        self.steps += 1
        return self.state.copy(), float(self.state[0] - 0.1 * np.sum(action**2)), self.steps >= 50, {}


class Steered(Linear):
    """A linear system of which an action fires one of the engines, or none (0)."""

    def __init__(self, states, actions):
        self.engines = np.eye(actions)[:, 1:]
        super().__init__(states, actions - 1)
        self.action_space = spaces.Discrete(actions)
        self.seed()

    def step(self, action):
        """Fire the engine of a number."""
        return super().step(self.engines[int(np.asarray(action).reshape(-1)[0])])


class Road(Env):
    """A grey road in green grass from above, as pictures of 96 x 96, and a car that steers; grass costs."""

    def __init__(self):
        self.observation_space = spaces.Box(np.zeros((96, 96, 3)), np.full((96, 96, 3), 255.0))
        self.action_space = spaces.Box(np.array([-1.0, 0.0, 0.0]), np.ones(3))
        self.seed()

    def reset(self):
        """Stand in the middle of a new road; return a picture."""
        self.steps, self.place, self.curve = 0, 0.0, self.rng.uniform(2, 6)
        return self._picture()

    def step(self, action):
        """Steer by action[0]; 120 steps end the drive."""
        self.steps += 1
        self.place += 3 * float(action[0])
        reward = 1.0 if abs(self.place - self._bend(self.steps)) < 10 else -0.5
        return self._picture(), reward, self.steps == 120, {}

    def _bend(self, step):
        return 4 * self.curve * math.sin(step / 12)

    def _picture(self):
        picture = np.full((96, 96, 3), (102, 204, 102), np.uint8)
        for row in range(84):
            middle = int(48 + self._bend(self.steps + (84 - row) / 12) - self.place)
            picture[row, max(0, middle - 10) : max(0, middle + 10)] = 105
        return picture


class Tiles(Env):
    """The game 2048 on four rows of four; a state has a plane for each power of two."""

    def __init__(self):
        self.observation_space = spaces.Box(np.zeros((4, 4, 16)), np.ones((4, 4, 16)))
        self.action_space = spaces.Discrete(4)
        self.seed()

    def reset(self):
        """Begin with two tiles; return the planes."""
        self.board, self.idle = np.zeros((4, 4), int), 0
        self._add()
        self._add()
        return self._planes()

    def step(self, action):
        """Push the tiles up (0), down (1), to the right (2) or the left (3); the reward is the sum of new tiles."""
        view = (self.board.T, self.board.T[:, ::-1], self.board[:, ::-1], self.board)[int(action)]
        before, reward = self.board.copy(), 0.0
        for row in view:
            tiles, merged = [tile for tile in row if tile], []
            while tiles:
                tile = tiles.pop(0)
                if tiles and tiles[0] == tile:
                    tile += tiles.pop(0)
                    reward += float(tile)
                merged.append(tile)
            row[:] = merged + [0] * (4 - len(merged))
        moved = bool((before != self.board).any())
        self.idle = 0 if moved else self.idle + 1
        if moved:
            self._add()
        return self._planes(), reward if moved else -10.0, self.idle == 6, {}

    def get_board(self):
        """Return the tiles."""
        return self.board

    def _add(self):
        places = np.argwhere(self.board == 0)
        row, column = places[self.rng.randint(len(places))]
        self.board[row, column] = 2 if self.rng.rand() < 0.9 else 4

    def _planes(self):
        planes = np.zeros((4, 4, 16), np.float32)
        powers = np.log2(np.maximum(self.board, 1)).astype(int)
        np.put_along_axis(planes, powers[..., None], 1.0, axis=2)
        return planes


def make(name, **keywords):
    """Return an environment that has the sizes of the one that gym has under a name."""
    if name in entries:
        return made(name, keywords)
    if name.startswith("CartPole"):
        return CartPole()
    if name.startswith("MountainCar"):
        return MountainCar()
    if name.startswith("Pong"):
        return Pong()
    if name.startswith("CarRacing"):
        return Road()
    if name.startswith("game2048"):
        return Tiles()
    if name.startswith("LunarLander"):
        return Steered(8, 4)
    if name.startswith("BipedalWalker"):
        return Linear(24, 4)
    return Linear(3, 1) if name.startswith("Pendulum") else Linear(17, 6)
