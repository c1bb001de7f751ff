"""Checks of hundreds of arrays in lists, in one call that inspects their objects in memory.

Whether they may be updated in place, and whether they have the shapes and dtypes of an earlier call.
"""

from __future__ import annotations

import sys
from functools import cache

import numpy as np

from .array_pointers import PLAIN, match_description, word_at
from .numba_jit import inline, jit
from .object_layout import BASE_AT, DATA_AT, DIMS_AT, DTYPE_AT, FLAGS_AT, LENGTH_AT, RANK_AT, TYPE_AT

__all__ = ["can_update_in_place", "lists_readable", "match_descriptions", "reference_counts_readable"]

WRITEABLE = PLAIN | 0x400
COUNT_AT = DATA_AT - 16
ADDRESSES_AT = LENGTH_AT + 8  # of a list: where the addresses of its objects are
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
def can_update_in_place(lists, objects, sizes, kind, dtype, most):
    """Return whether a kernel may update arrays in place; write their addresses into `objects`, and their sizes into `sizes`.

    Args:
        lists: int64 [slots], the `id` of the list of parameters (slot 0), of gradients (slot 1) and of each accumulator.
        objects, sizes: int64 [slots, parameters], to be filled.
        kind, dtype: the `id` of numpy.ndarray, and of the dtype that all arrays must have.
        most: the largest permitted reference count of an array that is written.

    All arrays must be C-contiguous, and gradients must have the shapes of their parameters; written arrays must own their
    data.
    """
    for s in range(objects.shape[0]):
        addresses = word_at(lists[s] + ADDRESSES_AT)
        for i in range(objects.shape[1]):
            address = word_at(addresses + 8 * i)
            objects[s, i] = address
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


@jit
def match_descriptions(address, count, descriptions):
    """Return whether the objects of a list are C-contiguous arrays of the shapes and dtypes described (see `array_description`).

    Args:
        address: the `id` of the list. count: its length.
        descriptions: int64, the description of each array.
    """
    addresses, at = word_at(address + ADDRESSES_AT), 0
    for i in range(count):
        at = match_description(descriptions, at, word_at(addresses + 8 * i))
        if at < 0:
            return False
    return True


@cache
def lists_readable() -> bool:
    """Return whether lists have their objects' addresses where the kernels of this file read them."""
    probe = [None, cache]
    addresses = int(word_at(id(probe) + ADDRESSES_AT)) if list.__basicsize__ == ADDRESSES_AT + 16 else 0
    return addresses > 0 and [int(word_at(addresses + 8 * i)) for i in range(2)] == list(map(id, probe))


@cache
def reference_counts_readable() -> bool:
    """Return whether reference counts are where `can_update_in_place` reads them; free-threaded Pythons store them elsewhere."""
    probe = np.empty(3)
    before = int(word_at(id(probe) + COUNT_AT)) & LOW
    more = [probe, probe]
    after = int(word_at(id(probe) + COUNT_AT)) & LOW
    return after - before == len(more) and before == sys.getrefcount(probe) - 1 - len(more)
