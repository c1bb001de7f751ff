"""Networks of many kinds, small: each file has those of one field. They run on Python 3.7, too.

A network is a function of the module `fluid` that builds it in the default Programs, and returns a Net. `net(OPTIMIZER)` adds it to
`NETS`; the optimizer is a name of `optimizers.py`.
"""

import importlib
from collections import namedtuple

import numpy as np

Net = namedtuple("Net", "feeds results labels loss", defaults=({}, None))
"""What is fed and predicted; what is fed for training besides, and the loss. A fed sequence is a pair of rows and lengths."""

Entry = namedtuple("Entry", "build optimizer field apart")
"""A network's function, the name of its optimizer or None, its file, and why results differ from 1.8.5's, or ""."""

FIELDS = ("images", "detection", "text", "recommendation", "control", "operators")
NETS = {}


def net(optimizer=None, apart=""):
    """Return a decorator that adds a network."""

    def add(build):
        NETS[build.__name__] = Entry(build, optimizer, build.__module__.rpartition(".")[2], apart)
        return build

    return add


def rng(seed=0):
    """Return a generator of random numbers."""
    return np.random.RandomState(seed)


def pictures(n=2, channels=3, height=16, width=16, seed=1):
    """Return random images, or other arrays of four axes."""
    return rng(seed).uniform(-1, 1, (n, channels, height, width)).astype("float32")


def classes(n=2, count=4, seed=2):
    """Return a random class for each row."""
    return rng(seed).randint(0, count, (n, 1)).astype("int64")


LENGTHS = (3, 1, 4)


def words(lengths, count=11, seed=1):
    """Return sequences of random words."""
    return rng(seed).randint(0, count, (sum(lengths), 1)).astype("int64"), [list(lengths)]


def cross_entropy(fluid, p, y):
    """Return the mean cross entropy of probabilities."""
    return fluid.layers.mean(fluid.layers.cross_entropy(p, y))


for field in FIELDS:
    importlib.import_module("." + field, __name__)
