"""Recurrences: a block that runs once for each step of its inputs, with states that are passed from step to step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from ....core.errors import ShapeError, message
from ...operators.structural import EMPTY
from ...program.operator import Operator
from ..writer import listed
from .body import INNER, Body
from .runtime import zeros_like


class Recurrence(Body):
    """A compiled recurrent operator: its block runs once for each step along the first axis of its inputs.

    What the block reads from outside keeps its LoD; the rows of inputs and the states have none.
    """

    def __init__(self, op: Operator, gradients: Sequence[Operator], ragged: Collection[str], *more: Any) -> None:
        self.outputs = op.output("outputs")
        self.sequences = op.input("inputs")
        self.reverse = bool(op.attr("reverse"))
        ex_states, self.states = list(op.attr("ex_states")), list(op.attr("states"))
        self.handed = dict(zip(ex_states, self.states, strict=True))
        self.initial = dict(zip(ex_states, op.input("initial_states"), strict=True))
        results = [*dict.fromkeys([*self.outputs, *self.states])]
        outside = {*ragged}.difference(self.sequences, ex_states)
        super().__init__(op, gradients, results, self.sequences, outside, *more)

    def outer(self) -> list[str]:
        """Return the outer names of the function's arguments."""
        return [self.initial.get(name, name) for name in self.names]

    def _lasting(self) -> set[str]:
        passing = {*self.sequences, *self.handed}
        return {*(self.local[name] for name in self.names if name not in passing), *self.input_lods}

    def _forward(self, text: list[str], block: Callable[[str], None]) -> None:
        along = [name for name in self.names if name in self.sequences]
        taken = [f"all_{self.local[n]}" if n in along else self.local[n] for n in self.names]
        text += ["def forward(values, lods, order, rows):", f"    {listed(taken)}= values", "    trace = []"]
        text += [f"    {listed(self.input_lods)}= lods"] if self.input_lods else []
        text += [f"    {listed(f'rows{i}' for i in range(len(self.outputs)))} = rows"] if self.outputs else []
        text.append("    for step in order:")
        text += [f"{INNER}{self.local[n]} = all_{self.local[n]}[step]" for n in along]
        block(INNER)
        text += self._kept(INNER)
        text += [f"{INNER}rows{i}[step] = {self._result(name)}" for i, name in enumerate(self.outputs)]
        pairs = [(self.local[ex], self._result(state)) for ex, state in self.handed.items() if ex in self.local]
        text += self._handed(INNER, pairs)
        text += self._freed(INNER, self.made, [made for _, made in pairs])
        text.append("    return trace")

    def __call__(self, values: Sequence[Any], lods: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        steps = self.length(values)
        rows: list[list[Any]] = [[None] * steps for _ in self.outputs]
        trace = self.run("forward", values, lods, self.order(steps), rows)
        self.longest[0] = max(self.longest[0], steps)
        return [np.stack(each) for each in rows], trace

    def order(self, steps: int) -> range:
        """Return the numbers of the steps in running order."""
        return range(steps - 1, -1, -1) if self.reverse else range(steps)

    def length(self, values: Sequence[Any]) -> int:
        """Return the number of steps.

        Raises:
            ShapeError: the inputs differ in length, or have no steps.
        """
        lengths = {n: values[self.names.index(n)].shape[0] for n in self.sequences}
        if len(set(lengths.values())) != 1:
            raise ShapeError(message("recurrent", "the lengths of its inputs", f"{lengths}", "one length"))
        steps = next(iter(lengths.values()))
        if steps == 0:
            raise ShapeError(message("recurrent", "its inputs", "no steps", "at least one step, in dimension 0"))
        return steps

    # --- gradients --------------------------------------------------------------------------------------------------------

    def _adds_up(self, name: str) -> bool:
        return name not in self.handed and name not in self.sequences

    def _seeded(self, number: int) -> dict[str, str]:
        return dict(zip(self.gradients[number].attr("seeds"), [*self.outputs, *self.states], strict=True))

    def _backward(self, text: list[str], number: int, block: Callable[[], None]) -> None:
        """Add the function of a gradient operator, which runs the steps from the last to the first.

        The gradients of sequences are stored as one row for each step; the gradients of parameters are summed.
        """
        found = self._found(number)
        back = {ex: f"back{i}" for i, ex in enumerate(self.handed)}
        rows = {name: f"rows{i}" for i, name in enumerate(self.sequences)}
        totals = {name: f"total{i}" for i, name in enumerate(found) if self._adds_up(name)}
        text.append(f"def backward{number}(trace, arriving, order, rows):")
        text += [f"    {listed(f'all{i}' for i in range(len(self.outputs)))} = arriving"] if self.outputs else []
        text += [f"    {listed(rows.values())}= rows"] if rows else []
        text += [f"    {each} = None" for each in back.values()]
        text += [f"    {total} = Total()" for total in totals.values()]
        text.append(f"    for {self._taken_back()} in backwards(trace):")
        text.append(f"{INNER}step = next(order)")
        for seed, name in self._seeded(number).items():
            if seed != EMPTY:
                text.append(f"{INNER}{self.local[seed]} = {self._arriving(name, back)}")
        text += self._arrived(number)
        block()
        text += [f"{INNER}{rows[name]}[step] = {made}" for name, made in found.items() if name in rows]
        text += [f"{INNER}{total}.add({found[name]})" for name, total in totals.items()]
        handed = [(register, found.get(ex, "None")) for ex, register in back.items()]
        text += self._handed(INNER, handed)
        text += self._freed(INNER, found.values(), [made for _, made in handed])
        summed = [f"{totals[n]}.sum()" if n in totals else "None" for n in self.op.input("parameters")]
        text.append(f"    return ({listed(back[ex] for ex in self.initial)}), ({listed(summed)})")

    def _arriving(self, name: str, back: dict[str, str]) -> str:
        """Return the text of a result's gradient in one step: the outer gradient plus that of the next step."""
        parts = [f"(None if all{i} is None else all{i}[step])" for i, n in enumerate(self.outputs) if n == name]
        parts += [back[ex] for ex, state in self.handed.items() if state == name]
        text = parts[0]
        for part in parts[1:]:
            text = f"add({text}, {part})"
        return text

    def back(self, number: int, trace: Any, values: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
        """Return the gradients of sequences, initial states and parameters, whose values are `values`."""
        steps = len(trace)
        rows: list[list[Any]] = [[None] * steps for _ in self.sequences]
        order = iter(reversed(self.order(steps)))
        initial, summed = self.run(f"backward{number}", trace, gradients, order, rows)
        along = [None if any(row is None for row in each) else np.stack(each) for each in rows]
        found = [*along, *initial, *summed]
        return [zeros_like(v) if g is None else g for g, v in zip(found, values, strict=True)]
