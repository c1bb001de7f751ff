"""Lists of Variables whose length a part of the Program changes: as tensor arrays, or as stacks where elements are popped."""

from __future__ import annotations

from typing import Any

from ...core.dtype import VarType
from ...layers.control.tensor_array import array_length, array_write, create_array
from .values import Number, Stack, constant, is_array


def to_array(items: list[Any]) -> Any:
    """Return a list of Variables as a tensor array of the Program."""
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
    """Return a list of Variables as a tensor array of the Program with its length."""
    return Stack(to_array(items), constant(len(items)))


def grows(old: Any, *new: Any) -> bool:
    """Tell whether branches leave a list with different lengths, so that it must become a tensor array: its elements have one form."""
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
