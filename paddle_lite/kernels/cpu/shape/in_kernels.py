"""Functions along an axis for kernels that run the rounds of a loop.

All take flat arrays [outer, size, inner], and compute along the axis in the middle.
"""

from __future__ import annotations

from ...numba_jit import Jitted, jit


def along(how: str) -> Jitted:
    """Return the function of an operator: `f(x, to ..., outer, size, inner, numbers ...)`; how: as of `Along`."""
    return {"arg_max": arg_max, "arg_min": arg_min, "top_k": top_k, "cumsum": cumsum}[how]


@jit
def arg_max(x, to, outer, size, inner):
    """Find the place of the largest number, the first of equal ones; NaN counts as larger than all others."""
    for o in range(outer):
        for i in range(inner):
            begin, place = o * size * inner + i, 0
            most = x[begin]
            for j in range(1, size):
                each = x[begin + j * inner]
                if each > most or (each != each and most == most):
                    most, place = each, j
            to[o * inner + i] = place


@jit
def arg_min(x, to, outer, size, inner):
    """Find the place of the smallest number, the first of equal ones; NaN counts as smaller than all others."""
    for o in range(outer):
        for i in range(inner):
            begin, place = o * size * inner + i, 0
            least = x[begin]
            for j in range(1, size):
                each = x[begin + j * inner]
                if each < least or (each != each and least == least):
                    least, place = each, j
            to[o * inner + i] = place


@jit
def top_k(x, values, places, outer, size, inner, k):
    """Find the k largest numbers in descending order, equal ones in the order of their places, and NaN last; `inner` is 1."""
    for o in range(outer):
        count, to = 0, o * k
        for j in range(size):
            each = x[o * size + j]
            if each == each and (count < k or each > values[to + k - 1]):
                at = min(count, k - 1)
                while at > 0 and each > values[to + at - 1]:
                    values[to + at] = values[to + at - 1]
                    places[to + at] = places[to + at - 1]
                    at -= 1
                values[to + at] = each
                places[to + at] = j
                count = min(count + 1, k)
        for j in range(size):
            if count < k and x[o * size + j] != x[o * size + j]:
                values[to + count] = x[o * size + j]
                places[to + count] = j
                count += 1


@jit
def cumsum(x, to, outer, size, inner, exclusive, reverse):
    """Add up the numbers one after another; exclusive: without the one itself; reverse: from the other end."""
    for o in range(outer):
        for i in range(inner):
            begin, total = o * size * inner + i, to.dtype.type(0)
            for j in range(size):
                at = begin + (size - 1 - j if reverse else j) * inner
                if exclusive:
                    to[at] = total
                    total = total + x[at]
                else:
                    total = total + x[at] if j > 0 else x[at]
                    to[at] = total
