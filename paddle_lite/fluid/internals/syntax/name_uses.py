"""get_name_ids: how often and in what way statements use each name."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from .trees import kind, require_tree

_USES = ("Load", "Store", "Param")


class _Ended(Exception):
    """The node at which to end is reached."""


class _Uses(ast.NodeVisitor):
    def __init__(self, end: Any) -> None:
        self.end = end
        self.found: dict[str, list[Any]] = {}

    def visit(self, node: Any) -> None:
        if node is self.end:
            raise _Ended
        which = kind(node)
        if which == "Name" and kind(node.ctx) in _USES:
            self.found.setdefault(node.id, []).append(node.ctx)
        elif which == "arg":
            self.found.setdefault(node.arg, []).append(ast.Param())
        elif which == "Assign":
            self.visit(node.value)
            for target in node.targets:
                self.visit(target)
        elif which == "Call":
            for each in (
                *([] if kind(node.func) in ("Name", "Attribute") else [node.func]),
                *node.args,
                *node.keywords,
            ):
                self.visit(each)
        elif which not in ("Return", "Name"):
            self.generic_visit(node)


def get_name_ids(nodes: Sequence[Any], end_node: Any = None) -> dict[str, list[Any]]:
    """Return the uses of each name in statements.

    The names of what is called are left out, and so is what follows `return`.

    Arguments:
        nodes: the statements, trees of `ast` or `gast`.
        end_node: the node before which to stop; None for none.

    Returns:
        name -> the contexts of its uses, nodes Load, Store and Param, in order.

    >>> import ast
    >>> uses = get_name_ids([ast.parse('x = f(y) + x')])
    >>> {name: [type(use).__name__ for use in of_name] for name, of_name in uses.items()}
    {'y': ['Load'], 'x': ['Load', 'Store']}
    """
    uses = _Uses(end_node)
    try:
        for node in nodes:
            require_tree("each of nodes", node)
            uses.visit(node)
    except _Ended:
        pass
    return uses.found
