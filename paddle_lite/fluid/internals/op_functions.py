"""`fluid.core.ops`: a function for each operator, which imperative mode runs at once.

    core.ops.scale(x, 'scale', 2.0, 'bias', 1.0)
    core.ops.reshape2(x, 'shape', [3, 2])              # (Out, XShape)
    core.ops.split(x, 3, 'num', 3, 'dim', 1)           # a list of three

A function takes the inputs that an operator needs, in the order of its slots, then the number of results of each slot for several, then
names and values of attributes. The operators of `INPUTS` also take some inputs that others need not have, and those of `RESULTS` the
Variables that get their results. PaddlePaddle 1.8.5's functions have these signatures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from types import ModuleType
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message, missing_name
from ...core.mode import require_imperative, state
from ...ops.framework import registry
from ...ops.framework.spec import OpDef, Slot

__all__ = ["ops"]

INPUTS = {"assign": ["X"], "gru_unit": ["Bias"], "label_smooth": ["PriorDist"], "layer_norm": ["Scale", "Bias"]}
"""Operator -> the optional inputs that its function takes; None stands for one that is not there."""

RESULTS = {
    "accuracy": ["Correct", "Total"],
    "adam": ["ParamOut", "Moment1Out", "Moment2Out", "Beta1PowOut", "Beta2PowOut"],
    "batch_norm": ["MeanOut", "VarianceOut"],
    "fill_constant": ["Out"],
    "matmul": ["Out"],
    "momentum": ["ParamOut", "VelocityOut"],
    "sgd": ["ParamOut"],
}
"""Operator -> the results whose Variables its function takes."""


class _Functions(ModuleType):
    """The module `fluid.core.ops`; a function is made at its first use."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in _types():
            raise missing_name(f"module 'paddle.fluid.core.ops' has no attribute {name!r}.", name, self)
        made = _function(registry.get(name))
        setattr(self, name, made)
        return made

    def __dir__(self) -> list[str]:
        return sorted(_types())


@cache
def _types() -> frozenset[str]:
    """Return the types of operators with a function: all that are no gradient of another one."""
    return frozenset(op.type for op in registry.all_ops() if op.forward is None)


def _function(op: OpDef) -> Callable[..., Any]:
    """Return the function of an operator."""
    inputs = [slot for slot in op.inputs if not slot.optional or slot.name in INPUTS.get(op.type, ())]
    outputs = [slot for slot in op.outputs if not slot.optional]
    given = [slot for slot in outputs if slot.name in RESULTS.get(op.type, ())]
    many = [slot for slot in outputs if slot.many and slot not in given]
    slots = [*inputs, *given, *many]

    def function(*args: Any) -> Any:
        where = f"core.ops.{op.type}"
        require_imperative(where)
        _need_arguments(where, slots, args)
        values = dict(zip([slot.name for slot in slots], args, strict=False))
        for slot in (*inputs, *given):
            _need_variables(where, slot, values[slot.name], optional=slot.optional)
        results = {
            slot.name: values[slot.name]
            if slot in given
            else [_empty() for _ in range(_count(where, slot, values[slot.name]))]
            if slot in many
            else _empty()
            for slot in outputs
        }
        rest = args[len(slots) :]
        attrs = dict(zip(rest[::2], rest[1::2], strict=True))
        present = {slot.name: values[slot.name] for slot in inputs if values[slot.name] is not None}
        state.mode.append_op(op.type, present, results, attrs, False)
        made = tuple(results.values())
        return made[0] if len(made) == 1 else made

    words = [*(slot.name for slot in (*inputs, *given)), *(f"number of {slot.name}" for slot in many)]
    function.__name__ = function.__qualname__ = op.type
    function.__doc__ = f"""Run the operator {op.type} in imperative mode.

    Arguments:
        args: {", ".join(words) or "nothing"}; then names and values of attributes.

    Returns:
        {", ".join(slot.name for slot in outputs)}.
    """
    return function


def _need_arguments(where: str, slots: Sequence[Slot], args: Sequence[Any]) -> None:
    """Raise unless there is an argument for each slot, and pairs after them."""
    names = ", ".join(slot.name for slot in slots)
    if len(args) < len(slots):
        raise ArgumentTypeError(message(where, "arguments", f"{len(args)} of them", f"at least {len(slots)}: {names}"))
    rest = args[len(slots) :]
    if len(rest) % 2 or not all(isinstance(name, str) for name in rest[::2]):
        got = ", ".join(describe(each) for each in rest)
        raise ArgumentValueError(message(where, "attributes", got, f"name, value, name, value ... after {names}"))


def _need_variables(where: str, slot: Slot, value: Any, optional: bool) -> None:
    """Raise unless a value is a Variable, or a list of them for a slot of several."""
    listed = value if slot.many else [value]
    good = isinstance(listed, (list, tuple)) and all(state.mode.is_variable(each) for each in listed)
    if not good and not (optional and value is None):
        needs = "a list of Variables" if slot.many else "a Variable of imperative mode"
        raise ArgumentTypeError(message(where, slot.name, describe(value), needs, "to_variable(array) makes one."))


def _count(where: str, slot: Slot, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ArgumentTypeError(message(where, f"number of {slot.name}", describe(value), "an int, at least 0"))
    return value


def _empty() -> Any:
    return state.mode.empty_variable(None, shape=[], dtype="float32", persistable=False)


ops = _Functions("paddle_lite.fluid.core.ops", "A function for each operator, which imperative mode runs at once.")
