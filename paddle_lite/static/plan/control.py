"""How operators with blocks run: a block becomes a function of what it reads, called once for each round or branch.

What a block writes outside of itself is what its function returns, so a loop hands those values on from round to round;
nothing is written in place. For gradients a function also returns what the gradient's block will read.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ...core.generated import define
from ...core.selected_rows import SelectedRows
from ...core.tensor_array import TensorArray
from ...ops.emit import Like
from ..block import Block
from ..operator import Operator
from .failing import explained
from .liveness import needed_operators, outer_reads
from .source import Source

_numbers = itertools.count()


class Body:
    """The block of an operator, compiled.

    Arguments:
        block: the block.
        results: names whose values at the end are returned.
        passes: those that its operators go through, as long as no gradient reads its values.
        forward: for the block of a gradient: the forward body, whose values it may read.
    """

    def __init__(
        self,
        block: Block,
        results: Sequence[str],
        device: str,
        checked: bool,
        observed: bool,
        passes: frozenset[str] = frozenset(),
        forward: Body | None = None,
    ) -> None:
        self.block = block
        self.ops = needed_operators(block, results)
        self.results = list(results)
        self.options = (device, checked, observed)
        self.passes = passes - {"updates"} if forward is None else frozenset()
        if forward is not None:
            forward.without_passes()
        self.forward = forward
        self.traced = False  # whether a gradient goes through it
        self.saved: list[str] = []  # local variables of the function that the gradient reads
        names = outer_reads(self.ops, results)
        own = [] if forward is None else [n for n in names if forward.knows(n)]
        self.inputs = [n for n in names if n not in own]
        self.source = self._source()
        if forward is not None:
            self.source.foreign = forward.source
            self.text = self.source.write()
            forward.save(self.source.borrowed)
        else:
            self.text = self.source.write()
        self._function: Any = None

    def _source(self) -> Source:
        device, checked, observed = self.options
        return Source(
            self.block, self.ops, self.inputs, self.inputs, self.results, device, checked, observed, self.passes
        )

    def without_passes(self) -> None:
        """Let each operator have its values, since a gradient will read them."""
        if self.passes:
            self.passes = frozenset()
            inner, self.source = self.source.bodies, self._source()
            self.source.bodies = inner
            self.text = self.source.write()
            self._function = None

    def knows(self, name: str) -> bool:
        """Whether the forward function has a value of this name."""
        return name in self.source.now

    def save(self, registers: Sequence[str]) -> None:
        """Return these local variables too."""
        self.traced, self.saved = True, list(registers)
        inner = self.source.bodies
        self.source = self._source()
        self.source.bodies = inner
        self.source.extra = self.saved
        self.text = self.source.write()
        self._function = None

    def __call__(self, values: Sequence[Any], lods: Sequence[Any]) -> tuple[tuple, tuple, tuple]:
        """(values, LoDs, saved values) of one run."""
        function = self._function
        if function is None:
            function = self._function = define(f"block {next(_numbers)}", "plan", self.text, self.source.scope)
        try:
            return function(values, lods)
        except Exception as error:
            raise explained(function, self.source, self.ops, error) from error


def _dtype(value: Any) -> Any:
    return value.dtype if type(value) is np.ndarray else getattr(value, "dtype", None)


def _flag(op: Operator, value: Any) -> bool:
    if type(value) is np.ndarray and value.size == 1:
        return value.item()
    if value is None or getattr(value, "size", 0) != 1:
        got = "nothing" if value is None else f"shape {list(value.shape)}"
        raise ShapeError(message(op.type, "Condition", got, "a bool Variable of one element"))
    return bool(value.reshape(-1)[0])


class Loop:
    """A while operator: `loop(values, lods)` gives the values and LoDs that it writes, and its trace."""

    def __init__(self, op: Operator, body: Body, condition: str) -> None:
        self.op, self.body = op, body
        self.names = [*dict.fromkeys([*body.inputs, *body.results, condition])]
        place = {name: i for i, name in enumerate(self.names)}
        self.reads = [place[n] for n in body.inputs]
        self.writes = [place[n] for n in body.results]
        self.condition = place[condition]
        self._untraced: Any = None

    def _written(self) -> Any:
        """The loop without a trace, as a function in which each value is a local variable: its rounds cost half as much."""
        count, flag = len(self.names), f"v{self.condition}"

        def listed(letter: str, places: Iterable[int]) -> str:
            return "".join(f"{letter}{i}, " for i in places)

        lines = ["def loop(values, lods):"]
        lines += [f"    {listed('v', range(count))} = values", f"    {listed('l', range(count))} = lods"]
        lines += [f"    while {flag}.item() if type({flag}) is ndarray and {flag}.size == 1 else raised({flag}):"]
        made, levels = listed("r", self.writes) or "_", listed("m", self.writes) or "_"
        given = f"({listed('v', self.reads)}), ({listed('l', self.reads)})"
        lines += [f"        ({made}), ({levels}), _ = body({given})"]
        for i in self.writes:
            lines += [f"        if v{i} is not None and r{i} is not None and kind(v{i}) is not kind(r{i}):"]
            lines += [f"            check({i}, v{i}, r{i})", f"        v{i}, l{i} = r{i}, m{i}"]
        values, lods = listed("v", self.writes), listed("l", self.writes)
        lines += [f"    return [{values}], [{lods}], []"]
        scope = {
            "__name__": __name__, "ndarray": np.ndarray, "raised": lambda value: _flag(self.op, value),
            "body": self.body, "kind": _dtype, "check": self._check,
        }  # fmt: skip
        return define(f"loop {next(_numbers)}", "loop", "\n".join(lines) + "\n", scope)

    def __call__(self, values: Sequence[Any], lods: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any]]:
        if not self.body.traced:
            if self._untraced is None:
                self._untraced = self._written()
            return self._untraced(values, lods)
        now, levels = list(values), list(lods)
        trace: list[Any] = []
        body, reads, writes, condition = self.body, self.reads, self.writes, self.condition
        while _flag(self.op, now[condition]):
            results, result_lods, saved = body([now[i] for i in reads], [levels[i] for i in reads])
            trace.append((saved, [_outline(r) for r in results]))
            for i, value, lod in zip(writes, results, result_lods, strict=True):
                before = now[i]
                if before is not None and value is not None and _dtype(value) is not _dtype(before):
                    self._check(i, before, value)
                now[i], levels[i] = value, lod
        return [now[i] for i in writes], [levels[i] for i in writes], trace

    def _check(self, index: int, before: Any, value: Any) -> None:
        """Raise where a loop variable has another dtype than before."""
        if _dtype(before) == _dtype(value):
            return
        name = self.names[index]
        raise DtypeError(
            message(
                "while", f"the loop variable {name}", f"dtype {value.dtype} in a round", f"{before.dtype}, as before the loop",
                "Convert it with cast() at the end of the loop's block.",
            )
        )  # fmt: skip


class Branch:
    """A conditional_block operator: the values that it writes, or those from before."""

    def __init__(self, op: Operator, body: Body, conditions: int) -> None:
        self.op, self.body = op, body
        self.scalar = bool(op.attr("is_scalar_condition"))
        self.conditions = conditions
        self.names = [*dict.fromkeys([*body.inputs, *body.results])]
        place = {name: i for i, name in enumerate(self.names)}
        self.reads = [place[n] for n in body.inputs]
        self.writes = [place[n] for n in body.results]

    def taken(self, conditions: Sequence[Any]) -> bool:
        """Whether the block is to run: a flag that is set, or inputs that all have elements."""
        if self.scalar:
            return _flag(self.op, conditions[0])
        return all(c is not None and c.size > 0 for c in conditions)

    def __call__(self, conditions: Sequence[Any], values: Sequence[Any], lods: Sequence[Any]) -> tuple[Any, Any, Any]:
        if not self.taken(conditions):
            return [values[i] for i in self.writes], [lods[i] for i in self.writes], None
        results, result_lods, saved = self.body([values[i] for i in self.reads], [lods[i] for i in self.reads])
        return results, result_lods, [(saved, [_outline(r) for r in results])]


class Recurrence:
    """A recurrent operator: its block once a step, over the first axis of its inputs."""

    def __init__(self, op: Operator, body: Body, outer: Sequence[str]) -> None:
        self.op, self.body = op, body
        place = {name: i for i, name in enumerate(outer)}
        self.sequences = op.input("inputs")
        self.ex_states, self.states = list(op.attr("ex_states")), list(op.attr("states"))
        self.initial = [place[n] for n in op.input("initial_states")]
        self.place = place
        self.reverse = bool(op.attr("reverse"))
        self.outputs = op.output("outputs")
        self.results = {n: i for i, n in enumerate(body.results)}

    def __call__(self, values: Sequence[Any], lods: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any]]:
        steps = self.length(values)
        states = dict(zip(self.ex_states, [values[i] for i in self.initial], strict=True))
        outputs: list[list[Any]] = [[None] * steps for _ in self.outputs]
        trace: list[Any] = []
        keep = self.body.traced
        for t in reversed(range(steps)) if self.reverse else range(steps):
            given = [
                states[n] if n in states else values[self.place[n]][t] if n in self.sequences else values[self.place[n]]
                for n in self.body.inputs
            ]
            results, _, saved = self.body(given, [None] * len(given))
            if keep:
                trace.append((saved, [_outline(r) for r in results]))
            for name, rows in zip(self.outputs, outputs, strict=True):
                rows[t] = results[self.results[name]]
            states = {ex: results[self.results[s]] for ex, s in zip(self.ex_states, self.states, strict=True)}
        return [np.stack(rows) for rows in outputs], [None] * len(outputs), trace

    def length(self, values: Sequence[Any]) -> int:
        """The number of steps, which all inputs agree on."""
        lengths = {n: values[self.place[n]].shape[0] for n in self.sequences}
        if len(set(lengths.values())) != 1:
            raise ShapeError(message("recurrent", "the lengths of its inputs", f"{lengths}", "one length"))
        steps = next(iter(lengths.values()))
        if steps == 0:
            raise ShapeError(message("recurrent", "its inputs", "no steps", "at least one step, in dimension 0"))
        return steps


class Backward:
    """What the gradients of loops and branches share: rounds from the last to the first.

    Arguments:
        op: the gradient operator, with its attributes: `of`, the names that gradients are wanted of; `found`, what they are
            called in the block, or @EMPTY@; `seeds`, what the gradients of the outputs are called there, or @EMPTY@.
        outputs: what the forward operator writes.
        body: the gradient's block.
    """

    def __init__(self, op: Operator, outputs: Sequence[str], body: Body) -> None:
        self.op, self.body = op, body
        self.outputs = list(outputs)
        self.of: list[str] = list(op.attr("of"))
        found, seeds = op.attr("found"), op.attr("seeds")
        results = {n: i for i, n in enumerate(body.results)}
        self.found = {n: results[f] for n, f in zip(self.of, found, strict=True) if f in results}
        self.seeds = {seed: o for o, seed in zip(self.outputs, seeds, strict=True)}

    def round(
        self, saved: tuple, outlines: Sequence[Any], arrived: dict[str, Any], written: Sequence[str]
    ) -> dict[str, Any]:
        """The gradients of one round, by name."""
        borrowed = dict(zip(self.body.source.borrowed, saved, strict=True))
        values = []
        for name in self.body.source.input_names:
            if name in borrowed:
                values.append(borrowed[name])
                continue
            output = self.seeds[name]
            gradient = arrived.get(output)
            values.append(_zeros(outlines[written.index(output)]) if gradient is None else gradient)
        results, _, _ = self.body(values, [None] * len(self.body.inputs))
        return {name: results[i] for name, i in self.found.items()}


class LoopBackward(Backward):
    """while_grad and conditional_block_grad: the gradients of what the forward operator read."""

    def __init__(self, op: Operator, outputs: Sequence[str], body: Body, written: Sequence[str]) -> None:
        super().__init__(op, outputs, body)
        self.written = list(written)

    def __call__(self, trace: Any, values: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
        """Gradients in the order of `of`; `values` are those of `of` from before, `gradients` those of the outputs."""
        arrived = dict(zip(self.outputs, gradients, strict=True))
        totals: dict[str, Any] = {}
        for saved, outlines in reversed(trace or ()):
            got = self.round(saved, outlines, arrived, self.written)
            arrived = {n: got.get(n) if n in self.written else g for n, g in arrived.items()}
            for name, gradient in got.items():
                if name not in self.written:
                    totals[name] = add(totals.get(name), gradient)
                elif name not in arrived:
                    arrived[name] = gradient
        found = [arrived.get(n) if n in self.written else totals.get(n) for n in self.of]
        return [zeros_like(v) if g is None else g for g, v in zip(found, values, strict=True)]


class RecurrenceBackward(Backward):
    """recurrent_grad: gradients of sequences step by step, of states handed back, of parameters added up."""

    def __init__(self, op: Operator, forward: Operator, body: Body, written: Sequence[str]) -> None:
        ex_states, states = list(forward.attr("ex_states")), list(forward.attr("states"))
        super().__init__(op, [*forward.output("outputs"), *states], body)
        self.count = len(forward.output("outputs"))
        self.handed = dict(zip(states, ex_states, strict=True))
        self.sequences = forward.input("inputs")
        self.initial = dict(zip(forward.input("initial_states"), ex_states, strict=True))
        self.reverse = bool(forward.attr("reverse"))
        self.written = list(written)

    def __call__(self, trace: Any, values: Sequence[Any], gradients: Sequence[Any], names: Sequence[str]) -> list[Any]:
        """Gradients of `names`, whose values are `values`."""
        steps = len(trace)
        totals: dict[str, Any] = {}
        rows: dict[str, list[Any]] = {n: [None] * steps for n in self.sequences}
        back: dict[str, Any] = {}
        for k in reversed(range(steps)):
            t = steps - 1 - k if self.reverse else k
            saved, outlines = trace[k]
            arrived = {
                n: None if g is None else g[t] for n, g in zip(self.outputs[: self.count], gradients, strict=True)
            }
            for state, ex in self.handed.items():
                arrived[state] = add(arrived.get(state), back.get(ex))
            got = self.round(saved, outlines, arrived, self.written)
            back = {ex: got.get(ex) for ex in self.handed.values()}
            for name, gradient in got.items():
                if name in rows:
                    rows[name][t] = gradient
                elif name not in back:
                    totals[name] = add(totals.get(name), gradient)
        found = []
        for name, value in zip(names, values, strict=True):
            if name in self.initial:
                gradient = back.get(self.initial[name])
            elif name in rows:
                gradient = None if any(r is None for r in rows[name]) else np.stack(rows[name])
            else:
                gradient = totals.get(name)
            found.append(zeros_like(value) if gradient is None else gradient)
        return found


# --- gradients of values ------------------------------------------------------------------------------------------------


def _outline(value: Any) -> Any:
    """What zeros of the same form are made from."""
    return (
        len(value) if isinstance(value, TensorArray) else None if getattr(value, "shape", None) is None else Like(value)
    )


def _zeros(outline: Any) -> Any:
    if isinstance(outline, int):
        return TensorArray([None] * outline)
    return None if outline is None else np.zeros(outline.shape, outline.dtype)


def zeros_like(value: Any) -> Any:
    """Zeros of the form of a value."""
    return None if value is None else _zeros(_outline(value))


def add(first: Any, second: Any) -> Any:
    """The sum of two gradients; None stands for nothing."""
    if first is None or second is None:
        return second if first is None else first
    if isinstance(first, SelectedRows):
        return first.concat(second, np)
    return first + second


def write(op: Operator, before: Any, X: Any, lod: Any, index: Any) -> TensorArray:
    """What write_to_array gives: the array from before with X at the place I."""
    array = before if isinstance(before, TensorArray) else TensorArray()
    place = int(index.reshape(-1)[0])
    if place < 0:
        raise ArgumentValueError(message("write_to_array", "Input(I)", place, "0 or more"))
    return array.written(place, X, lod)
