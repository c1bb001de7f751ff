"""`x[i]`: an operator where x is a tensor array of the Program or i a Variable."""

from __future__ import annotations

import ast
from typing import Any

from ..pyct.templates import expression, statements
from .context import Context, Functions


class _Slices(Functions):
    def visit_Subscript(self, node: ast.Subscript) -> Any:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and not isinstance(node.slice, (ast.Slice, ast.Tuple)):
            return expression("_jst.item(value, index)", node, value=node.value, index=node.slice)
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        target = node.targets[0]
        if (
            len(node.targets) == 1
            and isinstance(target, ast.Subscript)
            and not isinstance(target.slice, (ast.Slice, ast.Tuple))
        ):
            text = "_jst.set_item(items, index, value)"
            return statements(text, node, items=target.value, index=target.slice, value=node.value)
        return node


def transform(node: ast.FunctionDef, context: Context) -> ast.FunctionDef:
    """x[i] -> _jst.item(x, i); x[i] = y -> _jst.set_item(x, i, y)"""
    return _Slices(context).visit(node)
