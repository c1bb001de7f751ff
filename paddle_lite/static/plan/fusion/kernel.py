"""The kernel of a group: the combined expressions of its operators, and the layout of the arrays in its loops."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ....kernels import threads
from ....kernels.codegen.device_loops import LoopNest
from ....kernels.codegen.expression import Node, is_truth, make, name, number
from ....kernels.codegen.loops import Draw, FusedLoop, Operand, Result, Row
from ....kernels.codegen.number_arguments import NumberArguments
from ....kernels.codegen.threaded_loops import PartialSum, ThreadedLoop
from ....kernels.numba_jit import BUILDING
from ....ops.framework.frame import Dim, Frame, Layout, Unfit, collapsed
from ....ops.framework.fusion import FLOATS, Parts, Rule
from ....ops.framework.traits import Fill
from ..graph import FunctionGraph
from ..ir import Instruction, Unit, Value

BYTES = (np.dtype(np.bool_), np.dtype(np.uint8), np.dtype(np.int8))
"""The dtypes of masks."""
KEY = np.dtype(np.uint64)
"""The dtype of random keys."""


FRESH_UNITS = frozenset({"fused", "epilogue", "one product", "split products", "dot"})
"""Kinds of units whose results are new arrays."""


class Made(NamedTuple):
    """The definition of a value. summed: whether it is a sum over the dimensions along which it is constant."""

    layout: Layout
    parts: Parts
    summed: bool = False


class Kernel:
    """The kernel of a group of operators.

    Arguments:
        frame: the frame of the group. members: its operators with their rules. graph: the graph of the Plan. units:
            place -> unit, for the kernels so far.

    Attributes:
        reads: the values of its arguments. gives: the values that it returns.
        copies: pairs (value, equal value) for values that are aliases.
        expected: value -> layout in the frame, for values of which only the shape is used.
        inner: the values that only the group reads.
        shaped: the values of which only shape and dtype are read outside the group.
        keys: place of an operator that draws random numbers -> the value in `reads` that is its key.

    Raises:
        Unfit: the operators cannot be fused.
    """

    def __init__(
        self, frame: Frame, members: Sequence[tuple[Instruction, Rule]], graph: FunctionGraph, units: Mapping[int, Unit]
    ) -> None:
        self.frame = frame
        self.steps = [step for step, _ in members]
        self.places = {step.place for step in self.steps}
        self.made: dict[Value, Made] = {}
        self.operands: dict[Value, tuple[Layout, list[Operand]]] = {}
        self.keys: dict[int, Value] = {}
        self._draws: list[Draw] = []
        self.expected: dict[Value, Layout] = {}
        self.rows: list[Row] = []
        self._graph, self._units = graph, units
        for place, (step, rule) in enumerate(members):
            try:
                rule.build(step, self)
            except Unfit as error:
                error.at = place
                raise
        self.gives: list[Value] = []
        self.copies: list[tuple[Value, Value]] = []
        self.inner: list[Value] = []
        self.shaped: list[Value] = []
        for value, made in self.made.items():
            self._place(value, made)
        for value in list(self.shaped):
            try:
                self.like(value)
            except Unfit:
                self.shaped.remove(value)
                self.gives.append(value)
        if not self.gives and not self.copies:
            raise Unfit("nothing of it is read")
        self.reads = list(self.operands)
        known = {**self.operands, **self.made}
        self.expected = {v: layout for v, layout in self.expected.items() if v not in known}
        self._sources = self._size_sources()
        self._make()

    # --- what rules build with ------------------------------------------------------------------------------------------

    def read(self, value: Value, layout: Layout) -> Parts:
        """Return the expressions of a value, one for each part.

        Raises:
            Unfit: the value is a sum, has another layout, or has a dtype that kernels do not read.
        """
        made = self.made.get(value)
        if made is not None:
            if made.summed:
                raise Unfit(f"{value} is a sum")
            if made.layout.varies != layout.varies:
                raise Unfit(f"{value} lies otherwise")
            return made.parts
        constant = self._constant(value)
        if constant is not None:
            return [constant]
        known = self.operands.get(value)
        if known is None:
            if value.dtype not in FLOATS and value.dtype not in BYTES:
                raise Unfit(f"{value} of {value.dtype}")
            index = len(self.operands)
            leaves = [
                Operand(f"x{index}" + f"_{part}" * (layout.parts > 1), index, layout.varies, part, layout.parts,
                        value.dtype != self.frame.dtype)
                for part in range(layout.parts)
            ]  # fmt: skip
            known = self.operands[value] = (layout, leaves)
        elif known[0] != layout:
            raise Unfit(f"{value} is read in two ways")
        return [name(leaf.name) for leaf in known[1]]

    def draw(self, step: Instruction, layout: Layout, least: int) -> Parts:
        """Return, for each part, the test that the hash of the key and the position is at least `least`."""
        index, rank = len(self.operands), len(self.frame.shape)
        key = self.keys[step.place] = Value(f"key{step.place}", f"key{step.place}", -1, (1,), KEY)
        self.operands[key] = (Layout((Dim(()),), (False,) * rank), [])
        parts = range(layout.parts)
        own = [Draw(f"d{index}_{part}", index, layout.varies, part, layout.parts, least) for part in parts]
        self._draws += own
        return [make("true", name(each.name)) for each in own]

    def _constant(self, value: Value) -> Node | None:
        """Return the constant that all elements of a value equal; None if there is none."""
        step = self._graph.maker(value)
        algebra = None if step is None or not step.plain else step.op.definition.traits.algebra
        if step is None or not isinstance(algebra, Fill) or step.op.input_arg_names:
            return None
        filled = algebra.value(step.attrs)
        return None if filled is None else number(float(self.frame.dtype.type(filled)))

    def write(self, value: Value, layout: Layout, parts: Parts) -> None:
        """Define a value by its expressions, one for each part."""
        if len(parts) != layout.parts:
            parts = parts * layout.parts
        self.made[value] = Made(layout, parts)

    def add_up(self, value: Value, layout: Layout, parts: Parts) -> None:
        """Define a value as the sum of expressions over the dimensions along which it is constant."""
        if len(parts) != layout.parts:
            raise Unfit(f"{value} has {layout.parts} parts, its sum {len(parts)}")
        self.made[value] = Made(layout, parts, summed=True)

    def expect(self, value: Value, layout: Layout) -> None:
        """State the layout of a value of which only the shape is used, and checked at run time."""
        self.expected[value] = layout

    def row(self, how: str, node: Node) -> Node:
        """Return the reduction of a row; how: the kind of the reduction, such as sum or maximum."""
        key = f"row{len(self.rows)}"
        self.rows.append(Row(key, how, node))
        return name(key)

    def row_size(self) -> Node:
        """Return the number of elements of a row."""
        assert self.frame.axis is not None
        sizes = self.frame.shape[self.frame.axis :]
        return name("n_row") if min(sizes) < 0 else number(float(np.prod(sizes)))

    # --- what is returned -------------------------------------------------------------------------------------------------

    def _place(self, value: Value, made: Made) -> None:
        """Decide whether a value is returned, is an alias, or is used only inside the group."""
        graph = self._graph
        if self.places.issuperset(graph.readers(value)) and not graph.wanted(value):
            elsewhere = not self.places.issuperset(graph.shaped(value))
            (self.shaped if elsewhere else self.inner).append(value)
            return
        same = self._same(value, made)
        if same is not None:
            self.copies.append((value, same))
        else:
            self.gives.append(value)

    def _same(self, value: Value, made: Made) -> Value | None:
        """Return the operand or the previously returned value that equals a value; None if there is none."""
        if made.summed or self._graph.wanted(value):  # a result of the Plan must be an array of its own
            return None
        for other in self.gives:
            given = self.made[other]
            if not given.summed and given.parts == made.parts and given.layout == made.layout:
                return other
        for other, (layout, leaves) in self.operands.items():
            if (
                layout == made.layout
                and [name(leaf.name) for leaf in leaves] == made.parts
                and other.dtype == value.dtype
            ):
                return other
        return None

    def like(self, value: Value) -> Value:
        """Return a value of the same shape and dtype that exists after the group has run.

        Raises:
            Unfit: there is no such value.
        """
        wanted = (self.made[value].layout, value.dtype)
        candidates = [(v, self.made[v].layout) for v in self.gives] + [(v, at) for v, (at, _) in self.operands.items()]
        found = next((v for v, layout in candidates if (layout, v.dtype) == wanted), None)
        if found is None:
            raise Unfit(f"nothing is like {value}")
        return found

    # --- sizes ------------------------------------------------------------------------------------------------------------

    def _size_sources(self) -> list[tuple[int, int, int] | int]:
        """Return for each dimension of the frame its size, or (operand, dimension, divisor) known at run time."""
        found: list[tuple[int, int, int] | int] = []
        for d, size in enumerate(self.frame.shape):
            if size >= 0:
                found.append(size)
                continue
            tells = (
                (index, i, dim.factor)
                for index, (layout, _) in enumerate(self.operands.values())
                for i, dim in enumerate(layout.dims)
                if dim.of == (d,)
            )
            source = next(tells, None)
            if source is None:
                raise Unfit("no operand tells its size")
            found.append(source)
        return found

    def frame_of(self, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...] | None:
        """Return the frame of a run with operands of these shapes; None if they do not fit one frame."""
        if any(len(s) != len(layout.dims) for s, (layout, _) in zip(shapes, self.operands.values(), strict=True)):
            return None
        frame = tuple(
            source if isinstance(source, int) else shapes[source[0]][source[1]] // source[2] for source in self._sources
        )
        expected = [layout.shape(frame) for layout, _ in self.operands.values()]
        return frame if expected == list(shapes) else None

    # --- the loops --------------------------------------------------------------------------------------------------------

    def _make(self) -> None:
        """Make the loops over the frame, with adjacent dimensions collapsed."""
        leaves = [leaf for _, of_value in self.operands.values() for leaf in of_value]
        given = [(i, value, self.made[value]) for i, value in enumerate(self.gives)]
        masks = [leaf.varies for leaf in leaves] + [draw.varies for draw in self._draws]
        masks += [made.layout.varies for _, _, made in given]
        self.loop: FusedLoop | None = None
        self.nest: LoopNest | None = None
        if not given:
            self.dims, self.into = [], {}
            self.dtypes: list[Any] = []
            self.numbers = np.empty(0, self.frame.dtype)
            return
        self.dims = collapsed(self.frame, masks)
        self.into = self._reused()
        self.loop = self._loops(self.into)
        for value, made in ((v, m) for _, v, m in given):
            if value.dtype is not None and (value.dtype.kind == "b") != all(is_truth(p) for p in made.parts):
                raise Unfit(f"{value} of {value.dtype}")

    def into_new_arrays(self) -> FusedLoop | None:
        """Return the loops that write all results into new arrays; None without results."""
        return self.loop if not self.into else self._loops({})

    def _loops(self, into: Mapping[int, int]) -> FusedLoop | None:
        """Return the loops that write these results over operands; on a GPU None, after setting `nest`."""
        leaves = [leaf for _, of_value in self.operands.values() for leaf in of_value]
        given = [(i, value, self.made[value]) for i, value in enumerate(self.gives)]
        own = [i for i in range(len(self.gives)) if i not in into]

        def squeezed(varies: tuple[bool, ...]) -> tuple[bool, ...]:
            return tuple(varies[dims[0]] for dims in self.dims)

        results = [
            Result(node, own.index(i) if i in own else -1, squeezed(made.layout.varies), made.summed, part, len(made.parts),
                   into.get(i, -1))
            for i, _, made in given
            for part, node in enumerate(made.parts)
        ]  # fmt: skip
        self.dtypes = list(dict.fromkeys([self.frame.dtype, *(v.dtype for v in (*self.operands, *self.gives))]))
        like = tuple(self.dtypes.index(v.dtype) for v in (*self.operands, *(self.gives[i] for i in own)))
        operands = tuple(leaf._replace(varies=squeezed(leaf.varies)) for leaf in leaves)
        draws = tuple(draw._replace(varies=squeezed(draw.varies)) for draw in self._draws)
        numbers = NumberArguments()
        rows = tuple(row._replace(node=numbers.lifted(row.node)) for row in self.rows)
        lifted = tuple(result._replace(node=numbers.lifted(result.node)) for result in results)
        self.numbers = np.array(numbers.values, self.frame.dtype)
        if self._graph.device == "gpu":
            self.nest = self._nest(operands, rows, lifted, draws, len(numbers.values))
            return None
        with BUILDING:  # threads that ask at the same time share it, too
            return _loop(len(self.dims), operands, rows, lifted, like, draws, len(numbers.values))

    def _nest(
        self,
        operands: tuple[Operand, ...],
        rows: tuple[Row, ...],
        results: tuple[Result, ...],
        draws: tuple[Draw, ...],
        numbers: int,
    ) -> LoopNest:
        """Return what the device kernels compute."""
        read = tuple(None if value.dtype == KEY else str(value.dtype) for value in self.operands)
        given = tuple(str(value.dtype) for value in self.gives)
        return LoopNest(len(self.dims), operands, rows, results, draws, numbers, str(self.frame.dtype), read, given)

    def _reused(self) -> dict[int, int]:
        """Return the results computed in place: number of the result -> number of the dead operand it overwrites."""
        if self.rows or self._graph.device == "gpu":
            return {}  # an operand may be read again, for the next pass over a row or by another thread
        copied, graph = {same for _, same in self.copies}, self._graph
        dying = {
            value: index
            for index, value in enumerate(self.operands)
            if value not in copied
            and not graph.wanted(value)
            and self.places.issuperset(graph.readers(value))
            and self._fresh(value)
        }
        found: dict[int, int] = {}
        for i, value in enumerate(self.gives):
            made = self.made[value]
            fit = (v for v in dying if v.dtype == value.dtype and self.operands[v][0] == made.layout)
            operand = (
                next(fit, None) if not made.summed and all(made.layout.varies) and not graph.wanted(value) else None
            )
            if operand is not None:
                found[i] = dying.pop(operand)
        return found

    def _fresh(self, value: Value) -> bool:
        """Return whether the operator that makes a value nearly always allocates a new array."""
        step = self._graph.maker(value)
        if step is None:
            return False
        unit = self._units.get(step.place) or step.unit
        return step.op.definition.traits.fresh if unit is None else unit.kind in FRESH_UNITS

    def sizes(self, frame: Sequence[int]) -> list[int]:
        """Return the sizes of the loops."""
        return [Dim(dims).size(frame) for dims in self.dims]

    def compiled(self, span: bool = False) -> Any:
        """Return the compiled loops; span: those over a span of the outermost dimension."""
        assert self.loop is not None
        return self.loop.compiled(self.frame.dtype, span)

    def function(self, sizes: Sequence[int], made: Sequence[tuple[tuple[int, ...], Any]]) -> Any:
        """Return the function for these loop sizes and these shapes and dtypes of results; threads share large loops."""
        assert self.loop is not None
        work = self.loop.weight * prod(sizes)
        if not self.loop.cuts or work < threads.smallest_shared():
            return self.compiled()
        first = len(sizes) + len(self.reads)
        totals = [PartialSum(first + i, prod(made[i][0]), made[i][1]) for i in self.loop.totals]
        given = len(sizes), len(self.reads)
        return ThreadedLoop(self.compiled(span=True), given, sizes[0], work, totals)


@functools.lru_cache(maxsize=1024)
def _loop(
    dims: int, operands: tuple[Operand, ...], rows: tuple[Row, ...], results: tuple[Result, ...], like: tuple[int, ...],
    draws: tuple[Draw, ...], numbers: int,
) -> FusedLoop:  # fmt: skip
    """Return the loops; equal arguments share them, such as those of the steps of an unrolled recurrence."""
    return FusedLoop(dims, operands, rows, results, like, draws, numbers)
