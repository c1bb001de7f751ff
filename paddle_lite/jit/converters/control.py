"""`if`, `while` and `for`: their bodies become functions, which the run-time operators call or build blocks of."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, TypeGuard

from ..pyct.liveness import Liveness
from ..pyct.names import Names, arguments, contains, scan
from ..pyct.templates import RUNTIME, expression, statements
from .context import Context, Functions, declared_outside
from .jumps import JUMPS

KEPT = (*JUMPS, ast.Yield, ast.YieldFrom, ast.Await, ast.Delete, ast.Import, ast.ImportFrom)
"""What cannot stand in a function of its own; an `if` or a loop with one of these stays Python."""


def _is_operator(node: ast.AST) -> TypeGuard[ast.Call]:
    """Tell whether a node is a call of a run-time operator."""
    function = node.func if isinstance(node, ast.Call) else None
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == RUNTIME


class _Control(Functions):
    def __init__(self, context: Context, kinds: tuple[type, ...]) -> None:
        super().__init__(context)
        self.kinds = kinds
        self.live: Any = None
        self.of_module: Names = set()
        self.own: Names = set()
        self.shrunk: Names = set()
        self.carried: Names = set()

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        before = (self.live, self.of_module, self.own, self.shrunk, self.carried)
        self.of_module, of_function = declared_outside(node.body)
        found = scan(node.body)
        self.own = arguments(node.args) | found.writes | self.of_module | of_function
        self.shrunk = found.shrunk
        nodes = [n for s in node.body for n in ast.walk(s)]
        at_once = {id(a) for n in nodes if _is_operator(n) for a in n.args}  # run before anything else happens
        inner = [n for n in nodes if isinstance(n, (ast.FunctionDef, ast.Lambda)) and id(n) not in at_once]
        read_inside = set().union(*(scan([n]).reads for n in inner)) if inner else set()
        self.live = Liveness(node.body, self.of_module | of_function | read_inside)
        self.carried = set()
        node.body = self._visited(node.body)
        missing = sorted(self.carried - arguments(node.args) - self.of_module - of_function)
        first = 1 if isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant) else 0
        heads: list[ast.stmt] = []
        for name in missing:
            text = ast.copy_location(ast.Constant(name), node.body[0])
            heads += statements("name = _jst.Undefined(text)", node.body[0], name=name, text=text)
        node.body[first:first] = heads
        self.live, self.of_module, self.own, self.shrunk, self.carried = before
        return node

    def _visited(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in body:
            result = self.visit(statement)
            made += result if isinstance(result, list) else [result]
        return made

    # --- the parts of a statement that become functions -------------------------------------------------------------------

    def _names(self, node: ast.stmt, parts: Sequence[ast.AST], heads: Sequence[ast.AST]) -> list[str]:
        """Return what a statement changes: names, paths such as `self.h`, and names of outer lists and dicts."""
        found = scan([*parts, *heads])
        names = (found.writes | found.grown | {p for p in found.filled if "." not in p}) & self.own
        self.carried |= names
        places = {p for p in found.filled | found.attributes if p.split(".")[0] not in found.writes}
        return sorted(names) + sorted(places - names)

    def _wanted(self, names: Sequence[str], live: Names, parts: Sequence[ast.AST]) -> tuple[str, ...]:
        """Return the names that are live afterwards; names of outer scopes always are."""
        found = scan(parts)
        filled = found.filled - (found.writes | found.grown)
        return tuple(n for n in names if n in live or n in filled or n not in self.own)

    def _outer(self, names: list[str], at: ast.AST) -> list[ast.stmt]:
        """Return the nonlocal and global declarations for the names that a generated function assigns."""
        made: list[ast.stmt] = []
        names = [n for n in names if n in self.own]
        inner = [n for n in names if n not in self.of_module]
        if inner:
            made.append(ast.copy_location(ast.Nonlocal(inner), at))
        if len(inner) < len(names):
            made.append(ast.copy_location(ast.Global([n for n in names if n in self.of_module]), at))
        return made

    def _function(self, stem: str, names: list[str], body: list[ast.stmt], at: ast.AST) -> tuple[str, list[ast.stmt]]:
        name = self.context.fresh(stem)
        parts = [*self._outer(names, at), *body]
        return name, statements("def function():\n    parts", at, function=name, parts=parts)

    def _state(self, names: list[str], at: ast.AST) -> tuple[str, str, list[ast.stmt]]:
        """Return the functions that get and set what a statement changes."""
        get, put = self.context.fresh("get"), self.context.fresh("set")
        loads: list[ast.expr] = []
        stores: list[ast.expr] = []
        later: list[ast.stmt] = []
        for name in names:
            if name in self.own:
                loads.append(ast.Name(name, ast.Load()))
                stores.append(ast.Name(name, ast.Store()))
                continue
            owner, _, attribute = name.rpartition(".")
            place = self.context.fresh("put")
            stores.append(ast.Name(place, ast.Store()))
            if owner:
                loads.append(expression(f"_jst.attribute(lambda: {owner}, {attribute!r})", at))
                later += statements(f"_jst.set_attribute(lambda: {owner}, {attribute!r}, {place})", at)
            else:
                loads.append(ast.Name(name, ast.Load()))
                later += statements(f"_jst.keep({name}, {place}, {name!r})", at)
        assign: list[ast.stmt] = [ast.Pass()]
        if names:
            assign = [ast.Assign([ast.Tuple(stores, ast.Store())], ast.Name("values", ast.Load())), *later]
        got = ast.Tuple(loads, ast.Load())
        for tree in (got, *assign):
            for part in ast.walk(tree):
                if part._attributes and not hasattr(part, "lineno"):
                    ast.copy_location(part, at)
        text = "def get():\n    return loads\ndef put(values):\n    assign"
        made = statements(text, at, get=get, put=put, loads=got, assign=[*self._outer(names, at), *assign])
        return get, put, made

    @staticmethod
    def _constant(value: Any, at: ast.AST) -> ast.Constant:
        return ast.copy_location(ast.Constant(value), at)

    def _stays(self, node: ast.stmt, parts: Sequence[ast.AST]) -> bool:
        """Tell whether a statement stays Python; the statements in its body may change."""
        return not isinstance(node, self.kinds) or contains(parts, KEPT)

    # --- statements -------------------------------------------------------------------------------------------------------

    def visit_If(self, node: ast.If) -> Any:
        if self._stays(node, [*node.body, *node.orelse]):
            node.body, node.orelse = self._visited(node.body), self._visited(node.orelse)
            return node
        names = self._names(node, [*node.body, *node.orelse], [])
        wanted = self._wanted(names, self.live.after[id(node)], [*node.body, *node.orelse])
        yes, made = self._function("then", names, self._visited(node.body), node)
        other = self._visited(node.orelse) or [ast.copy_location(ast.Pass(), node)]
        no, more = self._function("otherwise", names, other, node)
        get, put, state = self._state(names, node)
        call = statements(
            "_jst.if_(test, yes, no, get, put, names, wanted)", node, test=node.test, yes=yes, no=no, get=get, put=put,
            names=self._constant(tuple(names), node), wanted=self._constant(wanted, node),
        )  # fmt: skip
        return [*made, *more, *state, *call]

    def visit_While(self, node: ast.While) -> Any:
        if self._stays(node, node.body):
            node.body = self._visited(node.body)
            return node
        return self._loop(node, "while_", expression("lambda: test", node, test=node.test), None)

    def visit_For(self, node: ast.For) -> Any:
        if self._stays(node, node.body):
            node.body = self._visited(node.body)
            return node
        until = getattr(node, "until", ())
        text = f"lambda: {until[0]}" if until else "None"
        return self._loop(node, "for_", node.iter, expression(text, node))

    def _loop(self, node: Any, operator: str, head: ast.expr, until: ast.expr | None) -> list[ast.stmt]:
        target = [node.target] if isinstance(node, ast.For) else []
        names = self._names(node, node.body, target)
        wanted = self._wanted(names, self.live.before_round[id(node)], node.body)
        after = self._wanted(names, self.live.after[id(node)], node.body)
        grown = tuple(sorted(scan(node.body).grown & self.own))
        shrunk = tuple(sorted(set(grown) & self.shrunk))
        body = self._visited(node.body)
        name = self.context.fresh("round")
        if target:
            bind = ast.copy_location(
                ast.Assign([node.target], ast.copy_location(ast.Name("_item", ast.Load()), node)), node
            )
            body = [bind, *body]
        text = "def function(_item):\n    parts" if target else "def function():\n    parts"
        made = statements(text, node, function=name, parts=[*self._outer(names, node), *body])
        get, put, state = self._state(names, node)
        extra = ", until" if until is not None else ""
        call = statements(
            f"_jst.{operator}(head, body, get, put, names, wanted, after, grown, shrunk{extra})", node, head=head, body=name,
            get=get, put=put, names=self._constant(tuple(names), node), wanted=self._constant(wanted, node),
            after=self._constant(after, node), grown=self._constant(grown, node), shrunk=self._constant(shrunk, node),
            until=until,
        )  # fmt: skip
        return [*made, *state, *call]


def transform(
    node: ast.FunctionDef, context: Context, kinds: tuple[type, ...] = (ast.If, ast.While, ast.For)
) -> ast.FunctionDef:
    """if test: ... -> _jst.if_(test, then, otherwise, ...), and so on for the statements of some kinds"""
    return _Control(context, kinds).visit(node)
