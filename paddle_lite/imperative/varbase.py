"""The arguments that the constructor of VarBase takes in 1.8.5, for subclasses of it and for code that makes a Variable with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import unique_name
from ..core.dtype import VarType, to_numpy
from ..core.errors import ArgumentTypeError, describe, message
from ..core.place import CPUPlace, CUDAPinnedPlace, CUDAPlace
from .arrays import at_place

_OF_A_VALUE = {"value": None, "place": None, "persistable": False, "zero_copy": False, "name": ""}
_OF_A_SHAPE = ("dtype", "shape", "name", "type", "persistable")
_FORMS = (
    "(value, place, persistable=False, zero_copy=False, name=''), (value), or (dtype, shape, name, type, persistable)"
)


def of_varbase(given: tuple, keywords: dict[str, Any]) -> tuple[Any, str, bool]:
    """Return the array, the name and the persistability of the Variable that VarBase(*given, **keywords) is in 1.8.5.

    A Variable of a dtype and a shape has no values there until some are assigned; here they are zeros.

    Raises:
        ArgumentTypeError: the arguments are of no constructor of VarBase.
    """
    if given and isinstance(given[0], VarType):
        return _of_a_shape(given, keywords)
    arguments = {**dict(zip(_OF_A_VALUE, given, strict=False)), **keywords}
    fields = {**_OF_A_VALUE, **arguments}
    if len(given) > len(_OF_A_VALUE) or len(arguments) < len(given) + len(keywords) or len(fields) > len(_OF_A_VALUE):
        raise _unknown(given, keywords)
    place, value = fields["place"], fields["value"]
    if "place" in arguments and not isinstance(place, (CPUPlace, CUDAPlace, CUDAPinnedPlace)):
        fix = "fluid.dygraph.to_variable(value, name=) makes a Variable without any of this."
        raise ArgumentTypeError(message("VarBase", "place", describe(place), "a place, such as fluid.CPUPlace()", fix))
    if "value" in keywords and isinstance(value, (bool, int, float, list, tuple)):
        value = np.asarray(value)
    if not (hasattr(value, "shape") and hasattr(value, "dtype")):
        fix = "fluid.dygraph.to_variable makes a Variable of numbers and lists."
        raise ArgumentTypeError(message("VarBase", "value", describe(value), "an array", fix))
    array = at_place(np.asarray(value) if isinstance(value, np.generic) else value, bool(fields["zero_copy"]))
    return array, fields["name"] or unique_name.generate("generated_var"), bool(fields["persistable"])


def _of_a_shape(given: tuple, keywords: dict[str, Any]) -> tuple[Any, str, bool]:
    if keywords or len(given) != len(_OF_A_SHAPE):
        raise _unknown(given, keywords)
    dtype, shape, name, _, persistable = given
    sizes = [max(int(size), 0) for size in shape]
    return at_place(np.zeros(sizes, to_numpy(dtype))), name or unique_name.generate("generated_var"), bool(persistable)


def _unknown(given: tuple, keywords: dict[str, Any]) -> ArgumentTypeError:
    shown = [describe(value) for value in given] + [f"{name}={describe(value)}" for name, value in keywords.items()]
    return ArgumentTypeError(message("VarBase", "arguments", ", ".join(shown) or "none", f"those of {_FORMS}"))
