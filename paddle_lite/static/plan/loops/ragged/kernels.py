"""The kernels of a loop over the steps of sequences of different lengths: the values of a step have a row for each of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .....kernels.codegen.ragged_loops import Backed, Handed, Part
from ...graph import FunctionGraph
from ...ir import Value
from ..limits import Unfit
from ..rows import Arrays, Compiled, Kinds, with_rows
from ..step_kernels import StepKernels
from ..steps import Step
from .steps import RaggedSteps

if TYPE_CHECKING:
    from .form import RaggedForm


class RaggedKernels(StepKernels):
    """The kernels of a loop over the steps of sequences.

    Arguments:
        form: its form.

    Attributes:
        firsts: array of a state -> the value of its rows before the first step.
        sequences, cut: name of rows of sequences, and of the first rows of what all steps read -> its value.
    """

    form: RaggedForm

    def _steps(self, graph: FunctionGraph, part: int) -> RaggedSteps:
        return RaggedSteps(graph, part)

    def _kinds(self, parts: Iterable[Step]) -> Kinds:
        """Return the kinds of the rows of all values."""
        self.sequences = {rows: self.inputs[rows] for rows in self.form.sequences}
        self.cut = {rows: self.inputs[rows] for rows in self.form.firsts}
        kinds = Kinds()
        for rows, value in self.cut.items():
            variable = self.form.block.find(self.form.firsts[rows])
            if variable is not None and variable.lod_level and variable.name in self.form.loop.ragged:
                kinds.add_static(self.form.firsts[rows], value)
            else:
                kinds.note(value, 1)
        for value in (*self.states.values(), *self.sequences.values(), *self.arriving.values()):
            kinds.note(value, 1)
        for part in parts:
            part.note_rows(kinds)
        kinds.numbered()
        return kinds

    def _handed(self, value: Value | None) -> Value:
        """Return a value that has a row for each sequence; raise Unfit for others."""
        value = with_rows(value)
        if self.kinds.of(value) != 1:
            raise Unfit(f"{value.name} has several rows for each sequence")
        return value

    # --- the kernels --------------------------------------------------------------------------------------------------

    def _forward(self, parts: list[Step]) -> Compiled:
        """Return the kernel of the steps."""
        arrays = Arrays({*self.saved, *self.outputs.values(), *self.news.values()}, self.same, self.kinds)
        for value in (*self.sequences.values(), *self.states.values()):
            arrays.add(with_rows(value), steps=True)
        for value in self.others.values():
            arrays.add(value, whole=True)
        self.firsts = {array: self._like(value, f"{array} before") for array, value in self.states.items()}
        for value in (*self.firsts.values(), *self.cut.values()):
            arrays.add(with_rows(value))
        made = [each for part in parts for each in part.made_with(arrays)]
        handed = [
            Handed(*map(arrays.number, (self.firsts[array], self.news[array], value)))
            for array, value in self.states.items()
        ]
        return arrays.compiled(made, handed, back=False)

    def _backward(self, parts: list[Step], found: dict[str, Value | None]) -> Compiled:
        """Return the kernel of the gradient."""
        form = self.form
        parts = self._with_products(parts)
        self.of_sequences = {array: found[name] for array, name in form.of_sequences.items()}
        rows = {v for product in self._products.values() for v in product}
        arrays = Arrays({*rows, *(v for v in self.of_sequences.values() if v is not None)}, self.same, self.kinds)
        for array, value in self.arriving.items():
            arrays.add(self._handed(value), steps=array in self.outputs, zeros=array in self.news)
        for value in dict.fromkeys(self._known(v) for part in parts for v in part.reads()):
            if value in self.forward.places:
                arrays.take(value, self.forward.places[value]._replace(zeros=False))
        made = [each for part in parts for each in part.made_with(arrays)]
        backed = self._backed(arrays, {array: found[name] for array, name in form.of_states.items()})
        for array, gradient in self.of_sequences.items():
            if gradient is not None:
                self.of_sequences[array] = self._of_all_steps(gradient, arrays, made)
        self._sum_up(found, arrays, made)
        return arrays.compiled(made, backed, back=True)

    def _backed(self, arrays: Arrays, gradients: dict[str, Value | None]) -> list[Backed]:
        """Return how the gradients of states are handed on, and add what this takes."""
        self.of_states: dict[str, Value | None] = dict.fromkeys(self.news)
        backed = []
        for array, gradient in gradients.items():
            if gradient is None:
                continue
            to = self.arriving.get(array)
            if to is None:
                to = self._like(gradient, f"{array} unread")
                arrays.add(to, zeros=True)
            first = self._like(gradient, f"{array} gradient")
            self.of_states[array] = first
            arrays.add(first, zeros=True)
            backed.append(Backed(arrays.number(gradient), arrays.number(to), arrays.number(first)))
        return backed

    def _of_all_steps(self, value: Value, arrays: Arrays, made: list[Part]) -> Value:
        if not self.kinds.of(value):
            raise Unfit(f"the gradient of a weight is a product with {value.name}")
        return super()._of_all_steps(value, arrays, made)
