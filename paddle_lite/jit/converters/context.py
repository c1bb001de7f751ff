"""The state of one translation, shared by the converters."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Set

from ..pyct.names import Names


class Context:
    """The translation of one function.

    Arguments:
        class_name: the class that the function is defined in, for mangled names such as `__secret`; or None.
        taken: names that `fresh` must not return, those of what an earlier translation of the tree has made.
    """

    def __init__(self, class_name: str | None, taken: Set[str] = frozenset()) -> None:
        self.class_name = class_name
        self._taken = taken
        self._numbers: dict[str, itertools.count] = {}

    def fresh(self, stem: str) -> str:
        """Return a name that does not occur in the user's code."""
        numbers = self._numbers.setdefault(stem, itertools.count(1))
        return next(name for number in numbers if (name := f"_{stem}_{number}") not in self._taken)


class Functions(ast.NodeTransformer):
    """Visit a function and the functions inside of it, innermost first, each as a whole."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        return node  # a class inside of a function stays Python

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return node


def declared_outside(body: list[ast.stmt]) -> tuple[Names, Names]:
    """Return the names that a function declares global, and those that it declares nonlocal."""
    of_module, of_function = set(), set()
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Global):
            of_module.update(node.names)
        elif isinstance(node, ast.Nonlocal):
            of_function.update(node.names)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(node))
    return of_module, of_function
