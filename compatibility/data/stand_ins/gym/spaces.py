"""Spaces of observations and actions."""

import numpy as np


class Space:
    """A set with random members."""

    def seed(self, seed=None):
        """Begin the random numbers anew."""
        self.rng = np.random.RandomState(seed or 0)


class Box(Space):
    """Arrays between two bounds."""

    def __init__(self, low, high):
        self.low, self.high = np.asarray(low, "float32"), np.asarray(high, "float32")
        self.shape = self.low.shape
        self.dtype = self.low.dtype
        self.seed()

    def sample(self):
        """Return a member, each as likely."""
        return self.rng.uniform(self.low, self.high).astype("float32")


class Discrete(Space):
    """0 ... n - 1."""

    def __init__(self, n):
        self.n = n
        self.shape = ()
        self.seed()

    def sample(self):
        """Return a member, each as likely."""
        return int(self.rng.randint(self.n))
