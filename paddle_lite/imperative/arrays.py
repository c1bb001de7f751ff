"""Arrays of Variables: copies to the host, array modules, and conversion from other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.dtype import NATIVE, SUPPORTED, in_own_dtype
from ..core.errors import ArgumentTypeError, DtypeError, describe, message
from ..core.mode import state


def array_module_of(array: Any) -> Any:
    """Return the array module of an array: NumPy for an ndarray, else the module of the current place."""
    return np if isinstance(array, np.ndarray) else state.xp


def at_place(value: Any, zero_copy: bool | None = None) -> Any:
    """Return an array as an array of the current place's array module.

    Arguments:
        value: an ndarray, or an array of another library that supports DLPack.
        zero_copy: False copies the array. By default a contiguous array on the CPU shares its memory.

    Raises:
        ArgumentTypeError: `value` is not an array.
        DtypeError: Paddle does not have its dtype.
    """
    if not isinstance(value, (np.ndarray, state.xp.ndarray)):
        value = from_other_library(value, "to_variable", "value")
    if value.dtype not in NATIVE:
        raise DtypeError(message("to_variable", "value", f"dtype {value.dtype}", f"one of {', '.join(SUPPORTED)}"))
    if state.xp is not np:
        return state.xp.array(value) if isinstance(value, np.ndarray) or zero_copy is False else value
    shares = zero_copy is not False and value.flags.c_contiguous
    return in_own_dtype(np.asarray(value) if shares else np.array(value, order="C"))


def from_other_library(value: Any, call: str, argument: str) -> Any:
    """Return an array of another library as one of the current place, sharing memory if possible.

    Raises:
        ArgumentTypeError: `value` does not support DLPack, or the place cannot reach its memory.
    """
    if not hasattr(value, "__dlpack__"):
        fix = "Wrap it: numpy.array(value, dtype)."
        raise ArgumentTypeError(message(call, argument, describe(value), "an ndarray or a Variable", fix))
    try:
        return state.xp.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        needs = f"memory that {state.place} can reach"
        raise ArgumentTypeError(message(call, argument, f"{describe(value)} ({error})", needs)) from None
