"""The kernels of a loop over the steps of sequences of different lengths: one forward, one for the gradient.

The operators of a step are built a second time, on rows without LoDs, so that they fuse. Each value of a step is an array of
the kernel. One that the gradient, another step or another operator reads has rows for all steps; the others are overwritten in
each step. The gradient of a weight in products is one product of the rows of all steps, after the kernel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ....core.dtype import VarType
from ....core.errors import GraphError
from ....kernels.codegen.ragged_loops import Added, Backed, Copied, Handed, Part
from ...operators.structural import EMPTY
from ...program.block import Block
from ...program.operator import Operator
from ...program.variable import Variable
from ..fusion.groups import fuse
from ..graph import FunctionGraph
from ..ir import Part as GraphPart
from ..ir import Value
from ..passes.copies import drop_copies
from ..passes.unread import drop_unread
from ..ssa import Builder, Options
from .outside import Outside
from .ragged_parts import AliasStep, FusedStep, Step, Steps, WeightPart
from .ragged_rows import Arrays, Compiled, Kinds, like, with_rows
from .rounds import Unfit

if TYPE_CHECKING:
    from .ragged_form import RaggedForm


class WeightProduct(NamedTuple):
    """A term x.T @ d of the gradient of a weight, of the rows of all steps."""

    x: Value
    d: Value


class RaggedKernels:
    """The kernels of a loop.

    Arguments:
        form: its form.

    Attributes:
        states, firsts, news: array of a state -> the value of its rows in a step, of those before the first step, and of those for
            the next one.
        sequences, cut, others: name of rows of sequences, of the first rows of what all steps read, and of what they read as a whole
            -> its value.
        outputs: array -> the value of its rows.
        saved: the values that the gradient reads.
        forward, backward: the kernels; `backward` is None without a gradient.
        arriving: array -> the value of the gradient of its rows.
        of_sequences, of_states: array -> the value of its gradient, of states of that of the rows before the first step; None for
            zeros.
        sums: the name of a gradient that all steps add up -> its value, or the product that it is; None for zeros. of_cut: the values
            of those that belong to first rows -> the name of the whole.
        before, behind: the functions of what runs before the steps, and behind those of the gradient; None for nothing.

    Raises:
        Unfit: a step cannot run in a kernel.
    """

    def __init__(self, form: RaggedForm) -> None:
        self.form = form
        self._compiled: dict[bool, Any] = {}
        graph, inputs = self._graph()
        self.states = {array: inputs[rows] for array, rows in form.reads.items()}
        self.sequences = {rows: inputs[rows] for rows in form.sequences}
        self.cut = {rows: inputs[rows] for rows in form.firsts}
        self.others = {name: inputs[name] for name in form.outer}
        parts = list(Steps(graph, 0).parts())
        behind = list(Steps(graph, 1).parts()) if form.loop.gradients else []
        self.same = dict(pair for part in (*parts, *behind) for pair in _aliases(part))
        ends = {name: self._original(value) for name, value in zip(self.results, graph.ends[0], strict=True)}
        self.kinds = self._kinds([*parts, *behind])
        self.firsts = {array: self._like(value, f"{array} before") for array, value in self.states.items()}
        self.saved = {self._known(v) for part in behind for v in part.reads()}
        self.outputs = {array: self._of_steps(ends[rows]) for array, rows in form.outputs.items()}
        self.news = {array: self._of_steps(ends[rows]) for array, rows in form.news.items()}
        read = {*form.outer, *(n for op in form.behind for n in op.input_arg_names)}
        self.before = self._outside(form.before, [n for op in form.before for n in op.output_arg_names if n in read])
        self.behind = self._outside(form.behind, [n for n in form.of_others.values() if n not in form.sums])
        self.forward = self._forward(parts)
        self.saved &= self.forward.places.keys()
        self.backward: Compiled | None = None
        if form.loop.gradients:
            found = {n: self._original(v) for n, v in zip(self.back_results, graph.ends[1], strict=True)}
            self.backward = self._backward(behind, found)

    @property
    def characters(self) -> int:
        """The approximate length of the sources."""
        kernels = [self.forward] if self.backward is None else [self.forward, self.backward]
        return sum(each.loop.characters for each in kernels)

    def run(self, kernel: Compiled) -> Any:
        """Return the machine code of one of the kernels; the first call compiles it."""
        back = kernel.loop.back
        if back not in self._compiled:
            self._compiled[back] = kernel.loop.compiled()
        return self._compiled[back]

    # --- the operators ------------------------------------------------------------------------------------------------

    def _graph(self) -> tuple[FunctionGraph, dict[str, Value]]:
        """Return the graph of the operators on rows, a part for the step and one for its gradient, with its inputs by name."""
        form = self.form
        ops = [*form.ops, *form.back_ops]
        self.results = list(dict.fromkeys([*form.outputs.values(), *form.news.values()]))
        sums = [form.of_firsts.get(name, name) for name in form.sums]
        self.back_results = list(dict.fromkeys([*form.of_sequences.values(), *form.of_states.values(), *sums]))
        inputs = list(dict.fromkeys([*form.sequences, *form.reads.values(), *form.firsts, *form.outer, *form.arriving]))
        parts = [GraphPart(len(form.ops), list(form.arriving), self.back_results)] if form.loop.gradients else []
        writes = Counter(name for op in ops for name in op.output_arg_names)
        builder = Builder(_Flat(form.block, ops, inputs), ops, inputs, (), parts, Options("cpu", writes=writes))
        try:
            graph = builder.build(self.results)
        except GraphError as error:
            raise Unfit(str(error)) from error
        self.arriving = {array: builder.now[name] for name, array in form.arriving.items()}
        for each in (drop_copies, drop_unread, fuse):
            graph = graph.replaced(each(graph))
        return graph, builder.first

    def _kinds(self, parts: Iterable[Step]) -> Kinds:
        """Return the kinds of the rows of all values."""
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

    def _like(self, value: Value, name: str) -> Value:
        """Return a value of the same shape and dtype, with rows of the same kind."""
        made = like(value, name)
        self.kinds.note(made, self.kinds.of(value))
        return made

    def _of_steps(self, value: Value | None) -> Value:
        """Return a value that has a row for each sequence; raise Unfit for others."""
        value = with_rows(value)
        if self.kinds.of(value) != 1:
            raise Unfit(f"{value.name} has several rows for each sequence")
        return value

    def _outside(self, ops: Sequence[Operator], results: Sequence[str]) -> Outside | None:
        """Return the function of operators that run once; None for none."""
        if not ops:
            return None
        reads = [n for op in (*self.form.before, *self.form.behind) for n in op.input_arg_names]
        return Outside(_Flat(self.form.block, [*self.form.before, *ops], reads), ops, list(dict.fromkeys(results)))

    def _known(self, value: Value) -> Value:
        """Return the value that a value is an alias of, or the value itself."""
        while value in self.same:
            value = self.same[value]
        return value

    def _original(self, value: Value | None) -> Value | None:
        return None if value is None else self._known(value)

    # --- the kernels --------------------------------------------------------------------------------------------------

    def _forward(self, parts: list[Step]) -> Compiled:
        """Return the kernel of the steps."""
        arrays = Arrays({*self.saved, *self.outputs.values(), *self.news.values()}, self.same, self.kinds)
        for value in (*self.sequences.values(), *self.states.values()):
            arrays.add(with_rows(value), steps=True)
        for value in self.others.values():
            arrays.add(value, whole=True)
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
        self._products = {
            p.made: WeightProduct(*map(self._known, (p.x, p.d))) for p in parts if isinstance(p, WeightPart)
        }
        parts = [part for part in parts if not isinstance(part, WeightPart)]
        self.of_sequences: dict[str, Value | None] = {array: found[name] for array, name in form.of_sequences.items()}
        rows = {v for product in self._products.values() for v in product}
        arrays = Arrays({*rows, *(v for v in self.of_sequences.values() if v is not None)}, self.same, self.kinds)
        for array, value in self.arriving.items():
            arrays.add(self._of_steps(value), steps=array in self.outputs, zeros=array in self.news)
        for value in dict.fromkeys(self._known(v) for part in parts for v in part.reads()):
            if value in self.forward.places:
                arrays.take(value, self.forward.places[value]._replace(zeros=False))
        made = [each for part in parts for each in part.made_with(arrays)]
        backed = self._backed(arrays, {array: found[name] for array, name in form.of_states.items()})
        for array, gradient in self.of_sequences.items():
            if gradient is not None:
                self.of_sequences[array] = self._of_all_steps(gradient, arrays, made)
        self.of_cut: dict[Value, str] = {}
        self.sums = {name: self._sum(name, found, arrays, made) for name in form.sums}
        if self.behind is not None and any(self.sums[n] is None for n in self.behind.reads if n in self.sums):
            raise Unfit("a part of the gradient of what all steps read is missing")
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

    def _sum(
        self, name: str, found: Mapping[str, Value | None], arrays: Arrays, made: list[Part]
    ) -> Value | WeightProduct | None:
        """Return the gradient that all steps add up, and add the part that does so; None for zeros."""
        form = self.form
        gradient = found[form.of_firsts.get(name, name)]
        if gradient is None:
            return None
        if gradient in self._products:
            product = self._products[gradient]
            return WeightProduct(*(self._of_all_steps(value, arrays, made) for value in product))
        total = self._like(gradient, f"{gradient.name} total")
        arrays.add(total, whole=name not in form.of_firsts, zeros=True)
        made.append(Added(arrays.number(gradient), arrays.number(total)))
        if name in form.of_firsts:
            self.of_cut[total] = form.wholes[name]
        return total

    def _of_all_steps(self, value: Value, arrays: Arrays, made: list[Part]) -> Value:
        """Return the value of the rows of all steps of a value; where it is overwritten in each step, it is copied."""
        place = arrays.places.get(value) or self.forward.places.get(value)
        if place is None or not place.rows:
            raise Unfit(f"the gradient of a weight is a product with {value.name}")
        if place.steps:
            return value
        arrays.take(value, place)
        copy = self._like(value, f"{value.name} of all steps")
        arrays.add(copy, steps=True)
        made.append(Copied(arrays.number(value), arrays.number(copy)))
        return copy


def _aliases(part: Step) -> Iterator[tuple[Value, Value]]:
    """Yield the values of a part that are others, with these."""
    if isinstance(part, FusedStep):
        yield from part.kernel.copies
    elif isinstance(part, AliasStep):
        yield part.made, part.given


class _Flat(Block):
    """A block of its own with the operators of a step, whose Variables have no LoD."""

    def __init__(self, block: Block, ops: Sequence[Operator], inputs: Iterable[str]) -> None:
        super().__init__(block.program, 0, -1)
        names = dict.fromkeys([*inputs, *(n for op in ops for n in (*op.input_arg_names, *op.output_arg_names))])
        blocks = [block, *dict.fromkeys(op.block for op in ops)]
        for name in names:
            known = next((v for each in blocks if (v := each.find(name)) is not None), None)
            if name != EMPTY and known is not None:
                variable = self.vars[name] = Variable(self, name=name)
                variable.type = VarType.LOD_TENSOR
                variable.set_meta(known.meta._replace(lod_level=0))
