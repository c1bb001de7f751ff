"""The errors about names of PaddlePaddle that paddle_lite does not implement."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ..version import own_version
from .errors import NotYetAvailable


def public_name(module: str) -> str:
    """Return the name under which programs import a module of paddle_lite.

    >>> public_name("paddle_lite.fluid.layers")
    'paddle.fluid.layers'
    """
    return ".".join(["paddle", *module.split(".")[1:]])


def missing_text(name: str) -> str:
    """Return the error text for a missing API; `name` is its full dotted name."""
    return f"{name} is not yet available in paddle_lite {own_version}"


def missing_attribute(module: str, attribute: str) -> AttributeError:
    """Return the error for `module.attribute`, where `module` is the name of a module of paddle_lite."""
    public, obj = public_name(module), sys.modules.get(module)
    if attribute.startswith("__"):
        return AttributeError(f"module {public!r} has no attribute {attribute!r}", name=attribute, obj=obj)
    return NotYetAvailable(missing_text(f"{public}.{attribute}"), name=attribute, obj=obj)


def missing_names(module: str) -> Callable[[str], Any]:
    """Return a `__getattr__` for a module that raises `NotYetAvailable` for every other name.

    >>> missing_names("paddle_lite.fluid")("contrib")
    Traceback (most recent call last):
    paddle_lite.core.errors.NotYetAvailable: paddle.fluid.contrib is not yet available in paddle_lite ...
    """

    def __getattr__(name: str) -> Any:
        raise missing_attribute(module, name)

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
