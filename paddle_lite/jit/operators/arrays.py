"""append() and pop() of lists that a loop of the Program changes: tensor arrays, or stacks where elements are popped."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...layers.control.tensor_array import array_length, array_read, array_write
from .calls import call
from .values import Stack, constant, here, is_array, is_variable


def append(items: Any, value: Any) -> Any:
    """Do items.append(value)."""
    if isinstance(items, Stack):
        array_write(value if is_variable(value) else constant(value), items.length, items.array)
        items.length = items.length + 1
        return None
    if is_array(items):
        array_write(value if is_variable(value) else constant(value), array_length(items), items)
        return None
    return items.append(value) if isinstance(items, list) else call(items.append)(value)


def pop(items: Any, *place: Any) -> Any:
    """Do items.pop(place)."""
    if isinstance(items, Stack) and place in ((), (-1,)):
        items.length = items.length - 1
        return array_read(items.array, items.length)
    if isinstance(items, Stack) or is_array(items):
        got = "pop() of an array" if is_array(items) else f"pop({place[0]})"
        fix = f"Read the element, items[i], and leave it where it is.\n  at {here()}"
        needs = "pop() without a place, in the function whose loop makes it grow"
        raise ArgumentValueError(message("declarative", "a list that grows in a loop of the Program", got, needs, fix))
    return items.pop(*place) if isinstance(items, (list, dict)) else call(items.pop)(*place)
