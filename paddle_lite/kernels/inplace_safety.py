"""Checks whether hundreds of arrays may be updated in place, in one call that inspects their objects in memory."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np

from .array_pointers import PLAIN, word_at
from .numba_jit import inline, jit
from .object_layout import BASE_AT, DATA_AT, DIMS_AT, DTYPE_AT, FLAGS_AT, RANK_AT, TYPE_AT

__all__ = ["can_update_in_place", "reference_counts_readable"]

WRITEABLE = PLAIN | 0x400
COUNT_AT = DATA_AT - 16
LOW = 0xFFFFFFFF  # a reference count occupies the lower half of its word


@inline
def _elements(address):
    """Return the number of elements of the array whose object is at an address."""
    sizes, count = word_at(address + DIMS_AT), 1
    for d in range(word_at(address + RANK_AT) & LOW):
        count *= word_at(sizes + 8 * d)
    return count


@inline
def _alike(left, right):
    """Return whether two arrays have the same shape."""
    rank = word_at(left + RANK_AT) & LOW
    if word_at(right + RANK_AT) & LOW != rank:
        return False
    here, there, same = word_at(left + DIMS_AT), word_at(right + DIMS_AT), True
    for d in range(rank):
        same = same and word_at(here + 8 * d) == word_at(there + 8 * d)
    return same


@jit
def can_update_in_place(objects, sizes, kind, dtype, most):
    """Return whether a kernel may update arrays in place; write their sizes into `sizes`.

    Args:
        objects: int64 [slots, parameters], the `id` of each parameter (slot 0), gradient (slot 1) and accumulator.
        sizes: int64 of the same shape, to be filled.
        kind, dtype: the `id` of numpy.ndarray, and of the dtype that all arrays must have.
        most: the largest permitted reference count of an array that is written.

    All arrays must be C-contiguous, and gradients must have the shapes of their parameters; written arrays must own their
    data.
    """
    for s in range(objects.shape[0]):
        for i in range(objects.shape[1]):
            address = objects[s, i]
            if word_at(address + TYPE_AT) != kind or word_at(address + DTYPE_AT) != dtype:
                return False
            flags = WRITEABLE if s != 1 else PLAIN
            if word_at(address + FLAGS_AT) & flags != flags:
                return False
            if s != 1 and (word_at(address + BASE_AT) != 0 or word_at(address + COUNT_AT) & LOW > most):
                return False
            sizes[s, i] = _elements(address)
    fit = True
    for i in range(objects.shape[1]):
        fit = fit and _alike(objects[0, i], objects[1, i])
    return fit


@cache
def reference_counts_readable() -> bool:
    """Return whether reference counts are where `can_update_in_place` reads them; free-threaded Pythons store them elsewhere."""
    probe = np.empty(3)
    before = int(word_at(id(probe) + COUNT_AT)) & LOW
    more = [probe, probe]
    after = int(word_at(id(probe) + COUNT_AT)) & LOW
    return after - before == len(more) and before == sys.getrefcount(probe) - 1 - len(more)
