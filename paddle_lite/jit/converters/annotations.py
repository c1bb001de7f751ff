"""Annotated assignments lose the annotation: a nonlocal variable cannot have one."""

from __future__ import annotations

import ast
from typing import Any

from .context import Context, Functions


class _Annotations(Functions):
    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        made = ast.Pass() if node.value is None else ast.Assign([node.target], node.value)
        return ast.copy_location(made, node)


def transform(node: ast.FunctionDef, context: Context) -> ast.FunctionDef:
    """x: kind = value -> x = value"""
    return _Annotations(context).visit(node)
