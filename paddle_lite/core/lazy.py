"""Namespaces that import their names at first access."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

from .missing import missing_attribute


def table(text: str) -> dict[str, str]:
    """name -> module from lines "module: name name ..."; `name=other` looks up `other`.

    >>> table("core.place: CPUPlace places=cpu_places")
    {'CPUPlace': 'core.place:CPUPlace', 'places': 'core.place:cpu_places'}
    """
    homes = {}
    for line in text.strip().splitlines():
        module, _, names = line.partition(":")
        for word in names.split():
            name, _, other = word.partition("=")
            homes[name] = f"{module.strip()}:{other or name}"
    return homes


def namespace(
    module: str, homes: Mapping[str, str], package: str = "paddle_lite"
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` for a module: a name is imported from its home and kept.

    Arguments:
        module: the module's `__name__`.
        homes: name -> "module:name" below `package`; "module:*" stands for the module itself.
    """

    def getattr_(name: str) -> Any:
        if name not in homes:
            raise missing_attribute(module, name)
        home, _, attribute = homes[name].partition(":")
        found = importlib.import_module(f"{package}.{home}")
        value = getattr(found, attribute) if attribute != "*" else found
        setattr(sys.modules[module], name, value)
        return value

    def dir_() -> list[str]:
        return sorted({*vars(sys.modules[module]), *homes})

    return getattr_, dir_
