"""The errors about names that paddle_lite does not have: those of PaddlePaddle 1.8.5 that it does not implement, and others."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from ..version import own_version
from .errors import NotYetAvailable, missing_name


def public_name(module: str) -> str:
    """Return the name under which programs import a module of paddle_lite.

    >>> public_name("paddle_lite.fluid.layers")
    'paddle.fluid.layers'
    """
    return ".".join(["paddle", *module.split(".")[1:]])


def missing_text(name: str) -> str:
    """Return the error text for a missing API; `name` is its full dotted name."""
    return f"{name} is not yet available in paddle_lite {own_version}"


@cache
def names_of_1_8() -> dict[str, frozenset[str]]:
    """Return the names that each module of PaddlePaddle 1.8.5 has, by the name of the module."""
    return {module: frozenset(names.split()) for module, names in _recorded("names_1_8.json").items()}


@cache
def imports_of_1_8() -> dict[str, dict[str, str]]:
    """Return what each module of PaddlePaddle 1.8.5 imports for itself from its other modules: module -> name -> home.

    A home is "module:name", or "module:*" for the module itself.
    """
    return {module: _by_name(homes) for module, homes in _recorded("imports_1_8.json").items()}


@cache
def star_of_1_8() -> dict[str, dict[str, str]]:
    """Return what `from module import *` gives of NumPy and Python's own modules, of each module of 1.8.5 without `__all__`.

    The form is that of `imports_of_1_8`.
    """
    return {module: _by_name(homes) for module, homes in _recorded("star_1_8.json").items()}


def _by_name(homes: dict[str, str]) -> dict[str, str]:
    """Return name -> "home:name" of a record home -> words."""
    entries = ((home, *word.partition("=")[::2]) for home, words in homes.items() for word in words.split())
    return {name: f"{home}:{other or name}" for home, name, other in entries}


def _recorded(name: str) -> dict[str, Any]:
    """Return what a file beside this one records, which `tests/fluid/record_names.py` has written."""
    import json  # only a name that no table has needs it

    with open(f"{__file__.removesuffix('missing.py')}{name}", encoding="utf8") as file:
        return json.load(file)


def imports_of(module: str, here: Iterable[str] = ()) -> dict[str, str]:
    """Return what the file of PaddlePaddle 1.8.5 imports for itself: name -> "module:name".

    Without `__all__` in the file, what it imports of NumPy and Python's modules is among it.

    Programs take such names from there, too, as in `from paddle.fluid.layers.nn import LayerHelper`.

    Arguments:
        module: the `__name__` of a module of paddle_lite.
        here: the names below it of modules of 1.8.5 that are this one here.
    """
    public, found = public_name(module), dict[str, str]()
    for child in (*here, ""):
        file = f"{public}.{child}".rstrip(".")
        found |= {**star_of_1_8().get(file, {}), **imports_of_1_8().get(file, {})}
    return found


def names_without_all(module: str) -> set[str]:
    """Return the public names of a file of PaddlePaddle 1.8.5 that has no `__all__`, all of which `from module import *` gives.

    The set is empty where the file has `__all__`.

    Arguments:
        module: the `__name__` of a module of paddle_lite.
    """
    file = public_name(module)
    others = star_of_1_8().get(file)
    return set() if others is None else {name for name in (*names_of_1_8()[file], *others) if not name.startswith("_")}


def imported_value(module: str, home: str) -> Any:
    """Return what a home of `imports_of` stands for here, or None where it is missing here, or `module` itself its home."""
    source, _, name = home.partition(":")
    package, _, below = source.partition(".")
    try:
        found = importlib.import_module(f"paddle_lite.{below}".rstrip(".") if package == "paddle" else source)
    except ModuleNotFoundError:
        return None
    return found if name == "*" else None if found.__name__ == module else getattr(found, name, None)


def is_of_1_8(name: str) -> bool:
    """Return whether PaddlePaddle 1.8.5 has a name: a module, or a name in one.

    >>> is_of_1_8("paddle.fluid.layers.fc"), is_of_1_8("paddle.fluid.layers.fcc")
    (True, False)
    """
    known = names_of_1_8()
    parent, _, child = name.rpartition(".")
    return name in known or child in known.get(parent, ())


def absent_text(name: str) -> str:
    """Return the error text for a name that is not there; `name` is its full dotted name.

    It says "not yet available" of what PaddlePaddle 1.8.5 has, and of anything else which name is close to it.
    """
    from .text import closest

    if is_of_1_8(name):
        return missing_text(name)
    parent, _, child = name.rpartition(".")
    module = sys.modules.get(f"paddle_lite{parent.removeprefix('paddle')}")
    here = () if module is None else (each for each in dir(module) if not each.startswith("_"))
    close = "" if child.startswith("_") else closest(child, here)  # `inspect` and its like probe for many private names
    return f"module {parent!r} has no attribute {child!r}." + (f" Did you mean {close!r}?" if close else "")


def missing_attribute(module: str, attribute: str) -> AttributeError:
    """Return the error for `module.attribute`, where `module` is the name of a module of paddle_lite."""
    public = public_name(module)
    if attribute.startswith("__"):
        return AttributeError(f"module {public!r} has no attribute {attribute!r}", name=attribute)
    name = f"{public}.{attribute}"
    text = absent_text(name)
    return NotYetAvailable(text, name=attribute) if is_of_1_8(name) else missing_name(text, attribute)


def missing_names(module: str) -> Callable[[str], Any]:
    """Return a `__getattr__` for a module with a file: what 1.8.5 imports there, and an AttributeError for other names.

    >>> import paddle_lite.fluid.layers
    >>> missing_names("paddle_lite.fluid.layers")("conv2")
    Traceback (most recent call last):
    AttributeError: module 'paddle.fluid.layers' has no attribute 'conv2'. Did you mean 'conv2d'?
    """

    def __getattr__(name: str) -> Any:
        home = imports_of(module).get(name)
        value = imported_value(module, home) if home else None
        if value is None:
            raise missing_attribute(module, name)
        return value

    return __getattr__


class _Later(type):
    """The metaclass of placeholders: classes that can be imported, but not used."""

    not_yet_available = True

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        raise NotYetAvailable(missing_text(f"{public_name(cls.__module__)}.{cls.__name__}"))

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotYetAvailable(missing_text(f"{public_name(cls.__module__)}.{cls.__name__}.{name}"))


def placeholders(module: str, name: str) -> type:
    """Return a placeholder class for an unimplemented part of PaddlePaddle: importing it works, using it raises an error.

    Arguments:
        module: the `__name__` of the module that exports it.
        name: its name there.

    >>> placeholders("paddle_lite.fluid.contrib", "Compressor")()
    Traceback (most recent call last):
    paddle_lite.core.errors.NotYetAvailable: paddle.fluid.contrib.Compressor is not yet available in paddle_lite ...
    """
    return _Later(name, (), {"__module__": module})
