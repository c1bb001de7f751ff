"""`super()` and mangled names such as `__secret`, which depend on the class around the function."""

from __future__ import annotations

import ast
from typing import Any

from .context import Context


class _Scopes(ast.NodeTransformer):
    def __init__(self, class_name: str | None, first: str | None) -> None:
        self.class_name, self.first = class_name, first

    def _mangled(self, name: str) -> str:
        if self.class_name is None or not name.startswith("__") or name.endswith("__"):
            return name
        return f"_{self.class_name.lstrip('_')}{name}"

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        node.attr = self._mangled(node.attr)
        return node

    def visit_Name(self, node: ast.Name) -> Any:
        node.id = self._mangled(node.id)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args and self.first:
            names = [ast.Name("__class__", ast.Load()), ast.Name(self.first, ast.Load())]
            node.args = [ast.copy_location(name, node) for name in names]
        return node


def transform(node: ast.FunctionDef, context: Context) -> ast.FunctionDef:
    """Write out the arguments of `super()` and the mangled names of private attributes."""
    positional = [*node.args.posonlyargs, *node.args.args]
    return _Scopes(context.class_name, positional[0].arg if positional else None).visit(node)
