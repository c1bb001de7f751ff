"""Sums and maxima in generated loops, in a form that LLVM vectorises."""

from __future__ import annotations

from paddle_lite.kernels.numba_jit import inline

__all__ = ["LANES", "add", "row_maximum"]

LANES = 16
"""The number of partial maxima."""


@inline(reassoc=True)
def add(total, value):
    """Return total + value; additions may be reordered."""
    return total + value


@inline
def row_maximum(row, lanes):
    """Return the maximum of the elements that are not NaN, from LANES partial maxima: LLVM does not vectorise a single one."""
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
