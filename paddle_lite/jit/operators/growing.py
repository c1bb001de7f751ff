"""What lists of Variables become that grow in a part of the Program: arrays, or stacks where they shrink, too."""

from __future__ import annotations

from typing import Any

from ...core.dtype import VarType
from ...layers.control.tensor_array import array_length, array_write, create_array
from .values import Number, Stack, constant, is_array


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


def to_stack(items: list[Any]) -> Stack:
    """A list of Variables as an array of the Program, and its length."""
    return Stack(to_array(items), constant(len(items)))


def grows(old: Any, *new: Any) -> bool:
    """Whether branches have made a list differently long, of elements of one form, so that only an array holds any of them."""
    if type(old) is not list or not all(is_array(value) or type(value) is list for value in new):
        return False
    lists = [value for value in new if type(value) is list]
    if len(lists) == len(new) and len({len(value) for value in lists}) == 1:
        return False
    forms = {_form(item) for value in (old, *lists) for item in value}
    return None not in forms and len(forms) < 2


def _form(item: Any) -> Any:
    if isinstance(item, Number):
        return type(item)
    return (item.dtype, len(item.shape)) if hasattr(item, "stop_gradient") and not is_array(item) else None
