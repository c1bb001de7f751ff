"""The blocks of a loop, a branch or a recurrence, written as Python functions: the operator's own, and one for each gradient.

The operators of the block and those of its gradients are one Source in several parts: what a gradient reads of a round stays
alive, and is handed to it in a tuple a round; nothing else is. The lines of a block stand inside of the loop that runs them.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any

from ...core.generated import define
from ..operators.structural import EMPTY
from ..program.block import Block
from ..program.operator import Operator
from ..program.variable import Variable
from .failing import explained
from .graph import Part
from .liveness import needed_operators, outer_reads
from .rounds import Total, add, backwards, check_dtype, drained, dtype_of, outline, zeros
from .source import Source, listed

_numbers = itertools.count()
INNER = " " * 8


class _Several(Block):
    """The blocks of several gradients of one block: a name is that of the first that has it."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        super().__init__(blocks[0].program, blocks[0].idx, blocks[0].parent_idx)
        self.blocks = blocks

    def find(self, name: str) -> Variable | None:
        """The Variable of this name in one of the blocks or around them, or None."""
        own = next((block.vars[name] for block in self.blocks if name in block.vars), None)
        return self.blocks[0].find(name) if own is None else own


class Body(Source, ABC):
    """The block of an operator with the blocks of its gradients, compiled.

    Arguments:
        op: the operator. gradients: its gradient operators, that run.
        results: names whose values at the end of the block are returned.
        more: names that its function takes besides those that it reads.
        ragged: names that may carry a LoD.
        once: whether each trace is read once.
        options: of the Source.

    Attributes:
        names: what the function takes the values of, in order.
        gradients: the operators of the parts behind the first. own: the number of the operators of the first.
        saved: the local variables that a round leaves for gradients.
        outlines: those of gradients that arrive -> those of the results that they are like.
    """

    def __init__(
        self, op: Operator, gradients: Sequence[Operator], results: Sequence[str], more: Iterable[str],
        ragged: Collection[str], once: bool, options: tuple[str, bool, bool, frozenset[str]],
    ) -> None:  # fmt: skip
        device, checked, observed, passes = options
        block = op.attrs["sub_block"]
        ops = needed_operators(block, results)
        behind: list[Part] = []
        for gradient in gradients:
            found = [name for name in dict.fromkeys(gradient.attr("found")) if name != EMPTY]
            seeds = [name for name in dict.fromkeys(gradient.attr("seeds")) if name != EMPTY]
            behind.append(Part(len(ops), seeds, found))
            ops = [*ops, *needed_operators(gradient.attrs["sub_block"], found)]
        self.own = behind[0].start if behind else len(ops)
        self.seeds = list(dict.fromkeys(name for part in behind for name in part.arriving))
        reads = outer_reads(ops, results)
        self.names = list(dict.fromkeys([*(n for n in reads if n not in self.seeds), *more]))
        inner = _Several([each.attrs["sub_block"] for each in gradients]) if gradients else block
        inputs = [*self.names, *self.seeds]
        super().__init__(inner, ops, inputs, ragged, list(results), device, checked, observed, passes - {"updates"})
        self.op, self.gradients, self.behind = op, list(gradients), behind
        once = once and len(gradients) == 1
        self.traces_read_once = once or not gradients
        self.scope.update({f.__name__: f for f in (outline, zeros, add, Total, dtype_of, check_dtype)})
        self.scope["backwards"] = drained if once else backwards
        self.text = self.write()
        self._functions: dict[str, Any] = {}

    # --- running --------------------------------------------------------------------------------------------------------

    def function(self, name: str) -> Any:
        """One of its functions."""
        if not self._functions:
            define(f"block {next(_numbers)}", "forward", self.text, self.scope)
            names = ["forward", *(f"backward{k}" for k in range(len(self.gradients)))]
            self._functions = {each: self.scope[each] for each in names}
        return self._functions[name]

    def run(self, name: str, *arguments: Any) -> Any:
        """Call one of its functions; an error names the operator and the user's line."""
        function = self.function(name)
        try:
            return function(*arguments)
        except Exception as error:
            raise explained(function, self, self.ops, self.refused(function, error)) from error

    def refused(self, function: Any, error: Exception) -> Exception:
        """What went wrong, where it did so between operators."""
        return error

    # --- writing --------------------------------------------------------------------------------------------------------

    def write(self) -> str:
        """The source of its functions."""
        body = self._body()
        found = set(itertools.chain(*self.ends[1:]))
        late = {self.first[name] for name in self.seeds}
        unread = {*self.inputs, *self.input_lods}.difference(*self.touched, *self.measured)
        whole, measured = ({n for names in side[self.own :] for n in names} for side in (self.touched, self.measured))
        lods = {self.lod.get(register, "None") for register in self.ends[0]}
        dead, faded = self._deaths({*self.ends[0], *lods, *found, *self._lasting(), *unread})
        self.saved = [name for name in self._held(self.own, found) if name not in late]
        self.outlines = {
            self.first[seed]: self._result(name)
            for number, part in enumerate(self.behind)
            for seed, name in self._seeded(number).items()
            if seed in part.arriving and self.first[seed] in whole | measured | found
        }
        self.alike_at_end = measured - whole - found & {*self.ends[0]}
        text: list[str] = []
        self._forward(text, partial(self._add, text, body[: self.own], dead, faded))
        stops = [*(part.start for part in self.behind[1:]), len(self.ops)]
        for number, (part, stop) in enumerate(zip(self.behind, stops, strict=False)):
            self._backward(text, number, partial(self._add, text, body[part.start : stop], dead, faded, INNER))
        return "\n".join(text) + "\n"

    def _lasting(self) -> set[str]:
        """The local variables that are read in every round, and must outlive each."""
        return set()

    @abstractmethod
    def _forward(self, text: list[str], block: Callable[[str], None]) -> None:
        """Add the function of the operator; `block(indent)` adds the lines of its block."""

    @abstractmethod
    def _backward(self, text: list[str], number: int, block: Callable[[], None]) -> None:
        """Add the function of a gradient operator; `block()` adds the lines of its block."""

    def _taken(self) -> list[str]:
        """The lines that take values and LoDs."""
        registers = [self.first[name] for name in self.names]
        lines = [f"    {listed(registers)}= values"] if registers else []
        lines += [f"    {listed(self.input_lods)}= lods"] if self.input_lods else []
        return ["def forward(values, lods):", *lines, *self._empty_arrays(self.names), "    trace = []"]

    def _kept(self, indent: str) -> list[str]:
        """The line that keeps what gradients read of a round."""
        if not self.gradients:
            return []
        entry = [f"Like({name})" if name in self.alike_at_end else name for name in self.saved]
        outlines = [f"outline({name})" for name in dict.fromkeys(self.outlines.values())]
        return [f"{indent}trace.append(({listed([*entry, *outlines])}))"]

    def _handed(self, indent: str, pairs: Iterable[tuple[str, str]]) -> list[str]:
        """The lines that hand on values from one round to the next: (to, from) of local variables."""
        moved = [(to, made) for to, made in dict(pairs).items() if to != made]
        if not moved:
            return []
        lines = [f"{indent}{', '.join(to for to, _ in moved)} = {', '.join(made for _, made in moved)}"]
        return [*lines, *self._freed(indent, [made for _, made in moved])]

    def _freed(self, indent: str, registers: Iterable[str], besides: Iterable[str] = ()) -> list[str]:
        """The line that frees local variables of a block: no constants, none that its function takes, and none of `besides`."""
        staying = {*self.inputs, *self.input_lods, *self.fixed, *besides, "None"}
        gone = [name for name in dict.fromkeys(registers) if name not in staying]
        return [f"{indent}del {', '.join(gone)}"] if gone else []

    # --- gradients --------------------------------------------------------------------------------------------------------

    @abstractmethod
    def _seeded(self, number: int) -> dict[str, str]:
        """What the arriving gradients are called in the block of a gradient -> the results that they are of."""

    def _result(self, name: str) -> str:
        """The local variable that holds a result of the block at the end of a round."""
        return self.ends[0][self.results.index(name)]

    def _taken_back(self) -> str:
        """What a gradient takes of a round, before the "in" of its loop."""
        return listed([*self.saved, *(f"like_{name}" for name in dict.fromkeys(self.outlines.values()))]) or "_"

    def _arrived(self, number: int) -> list[str]:
        """The lines that put zeros in the place of gradients that do not arrive."""
        registers = [self.first[name] for name in self.behind[number].arriving]
        known = [(r, self.outlines[r]) for r in registers if r in self.outlines]
        return [f"{INNER}if {register} is None: {register} = zeros(like_{result})" for register, result in known]

    def _found(self, number: int) -> dict[str, str]:
        """The names that a gradient operator wants gradients of -> the local variables that hold them."""
        registers = dict(zip(self.behind[number].results, self.ends[1 + number], strict=True))
        gradient = self.gradients[number]
        pairs = zip(gradient.attr("of"), gradient.attr("found"), strict=True)
        return {name: registers[found] for name, found in pairs if found in registers}
