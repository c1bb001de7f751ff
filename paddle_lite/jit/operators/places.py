"""Attributes, lists and dicts that a branch or a loop changes: reading and restoring their values."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ...core.errors import ArgumentValueError
from .values import Stack, Undefined, here, told

DICTS = (dict, OrderedDict)


def attribute(owner: Callable[[], Any], name: str) -> Any:
    """Return owner().name, or Undefined where there is no such attribute."""
    try:
        return getattr(owner(), name)
    except (AttributeError, NameError, ArgumentValueError):
        return Undefined(name)


def set_attribute(owner: Callable[[], Any], name: str, value: Any) -> None:
    """Do owner().name = value; of an Undefined value, delete the attribute."""
    if not isinstance(value, Undefined) or value.why is not None:
        if attribute(owner, name) is not value:
            setattr(owner(), name, value)
    elif not isinstance(attribute(owner, name), Undefined):
        delattr(owner(), name)


def keep(held: Any, value: Any, name: str) -> None:
    """Write items into a list or dict of an outer scope in place, instead of binding its name to another one."""
    if isinstance(value, Undefined) and value.why is not None:
        raise value.error()
    if held is not value:
        raise ArgumentValueError(
            f"declarative: {told(name)} is not a variable of the function, and an `if` or a loop on a Variable makes it another "
            f"object; pass it as an argument and return it.\n  at {here()}"
        )


def is_container(value: Any) -> bool:
    """Tell whether a value has items that a branch or an iteration may set: a list, a dict, or a tuple that holds one."""
    return type(value) in (list, tuple, Stack) or type(value) in DICTS


def _items(value: Any) -> list[tuple[Any, Any]]:
    if type(value) is Stack:
        return [("length", value.length)]
    return list(value.items() if type(value) in DICTS else enumerate(value))


def _made(value: Any, items: list[tuple[Any, Any]]) -> Any:
    """Return a container of the same type with other items."""
    if type(value) is Stack:
        return Stack(value.array, items[0][1])
    return type(value)(items if type(value) in DICTS else [item for _, item in items])


def copied(value: Any) -> Any:
    """Copy containers and the containers inside of them; return anything else as it is."""
    if not is_container(value):
        return value
    return _made(value, [(key, copied(item)) for key, item in _items(value)])


def refilled(held: Any, new: Any) -> Any:
    """Replace the items of a container in place by those of another; return the other where their types differ."""
    if type(held) is not type(new) or not is_container(held):
        return new
    before = dict(_items(held))
    items = [(key, refilled(before.get(key), item)) for key, item in _items(new)]
    if type(held) is Stack:
        held.length = new.length
    elif type(held) is list:
        held[:] = [item for _, item in items]
    elif type(held) in DICTS:
        held.clear()
        held.update(items)
    elif len(held) != len(items) or any(a is not b for a, (_, b) in zip(held, items, strict=True)):
        return new
    return held


class Contents:
    """The items of a container at one time, to restore them later."""

    def __init__(self, held: Any) -> None:
        self.held = held
        self.items = [(key, Contents(item) if is_container(item) else item) for key, item in _items(held)]

    def restore(self) -> Any:
        """Restore the items; return the container."""
        items = [(key, item.restore() if isinstance(item, Contents) else item) for key, item in self.items]
        return refilled(self.held, _made(self.held, items))


def unchanged(old: Any, new: Any) -> bool:
    """Tell whether two values are the same object, or containers of the same objects."""
    if old is new:
        return True
    if type(old) is not type(new) or not is_container(old) or len(_items(old)) != len(_items(new)):
        return False
    pairs = zip(_items(old), _items(new), strict=True)
    return all(a == b and unchanged(x, y) for (a, x), (b, y) in pairs)
