"""What LayerHelper does in imperative mode: Variables to be filled, and operators that fill them at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.dtype import to_numpy
from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..ops.framework import registry
from ..ops.framework.spec import OpDef, file_name
from .variable import Variable


def create_variable(
    name: str | None, dtype: Any = "float32", shape: Any = None, persistable: bool = False, stop_gradient: bool = False
) -> Variable:
    """A Variable of zeros, without elements where no shape is given; an operator fills it."""
    sizes = [0] if not shape else [max(int(n), 0) for n in shape]
    array = np.zeros(sizes, to_numpy("float32" if dtype is None else dtype))
    return Variable(array, name=name, persistable=persistable, stop_gradient=stop_gradient)


def initialise(variable: Variable, initializer: Any) -> None:
    """Fill a Variable by an Initializer."""
    type, attrs = initializer.operation(list(variable.shape), variable.array.dtype.name)
    op = registry.get(type)
    variable.array = op.call(**{k: v for k, v in attrs.items() if k in op.live}).array


def append_op(
    type: str,
    inputs: Mapping[str, Any] | None = None,
    outputs: Mapping[str, Any] | None = None,
    attrs: Mapping[str, Any] | None = None,
    stop_gradient: bool = False,
) -> None:
    """Run an operator; the Variables in `outputs` become its results. Those with stop_gradient keep it.

    Arguments:
        type: of the operator.
        inputs, outputs: a Variable or a list of them for each slot.
        attrs: attributes; those that are left out have the declaration's defaults.
        stop_gradient: whether gradients end at its results.
    """
    op = registry.get(type)
    inputs, outputs, attrs = inputs or {}, outputs or {}, attrs or {}
    _check_slots(op, "inputs", inputs, [s.name for s in op.inputs])
    _check_slots(op, "outputs", outputs, [s.name for s in op.outputs])
    live = {file_name(name): name for name in op.live}
    results = op(
        *(_of_slot(op, s, inputs.get(s.name)) for s in op.inputs), **{live.get(k, k): v for k, v in attrs.items()}
    )
    for slot, result in zip(op.outputs, (results,) if len(op.outputs) == 1 else results, strict=True):
        made = result if slot.many else [result]
        for target, value in zip(_listed(outputs.get(slot.name)), made or [], strict=False):
            if value is not None:
                stopped = target.stopped or stop_gradient
                target.take(value)
                if stopped:
                    target.stop_gradient = True


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


def _of_slot(op: OpDef, slot: Any, value: Any) -> Any:
    """The argument of a call for a slot."""
    values = _listed(value)
    for each in values:
        if not isinstance(each, Variable):
            raise ArgumentTypeError(message(f"append_op({op.type})", slot.name, describe(each), "a Variable"))
    if slot.many:
        return values or None
    if len(values) > 1:
        raise ArgumentValueError(message(f"append_op({op.type})", slot.name, f"{len(values)} Variables", "one"))
    return values[0] if values else None


def _check_slots(op: OpDef, argument: str, given: Mapping[str, Any], known: list[str]) -> None:
    for slot in given:
        if slot not in known:
            raise ArgumentValueError(
                message(f"append_op({op.type})", argument, f"slot {slot!r}", f"some of {', '.join(known)}")
            )
