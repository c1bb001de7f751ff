"""Static mode: operator calls, parameters, loops and branches become parts of the default main Program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from ...core import result_names, unique_name
from ...core.mode import Mode
from ...ops.framework.spec import OpDef
from ...ops.shape.fill import assign_array
from ...params.attr import WeightNormParamAttr
from ..program import program as programs
from ..program.block import fill, initialise
from ..program.python_operators import is_variable
from ..program.variable import Variable
from . import control_flow
from .append import append
from .parameter import make_parameter
from .program_arrays import ProgramArrays
from .weight_norm import make_weight


class StaticMode(Mode):
    """The mode in which operators are appended to the current block of the default main Program."""

    kind = "static"
    imperative = False
    arrays = ProgramArrays()

    # --- operators ----------------------------------------------------------------------------------------------------

    def call(self, op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
        """Append the operator to the current block; return Variables of the Program."""
        return append(op, inputs, attrs)

    def call_into(
        self, op: OpDef, inputs: tuple, attrs: dict[str, Any], *, into: Mapping[str, Any], carry: Mapping[str, Any],
        order: tuple[str, ...] = (), key: str | None = None, recorded: Mapping[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        """Append an operator that writes the Variables of `into` and `carry`, and return its results."""
        names = {slot: target.name for slot, target in {**into, **carry}.items()}
        with result_names.results(key or result_names.current().key, order, names):
            results = op.call(*inputs, **attrs)
        if recorded:
            listed = [results] if len(op.outputs) == 1 else results
            made = next(v for v in listed if v is not None)
            for name, value in recorded.items():
                made.op.set_attr(name, value)
        return results

    def append_op(self, type: str, inputs: Any, outputs: Any, attrs: Any, stop_gradient: bool) -> Any:
        """Append an operator to the current block and return it."""
        return _current_block().append_op(type, inputs, outputs, attrs, stop_gradient)

    # --- Variables ----------------------------------------------------------------------------------------------------

    def is_variable(self, value: Any) -> bool:
        """Return whether `value` is a Variable of a Program."""
        return is_variable(value)

    def constant(self, array: Any) -> Variable:
        """Append an operator whose result is the constant `array`, and return it; float64 becomes float32."""
        return assign_array(array, "constant")

    def parameter(
        self, shape: list[int], dtype: str, name: str | None, attr: Any, initializer: Any, prefix: str, key: str
    ) -> Any:
        """Return a Parameter of the main Program; for a WeightNormParamAttr, the weight computed from two of them."""
        name = name or unique_name.generate(key)
        if isinstance(attr, WeightNormParamAttr):
            return make_weight(shape, dtype, name, attr, initializer, prefix)
        return make_parameter(shape, dtype, name, attr, initializer)

    def empty_variable(
        self, name: str | None, *, key: str = "", outermost: bool = False, **attributes: Any
    ) -> Variable:
        """Return a new Variable of the current block, or of the first block if `outermost`."""
        program = programs.default_main_program()
        block = program.global_block() if outermost else program.current_block()
        if key:
            return block.declare_var(name=unique_name.generate(key), **attributes)
        return block.declare_var(name=name, where="create_variable", **attributes)

    def initialise(self, variable: Any, initializer: Any) -> None:
        """Append the operator that initialises the Variable to the startup Program."""
        block = programs.default_startup_program().global_block()
        held = block.declare_var(
            name=variable.name, type=variable.type, dtype=variable.dtype, shape=variable.shape, persistable=True
        )
        initialise(block, held, initializer)

    def fill(self, variable: Any, initializer: Any, block: Any) -> Any:
        """Insert the operator of an Initializer before the others of a block, and return it."""
        return fill(variable.block if block is None else block, variable, initializer)

    # --- loops and branches -------------------------------------------------------------------------------------------

    def while_loop(
        self,
        condition: Any,
        cond: Callable[..., Any],
        body: Callable[..., Sequence[Any]],
        loop_vars: Any,
        is_test: bool,
    ) -> Any:
        """Append the operator `while` with a block that `body` and `cond` build."""
        return control_flow.while_loop(condition, cond, body, loop_vars, is_test)

    def cond(self, pred: Any, true_fn: Callable[[], Any] | None, false_fn: Callable[[], Any] | None) -> Any:
        """Append a `conditional_block` for each function, and operators that select between their results."""
        return control_flow.cond(pred, true_fn, false_fn)

    def switch_case(
        self, index: Any, branches: Sequence[tuple[int, Callable[[], Any]]], default: Callable[[], Any]
    ) -> Any:
        """Append a chain of branches, one for each number; return the results."""
        return control_flow.switch_case(index, branches, default)

    # --- names --------------------------------------------------------------------------------------------------------

    def naming(self, key: Callable[..., str | None], *args: Any) -> AbstractContextManager[Any]:
        """Return a context in which the results of operators are named after `key(*args)`."""
        return result_names.results(key(*args))

    def shared_name(self, name: str, unshared: str) -> str:
        """Return `name`, since Parameters of a Program with the same name are the same Parameter."""
        return name


def _current_block() -> Any:
    return programs.default_main_program().current_block()


static_mode = StaticMode()
