"""Apply the activation that the `act` argument of a layer names."""

from __future__ import annotations

from typing import Any

from ...core import result_names
from ...core.errors import ArgumentTypeError, ArgumentValueError, NotYetAvailable, describe, message
from ...core.mode import state
from ...core.text import closest
from ...ops.framework import registry
from ...ops.framework.spec import OpDef

_plain: dict[str, OpDef] = {}  # the activations that were named before, by type


def activate(variable: Any, act: str | dict[str, Any] | None) -> Any:
    """Apply the activation called `act` to a Variable; return the Variable itself where `act` is None.

    Arguments:
        act: the type of an operator that makes Out of X, a dict {"type": type, attribute: value, ...}, or None.
        variable: a Variable of the dtypes that the activation supports.

    Returns:
        A Variable of the shape and dtype of `variable`.

    Raises:
        ArgumentTypeError: `act` is neither a string, a dict of strings to values with a "type", nor None.
        ArgumentValueError: there is no activation of this type.
    """
    if act is None:
        return variable
    if act.__class__ is str and act in _plain:
        with state.mode.naming(_key_of, variable):
            return _plain[act].call(variable)
    attrs = dict(act) if isinstance(act, dict) else {"type": act}
    name = attrs.pop("type", None)
    if not isinstance(name, str) or not all(isinstance(key, str) for key in attrs):
        raise ArgumentTypeError(message("act", "act", describe(act), "the name of an activation, or None"))
    op = _activation(name)
    if not attrs and not op.outside:
        _plain[name] = op
    with state.mode.naming(_key_of, variable):
        return op(variable, **attrs) if attrs else op.call(variable)


def _activation(type: str) -> OpDef:
    """Return the activation of this type: as in 1.8.5, any operator that makes Out of X alone, "sequence_softmax" too."""
    try:
        op: OpDef | None = registry.get(type)
    except NotYetAvailable:
        op = None
    if op is None or not (op.traits.activation or _makes_out_of_x(op)):
        known = ", ".join(op.type for op in registry.all_ops() if op.traits.activation)
        close = closest(type, known.split(", "))
        raise ArgumentValueError(
            message("act", "act", repr(type), f"one of {known}", f"Did you mean {close!r}?" if close else "")
        )
    return op


def _makes_out_of_x(op: OpDef) -> bool:
    """Return whether an operator needs one Variable X and makes one, Out."""
    needed = [slot.spelled for slot in op.inputs if not slot.optional]
    return needed == ["X"] and [slot.spelled for slot in op.outputs] == ["Out"]


def _key_of(variable: Any) -> str | None:
    """Return the current key of the names of results, else that of the layer that made the Variable; None without one."""
    current = result_names.current().key
    if current:
        return current
    key, _, number = variable.name.rpartition("_")
    return key if key.endswith(".tmp") and number.isdigit() else None
