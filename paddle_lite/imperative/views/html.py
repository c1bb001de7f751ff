"""What a notebook shows of a Layer: a table of its sublayers, and their graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.views.graph import Graph
from ...core.views.page import folded, html_table, scrolled
from .text import parameter_count, title

if TYPE_CHECKING:
    from ..layer import Layer

DRAWN = 200
"""The largest number of Layers for which a notebook shows the graph."""
HEAD = ("layer", "class", "parameters")
BOX = {"shape": "box", "style": "rounded,filled", "fillcolor": "#e8e8e8"}


def layer_html(layer: Layer) -> str:
    """Return a table with a row for each Layer: path, class with hyperparameters, parameters; then the graph of the tree.

    The graph is left out of a Layer with very many sublayers.
    """
    found = list(layer.named_sublayers(include_self=True))
    rows = [
        ("  " * (path.count(".") + bool(path)) + _name(path), title(each), f"{parameter_count(each)[0]:,}")
        for path, each in found
    ]
    table = html_table(HEAD, rows, numbers=HEAD[2:])
    return table + folded("graph", scrolled(layer_tree(layer).svg())) if 1 < len(found) <= DRAWN else table


def layer_tree(layer: Layer) -> Graph:
    """Return the tree of a Layer and its sublayers."""
    graph = Graph(across=True)
    keys: dict[str, str] = {}
    for path, each in layer.named_sublayers(include_self=True):
        keys[path] = f"n{len(keys)}"
        graph.node(keys[path], [_name(path), title(each)], BOX)
        if path:
            graph.edge(keys[path.rpartition(".")[0]], keys[path])
    return graph


def _name(path: str) -> str:
    return path.rpartition(".")[2] or "(network)"
