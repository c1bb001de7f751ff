"""Nested structures of Variables, such as the states of recurrent cells: lists, tuples, named tuples and dicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from copy import copy
from typing import Any


def flatten(value: Any) -> list[Any]:
    """Return the leaves of a nested structure in order; dicts are visited by sorted key.

    >>> flatten([1, (2, {"b": 4, "a": 3})])
    [1, 2, 3, 4]
    """
    if isinstance(value, Mapping):
        return [leaf for key in sorted(value) for leaf in flatten(value[key])]
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in flatten(item)]
    return [value]


def pack_like(structure: Any, leaves: Iterator[Any]) -> Any:
    """Pack leaves into a nested structure of the same form as `structure`.

    >>> pack_like([0, (0, 0)], iter("abc"))
    ['a', ('b', 'c')]
    """
    if isinstance(structure, Mapping):
        made = {key: pack_like(structure[key], leaves) for key in sorted(structure)}
        return {key: made[key] for key in structure}
    if isinstance(structure, (list, tuple)):
        items = [pack_like(item, leaves) for item in structure]
        return type(structure)(*items) if hasattr(structure, "_fields") else type(structure)(items)
    return next(leaves)


def containers_copied(structure: Any) -> Any:
    """Return a nested structure of new lists and dicts with the same leaves: what changes it leaves `structure` as it is.

    >>> old = {"a": [1, 2]}
    >>> containers_copied(old)["a"].append(3)
    >>> old
    {'a': [1, 2]}
    """
    if isinstance(structure, MutableMapping):
        new = copy(structure)
        new.update({key: containers_copied(value) for key, value in structure.items()})
        return new
    if isinstance(structure, (list, tuple)):
        items = [containers_copied(item) for item in structure]
        return type(structure)(*items) if hasattr(structure, "_fields") else type(structure)(items)
    return structure


def structure_of(structure: Any) -> Any:
    """Return the form of a nested structure, with "." in the place of each leaf, for comparison."""
    return pack_like(structure, iter(["."] * len(flatten(structure))))


def map_structure(function: Callable[..., Any], *structures: Any) -> Any:
    """Apply a function to the corresponding leaves of several structures; pack the results like the first one.

    >>> map_structure(lambda a, b: a + b, [1, (2,)], [10, (20,)])
    [11, (22,)]
    """
    return pack_like(structures[0], iter([function(*leaves) for leaves in zip(*map(flatten, structures), strict=True)]))
