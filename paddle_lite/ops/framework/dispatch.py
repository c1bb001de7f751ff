"""Steps of a call that all modes share: finding the kernel of a device, validating the call, explaining its errors."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, EnforceNotMet, describe, message
from ...core.lod import level_of
from ...core.tracebacks import shortened
from ...kernels.registry import find_kernel, registered
from ..support.attributes import of_kind
from ..support.meta import Meta
from .spec import OpDef, file_name, fits


class ArraySpec:
    """The shape and dtype of an array; the tape keeps it for an array of which the gradient reads no values."""

    __slots__ = ("dtype", "shape")

    def __init__(self, array: Any) -> None:
        self.shape = array.shape
        self.dtype = array.dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return prod(self.shape)


def kernel_of(op: OpDef, device: str) -> Callable:
    """Return the kernel of `op` on a device: the registered one, or the reference on the device's array module."""
    kernel = op.kernels.get(device)
    if kernel is None:
        own = op.outside and registered(op.type, device) is not None
        kernel = op.make_kernel(device) if op.make_kernel is not None and not own else None
        if kernel is None:
            kernel = find_kernel(op.type, op.family, device, op.reference)
            kernel = _own().checked(op, kernel) if op.outside else kernel
        op.kernels[device] = kernel
    return kernel


def _own() -> Any:
    """Return the module that checks users' operators; it is imported late, since most programs do not need it."""
    from . import own

    return own


def meta_of(value: Any) -> Meta:
    """Return the Meta of a Variable (or of any object with an array), which inference reads."""
    array = value.array
    return Meta(tuple(array.shape), array.dtype, level_of(value.levels))


def validate(
    op: OpDef, inputs: tuple, attrs: dict[str, Any], variable: Any, meta: Callable[[Any], Meta] = meta_of
) -> None:
    """Raise an error if a call is invalid: check classes of inputs, then types of attributes, then run `infer`.

    Arguments:
        op, inputs, attrs: the call.
        variable: the class of Variables that inputs must have; its `home` names the mode for error messages.
        meta: `meta(variable)` returns the Meta of a Variable.
    """
    for slot, value in zip(op.inputs, inputs, strict=True):
        if value is None and slot.optional:
            continue
        if slot.many and isinstance(value, (list, tuple)):
            if not value and not slot.optional:
                raise ArgumentTypeError(
                    message(op.type, f"Input({slot.name})", "an empty list", "at least one Variable")
                )
            wrong = [v for v in value if not isinstance(v, variable)]
        else:
            wrong = [value] if slot.many or not isinstance(value, variable) else []
            if value is None:
                raise ArgumentTypeError(message(op.type, f"Input({slot.name})", "None", "a Variable"))
        for bad in wrong:
            needs = "a list of Variables" if slot.many else "a Variable"
            fix = "Convert it with to_variable()."
            if hasattr(bad, "stop_gradient"):
                needs += f" of {variable.home}"
                fix = "It belongs to the other mode: one computation is either imperative, or a static Program."
            raise ArgumentTypeError(message(op.type, f"Input({slot.name})", describe(bad), needs, fix))
    op.check_attrs(attrs)
    if op.infer is not None:
        known = (
            None if v is None else [meta(x) for x in v] if isinstance(v, (list, tuple)) else meta(v) for v in inputs
        )
        answer = op.infer(*known, **attrs)
        if op.outside:
            _own().check_answer(op, answer)


def converted(op: OpDef, attrs: dict[str, Any]) -> dict[str, Any] | None:
    """Return the attributes of a call that failed, with numbers of other types converted as Programs convert them.

    Numbers of NumPy become those of Python, whose methods kernels use, and which do not overflow. None for a bool that has a
    default is False, as in 1.8.5's imperative mode. Return None if there is nothing to convert, or a value that 1.8.5
    refuses, too: the call failed for another reason.
    """
    declared = {name: op.attrs[file_name(name)] for name in attrs}
    kinds = {name: attr.type for name, attr in declared.items()}
    found = {
        name: _of_python(of_kind(kinds[name], value))
        for name, value in attrs.items()
        if value is not None and (_of_python(value) is not value or not fits(kinds[name], value))
    }
    found |= {
        name: False
        for name, attr in declared.items()
        if attrs[name] is None and attr.type == "BOOLEAN" and attr.default is not None
    }
    return {**attrs, **found} if found and all(fits(kinds[name], value) for name, value in found.items()) else None


def _of_python(value: Any) -> Any:
    """Return a value with scalars of NumPy converted to those of Python, or the value itself if it holds none."""
    if isinstance(value, (list, tuple)):
        return [_of_python(each) for each in value] if any(isinstance(each, np.generic) for each in value) else value
    return value.tolist() if isinstance(value, np.generic) else value


def explain(op: OpDef, inputs: tuple, attrs: dict[str, Any], error: Exception, variable: Any) -> Exception:
    """Return the error to raise for a call that failed: the one that `validate` raises, else `error`."""
    try:
        validate(op, inputs, attrs, variable)
    except EnforceNotMet as better:
        better.__suppress_context__ = True
        return shortened(better)
    except Exception:  # inference failed for another reason, so the original error is the better one
        pass
    if isinstance(error, EnforceNotMet):
        error.__suppress_context__ = True
        return shortened(error)
    shown = ", ".join(f"{s.name}={_show(v)}" for s, v in zip(op.inputs, inputs, strict=True) if v is not None)
    failure = EnforceNotMet(f"{op.type}: {type(error).__name__}: {error}. Called with {shown}; {attrs}.")
    failure.__cause__ = error
    return failure


def _show(value: Any) -> str:
    return "[" + ", ".join(describe(v) for v in value) + "]" if isinstance(value, (list, tuple)) else describe(value)


def tuple_source(items: list[str]) -> str:
    """Return the source of a tuple."""
    return "(" + "".join(f"{item}, " for item in items) + ")"
