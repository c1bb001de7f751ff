"""Which sections the docstring of a public function needs, by its source."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

RETURNS = ("Returns:", "Yields:")
"""Either stands for the other: a context manager yields what its caller binds."""


def complaints(name: str, function: Any) -> list[str]:
    """Return what the docstring of a public function lacks, one complaint a section.

    Arguments:
        name: what programs call it.
        function: a function of Python.
    """
    text = inspect.getdoc(function) or ""
    if not text:
        return [f"{name}: no docstring"]
    lacks = []
    short = text.startswith("Return ") and "Arguments:" not in text  # the summary of a short docstring may say it
    if returns_a_value(function) and not short and not any(section in text for section in RETURNS):
        lacks.append(f"{name} returns a value; its docstring has no section Returns:")
    if raises(function) and "Raises:" not in text:
        lacks.append(f"{name} raises errors; its docstring has no section Raises:")
    return lacks


def returns_a_value(function: Any) -> bool:
    """Tell whether a function has a statement that returns, or yields, something besides None."""
    return any(
        isinstance(node, (ast.Return, ast.Yield)) and node.value is not None and ast.unparse(node.value) != "None"
        for node in _own_nodes(_tree(function))
    )


def raises(function: Any) -> bool:
    """Tell whether a function, or a function of paddle_lite that it calls by its name to check arguments, raises an error.

    What checks arguments is a function that raises errors itself and is defined in the same file, or that stands in
    `layers/support/arguments.py`.
    """
    if _raises_itself(function):
        return True
    return any(_checks(called, function) and _raises_itself(called) for called in _called(function))


def _checks(called: FunctionType, function: FunctionType) -> bool:
    return called.__module__ in (function.__module__, "paddle_lite.layers.support.arguments")


def _called(function: FunctionType) -> Iterator[FunctionType]:
    """Yield the functions that a function calls by a name of its module."""
    module: ModuleType = sys.modules[function.__module__]
    for node in _own_nodes(_tree(function)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found = getattr(module, node.func.id, None)
            if isinstance(found, FunctionType):
                yield found


def _raises_itself(function: Any) -> bool:
    return any(isinstance(node, ast.Raise) and node.exc is not None for node in _own_nodes(_tree(function)))


@cache
def _tree(function: Callable) -> ast.AST:
    return ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))).body[0]


def _own_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of functions that it defines."""
    waiting = list(ast.iter_child_nodes(tree))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))
