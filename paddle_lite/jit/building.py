"""The mode in which a translated function builds a Program; imperative Variables become parameters and constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import unique_name
from ..core.dtype import VarType
from ..core.errors import ArgumentValueError
from ..core.lod import level_of
from ..core.mode import state
from ..imperative.layer import Layer
from ..imperative.parameter import Parameter
from ..imperative.variable import Variable
from ..ops.framework.spec import OpDef
from ..ops.math.arithmetic import assign
from ..ops.support.nested_structure import flatten, pack_like
from ..static.mode.static_mode import StaticMode
from ..static.program.program import Program
from ..static.program.user_line import format_line, user_line
from ..static.program.variable import Parameter as ProgramParameter
from ..static.program.variable import Variable as ProgramVariable
from .operators.calls import call

OUTSIDE = "declarative"


class BuildingMode(StaticMode):
    """Append each operator call to the Program; imperative Variables become its parameters and constants.

    held: name of each parameter and constant of the Program -> the imperative Variable with its value.
    layers: the Layers whose attributes were read, by id.
    """

    translates = True

    def __init__(self, program: Program) -> None:
        self.program = program
        self.held: dict[str, Variable] = {}
        self.layers: dict[int, Layer] = {}
        self._known: dict[int, ProgramVariable] = {}

    def call(self, op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
        """Append the call of an operator to the Program and return Variables of the Program."""
        given = tuple(
            [self.operand(x) for x in v] if isinstance(v, (list, tuple)) else v if v is None else self.operand(v)
            for v in inputs
        )
        results = super().call(op, given, attrs)
        flows = self._flows(op, given)
        for slot, value in zip(op.outputs, results if len(op.outputs) != 1 else (results,), strict=True):
            for variable in _variables([value]):
                if slot.name not in flows:
                    variable.stop_gradient = True
        return results

    @staticmethod
    def _flows(op: OpDef, inputs: tuple) -> tuple[str, ...]:
        """Return the output slots through which gradients flow, as calls that run at once decide it."""
        if not state.grad_enabled or op.grad is None:
            return ()
        targets = [value for slot, value in zip(op.inputs, inputs, strict=True) if slot.name in op.grad.targets]
        return () if _all_stopped(tuple(targets)) else op.grad.incoming

    def while_loop(
        self,
        condition: Any,
        cond: Callable[..., Any],
        body: Callable[..., Sequence[Any]],
        loop_vars: Any,
        is_test: bool,
    ) -> Any:
        """Append a loop that is called by code which is not translated; its initial Variables stay as they are."""
        carried = pack_like(loop_vars, iter([self._carried(value) for value in flatten(list(loop_vars))]))
        return super().while_loop(condition, cond, body, carried, is_test)

    def _carried(self, value: Any) -> Any:
        """Return a Variable that the loop changes: what it computes may have a gradient where the first value has none."""
        value = self.operand(value)
        if not isinstance(value, ProgramVariable) or value.type != VarType.LOD_TENSOR:
            return value
        made = assign.call(value)
        made.set_meta(value.meta)
        made.stop_gradient = made.meta.dtype.kind != "f" or not state.grad_enabled
        return made

    def layer_forward(self, function: Any) -> Any:
        """Return the translated `forward` of a Layer, which `Layer.__call__` calls in its place."""
        return call(function)

    def layer_attribute(self, layer: Layer, value: Any) -> Any:
        """Return the Program's Variable for a parameter or buffer of a Layer; other values are returned unchanged."""
        self.layers[id(layer)] = layer
        return self.operand(value) if isinstance(value, Variable) else value

    def operand(self, value: Any) -> Any:
        """Return the Program's Variable (a parameter or constant) for an imperative one; other values unchanged.

        Raises:
            ArgumentValueError: `value` is a Variable of another Program, or of a block that ended.
        """
        if isinstance(value, ProgramVariable):
            return self._reached(value)
        if not isinstance(value, Variable):
            return value
        found = self._known.get(id(value))
        if found is not None:
            return found
        block, array = self.program.global_block(), value.array
        if isinstance(value, Parameter):
            name = value.name if not block.has_var(value.name) else unique_name.generate(value.name)
            fixed = value.stopped and not value.trainable  # others may be stopped in this call only
            made: ProgramVariable = ProgramParameter(
                block, array.shape, array.dtype, name=name, trainable=value.trainable, stop_gradient=fixed
            )
            block.vars[name] = made
        else:
            name = (
                value.name if value.persistable and not block.has_var(value.name) else unique_name.generate("constant")
            )
            made = block.declare_var(
                name=name, shape=array.shape, dtype=array.dtype, lod_level=level_of(value.levels), persistable=True,
                stop_gradient=value.stopped,
            )  # fmt: skip
        self.held[made.name] = value
        self._known[id(value)] = made
        return made

    def _reached(self, value: ProgramVariable) -> ProgramVariable:
        """Return a Variable of the Program if the current block is in its scope.

        Raises:
            ArgumentValueError: it is a Variable of another Program, or of a block that ended.
        """
        block: Any = self.program.current_block()
        while block is not None:
            if block is value.block:
                return value
            block = block.parent
        line = value.op.line if value.op is not None else None
        if value.block.program is not self.program:
            raise ArgumentValueError(
                f"declarative: {value.name} is a Variable of another Program, made at {format_line(line)}; an attribute, list or dict "
                f"still holds it. Return it from the declared function instead.\n  at {format_line(user_line())}"
            )
        raise ArgumentValueError(
            f"declarative: {value.name} is used after the branch or loop that made it, at {format_line(line)}; an object, list or "
            f"dict that was changed there still holds it. Let variables of the function hold it.\n  at {format_line(user_line())}"
        )


def _variables(results: Any) -> list[ProgramVariable]:
    if isinstance(results, (list, tuple)):
        return [v for item in results for v in _variables(item)]
    return [results] if isinstance(results, ProgramVariable) else []


def _all_stopped(inputs: tuple) -> bool:
    return all(v.stop_gradient for v in _variables(list(inputs)))
