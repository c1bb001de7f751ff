"""`and`, `or`, `not`, `a if c else b` and comparison chains: operators of the Program where an operand is a Variable."""

from __future__ import annotations

import ast
from typing import Any

from ..pyct.names import contains
from ..pyct.templates import expression
from .context import Context, Functions

KEPT = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)  # mean something else inside of a lambda
SYMBOLS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


class _Expressions(Functions):
    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        if contains([node], KEPT):
            return node
        name = "_jst.and_" if isinstance(node.op, ast.And) else "_jst.or_"
        result = node.values[-1]
        for value in reversed(node.values[:-1]):
            result = expression(f"{name}(value, lambda: later)", node, value=value, later=result)
        return result

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        return expression("_jst.not_(value)", node, value=node.operand) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self.generic_visit(node)
        if contains([node], KEPT):
            return node
        text = "_jst.if_expression(test, lambda: yes, lambda: no)"
        return expression(text, node, test=node.test, yes=node.body, no=node.orelse)

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        if len(node.ops) < 2 or contains([node], KEPT) or not all(type(op) in SYMBOLS for op in node.ops):
            return node
        symbols: Any = tuple(SYMBOLS[type(op)] for op in node.ops)
        made = expression("_jst.compare(first, symbols)", node, first=node.left, symbols=ast.copy_location(
            ast.Constant(symbols), node))  # fmt: skip
        made.args += [expression("lambda: value", node, value=value) for value in node.comparators]
        return made


def transform(node: ast.FunctionDef, context: Context) -> ast.FunctionDef:
    """a and b -> _jst.and_(a, lambda: b), and so on"""
    return _Expressions(context).visit(node)
