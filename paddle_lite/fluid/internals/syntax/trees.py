"""Syntax trees of `ast` and `gast`: text of a tree, trees from text, names of what is called."""

from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Sequence
from keyword import iskeyword
from typing import Any

from ....core.errors import ArgumentTypeError, describe, message

LIBRARIES = {"fluid": "paddle", "paddle": "paddle", "np": "numpy", "numpy": "numpy"}
"""The first name of a dotted one -> the library that it stands for."""


def kind(node: Any) -> str:
    """Return the name of a node's class, which is the same in `ast` and `gast`."""
    return type(node).__name__


def is_gast(node: Any) -> bool:
    """Return whether a node belongs to the package gast."""
    return type(node).__module__.split(".")[0] == "gast"


def require_tree(argument: str, node: Any) -> None:
    """Raise unless a value is a syntax tree.

    Raises:
        ArgumentTypeError: it is something else.
    """
    if not isinstance(node, ast.AST):
        raise ArgumentTypeError(f"Type of {argument} should be gast.AST or ast.AST, not {type(node).__name__}.")


def ast_to_source_code(ast_node: Any) -> str:
    """Return the text of a syntax tree.

    Arguments:
        ast_node: a tree of `ast` or `gast`, or a list of statements.

    Returns:
        The text.

    Raises:
        ArgumentTypeError: it is no tree.

    >>> import ast
    >>> ast_to_source_code(ast.parse('x=  1'))
    'x = 1\\n'
    """
    if isinstance(ast_node, (list, tuple)):
        return "".join(ast_to_source_code(each) for each in ast_node)
    require_tree("ast_root", ast_node)
    tree = sys.modules["gast"].gast_to_ast(ast_node) if is_gast(ast_node) else ast_node
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def statement(text: str, like: Any, **parts: Any) -> Any:
    """Return the statement of a text, with nodes in the place of names, as a tree of the package that `like` is of."""
    tree = ast.parse(text).body[0]
    if is_gast(like):
        tree = sys.modules["gast"].ast_to_gast(tree)
    return _Filled(parts).visit(tree)


class _Filled(ast.NodeTransformer):
    def __init__(self, parts: dict[str, Any]) -> None:
        self.parts = parts

    def visit(self, node: Any) -> Any:
        if kind(node) == "Name" and node.id in self.parts:
            return copy.deepcopy(self.parts[node.id])
        return self.generic_visit(node)


def name_node(name: str, like: Any) -> Any:
    """Return the tree of a name that is read."""
    return statement(name, like).value


def dotted(node: Any) -> str:
    """Return "a.b.c" for a name with attributes, "" for other expressions."""
    if kind(node) == "Name":
        return str(node.id)
    if kind(node) != "Attribute":
        return ""
    owner = dotted(node.value)
    return f"{owner}.{node.attr}" if owner else ""


def library(node: Any) -> str:
    """Return "paddle" or "numpy" for a call of a function of that library by its usual name, else ""."""
    first, dot, _ = dotted(node.func).partition(".")
    return LIBRARIES.get(first, "") if dot else ""


def reads_array(node: Any) -> bool:
    """Return whether a node is a call `x.numpy()`."""
    return kind(node) == "Call" and kind(node.func) == "Attribute" and node.func.attr == "numpy" and not library(node)


def index_in_list(array_list: Sequence[Any], item: Any) -> int:
    """Return the first index of an item, -1 if it is not there.

    >>> index_in_list([3, 4], 4), index_in_list([3, 4], 5)
    (1, -1)
    """
    return list(array_list).index(item) if item in array_list else -1


def create_fill_constant_node(name: str, value: Any) -> ast.stmt | None:
    """Return the statement that sets a name to a constant Variable; None for what is no number.

    Arguments:
        name: the name.
        value: a bool, int or float.

    Returns:
        The tree of the statement, or None.

    Raises:
        ArgumentTypeError: `name` is no name.

    >>> ast_to_source_code(create_fill_constant_node('a', 1.0))
    "a = fluid.layers.fill_constant(shape=[1], dtype='float64', value=1.0)\\n"
    """
    if not isinstance(name, str) or not name.isidentifier() or iskeyword(name):
        raise ArgumentTypeError(message("create_fill_constant_node", "name", describe(name), "the name of a variable"))
    dtype = {bool: "bool", int: "int64", float: "float64"}.get(type(value))
    if dtype is None:
        return None
    return ast.parse(f"{name} = fluid.layers.fill_constant(shape=[1], dtype='{dtype}', value={value!r})").body[0]
