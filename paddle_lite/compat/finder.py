"""Imports `paddle.X` as the module of paddle_lite that it stands for, the same object."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import CodeType, ModuleType

from paddle_lite.core.lazy import AliasedPackageFinder, AliasLoader, TableFinder

from .missing import Attributes, missing_module

OURS = "paddle_lite"
THEIRS = "paddle"
INTERNAL = frozenset({"cli", "core", "demo", "kernels", "layers", "ops", "params"})
"""Members of paddle_lite that are no API: `import paddle.kernels` is an error, as it is in PaddlePaddle."""


def target_of(public: str) -> str | None:
    """Return the module of paddle_lite that `paddle.X` stands for, by name only; None for what is no API of PaddlePaddle.

    >>> target_of("paddle.fluid.layers")
    'paddle_lite.fluid.layers'
    """
    parts = public.split(".")[1:]
    return None if parts[:1] and parts[0] in INTERNAL else ".".join([OURS, *parts])


def find_ours(real: str) -> ModuleSpec | None:
    """Return the spec of a module of paddle_lite, or None if there is none; its parents are imported to find out."""
    if real in sys.modules:
        return sys.modules[real].__spec__
    parent = real.rpartition(".")[0]
    if find_ours(parent) is None:
        return None
    path = getattr(importlib.import_module(parent), "__path__", ())
    return sys.modules[real].__spec__ if real in sys.modules else _found(real, path)


def _found(real: str, path: Sequence[str] | None) -> ModuleSpec | None:
    """Return the spec of a module with a file, or of one that a table makes."""
    spec = AliasedPackageFinder.find_spec(real) or PathFinder.find_spec(real, path)
    if spec is not None and spec.origin is not None:  # a folder without __init__.py is no module
        return spec
    return TableFinder.find_spec(real)


class PublicLoader(AliasLoader):
    """Registers a module of paddle_lite under its public name, too.

    It is an `importlib.abc.InspectLoader` by its methods; importing that class would load forty modules.

    Arguments:
        finder: the finder that adopts the module.
        ours: the spec of the module.
    """

    def __init__(self, finder: AliasFinder, ours: ModuleSpec) -> None:
        super().__init__(ours.name)
        self.finder = finder
        self.ours = ours

    def exec_module(self, module: ModuleType) -> None:
        """Replace the new, empty `module` with ours."""
        super().exec_module(module)
        self.finder.adopt(module.__name__, sys.modules[module.__name__])

    # `python -m paddle.X` asks these.

    def get_code(self, fullname: str) -> CodeType | None:
        """Return code that runs the module under its own name, by which it imports what is beside it."""
        if not hasattr(self.ours.loader, "get_code"):
            raise ImportError(f"{self.ours.name} has no Python source", name=self.ours.name)
        run = f"import runpy; runpy.run_module({self.ours.name!r}, run_name='__main__', alter_sys=True)"
        return compile(run, f"<python -m {fullname}>", "exec")

    def get_source(self, fullname: str) -> str | None:
        read = getattr(self.ours.loader, "get_source", None)
        return read(self.ours.name) if read is not None else None

    def is_package(self, fullname: str) -> bool:
        return self.ours.submodule_search_locations is not None


class AliasFinder:
    """The first finder on `sys.meta_path`: it resolves `paddle` and what is below it to paddle_lite, or raises an error."""

    def __init__(self) -> None:
        self.public_names: dict[str, str] = {}  # module of paddle_lite -> what programs call it

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find `paddle.X`; let `paddle_lite.X` be adopted once it is loaded."""
        parent, _, child = fullname.rpartition(".")
        if fullname == THEIRS or fullname.startswith(f"{THEIRS}."):
            real = target_of(fullname)
            ours = find_ours(real) if real else None
            if ours is None:
                raise missing_module(fullname)
            sys.modules.pop(fullname, None)  # if looking has registered it: the import system would execute it again
            loader = PublicLoader(self, ours)
            return ModuleSpec(fullname, loader, origin=ours.origin, is_package=loader.is_package(fullname))
        if parent in self.public_names and not (parent == OURS and child in INTERNAL):
            public = f"{self.public_names[parent]}.{child}"
            spec = _found(fullname, path)
            if spec is None:
                raise missing_module(public)  # this is `from paddle.fluid.layers import child`
            return self._adopting(spec, public)
        return None

    def _adopting(self, spec: ModuleSpec, public: str) -> ModuleSpec:
        """Return the spec of a module of paddle_lite that is adopted as soon as it has been executed."""
        loader = spec.loader
        if loader is not None:
            execute = loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                self.adopt(public, sys.modules[module.__name__])  # another one, if the name is a second name

            loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec

    def adopt(self, public: str, module: ModuleType) -> None:
        """Register a module of paddle_lite, and those below it that are loaded, under their public names."""
        real = module.__name__
        self._answer_as(public, module)
        if module.__spec__ is None or module.__spec__.submodule_search_locations is None:
            return  # no package: no module is below it
        for name in [name for name in sys.modules if name.startswith(f"{real}.")]:
            if real != OURS or name.split(".")[1] not in INTERNAL:
                self._answer_as(public + name[len(real) :], sys.modules[name])

    def _answer_as(self, public: str, module: ModuleType) -> None:
        """Register the public name, and let the module raise errors that name what is missing."""
        self.public_names.setdefault(module.__name__, public)
        sys.modules.setdefault(public, module)
        if not hasattr(module, "__path__"):
            module.__path__ = []
        if not isinstance(vars(module).get("__getattr__"), Attributes):
            vars(module)["__getattr__"] = Attributes(module, public, _has)


def _has(public: str) -> bool:
    """Return whether `paddle.X` can be imported."""
    real = target_of(public)
    return real is not None and find_ours(real) is not None
