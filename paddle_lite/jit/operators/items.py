"""`x[i]` and `x[i] = y`."""

from __future__ import annotations

from typing import Any

from ...layers.control.tensor_array import array_read, array_write
from .ranges import row, whole
from .sizes import length
from .values import Stack, checked, constant, is_array, is_variable


def item(x: Any, index: Any) -> Any:
    """Return x[index]."""
    x = checked(x)
    if isinstance(x, Stack):
        return array_read(x.array, _place(x, index))
    if is_array(x):
        return array_read(x, _place(x, index))
    if is_variable(x) and is_variable(index) and index.dtype in ("int32", "int64") and len(index.shape) == 1:
        return row(x, index)
    return x[checked(index)]


def set_item(x: Any, index: Any, value: Any) -> None:
    """Do x[index] = value."""
    if isinstance(x, Stack):
        array_write(constant(value), _place(x, index), x.array)
    elif is_array(x):
        array_write(constant(value), _place(x, index), x)
    else:
        x[index] = value


def _place(array: Any, index: Any) -> Any:
    """Return an index into a tensor array; a negative one counts from the end."""
    if not is_variable(index) and index < 0:
        return length(array) + index
    return whole(index)
