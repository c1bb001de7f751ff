"""Fused loops over large arrays, which several threads share: spans of the outermost dimension, or blocks of it with sums of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..array_pointers import array_at, match_description
from ..numba_jit import jit
from ..threads import parallel_for

__all__ = ["PartialSum", "ThreadedLoop"]

BLOCKS = 16  # of the outermost dimension, each with its sums
ROWS = 4  # of a block, at least, so that adding up the sums of all blocks takes little time


class PartialSum(NamedTuple):
    """A result that is a sum over the outermost dimension: the index of its address in the table, its size and dtype."""

    place: int
    size: int
    dtype: np.dtype


class ThreadedLoop:
    """A function like `FusedLoop.compiled` that several threads share.

    Sums over the outermost dimension are made for blocks of it, and those of the blocks are added in their order. The number of blocks
    depends on the size alone, so that results are the same whatever the number of threads.

    Arguments:
        kernel: the compiled function for a span. sizes: how many sizes, and arrays to check, the table begins with.
        length: the size of the outermost dimension. work: as for `threads.parallel_for`.
        totals: the results that are sums over that dimension.
    """

    def __init__(
        self, kernel: Callable, sizes: tuple[int, int], length: int, work: int, totals: Sequence[PartialSum]
    ) -> None:
        self.kernel, self.sizes, self.length, self.work, self.totals = kernel, sizes, length, work, totals
        self.blocks = max(1, min(BLOCKS, length // ROWS))

    def __call__(self, table: np.ndarray, descriptions: np.ndarray, *further: np.ndarray) -> bool:
        """Return whether the arrays match their descriptions; if not, nothing is computed."""
        if not _matches(table, *self.sizes, descriptions):
            return False
        if not self.totals:
            parallel_for(self.kernel, self.length, self.work, (table, 0, *further))
            return True
        parts = [np.empty((self.blocks, size), dtype) for _, size, dtype in self.totals]
        here = table.copy()
        for total, part in zip(self.totals, parts, strict=True):
            here[total.place] = id(part)
        parallel_for(self.kernel, self.blocks, self.work, (here, self.blocks, *further))
        for total, part in zip(self.totals, parts, strict=True):
            whole: Any = array_at(table[total.place], total.size, part)
            np.add.reduce(part, axis=0, out=whole)
        return True


@jit
def _matches(table, first, count, descriptions):
    """Compare the arrays whose addresses stand in the table with their descriptions."""
    at = 0
    for i in range(first, first + count):
        at = match_description(descriptions, at, table[i])
        if at < 0:
            return False
    return True
