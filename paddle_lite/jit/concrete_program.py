"""One translation of a function: a Program, and its calls in imperative mode."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, message
from ..core.lod import level_of
from ..core.mode import changed, now, state, using
from ..core.tensor import LoDTensor
from ..core.tracebacks import user_level
from ..imperative.layer import Layer
from ..imperative.parameter import Parameter
from ..imperative.variable import Variable
from ..ops.math import arithmetic as ops_math
from ..static.execution.executor import Executor
from ..static.execution.scope import Scope
from ..static.program.program import Program, program_guard
from ..static.program.user_line import format_line
from ..static.program.variable import Variable as ProgramVariable
from .building import BuildingMode
from .called_program import CalledProgram
from .input_names import named_leaves, unique
from .operators.values import Stack, checked, is_array, is_variable
from .structure import leaves, rebuilt


class InputSpec:
    """Shape, dtype, LoD level and `stop_gradient` of one input, as known when a Program is built."""

    __slots__ = ("dtype", "level", "shape", "stopped")

    def __init__(self, shape: tuple[int, ...], dtype: Any, level: int, stopped: bool) -> None:
        self.shape, self.dtype, self.level, self.stopped = shape, dtype, level, stopped


class ConcreteProgram(CalledProgram):
    """A function translated into a Program for one structure of its arguments.

    main_program, startup_program: the Programs.
    inputs, outputs: the Variables of the main Program that are fed and fetched.
    held: the Variables of imperative mode that the Program reads, by their names in it; `parameters` lists them.
    """

    def __init__(
        self, name: str, function: Callable, args: tuple, keywords: dict[str, Any], specs: Sequence[InputSpec]
    ) -> None:
        self.name = name
        self.specs = list(specs)
        self.training = state.training
        self.main_program, self.startup_program = Program(), Program()
        building = BuildingMode(self.main_program)
        recorded = changed(grad_enabled=True)  # whether gradients are computed is decided at each call
        with using(building), recorded, program_guard(self.main_program, self.startup_program):
            block = self.main_program.global_block()
            names = _input_names(function, args, keywords)
            self.inputs = [
                    block.declare_var(
                        name=name, shape=s.shape, dtype=s.dtype, lod_level=s.level, is_data=True,
                        need_check_feed=True, stop_gradient=s.stopped,
                    )
                    for name, s in zip(names, specs, strict=True)
                ]  # fmt: skip
            given = iter(self.inputs)
            filled = [next(given) if is_fed(v) else v for v in leaves((args, keywords))]
            args, keywords = rebuilt((args, keywords), iter(filled))
            self.result = function(*args, **keywords)
            self._leaves = [self._output(v, building) for v in leaves(self.result)]
        self.outputs = [v for v in self._leaves if is_variable(v)]
        self._warn_of_attributes(building, args)
        self.held = building.held
        self._make_parameters()
        self.parameters: Any = list(self.held.values())
        self.layers = self._layers(building, args)
        self._modes = [training for _, training in self.layers]
        self._states = [vars(layer) for layer, _ in self.layers]
        self._fitting: Sequence[tuple[int, ...]] = ()  # the shapes for which `fits` returned True last
        self._fed = tuple(i for i, s in enumerate(specs) if not s.stopped and s.dtype.kind == "f")
        self.prepare([i for i, s in enumerate(specs) if s.level])
        self._single = not isinstance(self.result, (list, tuple, dict)) and bool(self.outputs)

    def _output(self, value: Any, building: BuildingMode) -> Any:
        value = checked(value)
        value = building.operand(value)
        if is_array(value) or isinstance(value, Stack):
            needs = "a Variable"
            fix = "Join its elements, fluid.layers.concat(items) or stack(items), before returning them."
            raise ArgumentTypeError(
                message(self.name, "what is returned", "a list that grew in a loop or a branch", needs, fix)
            )
        if is_variable(value) and (value.is_data or value.persistable):
            return ops_math.assign.call(value)
        return value

    def _make_parameters(self) -> None:
        """Initialise the parameters that the function itself creates, by the startup Program."""
        block = self.startup_program.global_block()
        if not block.ops:
            return
        scope = Scope()
        Executor(state.place).execute(self.startup_program, {}, [], scope)
        for name, variable in block.vars.items():
            held = scope.find_value(name)
            if held is None:
                continue
            home = self.main_program.global_block().vars.get(name)
            trainable = getattr(home, "trainable", False)
            made: Variable = Parameter(held.array, name=name, trainable=trainable) if trainable else Variable(
                held.array, name=name, persistable=variable.persistable
            )  # fmt: skip
            self.held[name] = made

    def _warn_of_attributes(self, building: BuildingMode, args: tuple) -> None:
        """Warn of attributes of Layers that the function sets, since only the translation sets them, not a call."""
        for layer, _ in self._layers(building, args):
            for name, value in vars(layer).items():
                if is_variable(value) and value.block.program is self.main_program:
                    line = format_line(value.op.line if value.op is not None else None)
                    warnings.warn(
                        f"declarative: {self.name} sets the attribute {name!r} of {type(layer).__name__} to a Variable; it is one of "
                        f"the Program, and calls of the Program do not set it. Return the value.\n  made at {line}",
                        UserWarning, stacklevel=user_level(),
                    )  # fmt: skip

    @staticmethod
    def _layers(building: BuildingMode, args: tuple) -> list[tuple[Layer, bool]]:
        """Return the Layers that the function uses, each with its `training`."""
        found = dict(building.layers)
        for value in args[:1]:
            if isinstance(value, Layer):
                found.update({id(layer): layer for layer in (value, *value.sublayers())})
        return [(layer, layer.training) for layer in found.values()]

    # --- running ------------------------------------------------------------------------------------------------------

    def fits(self, shapes: Sequence[tuple[int, ...]]) -> bool:
        """Return whether the Program accepts inputs of these shapes, and `training` is unchanged in all Layers."""
        if now().training is not self.training or [values["training"] for values in self._states] != self._modes:
            return False
        if shapes == self._fitting:
            return True
        for spec, shape in zip(self.specs, shapes, strict=True):
            if spec.shape[1:] != shape[1:] and not all(a in (-1, b) for a, b in zip(spec.shape, shape, strict=True)):
                return False
            if shape and spec.shape[0] not in (-1, shape[0]):
                return False
        self._fitting = shapes
        return True

    def __call__(self, values: Sequence[Variable]) -> Any:
        """Run the Program on Variables of imperative mode and return its result; record one entry of the tape."""
        outputs = self.outputs_for(values, self._fed)
        return outputs[0] if self._single else self._structured(outputs)

    def _structured(self, outputs: list[Variable]) -> Any:
        if not isinstance(self.result, (list, tuple, dict)):
            return self.result
        made = iter(outputs)
        return rebuilt(self.result, iter([next(made) if is_variable(v) else v for v in self._leaves]))

    def scope(self) -> Scope:
        """Return a Scope with the values of the parameters."""
        scope = Scope()
        for name, variable in self.held.items():
            tensor = LoDTensor()
            tensor.array, tensor.levels = variable.array, variable.levels
            scope.values[name] = tensor
        return scope


def _input_names(function: Callable, args: tuple, keywords: dict[str, Any]) -> list[str]:
    """Return the names of the inputs: those of the arguments, unless a parameter of a Layer among them has that name."""
    given = leaves((args, keywords))
    held = {p.name for leaf in given if isinstance(leaf, Layer) for _, p in leaf.named_parameters()}
    named = named_leaves(function, args, keywords)
    return unique([name for name, leaf in zip(named, given, strict=True) if is_fed(leaf)], held)


def is_fed(value: Any) -> bool:
    """Return whether an argument becomes an input of the Program."""
    return isinstance(value, (Variable, np.ndarray, LoDTensor, ProgramVariable))


def spec_of(value: Variable) -> InputSpec:
    """Return the InputSpec of a Variable, with an unknown batch size."""
    shape = tuple(value.array.shape)
    return InputSpec((-1, *shape[1:]) if shape else shape, value.array.dtype, level_of(value.levels), value.stopped)
