"""`items.append(x)`: of a list that has become an array of the Program, an operator."""

from __future__ import annotations

import ast
from typing import Any

from ..pyct.names import grown_by
from ..pyct.templates import statements
from .context import Context, Functions


class _Lists(Functions):
    def visit_Expr(self, node: ast.Expr) -> Any:
        call = node.value
        if isinstance(call, ast.Call) and grown_by(call) is not None and len(call.args) == 1 and not call.keywords:
            return statements("_jst.append(items, value)", node, items=call.func.value, value=call.args[0])  # type: ignore[attr-defined]
        return node


def transform(node: ast.FunctionDef, context: Context) -> ast.FunctionDef:
    """items.append(value) -> _jst.append(items, value)"""
    return _Lists(context).visit(node)
