"""Calls: the called function is translated when it is called."""

from __future__ import annotations

import ast
from typing import Any

from ..pyct.templates import RUNTIME, expression
from .context import Context, Functions

KEPT = frozenset({"super", "locals", "globals", "vars"})
"""Functions that look at who calls them."""


class _Calls(Functions):
    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Name) and function.id in KEPT:
            return node
        if (
            isinstance(function, ast.Attribute)
            and isinstance(function.value, ast.Name)
            and function.value.id == RUNTIME
        ):
            return node
        node.func = expression("_jst.call(function)", node, function=function)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.body = [self.visit(statement) for statement in node.body]
        return node


def transform(node: ast.FunctionDef, context: Context) -> ast.FunctionDef:
    """f(x) -> _jst.call(f)(x)"""
    return _Calls(context).visit(node)
