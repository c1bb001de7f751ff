"""What a notebook shows of a Layer: a table of its sublayers, and their graph."""

from __future__ import annotations

import shutil
from html import escape
from typing import TYPE_CHECKING

from .text import parameter_count, title

if TYPE_CHECKING:
    from ..layer import Layer

DRAWN = 200
"""The largest number of Layers for which a notebook shows the graph."""


def layer_html(layer: Layer) -> str:
    """Return a table with a row for each Layer: path, class with hyperparameters, parameters; then the graph of the tree.

    The graph is included if Graphviz is installed and there are not too many Layers.
    """
    found = list(layer.named_sublayers(include_self=True))
    rows = "".join(
        f"<tr><td style='padding-left:{1 + path.count('.') + bool(path)}em'>{escape(path.rpartition('.')[2] or '(network)')}</td>"
        f"<td>{escape(title(each))}</td><td>{parameter_count(each)[0]:,}</td></tr>"
        for path, each in found
    )
    head = "".join(f"<th>{name}</th>" for name in ("layer", "class", "parameters"))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    if not 1 < len(found) <= DRAWN or shutil.which("dot") is None:
        return table
    return f"{table}<details><summary>graph</summary>{_svg(found)}</details>"


def _svg(found: list[tuple[str, Layer]]) -> str:
    """Return a picture of the tree of Layers as an SVG element."""
    import graphviz

    graph = graphviz.Digraph(
        graph_attr={"rankdir": "LR"}, node_attr={"fontname": "Arial", "fontsize": "10", "shape": "box"}
    )
    for path, layer in found:
        graph.node(f"n{path}", graphviz.escape(f"{path.rpartition('.')[2] or '(network)'}\n{title(layer)}"))
        if path:
            graph.edge(f"n{path.rpartition('.')[0]}", f"n{path}")
    text: str = graph.pipe(format="svg", encoding="utf8")
    return text[text.index("<svg") :]
