"""The writer: instructions are written as one Python function, with a local variable for each value."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...core.tensor_array import TensorArray
from ...ops.framework.dispatch import ArraySpec
from ..program.block import Block
from ..program.operator import Operator
from . import observing
from .checks import ShapeChecks
from .graph import FunctionGraph
from .ir import Instruction, Part, Value, text_of
from .liveness import Liveness, liveness
from .needed import is_array
from .passes import ON_GPU, rewrite
from .ssa import Builder, Options

if TYPE_CHECKING:
    from .loops.body import Body

NAMED = 8  # limit of the operator types in a comment


class Writer:
    """The source of one function, with its globals.

    Arguments:
        block: the block of the operators. ops: the operators to run.
        inputs: the names that are read before they are written, in the order of the function's argument.
        ragged: the inputs that have a LoD.
        results: the names to return.
        options: the options for compiling the Plan.
        parts: the parts after the first.
        traces_read_once: whether the trace that a loop saves for its gradient is read once, and may be freed while it
            is read.
        built: the graph that another Writer has built from the same operators; its blocks are compiled again by `options`.

    Attributes:
        built: the graph before passes. graph: the graph after passes, which is written.
        scope: the globals of the function. place_of_line: line number -> place of the operator.
        first: input name -> its initial value. ragged: the names of the inputs that have a LoD.
    """

    def __init__(
        self, block: Block, ops: Sequence[Operator], inputs: Sequence[str], ragged: Collection[str], results: Sequence[str],
        options: Options, parts: Sequence[Part] = (), traces_read_once: bool = True, built: FunctionGraph | None = None,
    ) -> None:  # fmt: skip
        self.block, self.ops, self.inputs, self.results = block, list(ops), list(inputs), list(results)
        if built is None:
            built = Builder(block, ops, inputs, frozenset(ragged), parts, options, traces_read_once).build(results)
        else:
            built = with_options(built, options, {})
        self.first = dict(zip(self.inputs, built.inputs, strict=False))
        self.ragged = [name for name, value in self.first.items() if value.lod is not None]
        self._rewrite(built, options)

    def _rewrite(self, built: FunctionGraph, options: Options) -> None:
        """Set the graph to write: `built` after the passes of the options."""
        self.built, self.options = built, options
        passes = options.passes if options.device == "cpu" else options.passes & ON_GPU
        self.rewritten = bool(passes) and not options.observed
        self.graph = self._completed(rewrite(self.built, passes), passes) if self.rewritten else self.built
        shapes = options.shapes or ShapeChecks()
        self.scope: dict[str, Any] = {
            "__name__": __name__, "check": shapes.check, "recheck": shapes.recheck, "Like": ArraySpec
        }  # fmt: skip
        for instruction in self.graph.instructions:
            self.scope.update(instruction.scope)
        self.place_of_line: dict[int, int] = {}
        self._by_value = self._shaped_by_values()

    def _completed(self, graph: FunctionGraph, passes: Collection[str]) -> FunctionGraph:
        """Return the graph to write: the graph after the passes, with what else these names stand for in this function."""
        return graph

    def _shaped_by_values(self) -> set[Value]:
        """Return the values whose shape may depend on values; none in a checked function, which checks every call."""
        if self.options.checked or self.options.shapes is None:
            return set()
        unknown, found = self.options.shapes.unknown, set(self._inputs_shaped_by_values())
        for each in self.graph.instructions:
            call = each.call
            opaque = call is None or (call.inferred and not call.validated) or id(each.attrs) in unknown
            if opaque or not found.isdisjoint(each.reads()):
                found.update(each.makes())
        return found

    def _inputs_shaped_by_values(self) -> Iterable[Value]:
        """Return the inputs of the function whose shape may depend on values."""
        return ()

    @property
    def ends(self) -> Sequence[Sequence[Value | None]]:
        """The values that each part returns; None for a name without a value."""
        return self.graph.ends

    @property
    def input_lods(self) -> list[str]:
        """The local variables of the inputs' LoDs."""
        return [value.register for value in self.graph.inputs if value.levels]

    def write(self) -> str:
        """Return the source of the function."""
        [ends] = self.ends
        found, lods = registers(ends), registers(lods_of(ends))
        inputs = [self.first[name].register for name in self.inputs]
        text = ["def plan(inputs, lods):"]
        if inputs:
            text += [f"    {listed(inputs)}= inputs", "    del inputs"]
        if self.input_lods:
            text += [f"    {listed(self.input_lods)}= lods"]
        text += self.empty_arrays(self.inputs)
        self.add(text, self.graph.instructions, liveness(self.graph, {*found, *lods}))
        text.append(f"    return ({listed(found)}), ({listed(lods)})")
        return "\n".join(text) + "\n"

    def add(self, text: list[str], instructions: Iterable[Instruction], lives: Liveness, indent: str = "    ") -> None:
        """Add the lines of instructions to the text, each followed by the lines that free dead values."""
        for instruction in instructions:
            place = instruction.place
            for line in self._lines(instruction):
                text.append(f"{indent}{line}")
                self.place_of_line[len(text)] = place
            text += [f"{indent}{name} = Like({name})" for name in lives.outlined.get(place, ())]
            if place in lives.dead:
                text.append(f"{indent}del {', '.join(lives.dead[place])}")

    def _lines(self, instruction: Instruction) -> list[str]:
        """Return the lines of an instruction, with a comment that names the operators and the last one's user line."""
        lines = [text_of(line) for line in instruction.lines]
        call = instruction.call
        if instruction.free and call is not None and call.validated:
            check = instruction.check()
            if check is not None and self.options.checked:
                lines = [text_of(check), *lines]
            elif check is not None and not self._by_value.isdisjoint(instruction.reads()):
                lines = [f"re{text_of(check)}", *lines]
        if self.options.observed:
            lines = self._observed(instruction, lines)
        if not lines:
            return lines
        unit, place = instruction.unit, instruction.place
        places = unit.places if unit is not None and place == unit.home else [place]
        counts = Counter(self.ops[each].type for each in places)
        types = [type if count == 1 else f"{type} x {count}" for type, count in counts.items()]
        comment = ", ".join(types if len(types) <= NAMED else [*types[:NAMED], "..."])
        made_at = instruction.op.line
        where = f" ({os.path.basename(made_at[0])}:{made_at[1]})" if made_at is not None else ""
        return [f"{lines[0]}  # {comment}{where}", *lines[1:]]

    def _observed(self, instruction: Instruction, lines: list[str]) -> list[str]:
        """Return the lines of an operator between the lines that notify observers."""
        node, op = f"node{instruction.place}", instruction.op
        self.scope |= {"started": observing.started, "finished": observing.finished, node: op}
        made = {value.name: value.register for value in instruction.makes()}
        values = listed(
            made.get(name, "None") for name in op.output_arg_names
        )  # fetch_barrier writes nothing that it names
        return [f"started({node})", *lines, f"finished({node}, ({values}))"]

    def empty_arrays(self, names: Iterable[str]) -> list[str]:
        """Return the lines that initialize arrays of tensors without a value to empty arrays."""
        self.scope["TensorArray"] = TensorArray
        arrays = [self.first[name].register for name in names if is_array(self.block, name)]
        return [f"    if {v} is None: {v} = TensorArray()" for v in arrays]

    # --- errors -----------------------------------------------------------------------------------------------------------

    def check(self, place: int, values: Mapping[str, Any]) -> None:
        """Raise inference's error for the inputs of an operator, if any; values: the local variables."""
        check = self.graph.instructions[place].check()
        if check is not None:
            eval(text_of(check), {**self.scope, **self.built.instructions[place].scope}, dict(values))


def with_options(graph: FunctionGraph, options: Options, known: dict[Body, Body]) -> FunctionGraph:
    """Return the graph with its blocks compiled by other options; known: compiled block -> the one by these options."""

    def compiled(body: Body) -> Body:
        if body not in known:
            known[body] = body.with_options(options, known)
        return known[body]

    return graph.with_bodies(compiled)


def registers(values: Iterable[Value | None]) -> list[str]:
    """Return the local variables of values; "None" in place of None."""
    return ["None" if value is None else value.register for value in values]


def lods_of(values: Iterable[Value | None]) -> list[Value | None]:
    """Return the LoDs of values."""
    return [None if value is None else value.lod for value in values]


def listed(names: Iterable[str]) -> str:
    """Return the names, each followed by a comma: the elements of a tuple, or the targets of an unpacking."""
    return "".join(f"{name}, " for name in names)
