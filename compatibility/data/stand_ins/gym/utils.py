"""Helpers of gym."""

import types

import numpy as np


def np_random(seed=None):
    """Return a source of random numbers, and its seed."""
    return np.random.RandomState(seed or 0), seed or 0


seeding = types.SimpleNamespace(np_random=np_random)
