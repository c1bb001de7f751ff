"""The call of a chain at run time."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ....core.errors import ShapeError, message
from ....kernels.array_pointers import array_description
from ....kernels.codegen.chained_loops import Chain
from ..fusion.kernel import Kernel


class Taken(NamedTuple):
    """An array that a chain reads.

    shape: its shape; of an array of rows the first size may be unknown, -1. dtype: its dtype.
    first: the row of the first round. rows: the least number of rows.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    first: int = 0
    rows: int = 0


class ChainCall:
    """The call of a chain: `call(*arrays, *lists)` returns its results, one array of rows for each.

    Arguments:
        chain: its source. rounds: their number. kernels: the fused kernels of a round.
        taken: the arrays that it reads. listed: of those that it reads from lists, one each.
        made: the shapes and dtypes of its results.
    """

    def __init__(
        self, chain: Chain, rounds: int, kernels: Sequence[Kernel], taken: Sequence[Taken], listed: Sequence[Taken],
        made: Sequence[tuple[tuple[int, ...], np.dtype]],
    ) -> None:  # fmt: skip
        self.chain, self.rounds, self.kernels = chain, rounds, list(kernels)
        self.taken, self.listed, self.made = list(taken), list(listed), list(made)
        self.last = self._prepared([each.shape for each in self.taken])
        self.further = [*(kernel.numbers for kernel in kernels), *(np.empty(0, dtype) for dtype in chain.dtypes)]
        self._run: Any = None

    def __call__(self, *given: Any) -> list[np.ndarray]:
        if self._run is None:
            self._run = self.chain.compiled()
        outs = [np.empty(shape, dtype) for shape, dtype in self.made]
        if not self._runs(given, outs):
            copies = self._fit(given)
            self.last = self._prepared([array.shape for array in copies[: len(self.taken)]])
            self._runs(copies, outs)
        return outs

    def _runs(self, given: Sequence[Any], outs: Sequence[np.ndarray]) -> bool:
        """Run the kernel, and return whether the arrays fit it."""
        count, (head, descriptions) = len(self.taken), self.last
        addresses = [*map(id, given[:count]), *map(id, outs)]
        for each in given[count:]:
            addresses += map(id, each)
        return self._run(np.array([*head, *addresses], np.int64), descriptions, *self.further)

    def _prepared(self, shapes: Sequence[tuple[int, ...]]) -> tuple[list[int], np.ndarray]:
        """Return the beginning of the table and the descriptions for arrays of these shapes."""
        arrays = [(shape, each.first) for shape, each in zip(shapes, self.taken, strict=True)]
        arrays += [(shape, 0) for shape, _ in self.made]
        arrays += [(each.shape, each.first) for each in self.listed]
        head = [self.rounds, *(prod(shape) for shape, _ in arrays), *(first for _, first in arrays)]
        described = [(shape, each.dtype) for shape, each in zip(shapes, self.taken, strict=True)]
        described += [(each.shape, each.dtype) for each in self.listed]
        words = [word for shape, dtype in described for word in array_description(shape, dtype)]
        return head, np.array(words, np.int64)

    def _fit(self, given: Sequence[Any]) -> list[Any]:
        """Return contiguous copies of arrays.

        Raises:
            ShapeError: an array has another shape or dtype than the Plan relies on.
        """
        count = len(self.taken)
        single = [_fit(array, each) for array, each in zip(given[:count], self.taken, strict=True)]
        lists = [[_fit(a, each) for a in arrays] for arrays, each in zip(given[count:], self.listed, strict=True)]
        return [*single, *lists]


def _fit(array: Any, taken: Taken) -> np.ndarray:
    """Return a contiguous copy of an array."""
    known = taken.shape if min(taken.shape, default=0) >= 0 else (max(len(array), taken.rows), *taken.shape[1:])
    if array.shape != known or array.dtype != taken.dtype:
        got, needs = f"{list(array.shape)} {array.dtype}", f"{list(known)} {taken.dtype}, as in the Program"
        raise ShapeError(
            message("a loop of a Plan", "an array", got, needs, "FLAGS_plan_passes=-chains runs it without.")
        )
    return np.array(array, taken.dtype, order="C")  # of this very dtype, whose address the kernel compares
