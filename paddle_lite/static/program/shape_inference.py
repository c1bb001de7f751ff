"""Inference of the shapes, dtypes and LoD levels of an operator's results while a Program is built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentValueError, EnforceNotMet, message
from ...ops.framework.spec import OpDef
from ...ops.support.meta import Meta
from .operator import Operator
from .user_line import format_line


def infer_outputs(op: Operator) -> None:
    """Infer shape, dtype and LoD level of every output Variable by the declaration's `infer`, and set them.

    Raises:
        EnforceNotMet: inference rejects the inputs or attributes.
    """
    definition = op.declared
    if definition is None:
        return
    if definition.infer is None:
        _like_targets(op, definition)
        return
    block = op.block
    metas: list[Any] = []
    for slot in definition.inputs:
        names = op.inputs.get(slot.name) or []
        if slot.many:
            metas.append([block.variable(n).meta for n in names] if names or not slot.optional else None)
        else:
            metas.append(block.variable(names[0]).meta if names else None)
    try:
        attrs = op.live_attrs()
        definition.check_attrs({k: v for k, v in attrs.items() if v is not None})
        answer = definition.infer(*metas, **attrs)
    except EnforceNotMet as error:
        raise at_line(error, op.line) from None
    except Exception as error:
        raise at_line(_lacking(op, definition) or not_inferred(op.type, error, op.line), op.line) from error
    for slot, of_slot in per_slot(definition, answer):
        for name, meta in zip(op.outputs.get(slot.name) or [], of_slot, strict=False):
            variable = block.variable(name)
            if meta is not None and variable.type in (
                VarType.LOD_TENSOR,
                VarType.SELECTED_ROWS,
                VarType.LOD_TENSOR_ARRAY,
            ):
                variable.set_meta(meta)


def _lacking(op: Operator, definition: OpDef) -> EnforceNotMet | None:
    """Return the error for an operator that lacks a required input, or None."""
    for slot in definition.inputs:
        if not slot.optional and not op.inputs.get(slot.name):
            fix = f"It has the inputs {', '.join(s.spelled for s in definition.inputs)}."
            return ArgumentValueError(
                message(f"append_op({op.type})", f"Input({slot.name})", "nothing", "a Variable", fix)
            )
    return None


def per_slot(definition: OpDef, answer: Any) -> Iterator[tuple[Any, list[Meta | None]]]:
    """Yield (output slot, list of metas) for the result of `infer`."""
    if definition.outside:
        from ...ops.framework.own import check_answer

        check_answer(definition, answer)
    outputs = definition.outputs
    if len(outputs) == 1 and not (outputs[0].many and isinstance(answer, tuple) and not isinstance(answer, Meta)):
        answer = (answer,)
    for slot, of_slot in zip(outputs, answer, strict=False):
        yield slot, of_slot if isinstance(of_slot, list) else [of_slot]


def _like_targets(op: Operator, definition: OpDef) -> None:
    """Set the meta of each gradient X@GRAD to that of X, for a gradient operator that reads X."""
    for slot in definition.outputs:
        sources = op.inputs.get(slot.name.removesuffix("@GRAD")) or []
        for name, source in zip(op.outputs.get(slot.name) or [], sources, strict=False):
            op.block.variable(name).set_meta(op.block.variable(source).meta)


def at_line(error: EnforceNotMet, line: tuple[str, int] | None) -> EnforceNotMet:
    """Return the error with the user's line appended to its text."""
    if line is not None and error.args and isinstance(error.args[0], str) and "\n  at " not in error.args[0]:
        error.args = (f"{error.args[0]}\n  at {format_line(line)}", *error.args[1:])
    error.__suppress_context__ = True
    return error


def not_inferred(type: str, error: Exception, line: tuple[str, int] | None) -> EnforceNotMet:
    """Return the error for an inference that raised an exception of Python or NumPy."""
    return EnforceNotMet(f"{type}: {builtin_name(error)}: {error}.\n  at {format_line(line)}")


def builtin_name(error: Exception) -> str:
    """Return the class name of an error."""
    return error.__class__.__name__
