"""The types of the arguments of a call, from the arguments themselves.

This is all of the front end that a process needs which finds its kernels in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .errors import Unsupported
from .types import BOOL, F8, I8, NONE, NUMBERS, Array, Tuple
from .values import number_of

__all__ = ["OBJECTS", "signature_of"]

# Objects whose addresses the entry compares with, by the names of their symbols
OBJECTS: dict[str, Any] = {"numpy.ndarray": np.ndarray}
OBJECTS |= {f"numpy.dtype.{number.code}": number.dtype for number in NUMBERS}
OBJECTS |= {f"numpy.{number.code}": number.dtype.type for number in NUMBERS}
OBJECTS |= {"python.int": int, "python.float": float, "python.bool": bool, "python.tuple": tuple}
OBJECTS |= {"python.True": True, "python.None": None}
OBJECTS |= {f"python.{error.__name__}": error for error in (IndexError, MemoryError, ValueError)}

_PLAIN: dict[type, Any] = {int: I8, float: F8, bool: BOOL, type(None): NONE}
_PLAIN |= {number.dtype.type: number for number in NUMBERS}
_CANONICAL = {id(number.dtype): number for number in NUMBERS}


def signature_of(arguments: Sequence[Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the types of arguments, and the arguments as the entry for these types accepts them.

    An instance of a subclass of ndarray is passed as an ndarray, and a dtype object that only equals NumPy's own is replaced.

    Raises:
        Unsupported: an argument is none that a kernel of this compiler takes.
    """
    types, given = [], []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            argument = _plain_array(argument)
        types.append(_type_of(argument))
        given.append(argument)
    return tuple(types), tuple(given)


def _plain_array(array: np.ndarray) -> np.ndarray:
    """Return an array as an ndarray with NumPy's own dtype object."""
    if type(array) is not np.ndarray:
        array = array.view(np.ndarray)
    if id(array.dtype) not in _CANONICAL:
        array = array.view(number_of(array.dtype).dtype)
    return array


def _type_of(argument: Any) -> Any:
    """Return the type of an argument."""
    plain = _PLAIN.get(type(argument))
    if plain is not None:
        return plain
    if type(argument) is tuple:
        return Tuple(tuple(map(_type_of, argument)))
    if not isinstance(argument, np.ndarray):
        raise Unsupported(f"an argument of class {type(argument).__name__}")
    flags = argument.flags
    if not flags.aligned:
        raise Unsupported("an array that is not aligned")
    element = number_of(argument.dtype)
    return Array(element, argument.ndim, "C" if flags.c_contiguous else "A", flags.writeable)
