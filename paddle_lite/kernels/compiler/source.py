"""The syntax tree of a kernel's Python function."""

from __future__ import annotations

import ast
import functools
import linecache
import os
from types import CodeType, FunctionType
from typing import Any

from ..kernel_contents import code_contents
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
        self.tree = _definition(python)
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
def _definitions(filename: str, text: str) -> tuple[dict[tuple[int, str], ast.FunctionDef], dict[tuple[int, str], Any]]:
    """Return the functions of a file, and their code, by the line of their definition, or of their first decorator, and name."""
    found, module = {}, ast.parse(text, filename)
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found[line, node.name] = node
    codes, pending = {}, [compile(module, filename, "exec", dont_inherit=True)]
    while pending:
        code = pending.pop()
        codes[code.co_firstlineno, code.co_name] = code
        pending += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return found, codes


def _definition(python: FunctionType) -> ast.FunctionDef:
    """Return the definition of a function in its file, if the file is still the one that was loaded."""
    code, name = python.__code__, python.__name__
    text = "".join(linecache.getlines(code.co_filename))
    place = (code.co_firstlineno, name)
    try:
        trees, codes = _definitions(code.co_filename, text)
    except SyntaxError:
        trees, codes = {}, {}
    if place not in trees:
        raise Unsupported(f"the source of {name} is not available")
    if place not in codes or list(code_contents(codes[place])) != list(code_contents(code)):
        raise Unsupported(f"the source of {name} has changed since it was loaded")
    return trees[place]


@functools.lru_cache(maxsize=256)
def source_of(python: FunctionType) -> Source:
    """Return the source of a Python function; raise Unsupported if there is none."""
    return Source(python)
