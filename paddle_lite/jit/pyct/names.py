"""The names that a syntax tree reads and writes in the scope of its function."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from .templates import RUNTIME

Names = set[str]


class _Scan(ast.NodeVisitor):
    def __init__(self) -> None:
        self.reads: Names = set()
        self.writes: Names = set()
        self.outer: Names = set()  # declared global or nonlocal
        self.grown: Names = set()  # lists that something is appended to
        self.shrunk: Names = set()  # lists that something is popped from
        self.filled: Names = set()  # paths of containers whose items are set, such as `d` and `self.d`
        self.attributes: Names = set()  # paths that are set, such as `self.h`

    def visit_Name(self, node: ast.Name) -> None:
        (self.reads if isinstance(node.ctx, ast.Load) else self.writes).add(node.id)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.reads.add(node.target.id)
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        path = path_of(node)
        if path is not None and isinstance(node.ctx, ast.Store):
            self.attributes.add(path)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.ctx, ast.Store):
            self._fills(node.value)
        self.generic_visit(node)

    def _fills(self, node: ast.AST) -> None:
        path = path_of(node)
        if path is not None:
            self.filled.add(path)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name is not None:
            self.writes.add(node.name)
        self.generic_visit(node)

    visit_MatchStar = visit_MatchAs  # type: ignore[assignment]

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest is not None:
            self.writes.add(node.rest)
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        self.outer.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.outer.update(node.names)
        self.reads.update(node.names)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.writes.add(node.name)
        for part in (*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
            self.visit(part)
        inner = scan(node.body)
        own = arguments(node.args) | (inner.writes - inner.outer)
        self.reads |= inner.reads - own
        self.writes |= inner.writes & inner.outer
        self.outer |= inner.writes & inner.outer

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for part in (*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
            self.visit(part)
        inner = scan([node.body])
        self.reads |= inner.reads - arguments(node.args)
        self._inner(inner, arguments(node.args))

    def _inner(self, inner: _Scan, own: Names) -> None:
        """Add what an inner scope changes, except for its own names."""
        for here, there in (
            (self.grown, inner.grown), (self.shrunk, inner.shrunk), (self.filled, inner.filled),
            (self.attributes, inner.attributes),
        ):  # fmt: skip
            here.update(path for path in there if path.split(".")[0] not in own)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.writes.add(node.name)
        inner = scan(node.body)
        self.reads |= inner.reads
        for part in (*node.bases, *node.decorator_list):
            self.visit(part)

    def _comprehension(self, node: ast.AST) -> None:
        inner = _Scan()
        inner.generic_visit(node)
        self.reads |= inner.reads - inner.writes
        self._inner(inner, inner.writes)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_Import(self, node: ast.Import) -> None:
        self.writes.update((a.asname or a.name.split(".")[0]) for a in node.names)

    visit_ImportFrom = visit_Import  # type: ignore[assignment]

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.writes.add(node.name)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        method, owner = method_of(node)
        if method in FILLING:
            self._fills(owner)
        if isinstance(owner, ast.Name) and method == "append":
            self.grown.add(owner.id)
        elif isinstance(owner, ast.Name) and method == "pop":
            self.shrunk.add(owner.id)
        self.generic_visit(node)


FILLING = frozenset(
    {
        "append",
        "clear",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "reverse",
        "set_item",
        "setdefault",
        "sort",
        "update",
    }
)
"""Methods that change the list or dict that they belong to."""


def method_of(node: ast.Call) -> tuple[str | None, Any]:
    """Return the name of the method that is called and the node of its owner, for `x.f(...)` or its translation."""
    function: Any = node.func
    if isinstance(function, ast.Call) and _is_runtime(function.func) and function.args:
        function = function.args[0]  # _jst.call(x.f)(...)
    if not isinstance(function, ast.Attribute):
        return None, None
    if _is_runtime(function):
        return function.attr, node.args[0] if node.args else None
    return function.attr, function.value


def _is_runtime(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == RUNTIME


def path_of(node: ast.AST) -> str | None:
    """Return "a.b" for `a.b`, `a.b[...]` and their translations; None for other expressions."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = path_of(node.value) if not isinstance(node.value, (ast.Subscript, ast.Call)) else None
        return None if owner is None else f"{owner}.{node.attr}"
    if isinstance(node, ast.Subscript):
        return path_of(node.value)
    if isinstance(node, ast.Call) and _is_runtime(node.func) and node.args:
        return path_of(node.args[0])  # _jst.item(x, i)
    return None


def arguments(node: ast.arguments) -> Names:
    """Return the names of a function's arguments."""
    every = [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg]
    return {a.arg for a in every if a is not None}


def scan(nodes: Iterable[ast.AST]) -> _Scan:
    """Return what some nodes of one function read and write."""
    found = _Scan()
    for node in nodes:
        found.visit(node)
    return found


def contains(nodes: Iterable[ast.AST], kinds: tuple[type, ...], stop: tuple[type, ...] = ()) -> bool:
    """Tell whether a node of these kinds is among them. Functions, classes, lambdas and nodes of `stop` are not searched."""
    walls = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, *stop)
    for node in nodes:
        if isinstance(node, kinds):
            return True
        if not isinstance(node, walls) and contains(ast.iter_child_nodes(node), kinds, stop):
            return True
    return False
