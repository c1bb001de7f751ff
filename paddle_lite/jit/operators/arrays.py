"""Lists that grow in a loop of the Program: arrays."""

from __future__ import annotations

from typing import Any

from ...core.dtype import VarType
from ...layers.tensor_array import array_length, array_write, create_array
from .values import constant, is_array, is_variable


def append(items: Any, value: Any) -> Any:
    """items.append(value)"""
    if is_array(items):
        array_write(value if is_variable(value) else constant(value), array_length(items), items)
        return None
    return items.append(value)


def to_array(items: list[Any]) -> Any:
    """A list of Variables as an array of the Program."""
    array = create_array("float32")
    known = None
    for place, value in enumerate(items):
        value = constant(value)
        known = value if known is None else known
        array_write(value, constant(place), array)
    if known is not None:
        array.set_meta(known.meta)
    else:
        array_length(array)
        array._dtype = VarType.FP32
    return array
