"""Plans in two halves: the first returns results and a function that computes gradients from what it left.

Both are written as one Source, the second as a function inside of the first: what it reads of the first half stays alive
for as long as it does, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ...core.generated import define
from ..program import Program
from .liveness import needed_operators, outer_reads
from .passes import COMPILING
from .plan import Plan, _numbers
from .source import Source


class SplitPlan(Plan):
    """A Program with gradient operators, made ready to run in two halves.

    Arguments:
        program: the Program.
        feeds: the names of what is fed to the first half; ragged: those of them that come with a LoD.
        fetches: the names that the first half returns.
        count: the number of operators of the first half in the Program's first block.
        arriving: the names of what is fed to the second half.
        gradients: the names that it returns.
        device: "cpu" or "gpu".

    `run(values, lods)` returns (values, LoDs, second half) for the fetches and `kept`; `second(values)` the gradients.
    """

    def __init__(
        self, program: Program, feeds: Sequence[str], ragged: Sequence[str], fetches: Sequence[str], count: int,
        arriving: Sequence[str], gradients: Sequence[str], device: str,
    ) -> None:  # fmt: skip
        super().__init__(program, feeds, ragged, fetches, device)
        block = self.block
        self.ops = needed_operators(block, [*fetches, *gradients])
        first = {id(op) for op in block.ops[:count]}
        self.count = sum(id(op) in first for op in self.ops)
        self.arriving, self.gradients = list(arriving), list(gradients)
        late = set(arriving)
        self.inputs = [n for n in outer_reads(self.ops, [*fetches, *gradients]) if n not in late]
        self.optional = set(self.inputs) - set(outer_reads(self.ops, fetches, left=False))
        self.ragged = [n for n in self.inputs if n in set(ragged)]
        written = dict.fromkeys(n for op in self.ops[: self.count] for n in op.output_arg_names)
        self.kept = [n for n in written if (v := block.find(n)) is not None and v.persistable]
        self.from_scope = [n for n in self.inputs if n not in self.fed]

    def _compile(self, checked: bool, observed: bool = False, fused: bool = False) -> Any:
        source = _Halves(self, checked, observed, self.passes if fused else self.passes - COMPILING)
        text = source.write()
        function = define(f"plan {next(_numbers)}", "plan", text, source.scope)
        function.source = source  # type: ignore[attr-defined]
        function.text = text  # type: ignore[attr-defined]
        return function


class _Halves(Source):
    def __init__(self, plan: SplitPlan, checked: bool, observed: bool, passes: Collection[str]) -> None:
        results = [*plan.fetches, *plan.kept, *plan.gradients]
        inputs = [*plan.inputs, *plan.arriving]
        super().__init__(plan.block, plan.ops, inputs, plan.ragged, results, plan.device, checked, observed, passes)
        self.plan = plan

    def write(self) -> str:
        """The whole source."""
        plan, count = self.plan, self.plan.count
        late = [self.now[n] for n in plan.arriving]
        early = [r for r in self.inputs if r not in set(late)]
        body: list[tuple[int, list[str]]] = []
        groups = self.units(count)
        for place, op in enumerate(self.ops):
            lines = self._operator(place, op)
            if place in groups:
                lines = groups[place].lines(self, place)
            lines = self._between(place, op, lines) if self.observed else lines
            body.append((place, self.noted(lines, groups[place].places if place in groups else [place])))
        ends = [self.now.get(n, "None") for n in (*plan.fetches, *plan.kept)]
        found = [self.now.get(n, "None") for n in plan.gradients]
        lods = [self.lod.get(r, "None") for r in ends]
        dead, faded = self._deaths({*ends, *lods, *found})
        text = ["def plan(inputs, lods):"]
        if early:
            text += [f"    {', '.join(early)}, = inputs", "    del inputs"]
        if self.input_lods:
            text += [f"    {', '.join(self.input_lods)}, = lods"]
        text += self._empty_arrays(plan.inputs)
        for place, lines in body:
            if place == count:
                text += self._second(late)
            indent = "    " if place < count else "        "
            for line in lines:
                text.append(indent + line)
                self.op_of_line[len(text)] = place
            if place < count:
                text += [f"    {name} = Like({name})" for name in faded[place]]
                if dead[place]:
                    text.append(f"    del {', '.join(dead[place])}")
        if count == len(body):
            text += self._second(late)
        text.append(f"        return ({_listed(found)})")
        text.append(f"    return ({_listed(ends)}), ({_listed(lods)}), second")
        return "\n".join(text) + "\n"

    @staticmethod
    def _second(late: Sequence[str]) -> list[str]:
        return ["    def second(arriving):", *([f"        {', '.join(late)}, = arriving"] if late else [])]


def _listed(names: Sequence[str]) -> str:
    return "".join(f"{name}, " for name in names)
