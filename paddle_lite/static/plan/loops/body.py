"""The block of a loop, a branch or a recurrence, written as Python functions: one forward, and one for each gradient.

The operators of the block and of its gradients are one graph in several parts. The trace holds one tuple for each
iteration, with the values that the gradients read; all other values are freed. The lines of a block stand inside the
Python loop that runs them.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy
from functools import partial
from typing import Any

from ....core.generated import define
from ...operators.structural import EMPTY
from ...program.block import Block
from ...program.operator import Operator
from ...program.variable import Variable
from ..errors import explained
from ..graph import FunctionGraph
from ..ir import Part, Value
from ..liveness import liveness, saved
from ..needed import needed_operators, outer_reads
from ..ssa import Options
from ..writer import Writer, listed, lods_of, registers, with_options
from .fixed.call import FixedCall
from .ragged.call import RaggedCall
from .rounds import LoopCall
from .runtime import Total, add, backwards, check_dtype, drained, dtype_of, outline, too_many_rounds, zeros
from .weight_rows import rows_handed_out

_numbers = itertools.count()
INNER = " " * 8


def _inner(options: Options) -> Options:
    """Return the options to compile a block: nothing in it is updated in place."""
    return options._replace(passes=options.passes - {"updates"})


class _Several(Block):
    """The blocks of several gradients of one block: a name refers to the first block that has it."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        super().__init__(blocks[0].program, blocks[0].idx, blocks[0].parent_idx)
        self.blocks = blocks

    def find(self, name: str) -> Variable | None:
        """Return the Variable of this name in the blocks or in an enclosing block; None if there is none."""
        own = next((block.vars[name] for block in self.blocks if name in block.vars), None)
        return self.blocks[0].find(name) if own is None else own


class Body(Writer, ABC):
    """The compiled block of an operator, with the blocks of its gradients.

    Arguments:
        op: the operator. gradients: its gradient operators in the Plan.
        results: the names whose values at the end of the block are returned.
        more: the names of arguments in addition to those that the block reads.
        ragged: the names that may have a LoD.
        once: whether each trace is read once.
        options: the options for compiling the Plan.

    Attributes:
        names: the names of the function's arguments, in order.
        gradients: the operators of the parts after the first. own: the number of operators in the first part.
        local: argument name -> its local variable. made: the local variables of the results.
        saved: the local variables that an iteration saves for gradients.
        longest: a list with the number of rounds of the longest run so far, which all compilations of the block share.
        outlines: local variable of an arriving gradient -> local variable of the result that has its shape and dtype.
    """

    def __init__(
        self, op: Operator, gradients: Sequence[Operator], results: Sequence[str], more: Iterable[str],
        ragged: Collection[str], once: bool, options: Options,
    ) -> None:  # fmt: skip
        block = op.attrs["sub_block"]
        ops = needed_operators(block, results)
        parts: list[Part] = []
        for gradient in gradients:
            found = [name for name in dict.fromkeys(gradient.attr("found")) if name != EMPTY]
            seeds = [name for name in dict.fromkeys(gradient.attr("seeds")) if name != EMPTY]
            parts.append(Part(len(ops), seeds, found))
            ops = [*ops, *needed_operators(gradient.attrs["sub_block"], found)]
        self.own = parts[0].start if parts else len(ops)
        self.op, self.gradients, self.parts = op, list(gradients), parts
        self.longest = [1]
        self.seeds = list(dict.fromkeys(name for part in parts for name in part.arriving))
        reads = outer_reads(ops, results)
        self.names = list(dict.fromkeys([*(n for n in reads if n not in self.seeds), *more]))
        inner = _Several([each.attrs["sub_block"] for each in gradients]) if gradients else block
        once = once and len(gradients) == 1
        super().__init__(
            inner,
            ops,
            [*self.names, *self.seeds],
            ragged,
            results,
            _inner(options),
            parts,
            traces_read_once=once or not gradients,
        )
        self.local = {name: value.register for name, value in self.first.items()}
        self.drained = once
        self._write_functions()

    def with_options(self, options: Options, known: dict[Body, Body]) -> Body:
        """Return the block compiled by other options; known: compiled block -> the one by these options."""
        other = copy(self)
        inner = _inner(options)
        other._rewrite(with_options(self.built, inner, known), inner)
        other._write_functions()
        return other

    def _completed(self, graph: FunctionGraph, passes: Collection[str]) -> FunctionGraph:
        if "products" not in passes:
            return graph
        pairs = [pair for number in range(len(self.parts)) for pair in self._of(number, graph)]
        handed = {value for name, value in pairs if not self._adds_up(name)}
        return graph.replaced(rows_handed_out(graph, {value for _, value in pairs} - handed))

    def _write_functions(self) -> None:
        """Write the source of the functions."""
        self.made = registers(self.ends[0])
        self.scope.update({f.__name__: f for f in (outline, zeros, add, Total, dtype_of, check_dtype, too_many_rounds)})
        self.scope["backwards"] = drained if self.drained else backwards
        self.text = self.write()
        self._functions: dict[str, Any] = {}

    # --- running --------------------------------------------------------------------------------------------------------

    def function(self, name: str) -> Any:
        """Return one of the compiled functions; the first call compiles them."""
        if not self._functions:
            define(f"block {next(_numbers)}", "forward", self.text, self.scope)
            names = ["forward", *(f"backward{k}" for k in range(len(self.gradients)))]
            self._functions = {each: self.scope[each] for each in names}
        return self._functions[name]

    def run(self, name: str, *arguments: Any) -> Any:
        """Call one of the compiled functions; an error names the operator and the user's line."""
        function = self.function(name)
        try:
            return function(*arguments)
        except Exception as error:
            raise explained(function, self, self.refused(function, error))  # noqa: B904 - it has its own cause

    def refused(self, function: Any, error: Exception) -> Exception:
        """Return the error to report, which differs from `error` if it was raised between operators."""
        return error

    def _inputs_shaped_by_values(self) -> Iterable[Value]:
        """Return the inputs whose shape may depend on values: all, if any value of the Plan has such a shape."""
        assert self.options.shapes is not None
        return self.graph.inputs if self.options.shapes.unknown else ()

    # --- as one kernel --------------------------------------------------------------------------------------------------

    def in_one_kernel(self) -> LoopCall | RaggedCall | FixedCall | None:
        """Return the function that runs all rounds as one kernel; None for a block that runs round by round."""
        return None

    def unfit(self) -> str:
        """Return why a loop runs round by round; "" if it may run as one kernel, or is no loop."""
        return ""

    # --- writing --------------------------------------------------------------------------------------------------------

    def write(self) -> str:
        """Return the source of the functions."""
        graph, instructions = self.graph, self.graph.instructions
        found = list(dict.fromkeys(itertools.chain(*map(registers, self.ends[1:]))))
        behind = instructions[self.own :]
        loaded = {value.register for each in behind for value in each.loads}
        measured = {value.register for each in behind for value in each.measures}
        lives = liveness(
            graph, {*self.made, *registers(lods_of(self.ends[0])), *found, *self._lasting(), *self._unread()}
        )
        late = {self.local[name] for name in self.seeds}
        self.saved = [name for name in saved(graph, self.own, found) if name not in late]
        self.outlines = {
            self.local[seed]: self._result(name)
            for number, part in enumerate(self.parts)
            for seed, name in self._seeded(number).items()
            if seed in part.arriving and self.local[seed] in {*loaded, *measured, *found}
        }
        self.outlined_at_end = measured.difference(loaded, found).intersection(self.made)
        text: list[str] = []
        self._forward(text, partial(self.add, text, instructions[: self.own], lives))
        stops = [*(part.start for part in self.parts[1:]), len(instructions)]
        for number, (part, stop) in enumerate(zip(self.parts, stops, strict=False)):
            self._backward(text, number, partial(self.add, text, instructions[part.start : stop], lives, INNER))
        return "\n".join(text) + "\n"

    def _unread(self) -> set[str]:
        """Return the local variables of arguments that no instruction reads or writes."""
        each = self.graph.instructions
        touched = {v.register for i in each for v in (*i.loads, *i.measures, *i.stores)}
        return {value.register for value in self.graph.inputs} - touched

    def _lasting(self) -> set[str]:
        """Return the local variables that every iteration reads, so that they are live after each."""
        return set()

    @abstractmethod
    def _forward(self, text: list[str], block: Callable[[str], None]) -> None:
        """Add the function of the operator; `block(indent)` adds the lines of its block."""

    @abstractmethod
    def _backward(self, text: list[str], number: int, block: Callable[[], None]) -> None:
        """Add the function of a gradient operator; `block()` adds the lines of its block."""

    def _taken(self) -> list[str]:
        """Return the lines that unpack the arguments: values and LoDs."""
        lines = [f"    {listed(self.local[name] for name in self.names)}= values"] if self.names else []
        lines += [f"    {listed(self.input_lods)}= lods"] if self.input_lods else []
        return ["def forward(values, lods):", *lines, *self.empty_arrays(self.names), "    trace = []"]

    def _kept(self, indent: str) -> list[str]:
        """Return the line that appends the values that gradients read to the trace."""
        if not self.gradients:
            return []
        entry = [f"Like({name})" if name in self.outlined_at_end else name for name in self.saved]
        outlines = [f"outline({name})" for name in dict.fromkeys(self.outlines.values())]
        return [f"{indent}trace.append(({listed([*entry, *outlines])}))"]

    def _handed(self, indent: str, pairs: Iterable[tuple[str, str]]) -> list[str]:
        """Return the lines that pass values to the next iteration; pairs: (target, source) local variables."""
        moved = [(to, made) for to, made in dict(pairs).items() if to != made]
        if not moved:
            return []
        lines = [f"{indent}{', '.join(to for to, _ in moved)} = {', '.join(made for _, made in moved)}"]
        return [*lines, *self._freed(indent, [made for _, made in moved])]

    def _freed(self, indent: str, names: Iterable[str], besides: Iterable[str] = ()) -> list[str]:
        """Return the line that frees local variables, except constants, arguments and the variables in `besides`."""
        constants = {v.register for each in self.graph.instructions for v in each.same.values() if v.constant}
        staying = {*(value.register for value in self.graph.inputs), *constants, *besides, "None"}
        gone = [name for name in dict.fromkeys(names) if name not in staying]
        return [f"{indent}del {', '.join(gone)}"] if gone else []

    @abstractmethod
    def back(self, number: int, trace: Any, values: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
        """Return the results of a gradient operator.

        Arguments:
            number: the number of the operator in `gradients`.
            trace: the trace of the forward run.
            values: the initial values of the Variables whose gradients are computed.
            gradients: the arriving gradients of the results; None for a zero gradient.
        """

    # --- gradients --------------------------------------------------------------------------------------------------------

    @abstractmethod
    def _seeded(self, number: int) -> dict[str, str]:
        """Return the names of arriving gradients in a gradient operator's block -> the names of their results."""

    def _result(self, name: str) -> str:
        """Return the local variable of a result at the end of an iteration."""
        return self.made[self.results.index(name)]

    def _taken_back(self) -> str:
        """Return the targets of the gradient's for loop: the values of one trace entry."""
        return listed([*self.saved, *(f"like_{name}" for name in dict.fromkeys(self.outlines.values()))]) or "_"

    def _arrived(self, number: int) -> list[str]:
        """Return the lines that replace missing gradients by zeros."""
        arriving = [self.local[name] for name in self.parts[number].arriving]
        known = [(name, self.outlines[name]) for name in arriving if name in self.outlines]
        return [f"{INNER}if {name} is None: {name} = zeros(like_{result})" for name, result in known]

    @abstractmethod
    def _adds_up(self, name: str) -> bool:
        """Return whether the gradient of a name is the sum of those of all iterations, which no iteration reads."""

    def _of(self, number: int, graph: FunctionGraph) -> list[tuple[str, Value]]:
        """Return the names whose gradients a gradient operator computes, with the values of these gradients."""
        made = dict(zip(self.parts[number].results, graph.ends[1 + number], strict=True))
        gradient = self.gradients[number]
        pairs = zip(gradient.attr("of"), gradient.attr("found"), strict=True)
        return [(name, value) for name, found in pairs if (value := made.get(found)) is not None]

    def _found(self, number: int) -> dict[str, str]:
        """Return the names whose gradients a gradient operator computes -> the local variables of these gradients."""
        return {name: value.register for name, value in self._of(number, self.graph)}
