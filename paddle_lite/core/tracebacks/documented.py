"""What docstrings say about arguments, for errors about them."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

LONGEST = 200
_SECTION = re.compile(
    r"^[ \t]*(?:Arguments|Args|Parameters):[ \t]*(.*(?:\n(?:[ \t]*\n)?(?![ \t]*[A-Z]\w+:).+)*)", re.MULTILINE
)
_ENTRY = re.compile(r"(?:^[ \t]*|(?<=\. ))((?:\*{0,2}[A-Za-z_]\w*, )*\*{0,2}[A-Za-z_]\w*):\s", re.MULTILINE)


def owner_of(function: Callable[..., Any]) -> type | None:
    """Return the class that a function is `__init__` of; None for others."""
    path = getattr(function, "__qualname__", "").split(".")
    found = _found(function, path[:-1]) if path[-1] == "__init__" else None
    return found if isinstance(found, type) else None


def _found(function: Callable[..., Any], path: list[str]) -> Any:
    """Return what a qualified name stands for in the module of a function; None if it is not there."""
    found: Any = sys.modules.get(function.__module__)
    for part in path:
        found = getattr(found, part, None)
    return found


def _sources(function: Callable[..., Any]) -> Iterator[tuple[Any, Callable[..., Any]]]:
    """Yield what may document the arguments of a function, and what has them: itself, its class, the function that it is defined in."""
    yield function, function
    yield owner_of(function), function
    path = getattr(function, "__qualname__", "").split(".")
    if "<locals>" in path:
        outer = _found(function, path[: path.index("<locals>")])
        yield outer, outer


def documentation(function: Callable[..., Any], argument: str) -> str:
    """Return the first sentences of what docstrings say about an argument of a function; "" for nothing.

    A reader has the arguments of the function that has made it.
    """
    for documented, function_of in _sources(function):
        section = _SECTION.search(getattr(documented, "__doc__", None) or "")
        if section is not None:
            names = set(inspect.signature(function_of).parameters)
            for described, text in _entries(section[1], names):
                if argument in described:
                    return _beginning(text)
    return ""


def _entries(text: str, names: set[str]) -> list[tuple[list[str], str]]:
    """Return the arguments that a section is about, and what it says of them: "x, y: numbers. z: a text."."""
    found = []
    for entry in _ENTRY.finditer(text):
        described = entry[1].replace("*", "").split(", ")
        if names.intersection(described):  # else a word before a colon
            found.append((described, entry))
    ends = [entry.start() for _, entry in found[1:]] + [len(text)]
    return [
        (described, " ".join(text[entry.end() : end].split()))
        for (described, entry), end in zip(found, ends, strict=True)
    ]


def _beginning(text: str) -> str:
    """Return the sentences of a text that are not too long together, without the last full stop; at least a part of the first."""
    end = text.find(". ")
    while end != -1 and (further := text.find(". ", end + 2)) != -1 and further < LONGEST:
        end = further
    if end != -1 and len(text) > LONGEST:
        text = text[:end]
    text = text.removesuffix(".")
    return text if len(text) <= 2 * LONGEST else text[: 2 * LONGEST - 3] + "..."
