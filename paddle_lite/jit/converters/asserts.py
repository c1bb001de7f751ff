"""`assert` of a Variable is checked when the Program runs."""

from __future__ import annotations

import ast
from typing import Any

from ..pyct.templates import statements
from .context import Context, Functions


class _Asserts(Functions):
    def visit_Assert(self, node: ast.Assert) -> Any:
        said = node.msg if node.msg is not None else ast.copy_location(ast.Constant(None), node)
        return statements("_jst.assert_(test, lambda: said)", node, test=node.test, said=said)


def transform(node: ast.FunctionDef, context: Context) -> ast.FunctionDef:
    """assert test, said -> _jst.assert_(test, lambda: said)"""
    return _Asserts(context).visit(node)
