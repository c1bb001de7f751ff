"""`x.shape`: sizes that are unknown before the Program runs become Variables."""

from __future__ import annotations

import ast
from typing import Any

from ..pyct.templates import expression
from .context import Context, Functions


class _Shapes(Functions):
    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if node.attr == "shape" and isinstance(node.ctx, ast.Load):
            return expression("_jst.shape(value)", node, value=node.value)
        return node


def transform(node: ast.FunctionDef, context: Context) -> ast.FunctionDef:
    """x.shape -> _jst.shape(x)"""
    return _Shapes(context).visit(node)
