"""Multi-threaded fused loops: each thread computes spans of the outermost dimension, with partial sums of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..array_pointers import array_at
from ..threads import parallel_for

__all__ = ["PartialSum", "ThreadedLoop"]


class PartialSum(NamedTuple):
    """A result that is a sum over the outermost dimension: the index of its address in the table, its size and dtype."""

    place: int
    size: int
    dtype: np.dtype


class ThreadedLoop:
    """A function like `FusedLoop.compiled` that runs in several threads.

    The partial sums of the spans are added in the order of the spans: the rounding depends on the number of threads, but
    not on which thread finishes first.

    Arguments:
        kernel: the compiled function for a span. length: the size of the outermost dimension. work: as for `threads.parallel_for`.
        totals: the results for which each span needs its own array.
    """

    def __init__(self, kernel: Callable, length: int, work: int, totals: Sequence[PartialSum]) -> None:
        self.kernel, self.length, self.work, self.totals = kernel, length, work, totals

    def __call__(self, table: np.ndarray, descriptions: np.ndarray, *further: np.ndarray) -> bool:
        """Return whether the arrays match their descriptions; if not, nothing is computed."""
        own: dict[int, list[np.ndarray]] = {}
        found: list[bool] = []

        def span(first: int, last: int) -> None:
            here = table
            if first and self.totals:
                here, own[first] = table.copy(), [np.empty(size, dtype) for _, size, dtype in self.totals]
                for total, array in zip(self.totals, own[first], strict=True):
                    here[total.place] = id(array)
            found.append(self.kernel(here, descriptions, first, last, *further))

        parallel_for(span, self.length, self.work)
        if all(found):
            for first in sorted(own):
                for total, array in zip(self.totals, own[first], strict=True):
                    whole = array_at(table[total.place], total.size, array)
                    whole += array
        return all(found)
