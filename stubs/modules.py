"""Which modules programs can import: tables, files, and modules under a second name."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from functools import cache

from paddle_lite.core.lazy import PACKAGE, Namespace


@dataclass(frozen=True)
class Public:
    """A module that programs can import.

    real: the full name of the module that it is; another one than its own where it is a second name.
    """

    real: str

    @property
    def table(self) -> Namespace | None:
        """The table of its names; None for a module with a file of its own."""
        return Namespace.tables.get(self.real)


@cache
def public_modules() -> dict[str, Public]:
    """Return full name -> module, for every module that can be imported, sorted."""
    real = _real_modules()
    found = {name: Public(name) for name in real}
    packages: dict[str, str] = {}
    for name in real:
        table = Namespace.tables.get(name)
        if table is None:
            continue
        found.update({f"{name}.{child}": Public(name) for child in table.here})
        for child, home in table.offered.items():
            target = f"{PACKAGE}.{home[:-2]}"
            if home.endswith(":*") and target != f"{name}.{child}" and home != ":*":
                packages[f"{name}.{child}"] = target
    own = dict(found)
    for name, target in packages.items():
        below = {path: module for path, module in own.items() if path.startswith(f"{target}.")}
        found |= {name: Public(target), **{name + path.removeprefix(target): module for path, module in below.items()}}
    return {name: found[name] for name in sorted(found) if _is_importable(name, found[name].real)}


def _real_modules() -> list[str]:
    """Return the modules that tables offer, each once, under their own names.

    A table that others take all names of, by `within fluid.imports: *`, is no module of its own.
    """
    found: set[str] = set()
    todo = [PACKAGE]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        importlib.import_module(name)
        todo.extend(table for table in Namespace.tables if table.startswith(f"{name}."))
        if name in Namespace.tables:
            homes = Namespace.tables[name].offered.values()
            todo.extend(f"{PACKAGE}.{home[:-2]}".rstrip(".") for home in homes if home.endswith(":*"))
    lines = [line for table in Namespace.tables.values() for line in table.lines]
    lists = {
        f"{PACKAGE}.{home.removeprefix('within ')}"
        for home, words in lines
        if home.startswith("within ") and "*" in words
    }
    return sorted(found - lists)


def _is_importable(name: str, real: str) -> bool:
    """Return whether a name is that of a module; a function of the same name may hide one that only the file layout has."""
    try:
        return importlib.import_module(name) is sys.modules[real]
    except ModuleNotFoundError:
        return False
