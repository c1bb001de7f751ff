"""Device kernels that move rows of sequences, by the row that each row comes from."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import block, blocks, thread, threads
from ..device.types import A, T


@device_kernel(x="T[]", source="int64[]", fill="T[]", out="T[]", width="int64", size="int64", filled="int64")
def copied_rows(x, source, fill, out, width, size, filled):
    """Write row source[r] of x to row r of out; where it is -1, `fill` of `filled` numbers, or zeros if that is 0."""
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        row = source[i // width]
        value = T(0)
        if row >= 0:
            value = x[row * width + i % width]
        elif filled > 0:
            value = fill[i % width % filled]
        out[i] = value


@device_kernel(x="T[]", target="int64[]", out="T[]", width="int64", size="int64")
def placed_rows(x, target, out, width, size):
    """Write row r of x to row target[r] of out, each to another."""
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        out[target[i // width] * width + i % width] = x[i]


@device_kernel(d_out="T[]", first="int64[]", step="int64[]", times="int64[]", dx="T[]", width="int64", size="int64")
def summed_copies(d_out, first, step, times, dx, width, size):
    """Write to row r of dx the sum of times[r] rows of d_out: first[r], first[r] + step[r], ..."""
    for i in range(block() * threads() + thread(), size, blocks() * threads()):
        row = i // width
        total = A(0)
        for copy in range(times[row]):
            total += A(d_out[(first[row] + copy * step[row]) * width + i % width])
        dx[i] = T(total)
