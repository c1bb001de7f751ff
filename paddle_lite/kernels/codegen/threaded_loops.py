"""Fused loops over several threads: spans of the outermost dimension, each with sums of its own over that dimension."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..array_pointers import array_of
from ..threads import in_spans

__all__ = ["InSpans", "Total"]


class Total(NamedTuple):
    """A result that is a sum over the outermost dimension.

    Where its address is in the table, its elements and their dtype.
    """

    place: int
    size: int
    dtype: np.dtype


class InSpans:
    """What `FusedLoop.compiled` gives, for arrays that are worth several threads.

    The totals of spans are added in the order of the spans: their rounding depends on the number of threads, not on
    which of them is faster.

    Arguments:
        kernel: the function of a span. length: of the outermost dimension. work: as for `threads.in_spans`.
        totals: what spans add up each by itself.
    """

    def __init__(self, kernel: Callable, length: int, work: int, totals: Sequence[Total]) -> None:
        self.kernel, self.length, self.work, self.totals = kernel, length, work, totals

    def __call__(self, table: np.ndarray, descriptions: np.ndarray, *like: np.ndarray) -> bool:
        """Return whether the arrays are as they are described; nothing is computed where they are not."""
        own: dict[int, list[np.ndarray]] = {}
        found: list[bool] = []

        def span(first: int, last: int) -> None:
            here = table
            if first and self.totals:
                here, own[first] = table.copy(), [np.empty(size, dtype) for _, size, dtype in self.totals]
                for total, array in zip(self.totals, own[first], strict=True):
                    here[total.place] = id(array)
            found.append(self.kernel(here, descriptions, first, last, *like))

        in_spans(span, self.length, self.work)
        if all(found):
            for first in sorted(own):
                for total, array in zip(self.totals, own[first], strict=True):
                    whole = array_of(table[total.place], total.size, array)
                    whole += array
        return all(found)
