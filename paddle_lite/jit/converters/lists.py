"""`items.append(x)` and `items.pop()`: operators where the list has become a tensor array of the Program."""

from __future__ import annotations

import ast
from typing import Any

from ..pyct.templates import expression
from .context import Context, Functions

METHODS = frozenset({"append", "pop"})


class _Lists(Functions):
    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        function = node.func
        if (
            isinstance(function, ast.Attribute)
            and function.attr in METHODS
            and len(node.args) < 2
            and not node.keywords
            and not any(isinstance(a, ast.Starred) for a in node.args)
        ):
            made = expression(f"_jst.{function.attr}(items)", node, items=function.value)
            made.args += node.args
            return made
        return node


def transform(node: ast.FunctionDef, context: Context) -> ast.FunctionDef:
    """items.append(value) -> _jst.append(items, value); items.pop(place) -> _jst.pop(items, place)"""
    return _Lists(context).visit(node)
