"""Drawing the arguments of calls at random. Runs on Python 3.7 too, and draws the same there."""

import numpy as np

KINDS = ("float32", "float64", "int32", "int64")


class Draw:
    """Random sizes, numbers and arrays from one seed."""

    def __init__(self, seed):
        self.rng = np.random.RandomState(seed)

    def int(self, low, high):
        """A whole number from low to high, both included."""
        return int(self.rng.randint(low, high + 1))

    def one(self, *choices):
        return choices[self.int(0, len(choices) - 1)]

    def number(self, low, high):
        """A number that float32 holds exactly: attributes are float32."""
        return float(np.float32(self.rng.uniform(low, high)))

    def shape(self, low=1, high=4, largest=4):
        """A shape of rank low to high."""
        return tuple(self.int(1, largest) for _ in range(self.int(low, high)))

    def column(self):
        """A shape [N, 1]."""
        return (self.int(1, 8), 1)

    def floats(self, shape, low=-3.0, high=3.0, dtype="float32"):
        return self.rng.uniform(low, high, shape).astype(dtype)

    def array(self, shape, dtype=None):
        """Numbers of one of the dtypes that most operators take."""
        dtype = dtype or self.one(*KINDS)
        return self.floats(shape, dtype=dtype) if dtype[0] == "f" else self.rng.randint(-9, 10, shape).astype(dtype)

    def bits(self, shape, dtype="float32"):
        return (self.rng.rand(*shape) > 0.5).astype(dtype)

    def indices(self, shape, size, dtype=None):
        """Indices below `size`."""
        return self.rng.randint(0, size, shape).astype(dtype or self.one("int32", "int64"))

    def order(self, size):
        """The numbers below `size` in a random order."""
        return [int(n) for n in self.rng.permutation(size)]

    def some(self, size):
        """At least one of the numbers below `size`, each once."""
        return self.order(size)[: self.int(1, size)]

    def apart(self, shape, dtype="float32"):
        """Numbers around 0 of which no two are near each other, in a random order."""
        count = int(np.prod(shape))
        return ((self.rng.permutation(count) - count // 2) * 0.25 + 0.125).reshape(shape).astype(dtype)

    def sizes(self, count, low, high):
        """So many whole numbers from low to high."""
        return [self.int(low, high) for _ in range(count)]

    def lod(self, rows):
        """The rows in one to three sequences, some of them empty: one level of offsets."""
        return [[0] + sorted(self.sizes(self.int(0, 2), 0, rows)) + [rows]]

    def maybe_lod(self, slot, rows):
        """Sometimes the rows of an input belong to sequences: the argument `lods` of a Sample."""
        return {slot: self.lod(rows)} if self.int(0, 3) == 0 else {}

    def broadcast(self, both=False):
        """(shape of X, shape of Y, axis): Y is a run of X's dimensions from axis on, some of them of size 1.

        both: dimensions of X may be of size 1 where Y's are not.
        """
        x = self.shape(1, 4)
        start = self.int(0, len(x) - 1)
        end = self.one(len(x), self.int(start + 1, len(x)))
        y = tuple(self.one(n, n, 1) for n in x[start:end])
        axis = -1 if start + len(y) == len(x) and self.int(0, 1) else start
        if both and len(y) == len(x):
            x = tuple(self.one(n, n, 1) for n in x)
        return x, y, axis
