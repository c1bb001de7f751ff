"""Which names a tree reads and writes, as its function sees them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .templates import RUNTIME

Names = set[str]


class _Scan(ast.NodeVisitor):
    def __init__(self) -> None:
        self.reads: Names = set()
        self.writes: Names = set()
        self.outer: Names = set()  # declared global or nonlocal
        self.grown: Names = set()  # lists that something is appended to

    def visit_Name(self, node: ast.Name) -> None:
        (self.reads if isinstance(node.ctx, ast.Load) else self.writes).add(node.id)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.reads.add(node.target.id)
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
        self.grown |= inner.grown - arguments(node.args)

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
        self.grown |= inner.grown - inner.writes

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_Import(self, node: ast.Import) -> None:
        self.writes.update((a.asname or a.name.split(".")[0]) for a in node.names)

    visit_ImportFrom = visit_Import  # type: ignore[assignment]

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.writes.add(node.name)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = grown_by(node)
        if name is not None:
            self.grown.add(name)
        self.generic_visit(node)


def grown_by(node: ast.Call) -> str | None:
    """The name of the list that `name.append(x)`, or what it is translated to, appends to."""
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr != "append" or not isinstance(function.value, ast.Name):
        return None
    if function.value.id != RUNTIME:
        return function.value.id
    return node.args[0].id if isinstance(node.args[0], ast.Name) else None


def arguments(node: ast.arguments) -> Names:
    """The names of a function's arguments."""
    every = [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg]
    return {a.arg for a in every if a is not None}


def scan(nodes: Iterable[ast.AST]) -> _Scan:
    """What some nodes of one function read and write."""
    found = _Scan()
    for node in nodes:
        found.visit(node)
    return found


def contains(nodes: Iterable[ast.AST], kinds: tuple[type, ...], stop: tuple[type, ...] = ()) -> bool:
    """Whether one of these kinds of nodes is among them, not looking into functions, classes, lambdas and `stop`."""
    walls = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, *stop)
    for node in nodes:
        if isinstance(node, kinds):
            return True
        if not isinstance(node, walls) and contains(ast.iter_child_nodes(node), kinds, stop):
            return True
    return False
