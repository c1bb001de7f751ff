"""Plans in two halves: the first returns results and a function that computes gradients from the values that it saved.

Both halves are written together, the second as a function inside the first. The values that the second half reads are
live as long as it is; all other values are freed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..program.program import Program
from .errors import explained
from .exact import ExactPlans, gains
from .ir import Part
from .liveness import liveness, saved
from .needed import needed_operators, outer_reads
from .plan import Plan
from .ssa import Options
from .writer import Writer, listed, lods_of, registers


class SplitPlan(Plan):
    """A Program with gradient operators, compiled to run in two halves.

    Arguments:
        program: the Program.
        feeds: the names of the Variables fed to the first half. ragged: the feeds that have a LoD.
        fetches: the names that the first half returns.
        count: the number of operators of the first half in the Program's first block.
        arriving: the names of the Variables fed to the second half.
        gradients: the names that the second half returns.
        device: "cpu" or "gpu".

    `run(values, lods)` returns (values, LoDs, second half) for the fetches and `kept`; `second(values)` returns the
    gradients.
    """

    unrolls = False

    def __init__(
        self, program: Program, feeds: Sequence[str], ragged: Sequence[str], fetches: Sequence[str], count: int,
        arriving: Sequence[str], gradients: Sequence[str], device: str,
    ) -> None:  # fmt: skip
        super().__init__(program, feeds, ragged, fetches, device)
        self._exact = None  # of the first half alone
        block = self.block
        self.ops = needed_operators(block, [*fetches, *gradients])
        first = {id(op) for op in block.ops[:count]}
        self.count = sum(id(op) in first for op in self.ops)
        self.arriving, self.gradients = list(arriving), list(gradients)
        late = set(arriving)
        read = [n for n in outer_reads(self.ops, [*fetches, *gradients]) if n not in late]
        self._bind(read, self._persistable(self.ops[: self.count]))
        self.optional = set(self.inputs) - set(outer_reads(self.ops, fetches, left=False))
        self.ragged = [n for n in self.inputs if n in set(ragged)]
        self.first = count
        self._exact = ExactPlans(program, self) if gains(program, self) else None

    def of(self, program: Program, first: int = 0) -> Plan:
        """Return the Plan of another Program that computes the same from the same Variables; it takes them in the same order."""
        feeds = [name for name in self.inputs if name in self.fed]
        plan = SplitPlan(program, feeds, self.ragged, self.fetches, first, self.arriving, self.gradients, self.device)
        plan._bind(self.inputs, plan.kept)
        return plan

    def _writer(self, options: Options) -> Writer:
        return _SplitWriter(self, options)


class _SplitWriter(Writer):
    def __init__(self, plan: SplitPlan, options: Options) -> None:
        self.plan = plan
        parts = [Part(plan.count, plan.arriving, plan.gradients)]
        inputs, results = [*plan.inputs, *plan.arriving], [*plan.fetches, *plan.kept]
        # the second half may run again, so it must not free the traces of loops
        super().__init__(plan.block, plan.ops, inputs, plan.ragged, results, options, parts, False, plan._built)

    def write(self) -> str:
        """Return the source of both halves."""
        plan, count, instructions = self.plan, self.plan.count, self.graph.instructions
        late = [self.first[name].register for name in plan.arriving]
        early = [self.first[name].register for name in plan.inputs]
        ends, gradients = map(registers, self.ends)
        lods = registers(lods_of(self.ends[0]))
        lives = liveness(self.graph, {*ends, *lods, *gradients})
        text = ["def plan(inputs, lods):"]
        if early:
            text += [f"    {listed(early)}= inputs", "    del inputs"]
        if self.input_lods:
            text += [f"    {listed(self.input_lods)}= lods"]
        text += self.empty_arrays(plan.inputs)
        self.add(text, instructions[:count], lives)
        kept = [name for name in saved(self.graph, count, gradients) if name not in set(late)]
        second = ["def second(saved, arriving):"]
        second += [f"    {listed(kept)}= saved", "    del saved"] if kept else []
        second += [f"    {listed(late)}= arriving", "    del arriving"] if late else []
        text.append(f"    return ({listed(ends)}), ({listed(lods)}), Half(second, ({listed(kept)}))")
        text += second
        self.add(text, instructions[count:], lives)
        text.append(f"    return ({listed(gradients)})")
        self.scope["Half"] = partial(Half, self)
        return "\n".join(text) + "\n"


class Half:
    """The second half of a Plan with the values that the first half has saved.

    `half(arriving)` runs it. With `last=True` the saved values are freed during the run, and it cannot run again. An
    error names the operator, and the user's line that created it.
    """

    __slots__ = ("run", "saved", "writer")

    def __init__(self, writer: Writer, run: Callable, saved: tuple) -> None:
        self.writer, self.run, self.saved = writer, run, saved

    def __call__(self, arriving: Sequence[Any], last: bool = False) -> tuple:
        holder = [self.saved]
        if last:
            self.saved = ()
        try:
            return self.run(holder.pop(), arriving)
        except Exception as error:
            raise explained(self.run, self.writer, error)  # noqa: B904 - it has its own cause
