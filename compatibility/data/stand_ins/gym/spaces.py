"""Spaces of observations and actions."""

import numpy as np


class Space:
    """A set with random members."""

    def seed(self, seed=None):
        """Begin the random numbers anew."""
        self.rng = np.random.RandomState(seed or 0)


class Box(Space):
    """Arrays between two bounds."""

    def __init__(self, low, high, shape=None, dtype="float32"):
        self.shape = np.shape(low) if shape is None else tuple(shape)
        self.low, self.high = (np.full(self.shape, bound, dtype) for bound in (low, high))
        self.dtype = self.low.dtype
        self.seed()

    def contains(self, x):
        """Return whether a point is in it."""
        return bool(np.all(np.asarray(x) >= self.low) and np.all(np.asarray(x) <= self.high))

    def sample(self):
        """Return a member, each as likely."""
        return self.rng.uniform(self.low, self.high).astype(self.dtype)


class Discrete(Space):
    """0 ... n - 1."""

    def __init__(self, n):
        self.n = n
        self.shape = ()
        self.seed()

    def sample(self):
        """Return a member, each as likely."""
        return int(self.rng.randint(self.n))


class Dict(Space):
    """Members of several spaces, by name."""

    def __init__(self, spaces):
        self.spaces = dict(spaces)


class Tuple(Space):
    """Members of several spaces, in order."""

    def __init__(self, spaces):
        self.spaces = list(spaces)
