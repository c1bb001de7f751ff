"""Loops over the steps of sequences of different lengths as one kernel, with no Python between the steps.

A kernel takes the arrays that a batch has when it runs. Where these are not the rows of the steps of one batch, side by side and
without LoDs, the loop goes round by round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .....core import flags
from .....core.lod import LoD
from .....core.tensor_array import PackedArray, RankTable, TensorArray
from .....kernels.cpu.random import dropout
from ...ir import Value
from ...passes.products import summed_products
from ..rows import Compiled, Rows
from ..runtime import MOST, zeros_like
from ..step_kernels import WeightProduct
from .kernels import RaggedKernels

if TYPE_CHECKING:
    from ..loop import Loop

Arrays = dict[Value, Any]


class RaggedCall:
    """The call of a loop as one kernel, or round by round: it takes and returns what the Loop does.

    Arguments:
        loop: the compiled loop. kernels: those of its steps.
    """

    def __init__(self, loop: Loop, kernels: RaggedKernels) -> None:
        self.loop, self.kernels, self.form = loop, kernels, kernels.form
        self.characters = kernels.characters

    def __call__(self, values: Sequence[Any], lods: Sequence[Any]) -> tuple[Any, Any, Any]:
        now = dict(zip(self.loop.names, values, strict=True))
        bounds = self._bounds(now)
        rows = None if bounds is None else self._rows(bounds, dict(zip(self.loop.ragged, lods, strict=True)))
        before = self.kernels.before
        if rows is not None and before is not None:
            now |= before(now)
        arrays = None if rows is None else self._arrays(now, rows)
        if bounds is None or rows is None or arrays is None:
            return self.loop(values, lods)
        kernels = self.kernels
        self._draw(len(bounds) - 1, arrays)
        self.run(kernels.forward, rows, arrays)
        self.loop.longest[0] = max(self.loop.longest[0], len(bounds) - 1)
        trace = None
        if kernels.backward is not None:
            reads = () if kernels.behind is None else kernels.behind.reads
            same = {name: now[name] for name in reads if name in now}
            trace = RaggedTrace(self, rows, {value: arrays[value] for value in kernels.saved}, same)
        results = [self._result(name, now, bounds, arrays) for name in self.loop.results]
        return results, [None] * len(self.loop.ragged_results()), trace

    def run(self, kernel: Compiled, rows: Sequence[Rows], arrays: Arrays) -> None:
        """Run a kernel, and add the arrays that it makes to `arrays`; rows: of each kind."""
        run = self.kernels.run(kernel)
        for value, of in kernel.transposed.items():
            arrays[value] = np.ascontiguousarray(arrays[of].T)
        table: list[int] = []
        for value, place in kernel.places.items():
            if value not in arrays:
                arrays[value] = place.made(rows)
            table += (arrays[value].size, id(arrays[value]))
        likes = [np.empty(0, dtype) for dtype in kernel.loop.dtypes]
        kinds = rows[: kernel.loop.kinds]
        bounds = [np.array(each.bounds, np.int64) for each in kinds]
        offsets = [each.offsets for each in kinds[1:]]
        run(np.array(table, np.int64), *bounds, *offsets, *kernel.numbers, *likes)

    def _draw(self, steps: int, arrays: Arrays) -> None:
        """Draw the keys of all steps, as these do one after another, and add them to `arrays`."""
        values = self.kernels.keys
        drawn = dropout.keys(steps * len(values)).reshape(steps, len(values))
        arrays.update(zip(values, np.ascontiguousarray(drawn.T), strict=True))

    # --- what a run takes ---------------------------------------------------------------------------------------------

    def _bounds(self, now: dict[str, Any]) -> Sequence[int] | None:
        """Return where the rows of each step begin; None if the sequences do not say so, or the steps are others than theirs."""
        form, most = self.form, flags.value(MOST)
        given = [now[array] for array in form.sequences.values()]
        if not all(isinstance(each, PackedArray) for each in given):
            return None
        bounds: Sequence[int] = given[0].bounds
        steps = len(bounds) - 1
        same = all(each.rows_of(bounds) is not None for each in given)
        tables = [now[name] for name in form.tables]
        same = same and all(isinstance(each, RankTable) and each.bounds == bounds for each in tables)
        begins = now[form.counter].size == 1 and now[form.counter].item() == 0 and now[self.loop.condition].item()
        if not (same and begins and now[form.limit].item() == steps and not 0 < most < steps):
            return None
        return bounds

    def _rows(self, bounds: Sequence[int], lods: Mapping[str, LoD | None]) -> list[Rows] | None:
        """Return the rows of each kind; None if a LoD does not say them."""
        static = self.kernels.kinds.static
        if any(lod is not None for name, lod in lods.items() if name not in static):
            return None
        rows = [Rows(bounds)]
        for kind in sorted({*static.values()}):
            found = rows[0].of_sequences([lods[name] for name, own in static.items() if own == kind])
            if found is None:
                return None
            rows.append(found)
        return rows

    def _arrays(self, now: dict[str, Any], rows: Sequence[Rows]) -> Arrays | None:
        """Return the arrays that the kernel is given; None if they do not fit it."""
        kernels, found, bounds = self.kernels, {}, rows[0].bounds
        if any(len(now[array] or ()) for array in kernels.outputs):
            return None
        for name, value in kernels.sequences.items():
            found[value] = now[self.form.sequences[name]].whole, bounds[-1]
        for array, value in kernels.firsts.items():
            elements = now[array]
            if not isinstance(elements, TensorArray) or len(elements) != 1 or elements[0] is None or elements[0][1]:
                return None
            found[value] = elements[0][0], bounds[1]
        for name, value in kernels.cut.items():
            found[value] = now[self.form.firsts[name]], rows[kernels.kinds.of(value) - 1].bounds[1]
        for name, value in kernels.others.items():
            found[value] = now[name], 0
        arrays: Arrays = {}
        for value, (array, least) in found.items():
            fits = type(array) is np.ndarray and array.dtype == value.dtype and array.ndim == len(value.shape)
            has = value.shape[:1] == (-1,)
            if not fits or array.shape[has:] != value.shape[has:] or (has and len(array) < least):
                return None
            arrays[value] = np.ascontiguousarray(array)
        return arrays

    def _result(self, name: str, now: dict[str, Any], bounds: Sequence[int], arrays: Arrays) -> Any:
        """Return a result of the loop."""
        kernels = self.kernels
        if name in kernels.news:
            return PackedArray(arrays[kernels.news[name]], bounds, [(arrays[kernels.firsts[name]], None)])
        if name in kernels.outputs:
            return PackedArray(arrays[kernels.outputs[name]], bounds)
        return np.full_like(now[name], len(bounds) - 1 if name == self.form.counter else 0)


class RaggedTrace:
    """What a run keeps for its gradient.

    Arguments:
        call: the call of the loop. rows: of each kind. arrays: those that the gradient reads. same: what else is read behind its steps.
    """

    def __init__(self, call: RaggedCall, rows: Sequence[Rows], arrays: Arrays, same: dict[str, Any]) -> None:
        self.call, self.rows, self.arrays, self.same = call, rows, arrays, same
        self.bounds = rows[0].bounds

    def back(self, number: int, values: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
        """Return the results of the gradient operator, as `Body.back` does."""
        call, kernels, bounds = self.call, self.call.kernels, self.bounds
        assert kernels.backward is not None
        wanted = call.loop.gradients[number].attr("of")
        given = dict(zip(wanted, values, strict=True))
        arrived = dict(zip(call.loop.results, gradients, strict=True))
        arrays = dict(self.arrays)
        for array in kernels.outputs.keys() & kernels.arriving.keys():
            arrays[kernels.arriving[array]] = _packed(arrived[array], kernels.arriving[array], bounds)
        for array, first in kernels.of_states.items():
            if first is not None:
                arrays[first] = np.empty_like(given[array][0][0])
        for total, name in kernels.of_cut.items():
            arrays[total] = np.empty_like(given[name])
        call.run(kernels.backward, self.rows, arrays)
        sums = {name: _summed(total, arrays) for name, total in kernels.sums.items()}
        if kernels.behind is not None:
            sums |= kernels.behind({**self.same, **sums})
        return [self._gradient(name, given[name], arrays, sums) for name in wanted]

    def _gradient(self, name: str, value: Any, arrays: Arrays, sums: dict[str, Any]) -> Any:
        """Return the gradient of a Variable with this value; sums: those of what all steps read, by name."""
        kernels = self.call.kernels
        if name in kernels.news:
            first = kernels.of_states[name]
            return zeros_like(value) if first is None else TensorArray([(arrays[first], None)])
        if name in kernels.outputs:
            return TensorArray()
        rows = kernels.of_sequences.get(name)
        if rows is not None:
            return PackedArray(arrays[rows], self.bounds)
        total = sums.get(kernels.form.of_others.get(name, ""))
        return zeros_like(value) if total is None else total


def _summed(total: Value | WeightProduct | None, arrays: Arrays) -> Any:
    """Return a gradient that all steps add up; None for zeros."""
    if isinstance(total, WeightProduct):
        return summed_products([arrays[total.x]], [arrays[total.d]])
    return None if total is None else arrays[total]


def _packed(gradient: Any, value: Value, bounds: Sequence[int]) -> np.ndarray:
    """Return the gradient of all rows that an array holds; zeros for elements that have none."""
    whole = gradient.rows_of(bounds) if isinstance(gradient, PackedArray) else None
    if whole is not None and whole.dtype == value.dtype:
        return np.ascontiguousarray(whole)
    found = np.zeros((bounds[-1], *value.shape[1:]), value.dtype)
    for t, element in enumerate(gradient if gradient is not None else ()):
        if element is not None and t + 1 < len(bounds):
            found[bounds[t] : bounds[t + 1]] = element[0]
    return found
