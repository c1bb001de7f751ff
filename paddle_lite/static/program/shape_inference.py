"""Inference of the shapes, dtypes and LoD levels of an operator's results while a Program is built."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.dtype import VarType, to_vartype
from ...core.errors import ArgumentValueError, DtypeError, EnforceNotMet, ShapeError, message
from ...core.tracebacks import user_level
from ...ops.framework.spec import OpDef
from ...ops.support.meta import Meta
from ...ops.support.shape_rules import UNKNOWN
from .operator import Operator
from .user_line import format_line

if TYPE_CHECKING:
    from .block import Block
    from .variable import Variable


def infer_outputs(op: Operator, block: Block | None = None) -> None:
    """Infer shape, dtype and LoD level of every output Variable by the declaration's `infer`, and set them.

    Arguments:
        op: the operator. block: the block whose Variables are taken; None for the operator's.

    Raises:
        EnforceNotMet: inference rejects the inputs or attributes.
    """
    for variable, meta in results_of(op, op.block if block is None else block):
        variable.set_meta(meta)


def infer_shapes(op: Operator, block: Block) -> None:
    """Infer shape and LoD level of every output Variable, and set them in the Variables of a block."""
    for variable, meta in results_of(op, block):
        variable.desc.set_shape(meta.shape)
        variable.desc.set_lod_level(meta.lod_level)


def infer_dtypes(op: Operator, block: Block) -> None:
    """Infer the dtype of every output Variable, and set them in the Variables of a block."""
    for variable, meta in results_of(op, block):
        variable.desc.set_dtype(to_vartype(meta.dtype))


def results_of(op: Operator, block: Block) -> list[tuple[Variable, Meta]]:
    """Return (output Variable, its inferred meta) of an operator by the declaration's `infer`.

    Raises:
        EnforceNotMet: inference rejects the inputs or attributes.
    """
    definition = op.declared
    if definition is None:
        return []
    if definition.infer is None:
        return _like_targets(op, definition, block)
    inputs: list[Any] = []
    for slot in definition.inputs:
        names = op.inputs.get(slot.name) or []
        if slot.many:
            inputs.append([block.variable(n) for n in names] if names or not slot.optional else None)
        else:
            inputs.append(block.variable(names[0]) if names else None)
    try:
        attrs = op.live_attrs()
        definition.check_attrs({k: v for k, v in attrs.items() if v is not None})
        answer = inferred(definition, inputs, attrs)
    except EnforceNotMet as error:
        raise at_line(error, op.line) from None
    except Exception as error:
        lacking = _lacking(op, definition)
        if lacking is not None:
            raise at_line(lacking, op.line) from None
        raise at_line(not_inferred(op.type, error, op.line), op.line) from error
    found = []
    for slot, of_slot in per_slot(definition, answer):
        for name, meta in zip(op.outputs.get(slot.name) or [], of_slot, strict=False):
            variable = block.variable(name)
            if meta is not None and variable.type in (
                VarType.LOD_TENSOR,
                VarType.SELECTED_ROWS,
                VarType.LOD_TENSOR_ARRAY,
            ):
                found.append((variable, meta))
    return found


def inferred(definition: OpDef, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
    """Return the result of an operator's `infer` for a Variable, a list of them or None in each slot.

    Where it rejects the dtype that a Variable of `layers.data` declares and the operator's trait `fed_as` has the slot,
    the Variable is taken to be fed with integers. Where it rejects declared sizes and the operator has the trait `any_sizes`, all
    sizes are taken to be unknown, with a warning.
    """
    assert definition.infer is not None
    try:
        return definition.infer(*map(_metas, inputs), **attrs)
    except ShapeError as error:
        if not definition.traits.any_sizes:
            raise
        with suppress(ShapeError):
            answer = definition.infer(*map(_unsized, inputs), **attrs)
            warnings.warn(f"{error} A run fails unless other sizes are fed.", UserWarning, stacklevel=user_level())
            return answer
        raise
    except DtypeError:
        slots = definition.traits.fed_as.split()
        if not any(_unchecked(v) for slot, v in zip(definition.inputs, inputs, strict=True) if slot.name in slots):
            raise
        for dtype in (np.dtype("int64"), np.dtype("int32")):
            metas = [
                _metas(value, dtype) if slot.name in slots else _metas(value)
                for slot, value in zip(definition.inputs, inputs, strict=True)
            ]
            with suppress(DtypeError):
                answer = definition.infer(*metas, **attrs)
                _warn_of_dtype(definition, inputs, slots, dtype)
                return answer
        raise


def _warn_of_dtype(definition: OpDef, inputs: Sequence[Any], slots: Sequence[str], dtype: np.dtype) -> None:
    """Warn that Variables of `layers.data` are declared with a dtype that the operator rejects when it runs."""
    for slot, value in zip(definition.inputs, inputs, strict=True):
        for each in value if isinstance(value, (list, tuple)) else (value,):
            if slot.name in slots and each is not None and _unchecked(each) and each.meta.dtype != dtype:
                text = (
                    f"{definition.type}: Input({slot.name}) is the data Variable {each.name!r}, declared as {each.meta.dtype}; it has "
                    f"to be fed with {dtype}, and a run with {each.meta.dtype} fails. Declare it with dtype='{dtype}'."
                )
                warnings.warn(text, UserWarning, stacklevel=user_level())


def _metas(value: Any, dtype: np.dtype | None = None) -> Any:
    """Return the Meta of a Variable, or a list of Metas; with a dtype, as if what is not checked were fed with it."""
    if isinstance(value, (list, tuple)):
        return [_metas(each, dtype) for each in value]
    if value is None or dtype is None or not _unchecked(value):
        return None if value is None else value.meta
    return value.meta._replace(dtype=dtype)


def _unsized(value: Any) -> Any:
    """Return the Meta of a Variable with unknown sizes, or a list of Metas."""
    if isinstance(value, (list, tuple)):
        return [_unsized(each) for each in value]
    return None if value is None else value.meta._replace(shape=(UNKNOWN,) * len(value.meta.shape))


def _unchecked(value: Any) -> bool:
    """Return whether a value is a data Variable whose feeds may have any dtype, or a list with one."""
    if isinstance(value, (list, tuple)):
        return any(_unchecked(each) for each in value)
    return value is not None and value.is_data and not value.need_check_feed


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


def _like_targets(op: Operator, definition: OpDef, block: Block) -> list[tuple[Variable, Meta]]:
    """Return (X@GRAD, the meta of X) for each gradient of a gradient operator that reads X."""
    found = []
    for slot in definition.outputs:
        sources = op.inputs.get(slot.name.removesuffix("@GRAD")) or []
        for name, source in zip(op.outputs.get(slot.name) or [], sources, strict=False):
            found.append((block.variable(name), block.variable(source).meta))
    return found


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
