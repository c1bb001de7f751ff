"""Arrays behind Variables: copies on the host, the module that made one, and arrays of other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.dtype import SUPPORTED
from ..core.errors import ArgumentTypeError, DtypeError, describe, message
from ..core.mode import state


def to_host(array: Any) -> np.ndarray:
    """Return the array as NumPy's; a GPU array is copied to the host."""
    return array.get() if hasattr(array, "get") else array


def array_module_of(array: Any) -> Any:
    """Return NumPy for an ndarray, the GPU's module for any other array."""
    return np if isinstance(array, np.ndarray) else state.xp


def at_place(value: Any, zero_copy: bool | None = None) -> Any:
    """Return an array of another kind as one of the current place's array module.

    Arguments:
        value: an ndarray, or an array of another library that speaks DLPack.
        zero_copy: share the memory; by default on the CPU where the array is contiguous. False copies.

    Raises:
        ArgumentTypeError: `value` is no array.
        DtypeError: Paddle does not have its dtype.
    """
    if not isinstance(value, np.ndarray):
        value = _foreign(value)
    if value.dtype.name not in SUPPORTED or not value.dtype.isnative:
        raise DtypeError(message("to_variable", "value", f"dtype {value.dtype}", f"one of {', '.join(SUPPORTED)}"))
    if state.xp is not np:
        return state.xp.array(value)
    shares = zero_copy is not False and value.flags.c_contiguous
    return np.asarray(value) if shares else np.array(value, order="C")


def _foreign(value: Any) -> Any:
    """Return the array of another library as one of the current place's, in the same memory where possible."""
    if not hasattr(value, "__dlpack__"):
        fix = "Wrap it: numpy.array(value, dtype)."
        raise ArgumentTypeError(message("to_variable", "value", describe(value), "an ndarray or a Variable", fix))
    try:
        return state.xp.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        needs = f"memory that {state.place} can reach"
        raise ArgumentTypeError(message("to_variable", "value", f"{describe(value)} ({error})", needs)) from None
