"""The docstring of every public function says what it returns, and what errors it raises."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from types import FunctionType, ModuleType

import pytest

import paddle_lite as paddle
from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.core.lazy import Namespace

from . import docstrings
from .test_namespaces import TABLES


@cache
def public_functions() -> dict[FunctionType, str]:
    """Return the functions of all public modules, each with the first name under which programs find it."""
    found: dict[FunctionType, str] = {}
    for table in TABLES:
        for module, names in _modules(importlib.import_module(table)):
            for name in names:
                value = getattr(module, name)
                if isinstance(value, FunctionType):
                    found.setdefault(value, f"{module.__name__}.{name}")
    return found


def _modules(namespace: ModuleType) -> Iterator[tuple[ModuleType, list[str]]]:
    """Yield a namespace, and its modules that have no table, each with its public names."""
    names = Namespace.tables[namespace.__name__].public_names
    yield namespace, names
    for name in names:
        module = getattr(namespace, name)
        if inspect.ismodule(module) and module.__name__ not in Namespace.tables:
            own = [key for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
            yield module, getattr(module, "__all__", [key for key in own if not key.startswith("_")])


def test_the_public_functions_are_found() -> None:
    assert len(public_functions()) > 500
    assert {paddle.fluid.layers.fc, paddle.dataset.mnist.train, paddle.std} <= set(public_functions())


def test_docstrings_say_what_is_returned_and_raised() -> None:
    functions = public_functions().items()
    assert [text for function, name in functions for text in docstrings.complaints(name, function)] == []


def _check(x: int) -> None:
    if x < 0:
        raise ArgumentTypeError("x")


def silent(x: int) -> int:
    """Double x.

    Arguments:
        x: an int.
    """
    _check(x)
    return 2 * x


def complete(x: int) -> int:
    """Double x.

    Returns:
        An int.

    Raises:
        ArgumentTypeError: x is negative.
    """
    _check(x)
    return 2 * x


def short(x: int) -> int:
    """Return twice x."""
    return 2 * x


def gives_nothing(x: int) -> None:
    """Do nothing with x."""

    def inner() -> int:
        raise KeyError(x)

    if x:
        return None
    _ = inner


def bare(x: int) -> None:
    pass


@pytest.mark.parametrize(
    ("function", "lacks"),
    [
        (silent, ["Returns:", "Raises:"]),
        (complete, []),
        (short, []),
        (gives_nothing, []),
        (bare, ["no docstring"]),
    ],
)
def test_the_check_sees_what_is_missing(function: FunctionType, lacks: list[str]) -> None:
    complaints = docstrings.complaints(function.__name__, function)
    assert [lack in complaint for lack, complaint in zip(lacks, complaints, strict=True)] == [True] * len(lacks)
