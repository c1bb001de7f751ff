"""How operators with blocks run: what a block reads and writes outside of itself is what its function takes and returns.

So a loop hands values on from round to round, and nothing is written in place. The gradient of a loop goes through what each
round has left for it, from the last round to the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ...core.dtype import VarType
from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.tensor_array import TensorArray
from ..operators.structural import EMPTY
from ..program.operator import Operator
from .body import INNER, Body
from .rounds import truth, zeros_like
from .source import emitters, listed


class Rounds(Body):
    """What loops and branches share: their gradients."""

    def _seeded(self, number: int) -> dict[str, str]:
        return dict(zip(self.gradients[number].attr("seeds"), self.results, strict=True))

    def _backward(self, text: list[str], number: int, block: Callable[[], None]) -> None:
        """The rounds from the last to the first.

        Gradients of what a round hands on become those of what it was given; those of what it only reads are added up.
        """
        found = self._found(number)
        seeds = {name: self.first[seed] for seed, name in self._seeded(number).items() if seed != EMPTY}
        arriving = {name: seeds.get(name, f"arriving{i}") for i, name in enumerate(self.results)}
        totals = {name: f"total{i}" for i, name in enumerate(found) if name not in arriving}
        text.append(f"def backward{number}(trace, arriving):")
        text += [f"    {listed(arriving.values())}= arriving"] if arriving else []
        text += [f"    {total} = Total()" for total in totals.values()]
        text.append(f"    for {self._taken_back()} in backwards(trace):")
        text += self._arrived(number)
        block()
        text += [f"{INNER}{total}.add({found[name]})" for name, total in totals.items()]
        handed = [(register, found.get(name, "None")) for name, register in arriving.items()]
        text += self._handed(INNER, handed)
        text += self._freed(INNER, [found[name] for name in totals], [made for _, made in handed])
        wanted = self.gradients[number].attr("of")
        ends = [arriving.get(n) or (f"{totals[n]}.value" if n in totals else "None") for n in wanted]
        text.append(f"    return ({listed(ends)})")

    def back(self, number: int, trace: Any, values: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
        """What a gradient operator computes.

        Arguments:
            number: of the operator among the gradients of this one.
            trace: what the rounds have left.
            values: the values of what gradients are wanted of, from before the rounds.
            gradients: those of the results that arrive; None for nothing.
        """
        found = self.run(f"backward{number}", trace, gradients)
        return [zeros_like(v) if g is None else g for g, v in zip(found, values, strict=True)]


class Loop(Rounds):
    """A while operator: `loop(values, lods)` gives values and LoDs of its results, and its trace."""

    def __init__(self, op: Operator, gradients: Sequence[Operator], ragged: Iterable[str], *more: Any) -> None:
        results, self.condition = op.output("Out"), op.input("Condition")[0]
        super().__init__(op, gradients, results, [*results, self.condition], set(ragged), *more)

    def _lasting(self) -> set[str]:
        registers = [self.first[name] for name in self.names if name not in self.results]
        return {*registers, *(self.lod[register] for register in registers if register in self.lod)}

    def newly_ragged(self) -> set[str]:
        """The results that may have a LoD behind a round, but had none before it."""
        return {n for n, made in zip(self.results, self.ends[0], strict=True) if made in self.lod} - {*self.ragged}

    def ragged_results(self) -> list[str]:
        """The results that may have a LoD."""
        return [name for name in self.results if name in self.ragged]

    def _forward(self, text: list[str], block: Callable[[str], None]) -> None:
        pairs = [(self.first[name], made) for name, made in zip(self.results, self.ends[0], strict=True)]
        lods = [(self.lod[to], self.lod.get(made, "None")) for to, made in pairs if to in self.lod]
        checked = self._checked()
        text += self._taken()
        text += [f"    dtype_{self.first[name]} = dtype_of({self.first[name]})" for name in checked]
        text.append(f"    while {self.first[self.condition]}.item():")
        self.test = len(text)
        block(INNER)
        text += self._kept(INNER)
        for name, dtype in checked.items():
            to, made = self.first[name], self._result(name)
            text.append(f"{INNER}if {dtype} is not dtype_{to}: dtype_{to} = check_dtype({name!r}, dtype_{to}, {made})")
        text += [*self._handed(INNER, [*pairs, *lods])]
        given = listed(self.lod[self.first[name]] for name in self.ragged_results())
        text.append(f"    return ({listed(to for to, _ in pairs)}), ({given}), trace")

    def _checked(self) -> dict[str, str]:
        """The loop variables that a round makes anew -> the text of their dtypes behind it; arrays of tensors have none."""
        makers = {name: op for op in self.ops[: self.own] for name in op.output_arg_names}
        found = {}
        for name, made in zip(self.results, self.ends[0], strict=True):
            variable = self.block.find(name)
            if made == self.first[name] or (variable is not None and variable.type == VarType.LOD_TENSOR_ARRAY):
                continue
            plain = variable is not None and variable.type == VarType.LOD_TENSOR and makers[name].type not in emitters
            found[name] = f"{made}.dtype" if plain else f"dtype_of({made})"
        return found

    def __call__(self, values: Sequence[Any], lods: Sequence[Any]) -> tuple[Any, Any, Any]:
        return self.run("forward", values, lods)

    def refused(self, function: Any, error: Exception) -> Exception:
        """What is wrong with the condition, where testing it has failed."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code is not function.__code__:
            trace = trace.tb_next
        if trace is None or trace.tb_lineno != self.test or trace.tb_frame.f_code.co_name != "forward":
            return error
        try:
            truth(self.op.type, trace.tb_frame.f_locals[self.first[self.condition]])
        except ShapeError as refused:
            return refused
        return error


class Branch(Rounds):
    """A conditional_block operator: the values that it writes, or those from before."""

    def __init__(self, op: Operator, gradients: Sequence[Operator], ragged: Iterable[str], *more: Any) -> None:
        results = op.output("Out")
        self.scalar = bool(op.attr("is_scalar_condition"))
        super().__init__(op, gradients, results, results, set(ragged), *more)
        self.writes = [self.names.index(name) for name in results]
        self.lods_from = [self.ragged.index(n) if n in self.ragged else None for n in self.ragged_results()]

    def ragged_results(self) -> list[str]:
        """The results that may have a LoD."""
        ends = zip(self.results, self.ends[0], strict=True)
        return [name for name, made in ends if name in self.ragged or made in self.lod]

    def _forward(self, text: list[str], block: Callable[[str], None]) -> None:
        text += self._taken()
        block("    ")
        text += self._kept("    ")
        lods = [self.lod.get(self._result(name), "None") for name in self.ragged_results()]
        text.append(f"    return ({listed(self.ends[0])}), ({listed(lods)}), trace")

    def taken(self, conditions: Sequence[Any]) -> bool:
        """Whether the block is to run: a flag that is set, or inputs that all have elements."""
        if self.scalar:
            return truth(self.op.type, conditions[0])
        return all(c is not None and c.size > 0 for c in conditions)

    def __call__(self, conditions: Sequence[Any], values: Sequence[Any], lods: Sequence[Any]) -> tuple[Any, Any, Any]:
        if self.taken(conditions):
            return self.run("forward", values, lods)
        return [values[i] for i in self.writes], [None if i is None else lods[i] for i in self.lods_from], None


class Recurrence(Body):
    """A recurrent operator: its block once a step, over the first axis of its inputs."""

    def __init__(self, op: Operator, gradients: Sequence[Operator], *more: Any) -> None:
        self.outputs = op.output("outputs")
        self.sequences = op.input("inputs")
        self.reverse = bool(op.attr("reverse"))
        ex_states, self.states = list(op.attr("ex_states")), list(op.attr("states"))
        self.handed = dict(zip(ex_states, self.states, strict=True))
        self.initial = dict(zip(ex_states, op.input("initial_states"), strict=True))
        results = [*dict.fromkeys([*self.outputs, *self.states])]
        super().__init__(op, gradients, results, self.sequences, set(), *more)

    def outer(self) -> list[str]:
        """The names around the block of what its function takes."""
        return [self.initial.get(name, name) for name in self.names]

    def _lasting(self) -> set[str]:
        passing = {*self.sequences, *self.handed}
        return {self.first[name] for name in self.names if name not in passing}

    def _forward(self, text: list[str], block: Callable[[str], None]) -> None:
        along = [name for name in self.names if name in self.sequences]
        taken = [f"all_{self.first[n]}" if n in along else self.first[n] for n in self.names]
        text += ["def forward(values, order, rows):", f"    {listed(taken)}= values", "    trace = []"]
        text += [f"    {listed(f'rows{i}' for i in range(len(self.outputs)))} = rows"] if self.outputs else []
        text.append("    for step in order:")
        text += [f"{INNER}{self.first[n]} = all_{self.first[n]}[step]" for n in along]
        block(INNER)
        text += self._kept(INNER)
        text += [f"{INNER}rows{i}[step] = {self._result(name)}" for i, name in enumerate(self.outputs)]
        pairs = [(self.first[ex], self._result(state)) for ex, state in self.handed.items() if ex in self.first]
        text += self._handed(INNER, pairs)
        text += self._freed(INNER, self.ends[0], [made for _, made in pairs])
        text.append("    return trace")

    def __call__(self, values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        steps = self.length(values)
        rows: list[list[Any]] = [[None] * steps for _ in self.outputs]
        trace = self.run("forward", values, self.order(steps), rows)
        return [np.stack(each) for each in rows], trace

    def order(self, steps: int) -> range:
        """The numbers of the steps in the order in which they run."""
        return range(steps - 1, -1, -1) if self.reverse else range(steps)

    def length(self, values: Sequence[Any]) -> int:
        """The number of steps, which all inputs agree on."""
        lengths = {n: values[self.names.index(n)].shape[0] for n in self.sequences}
        if len(set(lengths.values())) != 1:
            raise ShapeError(message("recurrent", "the lengths of its inputs", f"{lengths}", "one length"))
        steps = next(iter(lengths.values()))
        if steps == 0:
            raise ShapeError(message("recurrent", "its inputs", "no steps", "at least one step, in dimension 0"))
        return steps

    # --- gradients --------------------------------------------------------------------------------------------------------

    def _seeded(self, number: int) -> dict[str, str]:
        return dict(zip(self.gradients[number].attr("seeds"), [*self.outputs, *self.states], strict=True))

    def _backward(self, text: list[str], number: int, block: Callable[[], None]) -> None:
        """The steps from the last to the first: gradients of sequences are rows, those of parameters are added up."""
        found = self._found(number)
        back = {ex: f"back{i}" for i, ex in enumerate(self.handed)}
        rows = {name: f"rows{i}" for i, name in enumerate(self.sequences)}
        totals = {name: f"total{i}" for i, name in enumerate(found) if name not in back and name not in rows}
        text.append(f"def backward{number}(trace, arriving, order, rows):")
        text += [f"    {listed(f'all{i}' for i in range(len(self.outputs)))} = arriving"] if self.outputs else []
        text += [f"    {listed(rows.values())}= rows"] if rows else []
        text += [f"    {each} = None" for each in back.values()]
        text += [f"    {total} = Total()" for total in totals.values()]
        text.append(f"    for {self._taken_back()} in backwards(trace):")
        text.append(f"{INNER}step = next(order)")
        for seed, name in self._seeded(number).items():
            if seed != EMPTY:
                text.append(f"{INNER}{self.first[seed]} = {self._arriving(name, back)}")
        text += self._arrived(number)
        block()
        text += [f"{INNER}{rows[name]}[step] = {made}" for name, made in found.items() if name in rows]
        text += [f"{INNER}{total}.add({found[name]})" for name, total in totals.items()]
        handed = [(register, found.get(ex, "None")) for ex, register in back.items()]
        text += self._handed(INNER, handed)
        text += self._freed(INNER, found.values(), [made for _, made in handed])
        summed = [f"{totals[n]}.value" if n in totals else "None" for n in self.op.input("parameters")]
        text.append(f"    return ({listed(back[ex] for ex in self.initial)}), ({listed(summed)})")

    def _arriving(self, name: str, back: dict[str, str]) -> str:
        """The gradient of a result in one step: what arrives from outside, and what the step behind it hands back."""
        parts = [f"(None if all{i} is None else all{i}[step])" for i, n in enumerate(self.outputs) if n == name]
        parts += [back[ex] for ex, state in self.handed.items() if state == name]
        text = parts[0]
        for part in parts[1:]:
            text = f"add({text}, {part})"
        return text

    def back(self, number: int, trace: Any, values: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
        """What a gradient operator computes: of sequences, initial states and parameters, whose values are `values`."""
        steps = len(trace)
        rows: list[list[Any]] = [[None] * steps for _ in self.sequences]
        order = iter(reversed(self.order(steps)))
        initial, summed = self.run(f"backward{number}", trace, gradients, order, rows)
        along = [None if any(row is None for row in each) else np.stack(each) for each in rows]
        found = [*along, *initial, *summed]
        return [zeros_like(v) if g is None else g for g, v in zip(found, values, strict=True)]


def write(op: Operator, before: Any, X: Any, lod: Any, index: Any) -> TensorArray:
    """What write_to_array gives: the array from before with X at the place I."""
    array = before if isinstance(before, TensorArray) else TensorArray()
    place = int(index.reshape(-1)[0])
    if place < 0:
        raise ArgumentValueError(message("write_to_array", "Input(I)", place, "0 or more"))
    return array.written(place, X, lod)
