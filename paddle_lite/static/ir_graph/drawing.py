"""Drawings of Graphs, with the style of drawings of Programs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from typing import Any

from ...core.views.graph import Graph as Drawn
from ..desc.operator import OpDesc
from ..desc.variable import VarDesc
from ..program.drawing import (
    HIGHLIGHT,
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
    if shutil.which("dot") is not None:
        drawing.render(outfile=os.path.join(folder, f"{name}.pdf"), cleanup=True)


def dot_graph(graph: Graph, marked: Collection[Node] = ()) -> Any:
    """Return a Graph as a `graphviz.Digraph`."""
    drawing = Drawn()
    nodes = sorted(graph.nodes(), key=Node.id)
    known = {node.id() for node in nodes}
    for node in nodes:
        desc = node._desc
        lines = [node.name()]
        if isinstance(desc, OpDesc):
            style = operator_style(desc.of.role)
        else:
            variable = desc.of if isinstance(desc, VarDesc) else None
            style = variable_style(variable)
            lines += size_text(variable)
        drawing.node(f"n{node.id()}", lines, style | (HIGHLIGHT if node in marked else {}))
    for node in nodes:
        for target in node.outputs:
            if target.id() in known:
                drawing.edge(f"n{node.id()}", f"n{target.id()}")
    return drawing.digraph()
