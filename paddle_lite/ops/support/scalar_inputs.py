"""Scalars that are given as an attribute, or as a tensor of one element that replaces the attribute."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...core.errors import DtypeError, ShapeError, message


def attribute_scalar(number: Any, dtype: Any) -> Any:
    """Return a FLOAT attribute, which is a float32, as a NumPy scalar of an array's dtype; truncated for integer dtypes."""
    if dtype.kind in "iu":
        return np.array(int(number + 0)).astype(dtype)[()]  # wraps, as in C
    return dtype.type(np.float32(number + 0.0) if dtype.itemsize > 4 else number + 0.0)


def require_integer_numbers(where: str, slot: str, tensor: Any) -> None:
    """Raise unless a tensor that replaces an attribute holds integers."""
    if tensor.dtype.kind not in "iu":
        fix = "Convert it with cast()."
        raise DtypeError(message(where, f"Input({slot})", f"dtype {tensor.dtype}", "int32 or int64", fix))


def require_one_integer(where: str, slot: str, tensor: Any) -> None:
    """Raise unless a tensor that replaces an attribute holds one integer."""
    require_integer_numbers(where, slot, tensor)
    require_one_element(where, slot, tensor)


def require_one_element(where: str, slot: str, tensor: Any) -> None:
    """Raise unless a tensor that replaces an attribute has one element."""
    if -1 not in tensor.shape and prod(tensor.shape) != 1:
        raise ShapeError(message(where, f"Input({slot})", f"shape {list(tensor.shape)}", "one element"))


def scalar_value(where: str, slot: str, tensor: Any, dtype: Any = None) -> Any:
    """Return the number in a tensor that replaces an attribute, as a Python number or as a NumPy scalar of `dtype`."""
    require_one_element(where, slot, tensor)
    return tensor.item() if dtype is None else dtype.type(tensor.item())
