"""Calls of operators in static mode: infer the results and append the operator to the current block."""

from __future__ import annotations

from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, EnforceNotMet, ModeError, message
from ...core.tracebacks import shortened
from ...ops.framework import dispatch
from ...ops.framework.registry import only_in_programs
from ...ops.framework.spec import OpDef, file_name
from ...ops.support.attributes import of_kind
from ...ops.support.meta import Meta
from ..program import program as programs
from ..program.shape_inference import at_line, inferred, not_inferred, per_slot
from ..program.user_line import user_line
from ..program.variable import Variable


def append(op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
    """Append a call to the current block, and return one result or a tuple of them, as an imperative call does.

    Raises:
        EnforceNotMet: validation or inference rejects the inputs or attributes.
    """
    need = attrs.pop("need", None)
    attrs = _stored(op, attrs)
    inputs = tuple(value if slot.many else _one(value) for slot, value in zip(op.inputs, inputs, strict=True))
    if op.type not in only_in_programs:
        _require_tensors(op, inputs)
    try:
        op.check_attrs(attrs)
        answer = inferred(op, inputs, attrs) if op.infer is not None else _like_targets(op, inputs, need)
        named: dict[str, list[str]] = {}
        for slot, value in zip(op.inputs, inputs, strict=True):
            if value is not None:
                named[slot.name] = [v._name for v in value] if slot.many else [value._name]
    except RecursionError:  # of what calls without an end, not of this call
        raise
    except Exception as error:
        raise shortened(_explained(op, inputs, attrs, error)) from None
    defaults = op.attrs
    given = {}
    for name, value in attrs.items():
        spelled = file_name(name)
        if value != defaults[spelled].default:
            given[spelled] = value
    made = programs.default_main_program().current_block().record(op, named, list(per_slot(op, answer)), given)
    slots = [
        results if slot.many else (results[0] if results else None)
        for slot, results in zip(op.outputs, made, strict=False)
    ]
    slots += [None] * (len(op.outputs) - len(slots))
    return slots[0] if len(slots) == 1 else tuple(slots)


def _stored(op: OpDef, attrs: dict[str, Any]) -> dict[str, Any]:
    """Return attributes as Programs store them: numbers of the declared kind, and for None the default, as in 1.8.5."""
    found = {}
    for name, value in attrs.items():
        declared = op.attrs[file_name(name)]
        found[name] = declared.default if value is None else of_kind(declared.type, value)
    return found


def _one(value: Any) -> Any:
    """Return the Variable for an input slot that has one; it may come as a list of one, as in 1.8.5."""
    return value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value


def _like_targets(op: OpDef, inputs: tuple, need: tuple | None) -> Any:
    """Infer a gradient operator: X@GRAD has the meta of X if it reads X, else that of the incoming gradient."""
    by_slot = {slot.name: _metas(value) for slot, value in zip(op.inputs, inputs, strict=True)}
    incoming = next(meta for slot, meta in by_slot.items() if slot.endswith("@GRAD"))
    found = [by_slot.get(slot.name.removesuffix("@GRAD"), incoming) for slot in op.outputs]
    if need is not None:
        found = [meta if wanted else None for meta, wanted in zip(found, need, strict=True)]
    return tuple(found) if len(found) > 1 else found[0]


def _metas(value: Any) -> Any:
    if value is None:
        return None
    return [v.meta for v in value] if isinstance(value, (list, tuple)) else value.meta


def _require_tensors(op: OpDef, inputs: tuple) -> None:
    """Raise ArgumentTypeError if an operator on tensors gets a tensor array; one that takes both, if it gets both."""
    given = [
        (slot, variable)
        for slot, value in zip(op.inputs, inputs, strict=True)
        for variable in (value if isinstance(value, (list, tuple)) else (value,))
        if variable is not None
    ]
    arrays = [(s, v) for s, v in given if getattr(v, "type", None) == VarType.LOD_TENSOR_ARRAY]
    if arrays and not (op.traits.arrays and len(arrays) == len(given)):
        slot, variable = arrays[0]
        got = f"{variable.name}, an array (what a list becomes that grows in a loop of the Program)"
        fix = "Read one of its elements, array_read(array, i), or join them, concat(array) or stack(array)."
        error = ArgumentTypeError(message(op.type, f"Input({slot.name})", got, "a tensor", fix))
        raise at_line(error, user_line())


def _explained(op: OpDef, inputs: tuple, attrs: dict[str, Any], error: Exception) -> EnforceNotMet:
    """Return the error that explains best why the call failed, with the user's line."""
    line = user_line()
    if any(_is_imperative(v) for value in inputs for v in (value if isinstance(value, (list, tuple)) else [value])):
        fix = "Enter imperative mode, paddle.enable_imperative() or fluid.dygraph.guard(), or feed the values to a Program."
        return at_line(ModeError(f"{op.type}: got a Variable of imperative mode outside of it. {fix}"), line)
    try:
        dispatch.validate(op, inputs, attrs, Variable, _meta_of)
    except EnforceNotMet as better:
        return at_line(better, line)
    except Exception:  # inference failed for another reason, so the original error is the better one
        pass
    if isinstance(error, EnforceNotMet):
        return at_line(error, line)
    return not_inferred(op.type, error, line)


def _is_imperative(value: Any) -> bool:
    return hasattr(value, "stop_gradient") and hasattr(value, "array")


def _meta_of(variable: Variable) -> Meta:
    return variable.meta
