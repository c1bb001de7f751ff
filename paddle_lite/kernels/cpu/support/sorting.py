"""Sorting inside kernels."""

from __future__ import annotations

from paddle_lite.kernels.numba_jit import jit

__all__ = ["stable_order"]


@jit
def stable_order(keys, order, scratch):
    """Write the indices that sort `keys` to the start of `order`, ascending, NaN last; equal keys keep their order.

    This is np.argsort(keys, kind="stable") by a merge sort from below.

    Args:
        keys: [n]. order, scratch: int64 of n elements or more.
    """
    n, width = keys.size, 1
    for k in range(n):
        order[k] = k
    while width < n:
        for first in range(0, n, 2 * width):
            middle, last = min(first + width, n), min(first + 2 * width, n)
            i, j = first, middle
            for k in range(first, last):
                right = i == middle
                if i < middle and j < last:
                    a, b = keys[order[i]], keys[order[j]]
                    right = b < a or (a != a and b == b)
                if right:
                    scratch[k] = order[j]
                    j += 1
                else:
                    scratch[k] = order[i]
                    i += 1
        for k in range(n):
            order[k] = scratch[k]
        width *= 2
