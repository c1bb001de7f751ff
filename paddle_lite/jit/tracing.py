"""Tracing: each operator call of an imperative run is executed and also appended to a Program."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from ..core import unique_name
from ..core.errors import EnforceNotMet
from ..core.lod import level_of
from ..core.mode import Mode, using
from ..core.tensor import LoDTensor
from ..core.tracebacks import user_level
from ..imperative.mode import ObservedMode
from ..imperative.parameter import Parameter
from ..imperative.variable import Variable
from ..ops.framework.spec import OpDef
from ..ops.support.meta import Meta
from ..static.execution.scope import Scope
from ..static.mode.append import append
from ..static.program.program import Program, program_guard
from ..static.program.user_line import format_line, user_line
from ..static.program.variable import Parameter as ProgramParameter
from ..static.program.variable import Variable as ProgramVariable


class TracingMode(ObservedMode):
    """Run each call in an imperative mode, and append it to a Program.

    Arguments:
        inner: the current imperative mode.
        inputs: the Variables that become inputs of the Program; their first dimension gets an unknown size (-1).
        names: the names that they get there; their own where it is None.
    """

    def __init__(self, inner: Mode, inputs: Sequence[Variable], names: Sequence[str] | None = None) -> None:
        super().__init__(inner)
        self.program = Program()
        self.names = unique_name.Generator()  # of its own, so that equal runs give equal Programs
        self.scope = Scope()
        self.shared: dict[str, Variable] = {}  # parameters, buffers and constants of the Program, by name
        self.kept: list[Any] = []  # keeps alive the Variables and arrays whose id is a key
        self.known: dict[int, ProgramVariable] = {}
        self.held_arrays: dict[int, Any] = {}  # by the same ids: the array of the Variable at that time
        self.results: dict[int, ProgramVariable] = {}  # by id(array): the last result with this array
        self.told: set[str] = set()
        self.given = list(inputs)
        with program_guard(self.program):
            chosen = [v.name for v in inputs] if names is None else names
            self.inputs = [self._input(v, name) for v, name in zip(inputs, chosen, strict=True)]

    def _input(self, variable: Variable, name: str) -> ProgramVariable:
        shape = list(variable.array.shape)
        made = self.program.global_block().declare_var(
            name=name, shape=[-1, *shape[1:]] if shape else shape, dtype=variable.array.dtype,
            lod_level=level_of(variable.levels), is_data=True, need_check_feed=True, stop_gradient=variable.stopped,
        )  # fmt: skip
        return self._remember(variable, made)

    def _remember(self, variable: Variable, made: ProgramVariable) -> ProgramVariable:
        self.kept += [variable, self.held_arrays.get(id(variable))]  # ids of arrays are keys, too
        self.known[id(variable)], self.held_arrays[id(variable)] = made, variable.array
        return made

    # --- one call -----------------------------------------------------------------------------------------------------

    def call(self, op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
        """Run an operator, append it to the Program, and return its results."""
        results = self.run(op, inputs, attrs)
        given = tuple(
            None if v is None else [self.of(x) for x in v] if isinstance(v, (list, tuple)) else self.of(v)
            for v in inputs
        )
        with program_guard(self.program), unique_name.guard(self.names):
            made = self._appended(op, given, {k: v for k, v in attrs.items() if k != "need"}, results)
        self._warn_of(op, attrs)
        for result, variable in _pairs(results, made):
            self._settle(op, attrs, result, variable)
            self._remember(result, variable)
            self.results[id(result.array)] = variable
        return results

    def call_into(
        self, op: OpDef, inputs: tuple, attrs: dict[str, Any], *, carry: Mapping[str, Any], **how: Any
    ) -> Any:
        """Run an operator that writes Variables; in the Program it writes those of `carry`, too, as running statistics.

        PaddlePaddle refuses a batch_norm whose MeanOut is not its Mean.
        """
        kept = {slot: self.of(target) for slot, target in carry.items()}
        results = super().call_into(op, inputs, attrs, carry=carry, **how)
        if kept:
            appended = self.program.global_block().ops[-1]
            listed = [results] if len(op.outputs) == 1 else results
            for slot, result in zip(op.outputs, listed, strict=True):
                if slot.name in kept:
                    [name], made = appended.outputs[slot.name], kept[slot.name]
                    appended.outputs[slot.name] = [made.name]
                    self.program.global_block().vars.pop(name)
                    for variable in (result, carry[slot.name]):
                        self._remember(variable, made)
                    self.results[id(result.array)] = made
        return results

    def parameter(self, *args: Any, **keywords: Any) -> Any:
        """Return a new parameter of a Layer that builds itself in its first call; its initial values are no part of the Program."""
        with using(self.inner):
            return self.inner.parameter(*args, **keywords)

    def _appended(self, op: OpDef, inputs: tuple, attrs: dict[str, Any], results: Any) -> Any:
        """Append the call and return its results; use the sizes of this run if inference needs a known batch."""
        try:
            return append(op, inputs, dict(attrs))
        except EnforceNotMet:
            opened = [
                (v, v.meta)
                for value in inputs
                for v in (value if isinstance(value, list) else [value])
                if v is not None
            ]
            for variable, meta in opened:
                variable.set_meta(Meta(self._size(variable), meta.dtype, meta.lod_level))
            try:
                made = append(op, inputs, dict(attrs))
            finally:
                for variable, meta in opened:
                    variable.set_meta(meta)
            self._tell("fixed", f"{op.type} works for a batch of this size only")
            return made

    def _size(self, variable: ProgramVariable) -> tuple[int, ...]:
        source = next((v for v in self.kept if self.known.get(id(v)) is variable), None)
        return variable.shape if source is None else tuple(source.array.shape)

    def found(self, variable: Variable) -> ProgramVariable | None:
        """Return the Program's Variable for a Variable that it has: an input, a result, or what took a result, as an `out`."""
        found = self.known.get(id(variable))
        if found is None or self.held_arrays[id(variable)] is not variable.array:
            taken = self.results.get(id(variable.array))
            if taken is not None:
                return self._remember(variable, taken)
        return found

    def of(self, variable: Variable) -> ProgramVariable:
        """Return the Program's Variable for a Variable of the run: an input, a result, a parameter or a constant."""
        found = self.found(variable)
        if found is not None:
            return found
        block = self.program.global_block()
        array = variable.array
        if isinstance(variable, Parameter):
            options: dict[str, Any] = {"trainable": variable.trainable, "stop_gradient": variable.stopped}
            made: ProgramVariable = ProgramParameter(block, array.shape, array.dtype, name=variable.name, **options)
            block.vars[made.name] = made
        else:
            name = self.names("constant") if block.has_var(variable.name) else variable.name
            made = block.declare_var(
                name=name, shape=array.shape, dtype=array.dtype, lod_level=level_of(variable.levels), persistable=True,
                stop_gradient=True,
            )  # fmt: skip
            if not variable.persistable and array.size > 1:
                self._tell("constant", "a Variable that no operator of the Layer made is a constant of the Program")
        self.shared[made.name] = variable
        return self._remember(variable, made)

    def _settle(self, op: OpDef, attrs: dict[str, Any], result: Variable, made: ProgramVariable) -> None:
        """Complete the shape and `stop_gradient` of a result; warn if its batch size became fixed."""
        shape = tuple(result.array.shape)
        batch = {v.array.shape[0] for v in self.given if v.array.ndim}
        reads = (
            [self.program.global_block().variable(n) for n in made.op.input_arg_names] if made.op is not None else []
        )
        open_before = any(v.shape[:1] == (-1,) and not v.persistable for v in reads)
        if open_before and made.shape[:1] == shape[:1] and shape[:1] and shape[0] in batch and shape[0] > 1:
            numbers = [n for a in attrs.values() for n in (a if isinstance(a, (list, tuple)) else [a])]
            where, fix = "in its attributes", "write -1 for it"
            if shape[0] not in numbers:
                where, fix = "for an operand has it", "make that with -1, or with a function for sizes of a batch"
            self._tell("batch", f"{op.type} has the size of this batch, {shape[0]}, {where}; {fix}")
        made.stop_gradient = result.stopped

    # --- warnings and the end of a trace ------------------------------------------------------------------------------

    def value_read(self, call: str) -> None:
        """Warn that Python read a value: what it does with the value is not part of the Program."""
        self._tell("value", f"{call} reads a value; what Python does with it is fixed in the Program")

    def size_read(self, variable: Variable, call: str) -> None:
        """Warn that Python read the size of a dimension, if this size is unknown in the Program."""
        known = self.known.get(id(variable))
        if known is not None and known.shape[:1] == (-1,):
            self._tell("size", f"{call} reads the size of the batch; what Python does with it is fixed in the Program")

    def _warn_of(self, op: OpDef, attrs: dict[str, Any]) -> None:
        training = op.traits.training
        if training is not None and training({**op.defaults(), **attrs}):
            self._tell("training", f"{op.type} in training mode; call layer.eval() first for a Program that predicts")
        elif op.effects == "random" and training is None and not attrs.get("seed"):
            self._tell(
                "random", f"{op.type} draws without a seed; each run of the Program has other numbers than this run"
            )

    def _tell(self, kind: str, what: str) -> None:
        line = format_line(user_line())
        key = f"{kind} {line}"
        if key not in self.told:
            self.told.add(key)
            warnings.warn(f"TracedLayer.trace: {what}.\n  at {line}", UserWarning, stacklevel=user_level())

    def finish(self) -> None:
        """Set the values of the Program's Scope to the Layer's arrays, and release the Variables of the run."""
        for name, variable in self.shared.items():
            tensor = LoDTensor()
            tensor.array, tensor.levels = variable.array, variable.levels
            self.scope.values[name] = tensor
        self.kept, self.known, self.held_arrays, self.results = [], {}, {}, {}


def _pairs(results: Any, made: Any) -> list[tuple[Variable, ProgramVariable]]:
    """Return pairs of a result of the run and the corresponding Variable of the Program."""
    if isinstance(results, (list, tuple)):
        return [pair for r, m in zip(results, made, strict=True) for pair in _pairs(r, m)]
    return [(results, made)] if isinstance(results, Variable) and made is not None else []
