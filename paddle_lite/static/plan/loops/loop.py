"""Compiled loops and branches: outer Variables that a block reads and writes are arguments and results of a function.

A loop passes values from one iteration to the next, and nothing is updated in place. The gradient of a loop reads the
trace that the iterations have saved, from the last iteration to the first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from ....core import flags
from ....core.dtype import VarType
from ....core.errors import ShapeError
from ....ops.support.meta import Meta
from ...operators.structural import EMPTY
from ...program.operator import Operator
from ..ir import Value
from ..ssa import lowerings
from ..writer import listed, lods_of, registers
from .body import INNER, Body
from .fixed.call import FixedCall, unfit_if_fixed
from .fixed.kernels import FixedKernels
from .fixed.runs import FixedTrace
from .limits import Unfit
from .ragged.call import RaggedCall, RaggedTrace
from .ragged.form import RaggedForm, reads_first_rows
from .ragged.kernels import RaggedKernels
from .rounds import LoopCall, unfit
from .runtime import MOST, truth, zeros_like


class LoopOrBranch(Body):
    """The base class of loops and branches, with their gradients."""

    def _seeded(self, number: int) -> dict[str, str]:
        return dict(zip(self.gradients[number].attr("seeds"), self.results, strict=True))

    def _adds_up(self, name: str) -> bool:
        return name not in self.results

    def _lods_made(self) -> dict[str, Value | None]:
        """Return the LoDs of the results at the end of the block."""
        return dict(zip(self.results, lods_of(self.ends[0]), strict=True))

    def _backward(self, text: list[str], number: int, block: Callable[[], None]) -> None:
        """Add the function of a gradient operator, which runs the iterations from the last to the first.

        The gradients of the values that an iteration receives arrive in the iteration before it. The gradients of
        values that iterations only read are summed.
        """
        found = self._found(number)
        seeds = {name: self.local[seed] for seed, name in self._seeded(number).items() if seed != EMPTY}
        arriving = {name: seeds.get(name, f"arriving{i}") for i, name in enumerate(self.results)}
        totals = {name: f"total{i}" for i, name in enumerate(found) if self._adds_up(name)}
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
        ends = [arriving.get(n) or (f"{totals[n]}.sum()" if n in totals else "None") for n in wanted]
        text.append(f"    return ({listed(ends)})")

    def back(self, number: int, trace: Any, values: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
        found = self.run(f"backward{number}", trace, gradients)
        return [zeros_like(v) if g is None else g for g, v in zip(found, values, strict=True)]


class Loop(LoopOrBranch):
    """A compiled while operator: `loop(values, lods)` returns the values and LoDs of its results, and its trace."""

    def __init__(self, op: Operator, gradients: Sequence[Operator], ragged: Collection[str], *more: Any) -> None:
        results, self.condition = op.output("Out"), op.input("Condition")[0]
        self.kernels: RaggedKernels | str | None = None  # before they are asked for
        self.fixed: dict[tuple[Meta | None, ...], FixedKernels | Unfit] = {}
        super().__init__(op, gradients, results, [*results, self.condition], ragged, *more)

    def _lasting(self) -> set[str]:
        read = [self.first[name] for name in self.names if name not in self.results]
        return {value.register for each in read for value in (each, each.lod) if value is not None}

    def newly_ragged(self) -> set[str]:
        """Return the results that may have a LoD after an iteration, but have none before it."""
        return {n for n, lod in self._lods_made().items() if lod is not None} - {*self.ragged}

    def ragged_results(self) -> list[str]:
        """Return the results that may have a LoD."""
        return [name for name in self.results if name in self.ragged]

    def in_one_kernel(self) -> LoopCall | RaggedCall | FixedCall | None:
        if not unfit(self):
            return LoopCall(self)
        kernels = self._ragged()
        if isinstance(kernels, RaggedKernels):
            return RaggedCall(self, kernels)
        return None if kernels or unfit_if_fixed(self) else FixedCall(self)

    def unfit(self) -> str:
        if not unfit(self):
            return ""
        kernels = self._ragged()
        return "" if isinstance(kernels, RaggedKernels) else kernels or unfit_if_fixed(self)

    def _ragged(self) -> RaggedKernels | str:
        """Return the kernels of the steps of sequences; why there are none, or "" for a loop over something else."""
        if self.kernels is None:
            try:
                self.kernels = RaggedKernels(RaggedForm(self))
            except Unfit as reason:
                self.kernels = str(reason) if any(map(reads_first_rows, self.ops[: self.own])) else ""
        return self.kernels

    def back(self, number: int, trace: Any, values: Sequence[Any], gradients: Sequence[Any]) -> list[Any]:
        if isinstance(trace, (RaggedTrace, FixedTrace)):
            return trace.back(number, values, gradients)
        return super().back(number, trace, values, gradients)

    def _forward(self, text: list[str], block: Callable[[str], None]) -> None:
        local, made_lods = self.local, self._lods_made()
        pairs = [(local[name], made) for name, made in zip(self.results, self.made, strict=True)]
        taken = {name: lod.register for name in self.ragged_results() if (lod := self.first[name].lod) is not None}
        lods = [(to, register) for name, to in taken.items() for register in registers([made_lods[name]])]
        checked = self._checked()
        most = flags.value(MOST)
        text += self._taken()
        text += [f"    dtype_{local[name]} = dtype_of({local[name]})" for name in checked]
        text += ["    rounds = 0", f"    while {local[self.condition]}.item():"]
        self.test = len(text)
        text.append(f"{INNER}rounds += 1")
        text += [f"{INNER}if rounds > {most}: too_many_rounds({most})"] * (most > 0)
        block(INNER)
        text += self._kept(INNER)
        for name, dtype in checked.items():
            to, made = local[name], self._result(name)
            text.append(f"{INNER}if {dtype} is not dtype_{to}: dtype_{to} = check_dtype({name!r}, dtype_{to}, {made})")
        text += [*self._handed(INNER, [*pairs, *lods])]
        text.append(f"    return ({listed(to for to, _ in pairs)}), ({listed(taken.values())}), trace, rounds")

    def _checked(self) -> dict[str, str]:
        """Return the loop variables that an iteration computes, except arrays of tensors -> the texts of dtypes."""
        makers = {name: op for op in self.ops[: self.own] for name in op.output_arg_names}
        found = {}
        for name, made in zip(self.results, self.made, strict=True):
            variable = self.block.find(name)
            if made == self.local[name] or (variable is not None and variable.type == VarType.LOD_TENSOR_ARRAY):
                continue
            plain = variable is not None and variable.type == VarType.LOD_TENSOR and makers[name].type not in lowerings
            found[name] = f"{made}.dtype" if plain else f"dtype_of({made})"
        return found

    def __call__(self, values: Sequence[Any], lods: Sequence[Any]) -> tuple[Any, Any, Any]:
        made, lods_made, trace, rounds = self.run("forward", values, lods)
        self.longest[0] = max(self.longest[0], rounds)
        return made, lods_made, trace

    def refused(self, function: Any, error: Exception) -> Exception:
        """Return the error of an invalid condition if evaluating the condition has failed; else the error itself."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code is not function.__code__:
            trace = trace.tb_next
        if trace is None or trace.tb_lineno != self.test or trace.tb_frame.f_code.co_name != "forward":
            return error
        try:
            truth(self.op.type, trace.tb_frame.f_locals[self.local[self.condition]])
        except ShapeError as refused:
            return refused
        return error


class Branch(LoopOrBranch):
    """A compiled conditional_block operator: it returns the new values of its results, or their previous values."""

    def __init__(self, op: Operator, gradients: Sequence[Operator], ragged: Collection[str], *more: Any) -> None:
        results = op.output("Out")
        self.scalar = bool(op.attr("is_scalar_condition"))
        super().__init__(op, gradients, results, results, ragged, *more)
        self.writes = [self.names.index(name) for name in results]
        self.lods_from = [self.ragged.index(n) if n in self.ragged else None for n in self.ragged_results()]

    def _inputs_shaped_by_values(self) -> Iterable[Value]:
        """Return all inputs: which branch runs depends on a value, so a checked function may have run another one."""
        return self.graph.inputs

    def ragged_results(self) -> list[str]:
        """Return the results that may have a LoD."""
        return [name for name, lod in self._lods_made().items() if name in self.ragged or lod is not None]

    def _forward(self, text: list[str], block: Callable[[str], None]) -> None:
        text += self._taken()
        block("    ")
        text += self._kept("    ")
        made = self._lods_made()
        lods = registers(made[name] for name in self.ragged_results())
        text.append(f"    return ({listed(self.made)}), ({listed(lods)}), trace")

    def taken(self, conditions: Sequence[Any]) -> bool:
        """Return whether the block runs: a scalar condition is true, or all conditions have elements."""
        if self.scalar:
            return truth(self.op.type, conditions[0])
        return all(c is not None and c.size > 0 for c in conditions)

    def __call__(self, conditions: Sequence[Any], values: Sequence[Any], lods: Sequence[Any]) -> tuple[Any, Any, Any]:
        if self.taken(conditions):
            return self.run("forward", values, lods)
        return [values[i] for i in self.writes], [None if i is None else lods[i] for i in self.lods_from], None
