"""`x.shape` and `len(x)`: ints where sizes are known, Variables where they are not."""

from __future__ import annotations

from typing import Any

from ...core.dtype import VarType
from ...layers.control.tensor_array import array_length
from ...ops.math import arithmetic as ops_math
from ...ops.shape import shape as shape_ops
from ...static.program.python_number import as_number
from .values import Stack, checked, is_array, is_variable


def size(x: Any, axis: int) -> Any:
    """Return the size of one dimension: an int, or an int32 Variable of shape [1]."""
    known = x.shape[axis]
    if known >= 0:
        return known
    sizes = shape_ops.shape.call(x)
    return as_number(shape_ops.slice.call(sizes, None, None, None, None, axes=[0], starts=[axis], ends=[axis + 1]))


class Shape(list):
    """The shape of a Variable. An unknown size becomes a Variable when it is first read."""

    def __init__(self, variable: Any) -> None:
        super().__init__(variable.shape)
        self._variable = variable

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        place = range(len(self))[index]
        return size(self._variable, place)

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))


def shape(x: Any) -> Any:
    """Return x.shape."""
    if is_variable(x) and not is_array(x) and -1 in x.shape:
        return Shape(x)
    found = checked(x).shape
    return list(found) if is_variable(x) else found


def length(x: Any) -> Any:
    """Return len(x)."""
    if isinstance(x, Stack):
        return x.length
    if is_array(x):
        return array_length(x)
    if not is_variable(x):
        return len(x)
    known = size(x, 0)
    if isinstance(known, int):
        return known
    return as_number(ops_math.cast.call(known, in_dtype=int(known.dtype), out_dtype=int(VarType.INT64)))


def truth(x: Any) -> Any:
    """Return the truth value of x; of a tensor array or stack, whether it has elements."""
    x = checked(x)
    return length(x) > 0 if isinstance(x, Stack) or is_array(x) else x
