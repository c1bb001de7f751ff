"""The errors about a name that PaddlePaddle may have and paddle_lite has not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ..version import own_version
from .errors import NotYetAvailable


def public_name(module: str) -> str:
    """What programs call a module of paddle_lite.

    >>> public_name("paddle_lite.fluid.layers")
    'paddle.fluid.layers'
    """
    return ".".join(["paddle", *module.split(".")[1:]])


def missing_text(name: str) -> str:
    """What is said of a missing API, `name` with all its dots."""
    return f"{name} is not yet available in paddle_lite {own_version}"


def missing_attribute(module: str, attribute: str) -> AttributeError:
    """The error for `module.attribute`, where `module` is the name of a module of paddle_lite."""
    public, obj = public_name(module), sys.modules.get(module)
    if attribute.startswith("__"):
        return AttributeError(f"module {public!r} has no attribute {attribute!r}", name=attribute, obj=obj)
    return NotYetAvailable(missing_text(f"{public}.{attribute}"), name=attribute, obj=obj)


def missing_names(module: str) -> Callable[[str], Any]:
    """The `__getattr__` of a module that has what it has.

    >>> missing_names("paddle_lite.fluid")("contrib")
    Traceback (most recent call last):
    paddle_lite.core.errors.NotYetAvailable: paddle.fluid.contrib is not yet available in paddle_lite ...
    """

    def __getattr__(name: str) -> Any:
        raise missing_attribute(module, name)

    return __getattr__


class _Later(type):
    """The class of names that can be imported, but not used yet."""

    not_yet_available = True

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        raise NotYetAvailable(missing_text(f"{public_name(cls.__module__)}.{cls.__name__}"))

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotYetAvailable(missing_text(f"{public_name(cls.__module__)}.{cls.__name__}.{name}"))


def later(module: str, names: str) -> dict[str, Any]:
    """Classes that stand for parts of PaddlePaddle to come: programs that only import them work; using one is an error.

    Arguments:
        module: the `__name__` of the module that offers them.
        names: the names.

    >>> later("paddle_lite.fluid.contrib", "Compressor")["Compressor"]()
    Traceback (most recent call last):
    paddle_lite.core.errors.NotYetAvailable: paddle.fluid.contrib.Compressor is not yet available in paddle_lite ...
    """
    return {name: _Later(name, (), {"__module__": module}) for name in names.split()}
