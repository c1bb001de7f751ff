"""The kernels of a loop whose values keep their shapes: each value is a whole, and each state has a part for each round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from .....kernels.codegen.fixed_loops import Back, FixedLoop, Kept
from .....kernels.codegen.ragged_loops import Array, Copied, Part
from ....program.block import Block
from ....program.operator import Operator
from ...graph import FunctionGraph
from ...ir import Value
from ..limits import Unfit
from ..rows import Arrays, Compiled, Kinds, shape_of
from ..step_kernels import StepKernels, WeightProduct
from ..steps import Step
from .lists import Lists, OfElements
from .steps import FixedSteps
from .table_rows import RowsStep

if TYPE_CHECKING:
    from .form import FixedForm


class FixedArrays(Arrays):
    """The arrays of a kernel whose values are wholes.

    Attributes:
        shared: value -> the state in whose array it is the part for the next round.
        made: the values that the rounds make; only these are shared.
    """

    def __init__(self, kept: set[Value], same: Mapping[Value, Value], kinds: Kinds, condition: Value | None) -> None:
        super().__init__(kept, same, kinds)
        self.condition = condition
        self.shared: dict[Value, Value] = {}
        self.made: frozenset[Value] = frozenset()

    def share(self, value: Value, state: Value) -> bool:
        """Write what a round makes for the next one where that reads it; return whether this is possible."""
        place = self.places.get(value)
        if place is None or value in self.shared or place.lead or value not in self.made:
            return False
        self.places[value] = place._replace(steps=True, lead=1)
        self.shared[value] = state
        return True

    def compiled(self, parts: list[Part], states: Sequence[Kept | Back], back: bool) -> Compiled:  # type: ignore[override]
        dtypes = list(dict.fromkeys(place.dtype for place in self.places.values()))
        arrays = [
            Array(prod(p.shape), dtypes.index(p.dtype), 0, p.steps, p.zeros, p.lead) for p in self.places.values()
        ]
        condition = None if self.condition is None else self.number(self.condition)
        loop = FixedLoop(parts, arrays, states, dtypes, condition)
        return Compiled(loop, self.places, self.numbers, self.transposed)


class FixedKernels(StepKernels):
    """The kernels of a loop whose values keep their shapes.

    Arguments:
        form: its form.

    Attributes:
        shared: value -> the state in whose array it is the part for the next round.
        lists, known: name of an array of tensors -> the value of its list, and what is known of the elements.
        of_lists: the same -> the value of the gradient of its list, if there is one.
    """

    form: FixedForm

    def __init__(self, form: FixedForm) -> None:
        metas = {name: form.flat.variable(name).meta for name in form.lists}
        self.lists = {name: _value(name, *meta[:2]) for name, meta in metas.items()}
        self.known = {
            name: OfElements(
                _value(f"{name} written", (1,), np.dtype(np.uint8)), _value(f"{name} length", (1,), np.dtype(np.int64))
            )
            for name in metas
        }
        touched = {*form.arriving.values(), *form.of_lists}
        self.of_lists = {name: _value(f"{name} gradient", *metas[name][:2]) for name in metas if name in touched}
        super().__init__(form)

    def _steps(self, graph: FunctionGraph, part: int) -> FixedSteps:
        if not part:
            return FixedSteps(graph, part, Lists(self.lists, {n: self.inputs[n] for n in self.lists}, self.known))
        self._backwards = Lists(self.of_lists, {name: self.arriving.get(name) for name in self.of_lists}, {})
        return FixedSteps(graph, part, self._backwards)

    def _block(self, ops: Sequence[Operator], inputs: Iterable[str]) -> Block:
        return self.form.flat

    def _kinds(self, parts: Iterable[Step]) -> Kinds:
        return Kinds()

    def _handed(self, value: Value | None) -> Value:
        if value is None:
            raise Unfit("a state has no value")
        shape_of(value)
        return value

    def _forward(self, parts: list[Step]) -> Compiled:
        condition = self.states[self.form.loop.condition]
        arrays = FixedArrays(self.saved, self.same, self.kinds, condition)
        for value in self.states.values():
            arrays.add(value, steps=True)
        for value in (*self.others.values(), *self.lists.values(), *chain(*self.known.values())):
            arrays.add(value, whole=True)
        given = {*arrays.places}
        made = [each for part in parts for each in part.made_with(arrays)]
        arrays.made = frozenset({*arrays.places} - given)
        states = [
            Kept(arrays.number(self.news[state]), arrays.number(value))
            for state, value in self.states.items()
            if not arrays.share(self.news[state], value)
        ]
        self.shared = arrays.shared
        self._check_turned(arrays)
        return arrays.compiled(made, states, back=False)

    def _check_turned(self, arrays: Arrays) -> None:
        """Raise Unfit where a matrix is needed transposed that is not the same in all rounds."""
        others = {*self.others.values()}
        for value in arrays.transposed.values():
            if self._known(value) not in others:
                raise Unfit(f"the gradient of a product with {value.name}, which rounds compute")

    def _backward(self, parts: list[Step], found: dict[str, Value | None]) -> Compiled:
        parts = self._with_totals(self._with_products(parts), found)
        rows = {v for product in self._products.values() for v in product}
        arrays = FixedArrays(rows, self.same, self.kinds, None)
        for name, version in self.form.of_lists.items():
            self._backwards.check_end(name, found[version])
        for name, value in self.arriving.items():
            if name not in self.of_lists:
                arrays.add(value, zeros=True)
        for value in self.of_lists.values():
            arrays.add(value, whole=True)
        for value in dict.fromkeys(self._known(v) for part in parts for v in part.reads()):
            if value in self.forward.places:
                arrays.take(value, self.forward.places[value])
        made = [each for part in parts for each in part.made_with(arrays)]
        states = self._backed(arrays, made, {state: found[name] for state, name in self.form.of_states.items()})
        self._sum_up(found, arrays, made)
        self._check_turned(arrays)
        return arrays.compiled(made, states, back=True)

    def _with_totals(self, parts: list[Step], found: dict[str, Value | None]) -> list[Step]:
        """Note the gradients of tables that only add rows up in all rounds, which are arrays for all of them; return the parts."""
        read = {self._known(value) for part in parts for value in part.reads()}
        sums = {found[name] for name in self.form.sums} - read
        self._totals: set[Value] = set()
        for i, part in enumerate(parts):
            if isinstance(part, RowsStep) and part.how == "add" and part.table in sums:
                parts[i] = part._replace(total=True)
                self._totals.add(part.table)
        return parts

    def _sum(
        self, name: str, found: Mapping[str, Value | None], arrays: Arrays, made: list[Part]
    ) -> Value | WeightProduct | None:
        gradient = found[name]
        return gradient if gradient in self._totals else super()._sum(name, found, arrays, made)

    def _backed(self, arrays: Arrays, made: list[Part], gradients: dict[str, Value | None]) -> list[Back]:
        """Return how the gradients of states are handed on, and add what this takes."""
        self.of_states = dict.fromkeys(self.states)
        states: list[Back] = []
        arriving = {*self.arriving.values()}
        for state in self.states:
            gradient, to = gradients.get(state), self.arriving.get(state)
            if gradient is None and to is None:
                continue
            if to is None:
                assert gradient is not None
                to = self._like(gradient, f"{state} unread")
                arrays.add(to, zeros=True)
            if gradient is not to and gradient in arriving:  # states change places
                copy = self._like(gradient, f"{state} in the round")
                arrays.add(copy)
                made.append(Copied(arrays.number(gradient), arrays.number(copy)))
                gradient = copy
            self.of_states[state] = to
            if gradient is not to:
                states.append(Back(None if gradient is None else arrays.number(gradient), arrays.number(to)))
        return states


def _value(name: str, shape: tuple[int, ...], dtype: np.dtype) -> Value:
    """Return a value of a kernel that no operator makes."""
    return Value(name, name, -1, shape, dtype, sure=True)
