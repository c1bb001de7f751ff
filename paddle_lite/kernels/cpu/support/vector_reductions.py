"""Sums and maxima inside of generated loops, in a form that LLVM vectorises."""

from __future__ import annotations

from paddle_lite.kernels.numba_jit import inline

__all__ = ["LANES", "add", "row_maximum"]

LANES = 16
"""How many running maxima there are."""


@inline(reassoc=True)
def add(total, value):
    """total + value, where the order of the additions does not matter."""
    return total + value


@inline
def row_maximum(row, lanes):
    """Return the largest element that is not NaN.

    Several running maxima in `lanes`, since LLVM keeps the order of a single one.
    """
    whole = row.size - row.size % LANES
    best = row[0]
    if whole > 0:
        for j in range(LANES):
            lanes[j] = row[j]
        for start in range(LANES, whole, LANES):
            part = row[start : start + LANES]
            for j in range(LANES):
                lanes[j] = part[j] if part[j] > lanes[j] else lanes[j]
        for j in range(LANES):
            best = lanes[j] if lanes[j] > best else best
    for k in range(whole, row.size):
        best = row[k] if row[k] > best else best
    return best
