"""Code templates: syntax trees from source text with placeholders, instead of node by node."""

from __future__ import annotations

import ast
import copy
import functools
from typing import Any

RUNTIME = "_jst"
"""What translated functions know the run-time operators by."""


@functools.cache
def _parsed(text: str) -> ast.Module:
    """Parse a template; its nodes have no line numbers."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        for attribute in node._attributes:
            delattr(node, attribute)
    return tree


class _Fill(ast.NodeTransformer):
    def __init__(self, parts: dict[str, Any]) -> None:
        self.parts = parts

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Name) and isinstance(self.parts.get(node.value.id), list):
            return self.parts[node.value.id]
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        part = self.parts.get(node.id, node)
        if isinstance(part, str):
            return ast.Name(part, node.ctx)
        return copy.deepcopy(part) if part is not node else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.name = self.parts.get(node.name, node.name)
        self.generic_visit(node)
        for argument in node.args.args:
            argument.arg = self.parts.get(argument.arg, argument.arg)
        return node


def statements(text: str, at: ast.AST, /, **parts: Any) -> list[ast.stmt]:
    """Return the statements of a template, its placeholders replaced by names, expressions or lists of statements.

    Arguments:
        text: the source.
        at: the node whose line and column the statements get.
        parts: placeholder -> its replacement.
    """
    tree = _Fill(parts).visit(copy.deepcopy(_parsed(text)))
    return [_placed(node, at) for node in tree.body]


def expression(text: str, at: ast.AST, /, **parts: Any) -> Any:
    """Return the expression of a template, its placeholders replaced."""
    [statement] = statements(text, at, **parts)
    assert isinstance(statement, ast.Expr)
    return statement.value


def _placed(node: Any, at: ast.AST) -> Any:
    """Give the line and column of `at` to the nodes that have none (of a call: the end of the called name)."""
    if node._attributes:
        if hasattr(node, "lineno"):
            return node  # it and its parts come from the file
        ast.copy_location(node, at)
        node.end_lineno, node.end_col_offset = node.lineno, node.col_offset
    for child in ast.iter_child_nodes(node):
        _placed(child, at)
    return node
