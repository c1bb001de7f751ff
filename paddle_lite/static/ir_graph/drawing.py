"""Drawings of Graphs, with the style of drawings of Programs."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

from ..desc.operator import OpDesc
from ..desc.variable import VarDesc
from ..program.drawing import (
    HIGHLIGHT,
    can_make_pictures,
    new_graph,
    operator_style,
    size_text,
    variable_style,
    write_graph,
)
from .graph import Graph
from .node import Node


def draw(graph: Graph, folder: str, name: str, marked: Collection[Node]) -> None:
    """Write a Graph to a .dot file in a folder, and to a .pdf file if the program `dot` is installed.

    Arguments:
        graph: the Graph.
        folder, name: the folder, which is made where it is missing, and the name of the files without suffix.
        marked: nodes that are drawn with a thick red line.
    """
    drawing = dot_graph(graph, marked)
    write_graph(drawing, os.path.join(folder, f"{name}.dot"))
    if can_make_pictures():
        drawing.render(outfile=os.path.join(folder, f"{name}.pdf"), cleanup=True)


def dot_graph(graph: Graph, marked: Collection[Node] = ()) -> Any:
    """Return a Graph as a `graphviz.Digraph`."""
    from graphviz import escape

    drawing = new_graph()
    nodes = sorted(graph.nodes(), key=Node.id)
    known = {node.id() for node in nodes}
    for node in nodes:
        desc = node._desc
        lines = [escape(node.name())]
        if isinstance(desc, OpDesc):
            style = operator_style(desc.of.role)
        else:
            variable = desc.of if isinstance(desc, VarDesc) else None
            style = variable_style(variable)
            lines += size_text(variable)
        drawing.node(f"n{node.id()}", label="\n".join(lines), **style | (HIGHLIGHT if node in marked else {}))
    for node in nodes:
        for target in node.outputs:
            if target.id() in known:
                drawing.edge(f"n{node.id()}", f"n{target.id()}")
    return drawing
