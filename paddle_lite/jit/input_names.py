"""Names of a Program's inputs: those of the arguments of the function that it comes from."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

RESERVED = ("feed", "fetch")
"""Variables of every saved inference model."""


def named_leaves(function: Callable, args: Sequence[Any], keywords: Mapping[str, Any]) -> list[str]:
    """Return a name for each leaf of the arguments of a call, in the order of `leaves((args, keywords))`.

    An argument that is a list or a dict gives the names of its leaves a number or their key.

    >>> def forward(image, sizes, *more, scale=None): ...
    >>> named_leaves(forward, (1, [2, 3], 4, 5), {'scale': {'x': 6}})
    ['image', 'sizes_0', 'sizes_1', 'more_0', 'more_1', 'scale_x']
    """
    places = _positions(function, len(args))
    found = [name for place, value in zip(places, args, strict=True) for name in _inside(place, value)]
    return found + [name for key, value in keywords.items() for name in _inside(key, value)]


def _positions(function: Callable, count: int) -> list[str]:
    """Return the names of the first positional arguments."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return [f"input_{i}" for i in range(count)]
    plain = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "input")
    return [*plain[:count], *(f"{rest}_{i}" for i in range(count - len(plain)))]


def _inside(name: str, value: Any) -> Iterator[str]:
    """Yield a name for each leaf of an argument."""
    if isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            yield from _inside(f"{name}_{i}", item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _inside(f"{name}_{key}", item)
    else:
        yield name


def unique(names: Sequence[str], taken: Collection[str]) -> list[str]:
    """Return the names, with a number behind those that are taken already.

    >>> unique(['x', 'w', 'x'], {'w'})
    ['x', 'w_0', 'x_0']
    """
    used, found = {*taken, *RESERVED}, []
    for name in names:
        chosen, at = name, 0
        while chosen in used:
            chosen, at = f"{name}_{at}", at + 1
        used.add(chosen)
        found.append(chosen)
    return found
