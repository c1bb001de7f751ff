"""The kernels of a loop: one forward, one for the gradient.

The operators of a round are built a second time, on values without LoDs, so that they fuse. Each value of a round is an array of
the kernel. One that the gradient, another round or another operator reads has a part for each round; the others are overwritten in
each round. The gradient of a weight in products is one product of the rows of all rounds, after the kernel.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from ....core.dtype import VarType
from ....core.errors import GraphError
from ....kernels.codegen.ragged_loops import Added, Copied, Part
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
from .limits import Unfit
from .outside import Outside
from .rows import Arrays, Compiled, Kinds, like
from .steps import AliasStep, FusedStep, Step, Steps, WeightPart

if TYPE_CHECKING:
    from .step_form import StepForm


class WeightProduct(NamedTuple):
    """A term x.T @ d of the gradient of a weight, of the rows of all steps."""

    x: Value
    d: Value


class StepKernels(ABC):
    """The kernels of a loop.

    Arguments:
        form: its form.

    Attributes:
        states, news: state -> its value in a round, and that for the next one.
        others: name of what all rounds read -> its value.
        outputs: array -> the value that becomes its element.
        saved: the values that the gradient reads. keys: those of keys that a round draws for random numbers, in this order.
        kinds: the kinds of rows of the values.
        forward, backward: the kernels; `backward` is None without a gradient.
        arriving: state or array -> the value of the gradient of what a round hands on or writes.
        of_sequences, of_states: array or state -> the value of its gradient, of states of that before the first round; None for
            zeros.
        sums: the name of a gradient that all rounds add up -> its value, or the product that it is; None for zeros. of_cut: the
            values of those that belong to first rows -> the name of the whole.
        before, behind: the functions of what runs before the rounds, and behind those of the gradient; None for nothing.

    Raises:
        Unfit: a round cannot run in a kernel.
    """

    def __init__(self, form: StepForm) -> None:
        self.form = form
        self._compiled: dict[bool, Any] = {}
        self.of_cut: dict[Value, str] = {}
        self.of_sequences: dict[str, Value | None] = {}
        graph, self.inputs = self._graph()
        self.states = {state: self.inputs[name] for state, name in form.reads.items()}
        self.others = {name: self.inputs[name] for name in form.outer}
        parts = list(self._steps(graph, 0).parts())
        behind = list(self._steps(graph, 1).parts()) if form.loop.gradients else []
        self.same = dict(pair for part in (*parts, *behind) for pair in _aliases(part))
        ends = {name: self._original(value) for name, value in zip(self.results, graph.ends[0], strict=True)}
        self.kinds = self._kinds([*parts, *behind])
        self.saved = {self._known(v) for part in behind for v in part.reads()}
        self.outputs = {array: self._handed(ends[name]) for array, name in form.outputs.items()}
        self.news = {state: self._handed(ends[name]) for state, name in form.news.items()}
        read = {*form.outer, *(n for op in form.behind for n in op.input_arg_names)}
        self.before = self._outside(form.before, [n for op in form.before for n in op.output_arg_names if n in read])
        self.behind = self._outside(form.behind, [n for n in form.of_others.values() if n not in form.sums])
        self.keys = self._keys_of(parts)
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
        written = [name for name in form.lists if name in form.loop.results]
        self.results = list(dict.fromkeys([*form.outputs.values(), *form.news.values(), *written]))
        sums = [form.of_firsts.get(name, name) for name in form.sums]
        found = (form.of_sequences, form.of_states, form.of_lists)
        self.back_results = list(dict.fromkeys([*(name for each in found for name in each.values()), *sums]))
        given = [*form.sequences, *form.reads.values(), *form.firsts, *form.outer, *form.lists, *form.arriving]
        inputs = list(dict.fromkeys(given))
        parts = [GraphPart(len(form.ops), list(form.arriving), self.back_results)] if form.loop.gradients else []
        writes = Counter(name for op in ops for name in op.output_arg_names)
        builder = Builder(self._block(ops, inputs), ops, inputs, (), parts, Options("cpu", writes=writes))
        try:
            graph = builder.build(self.results)
        except GraphError as error:
            raise Unfit(str(error)) from error
        self.arriving = {array: builder.arrived[name] for name, array in form.arriving.items()}
        for each in (drop_copies, drop_unread, fuse):
            graph = graph.replaced(each(graph))
        return graph, builder.first

    @abstractmethod
    def _steps(self, graph: FunctionGraph, part: int) -> Steps:
        """Return what the operators of one part of the graph become."""

    def _block(self, ops: Sequence[Operator], inputs: Iterable[str]) -> Block:
        """Return a block of its own with the Variables of some operators."""
        return Flat([self.form.block], ops, inputs)

    def _like(self, value: Value, name: str) -> Value:
        """Return a value of the same shape and dtype, with rows of the same kind."""
        made = like(value, name)
        self.kinds.note(made, self.kinds.of(value))
        return made

    def _outside(self, ops: Sequence[Operator], results: Sequence[str]) -> Outside | None:
        """Return the function of operators that run once; None for none."""
        if not ops:
            return None
        reads = [n for op in (*self.form.before, *self.form.behind) for n in op.input_arg_names]
        return Outside(self._block([*self.form.before, *ops], reads), ops, list(dict.fromkeys(results)))

    def _known(self, value: Value) -> Value:
        """Return the value that a value is an alias of, or the value itself."""
        while value in self.same:
            value = self.same[value]
        return value

    def _original(self, value: Value | None) -> Value | None:
        return None if value is None else self._known(value)

    @abstractmethod
    def _kinds(self, parts: Iterable[Step]) -> Kinds:
        """Return the kinds of the rows of all values."""

    @abstractmethod
    def _handed(self, value: Value | None) -> Value:
        """Return a value that a round hands on; raise Unfit for one that cannot be."""

    # --- the kernels --------------------------------------------------------------------------------------------------

    @abstractmethod
    def _forward(self, parts: list[Step]) -> Compiled:
        """Return the kernel of the rounds."""

    @abstractmethod
    def _backward(self, parts: list[Step], found: dict[str, Value | None]) -> Compiled:
        """Return the kernel of the gradient."""

    def _keys_of(self, parts: Iterable[Step]) -> list[Value]:
        """Return the values of keys that a round draws for random numbers, in this order."""
        drawn = [pair for part in parts if isinstance(part, FusedStep) for pair in part.kernel.keys.items()]
        return [key for _, key in sorted(drawn, key=itemgetter(0))]

    def _with_products(self, parts: list[Step]) -> list[Step]:
        """Note the gradients of weights, which are computed behind the kernel; return the other parts."""
        self._products = {
            p.made: WeightProduct(*map(self._known, (p.x, p.d))) for p in parts if isinstance(p, WeightPart)
        }
        return [part for part in parts if not isinstance(part, WeightPart)]

    def _sum_up(self, found: Mapping[str, Value | None], arrays: Arrays, made: list[Part]) -> None:
        """Set the gradients that all rounds add up, and add the parts that do so."""
        self.sums = {name: self._sum(name, found, arrays, made) for name in self.form.sums}
        if self.behind is not None and any(self.sums[n] is None for n in self.behind.reads if n in self.sums):
            raise Unfit("a part of the gradient of what all steps read is missing")

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
        if place is None:
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


class Flat(Block):
    """A block of its own with the operators of a step, whose Variables have no LoD."""

    def __init__(self, blocks: Sequence[Block], ops: Sequence[Operator], inputs: Iterable[str]) -> None:
        super().__init__(blocks[0].program, 0, -1)
        names = dict.fromkeys([*inputs, *(n for op in ops for n in (*op.input_arg_names, *op.output_arg_names))])
        blocks = list(dict.fromkeys([*blocks, *(op.block for op in ops)]))
        for name in names:
            known = next((v for each in blocks if (v := each.find(name)) is not None), None)
            if name != EMPTY and known is not None:
                variable = self.vars[name] = Variable(self, name=name)
                arrays = known.type == VarType.LOD_TENSOR_ARRAY
                variable.type = VarType.LOD_TENSOR_ARRAY if arrays else VarType.LOD_TENSOR
                variable.set_meta(known.meta._replace(lod_level=0))
