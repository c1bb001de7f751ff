"""Namespaces: modules that offer names of other modules and import each of them at its first use.

A package states its names in a table, `__getattr__, __dir__ = namespace(__name__, TABLE)`:

    core.flags: get_flags set_flags       names, after the module below paddle_lite that defines them
    core.mode: in_dygraph_mode=in_imperative_mode    `name=other`: the defining module calls it `other`
    layers.nn: conv.* pool.*              all public names of paddle_lite.layers.nn.conv and of paddle_lite.layers.nn.pool
    within core.mode: g_mode=mode()       a name that stands for something else at each time: `mode` is called at each use
    fluid.io: reader=* dataloader=*       the module paddle_lite.fluid.io itself, under other names
    modules: profiler                     modules with a file in this package
    here: framework executor              modules of PaddlePaddle whose names are all in this module: this module itself
    within core.mode: in_dygraph_mode     names that Paddle's file imports for itself, which programs take from there too:
                                          they are found, but are not in `__all__`; other lines take precedence
    within fluid.imports: *               all names of the table of paddle_lite.fluid.imports
    to come: DataFeedDesc                 names that can be imported, but not used yet

    [clip] Gradient clipping.             the lines below are the names of the module `clip` of this package
    params.clip: GradientClipByNorm

A module with a section needs no file: the import system, or the first use as an attribute, makes it. `dir`, `help` and
`from ... import *` see the public names of a table; if 1.8.5's file has no `__all__`, the last gives all names of that file.
A name that is set on the module takes precedence over the table.
What a file of 1.8.5 imports for itself from its other files needs no line, either: `imports_1_8.json` records it.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .guarded import guard, guard_module
from .missing import (
    imported_value,
    imports_of,
    is_of_1_8,
    missing_attribute,
    missing_text,
    names_without_all,
    placeholders,
    public_name,
)  # fmt: skip
from .threads.cached import cached_property

PACKAGE = "paddle_lite"
_SECTION = re.compile(r"^[ ]*\[([\w.]+)\][ ]*(.*)$", re.MULTILINE)
_ALL = re.compile(rb'^__all__ = \[((?:\s*"\w+",?)*)\s*\]', re.MULTILINE)
_HERE, _MODULES, _TO_COME, _WITHIN = "here", "modules", "to come", "within "


def namespace(module: str, text: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a module with a table, and register the modules of its sections.

    Arguments:
        module: the module's `__name__`, "paddle_lite" or a name below it.
        text: the table.
    """
    own, *sections = _SECTION.split(text)
    table = Namespace(module, own)
    for name, doc, lines in zip(sections[::3], sections[1::3], sections[2::3], strict=True):
        full = f"{module}.{name}"
        Namespace(full, lines, doc)
        parent, _, child = full.rpartition(".")
        Namespace.tables[parent].lines.append((_MODULES, [child]))
    table.register_modules_that_are_here()
    return table.get, table.dir


class Namespace:
    """The table of one module.

    Arguments:
        module: the module's `__name__`.
        text: the lines of the table.
        doc: what the names are; the docstring of a module without a file.
    """

    tables: dict[str, Namespace] = {}

    def __init__(self, module: str, text: str, doc: str = "") -> None:
        self.module = module
        self.has_file = not doc
        self.doc = f"`{public_name(module)}`: {doc}"
        self.lines = [_line(line) for line in text.strip().splitlines()]
        self.tables[module] = self

    @cached_property
    def homes(self) -> dict[str, str]:
        """name -> "module:name" below paddle_lite; ":*" is the module itself, "to come:name" a name to come."""
        within = {name: home for name, home in self._read(within=True).items() if name not in self.here}
        return {**within, **self.offered}

    @cached_property
    def offered(self) -> dict[str, str]:
        """name -> home as in `homes`, without the names `within`."""
        return self._read(within=False)

    @cached_property
    def imported(self) -> dict[str, str]:
        """name -> home of what the files of 1.8.5 that this module stands for import for themselves."""
        return imports_of(self.module, self.here)

    def _read(self, within: bool) -> dict[str, str]:
        """Return name -> home of the lines that start with `within`, or of the others."""
        below = self.module.partition(".")[2]
        lines = [line for line in self.lines if line[0].startswith(_WITHIN) is within]
        return {name: home for line in lines for name, home in _entries(*line, below)}

    @cached_property
    def second_names(self) -> frozenset[str]:
        """The names of lines such as `fluid.clip: clip=*`, for which no other table is read."""
        words = (word for home, words in self.lines if not home.startswith(_WITHIN) for word in words)
        return frozenset(word[:-2] for word in words if word.endswith("=*"))

    @cached_property
    def here(self) -> list[str]:
        """The names of modules that are this module, below it."""
        return [name for home, words in self.lines if home == _HERE for name in words]

    @property
    def public_names(self) -> list[str]:
        """The names for `from ... import *`, as `__all__` lists them: no private ones, none `within`, no second names of
        modules."""
        within = {word.partition("=")[0] for home, words in self.lines if home.startswith(_WITHIN) for word in words}
        return sorted(
            name
            for name, home in self.offered.items()
            if not name.startswith("_")
            and name not in within
            and (not home.endswith(":*") or home.endswith(f"{name}:*"))
        )

    @property
    def starred(self) -> list[str]:
        """The names that `from ... import *` gives: the public ones, and all that 1.8.5's file has where it has no `__all__`."""
        more = names_without_all(self.module) - {*self.public_names}
        return sorted([*self.public_names, *filter(self._has, more)])

    def _has(self, name: str) -> bool:
        """Return whether `get` finds a name."""
        try:
            self.get(name)
        except AttributeError:
            return False
        return True

    def get(self, name: str) -> Any:
        """Return what `name` stands for, and keep it in the module: the module's `__getattr__`.

        Raises:
            AttributeError: the table does not have the name; a NotYetAvailable if PaddlePaddle 1.8.5 does.
        """
        if name == "__all__":
            return self.starred
        module = sys.modules[self.module]
        value: Any
        if name in self.homes:
            home, _, attribute = self.homes[name].partition(":")
            if attribute.endswith("()"):
                return _imported(home, attribute[:-2])()
            value = placeholders(self.module, name) if home == _TO_COME else _imported(home, attribute)
        elif name in self.here:
            value = module
        else:
            value = imported_value(self.module, self.imported[name]) if name in self.imported else None
            if value is None:
                raise missing_attribute(self.module, name)
        setattr(module, name, value)
        return value

    def dir(self) -> list[str]:
        """Return the names that users may look for: its `__dir__`.

        They are the public names, the modules that are `here`, and what has been set on the module from outside; no names
        `within`, and no modules of the package that are loaded and that no line offers.
        """
        homes = self.homes  # the first use may import modules, which adds names to this one
        own = vars(sys.modules[self.module])
        other = (name for name, value in own.items() if name not in homes and not self._is_internal(name, value))
        return sorted({*other, *self.public_names, *(name for name in self.here if "." not in name)})

    def _is_internal(self, name: str, value: Any) -> bool:
        """Return whether what the module holds is of its own making: a private name, or a module below it."""
        private = name.startswith("_") and not name.startswith("__")
        return private or (isinstance(value, ModuleType) and value.__name__ == f"{self.module}.{name}")

    def register_modules_that_are_here(self) -> None:
        """Let `import package.name` give this module, for the names that the line `here` has.

        A function may have the same name, as `fluid.data` has; the import system does not replace it with the module
        since it finds the module registered.
        """
        for name in self.here:
            sys.modules.setdefault(f"{self.module}.{name}", sys.modules[self.module])


def _line(text: str) -> tuple[str, list[str]]:
    """Return the home and the words of a line."""
    home, _, words = text.partition(":")
    return home.strip(), words.split()


def _imported(module: str, attribute: str) -> Any:
    """Import a module below paddle_lite and return its attribute, or the module itself for "*"."""
    found = importlib.import_module(f"{PACKAGE}.{module}")
    return guard_module(found) if attribute == "*" else guard(getattr(found, attribute), found)


def _entries(home: str, words: Sequence[str], package: str) -> Iterator[tuple[str, str]]:
    """Yield the names of one line, each with its home.

    Arguments:
        home, words: the line.
        package: the name, below paddle_lite, of the module that the table is for.
    """
    home = home.removeprefix(_WITHIN)
    for word in words if home != _HERE else ():
        name, _, other = word.partition("=")
        if name == "*":
            yield from Namespace.tables[f"{PACKAGE}.{home}"].homes.items()
        elif home == _MODULES:
            yield name, f"{package}.{name}:*".lstrip(".")
        elif name.endswith(".*"):
            module = f"{home}.{name[:-2]}".lstrip(".")
            yield from ((found, f"{module}:{found}") for found in names_in(f"{PACKAGE}.{module}"))
        else:
            yield name, f"{home}:{other or name}"


def names_in(module: str) -> list[str]:
    """Return the public names of a module, without importing it where its file states `__all__`.

    Of a table they are all public names except those of modules.

    Arguments:
        module: the full name of a module of paddle_lite.

    >>> names_in("paddle_lite.layers.math.reduce")
    ['reduce_all', 'reduce_any', 'reduce_max', 'reduce_mean', 'reduce_min', 'reduce_prod', 'reduce_sum']
    """
    if module not in Namespace.tables:
        stated = _stated(module)
        if stated is not None:
            return stated
        found = importlib.import_module(module)
        if module not in Namespace.tables:
            return list(found.__all__)
    table = Namespace.tables[module]
    return [name for name in table.public_names if not table.homes[name].endswith(":*")]


def source_of(module: str) -> bytes | None:
    """Return the source of a module, which is not imported for it; None where there is none.

    Arguments:
        module: the full name of a module.
    """
    spec = find_spec(module)
    read = getattr(spec.loader, "get_data", None) if spec is not None else None
    if spec is None or read is None or not spec.origin or not spec.origin.endswith(".py"):
        return None
    return read(spec.origin)


def _stated(module: str) -> list[str] | None:
    """Return `__all__` as the source of a module states it; None where there is no source, or no list of plain names."""
    found = _ALL.search(source_of(module) or b"")
    return None if found is None else re.findall(r"\w+", found[1].decode())


if TYPE_CHECKING:
    from importlib.abc import Loader as _Loader
else:

    class _Loader:
        """A loader of modules without a file; importing `importlib.abc` would take longer than all of this file."""

        def create_module(self, spec: ModuleSpec) -> None:
            """Return None: the import system makes an empty module."""


class _TableLoader(_Loader):
    """Makes the module of a section."""

    def __init__(self, table: Namespace) -> None:
        self.table = table

    def exec_module(self, module: ModuleType) -> None:
        """Give a new module its names; a module that is reloaded forgets those that it has kept."""
        for name in (*self.table.homes, *self.table.here):
            vars(module).pop(name, None)
        module.__doc__ = self.table.doc
        vars(module).update(__getattr__=self.table.get, __dir__=self.table.dir)
        self.table.register_modules_that_are_here()


class AliasLoader(_Loader):
    """Registers a module under a second name.

    Arguments:
        real: the full name of the module.
    """

    def __init__(self, real: str) -> None:
        self.real = real

    def exec_module(self, module: ModuleType) -> None:
        """Replace the new, empty `module` with the real one, as the import system allows."""
        sys.modules[module.__name__] = importlib.import_module(self.real)


class StubbedFinder:
    """Finds the modules without a file that may have a folder of type stubs, before others find that folder."""

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of the module of a section, or of one under a second name; None for others."""
        parent, _, child = fullname.rpartition(".")
        table, around = Namespace.tables.get(fullname), Namespace.tables.get(parent)
        if (table is not None and not table.has_file) or (around is not None and child in around.second_names):
            return TableFinder.find_spec(fullname)
        return None


class TableFinder:
    """Finds the modules of sections, and modules under the second names that tables give them."""

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a module that has no file of its name, or None."""
        parent, _, child = fullname.rpartition(".")
        table, around = Namespace.tables.get(fullname), Namespace.tables.get(parent)
        if table is not None:
            return ModuleSpec(fullname, _TableLoader(table), origin="a table of names", is_package=True)
        home = around.homes.get(child, "") if around is not None else ""
        if home.endswith(":*") and home != f"{fullname}:*".removeprefix(f"{PACKAGE}."):
            return ModuleSpec(fullname, AliasLoader(f"{PACKAGE}.{home[:-2]}"), is_package=True)
        return None


class AliasedPackageFinder:
    """Finds `package.alias.child` as the module `child` of the package that the alias stands for.

    The import system would execute the file of `child` a second time, under this name.
    """

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of a module below an alias of a package, or None."""
        parent, _, child = fullname.rpartition(".")
        package = sys.modules.get(parent) if parent.startswith(f"{PACKAGE}.") else None
        if package is None or parent == package.__name__ or parent.startswith(f"{package.__name__}."):
            return None  # not below an alias; or below a package that is `here`
        real = f"{package.__name__}.{child}"
        try:
            found = find_spec(real)
        except ModuleNotFoundError:  # NotYetAvailableFinder has said so
            found = None
        if found is None:
            return None
        return ModuleSpec(fullname, AliasLoader(real), origin="a second name", is_package=True)


class NotYetAvailableFinder:
    """The last finder: of what PaddlePaddle 1.8.5 has and no other finds, it raises the error that says so."""

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return None for what PaddlePaddle does not have, either.

        Raises:
            ModuleNotFoundError: PaddlePaddle 1.8.5 has the module, or the name in its package.
        """
        package = sys.modules.get(fullname.rpartition(".")[0])
        if package is None or not package.__name__.startswith(PACKAGE):
            return None
        if PathFinder.find_spec(fullname, getattr(package, "__path__", ())) is not None:
            return None  # pytest, for one, asks all finders with a path of its own
        if is_of_1_8(public_name(fullname)):
            public = public_name(fullname)  # by another name, `from package import name` passes the error on
            raise ModuleNotFoundError(missing_text(public), name=public)
        return None


sys.meta_path[:0] = [AliasedPackageFinder(), StubbedFinder()]
sys.meta_path += [TableFinder(), NotYetAvailableFinder()]
