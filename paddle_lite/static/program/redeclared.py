"""A Variable that is declared a second time: what must be as it was, and what may change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.dtype import VarType, to_numpy, to_vartype
from ...core.errors import ArgumentValueError, ShapeError, message
from .variable import Variable

_REMEDY = "Give the new one another name, or make it in a Program of its own (fluid.program_guard)."


def require_same(where: str, variable: Variable, attributes: Mapping[str, Any]) -> None:
    """Raise unless the attributes are those of a Variable, as far as both are known.

    Arguments:
        where: the call that declares it again, for the error.
        variable: the Variable of this name.
        attributes: shape, dtype, type, lod_level and persistable of the new declaration; None is not known.

    Raises:
        ShapeError: the shape is not the Variable's.
        ArgumentValueError: another of them is not.
    """
    known = {
        "type": variable.type, "shape": variable._shape, "dtype": variable._dtype, "lod_level": variable._lod_level,
        "persistable": variable.persistable,
    }  # fmt: skip
    for key, has in known.items():
        given = _plain(key, attributes.get(key))
        if given is not None and has is not None and given != has:
            got, needs = _told(key, given), f"{_told(key, has)}, as the Variable {variable.name} of this Program has it"
            error = ShapeError if key == "shape" else ArgumentValueError
            raise error(message(where, key, got, needs, _REMEDY))


def declare_again(variable: Variable, attributes: Mapping[str, Any]) -> Variable:
    """Update an existing Variable with attributes and return it."""
    variable._meta = None
    for key in ("shape", "dtype", "lod_level", "type"):
        if attributes.get(key) is not None:
            setattr(variable, key if key == "type" else f"_{key}", _plain(key, attributes[key]))
    for name in ("persistable", "stop_gradient", "is_data", "need_check_feed", "error_clip"):
        if name in attributes:
            setattr(variable, name, attributes[name])
    return variable


def _plain(key: str, value: Any) -> Any:
    """Return an attribute as a Variable holds it."""
    if value is None:
        return None
    if key == "shape":
        return tuple(-1 if n is None else int(n) for n in value)
    if key == "dtype":
        return to_vartype(value)
    return VarType(value) if key == "type" else value


def _told(key: str, value: Any) -> str:
    if key == "dtype":
        return str(to_numpy(value))
    return str(list(value)) if key == "shape" else repr(value)
