"""Device kernel of the largest elements of rows: a block finds those of a row, one after the other, in the caches."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import INFINITY, block, block_max, block_sum, maximum, thread, threads
from ..device.types import A, int64


@device_kernel(x="T[]", out="T[]", where="int64[]", width="int64", k="int64")
def largest_of_rows(x, out, where, width, k):
    """Write the k largest elements of each row and where they stand; the first of equals first, and NaN behind all others."""
    row = block() * width
    numbers = int64(0)
    for i in range(thread(), width, threads()):
        if A(x[row + i]) == A(x[row + i]):
            numbers += 1
    numbers = yield from block_sum(numbers)
    last = A(INFINITY)
    place = int64(-1)
    for j in range(k):
        nearest = width
        if j < numbers:
            best = A(-INFINITY)
            for i in range(thread(), width, threads()):
                value = A(x[row + i])
                if value < last or (value == last and i > place):
                    best = maximum(best, value)
            best = yield from block_max(best)
            for i in range(thread(), width, threads()):
                if A(x[row + i]) == best and (best < last or i > place) and i < nearest:
                    nearest = int64(i)
            last = best
        else:
            if j == numbers:
                place = int64(-1)
            for i in range(thread(), width, threads()):
                if A(x[row + i]) != A(x[row + i]) and i > place and i < nearest:
                    nearest = int64(i)
        nearest = yield from block_max(-nearest)
        place = -nearest
        if thread() == 0:
            out[block() * k + j] = x[row + place]
            where[block() * k + j] = place
