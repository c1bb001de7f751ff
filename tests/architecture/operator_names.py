"""The check that Plans and the translation name no operators: what they need to know stands in the declarations, as traits."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

from .layers import PACKAGE

FOLDERS = ("static/plan", "jit")
WORDS = frozenset({"abs", "dot", "matmul", "mul", "pow", "reverse", "round", "shape", "size", "sum"})
"""Types of operators that are also names of other things: attributes of arrays, methods of Python, kinds of units."""
LOOKUPS = frozenset({"append_op", "registry.get", "get"})
"""Calls whose first argument is the type of an operator."""


def operator_name_complaints(root: Path, types: Collection[str], attributes: Collection[str]) -> list[str]:
    """Complain about string literals in FOLDERS that are types of operators.

    A literal that is also a word, or the name of an attribute, counts only where it stands for an operator: compared with a
    type, in a set of types, or looked up.

    Arguments:
        types: of the operators that must not be named. attributes: the names of attributes of operators.
    """
    ambiguous = WORDS | frozenset(attributes)
    complaints = []
    for folder in FOLDERS:
        for file in sorted((root / PACKAGE / folder).rglob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf8"), str(file))
            meant = {id(node) for node in _operators(tree, types)}
            texts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
            for node in ast.walk(tree):
                if not isinstance(node, ast.Constant) or node.value not in types or id(node) in texts:
                    continue
                if node.value not in ambiguous or id(node) in meant:
                    shown = file.relative_to(root).as_posix()
                    complaints.append(f"{shown}:{node.lineno} names the operator {node.value!r}: ask its declaration")
    return complaints


def _operators(tree: ast.Module, types: Collection[str]) -> Iterator[ast.AST]:
    """Yield the literals that stand for operators."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(_is_type(side) for side in (node.left, *node.comparators)):
            yield from ast.walk(node)
        elif isinstance(node, ast.Set) and all(isinstance(e, ast.Constant) and e.value in types for e in node.elts):
            yield from node.elts
        elif isinstance(node, ast.Call) and node.args and _looks_up(ast.unparse(node.func)):
            yield node.args[0]


def _looks_up(function: str) -> bool:
    return function in LOOKUPS or function.endswith(".append_op")


def _is_type(node: ast.AST) -> bool:
    return ast.unparse(node).rpartition(".")[2] == "type"
