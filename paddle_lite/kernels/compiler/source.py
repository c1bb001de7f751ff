"""The syntax tree of a kernel's Python function."""

from __future__ import annotations

import ast
import functools
import linecache
import os
from types import FunctionType
from typing import Any

from .errors import Unsupported

__all__ = ["Source", "source_of"]


class Source:
    """A function's syntax tree and surroundings.

    Attributes:
        tree: the definition.
        globals: the globals that its names refer to.
        parameters: the names of its parameters.
        defaults: the values of the last of them.
    """

    def __init__(self, python: FunctionType) -> None:
        self.python = python
        self.tree = _definition(python.__code__.co_filename, python.__code__.co_firstlineno, python.__name__)
        arguments = self.tree.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise Unsupported(f"the parameters of {python.__name__}: * or **")
        self.globals: dict[str, Any] = python.__globals__
        self.parameters = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
        self.defaults: tuple[Any, ...] = python.__defaults__ or ()

    def place(self, node: Any) -> str:
        """Return "file:line" of a node of the tree."""
        line = getattr(node, "lineno", self.tree.lineno)
        return f"{os.path.basename(self.python.__code__.co_filename)}:{line}"

    def require_local(self, node: ast.AST) -> None:
        """Raise Unsupported if an array that a loop allocates at `node` may outlive a run of the loop's body."""
        for each in ast.walk(self.tree):
            if (
                isinstance(each, ast.Assign)
                and each.value is node
                and all(isinstance(t, ast.Name) for t in each.targets)
            ):
                names = {t.id for t in each.targets if isinstance(t, ast.Name)}
                if any(name in names for name in self._renamed):
                    raise Unsupported("an array that is allocated in a loop and gets a second name")

    @functools.cached_property
    def _renamed(self) -> set[str]:
        """Names that are the whole value of an assignment, or one of its items."""
        found: set[str] = set()
        for each in ast.walk(self.tree):
            if isinstance(each, ast.Assign):
                values = each.value.elts if isinstance(each.value, ast.Tuple) else [each.value]
                for value in values:
                    sides = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
                    found |= {side.id for side in sides if isinstance(side, ast.Name)}
        return found


@functools.lru_cache(maxsize=256)
def _definitions(filename: str, text: str) -> dict[tuple[int, str], ast.FunctionDef]:
    """Return the functions of a file by the line of their definition, or of their first decorator, and name."""
    found = {}
    for node in ast.walk(ast.parse(text, filename)):
        if isinstance(node, ast.FunctionDef):
            line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found[line, node.name] = node
    return found


def _definition(filename: str, line: int, name: str) -> ast.FunctionDef:
    text = "".join(linecache.getlines(filename))
    try:
        found = _definitions(filename, text).get((line, name))
    except SyntaxError:
        found = None
    if found is None:
        raise Unsupported(f"the source of {name} is not available")
    return found


@functools.lru_cache(maxsize=256)
def source_of(python: FunctionType) -> Source:
    """Return the source of a Python function; raise Unsupported if there is none."""
    return Source(python)
