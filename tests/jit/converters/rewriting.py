"""One converter run by itself."""

from __future__ import annotations

import ast
import textwrap
from types import ModuleType

from paddle_lite.jit.converters import Context


def rewritten(converter: ModuleType, body: str, arguments: str = "x") -> str:
    """The body of `def f(x)` after one converter, as text."""
    source = f"def f({arguments}):\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    [function] = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    made = converter.transform(function, Context("Net"))
    return _unparsed(ast.fix_missing_locations(ast.Module(made.body, [])))


def text(code: str) -> str:
    """Code as `rewritten` gives it."""
    return _unparsed(ast.parse(textwrap.dedent(code)))


def _unparsed(tree: ast.Module) -> str:
    return ast.unparse(tree).replace("lambda :", "lambda:")  # Python 3.10 writes a space
