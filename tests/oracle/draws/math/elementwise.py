"""Random calls of elementwise operators of two arrays."""

import numpy as np

from tests.ops.row import Sample


def two(whole=(-9, 9), real=(-3.0, 3.0), dtypes=("float32", "float64", "int32", "int64"), swaps=True, apart=0.0):
    """Arrays that broadcast, whole numbers and others from these limits.

    swaps: X may have fewer dimensions than Y: where it may not, real Paddle swaps them.
    apart: how far Y's numbers are from 0.
    """

    def numbers(d, shape, dtype, margin):
        if dtype[0] != "f":
            a = d.rng.randint(whole[0], whole[1] + 1, shape)
            return np.where((a == 0) & (margin > 0), 1, a).astype(dtype)
        a = d.floats(shape, real[0], real[1], dtype)
        return (a + np.where(a < 0, -margin, margin)).astype(dtype)

    def call(d):
        x, y, axis = d.broadcast(both=True)
        dtype = d.one(*dtypes)
        if d.int(0, 14) == 0:
            x, y, axis = (0,) + x[1:], (0,) + x[1:], -1
        elif swaps and d.int(0, 2) == 0:
            x, y = y, x
        inputs = {"X": numbers(d, x, dtype, 0.0), "Y": numbers(d, y, dtype, apart)}
        return Sample(inputs, {"axis": axis}, lods=d.maybe_lod("X", x[0]) if x == y else {})

    return call


REAL = ("float32", "float64")

CALLS = {f"elementwise_{name}": two() for name in ("add", "sub", "mul", "max", "min")}
CALLS.update(
    elementwise_div=two(apart=0.3),
    elementwise_mod=two(apart=0.3, swaps=False),
    elementwise_floordiv=two(apart=0.3, swaps=False, dtypes=("int32", "int64")),
    elementwise_pow=two(whole=(1, 4), real=(0.3, 2.0), swaps=False),
)
