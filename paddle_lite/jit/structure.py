"""Nested lists, tuples and dicts of arguments and results: flattening and rebuilding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def leaves(value: Any) -> list[Any]:
    """Iterate over the leaves of nested lists, tuples and dicts, in order."""
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    return [value]


def rebuilt(value: Any, new: Iterator[Any]) -> Any:
    """Return the same structure with other leaves."""
    if isinstance(value, (list, tuple)):
        items = [rebuilt(item, new) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, dict):
        return {key: rebuilt(item, new) for key, item in value.items()}
    return next(new)


def form(value: Any) -> Any:
    """Return a hashable description of the structure, without its leaves."""
    if isinstance(value, (list, tuple)):
        return (type(value), *map(form, value))
    if isinstance(value, dict):
        return (dict, *((key, form(item)) for key, item in value.items()))
    return None
