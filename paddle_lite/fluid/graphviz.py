"""`fluid.graphviz`: texts of graphs in the language of Graphviz, node by node."""

from __future__ import annotations

import os
import subprocess
from typing import Any

from ..core.files.atomic import atomic_file
from ..core.missing import missing_names

__getattr__ = missing_names(__name__)

__all__ = ["Edge", "Graph", "GraphPreviewGenerator", "Node", "Rank", "crepr"]


def crepr(v: Any) -> str:
    """Return a value as Graphviz writes it: text in quotes.

    >>> crepr('a'), crepr(1)
    ('"a"', '1')
    """
    return f'"{v}"' if isinstance(v, str) else str(v)


def _attributes(attrs: dict[str, Any]) -> str:
    return ",".join(f"{name}={crepr(value)}" for name, value in attrs.items())


class Rank:
    """Nodes on one level: `kind` is "same", "min", "max", "source" or "sink"."""

    def __init__(self, kind: str, name: str, priority: int) -> None:
        self.kind, self.name, self.priority = kind, name, priority
        self.nodes: list[Node] = []

    def __str__(self) -> str:
        return f"{{rank={self.kind};{','.join(node.name for node in self.nodes)}}}" if self.nodes else ""


class Node:
    """A node, named by its prefix and a number.

    Arguments:
        label: what it shows.
        prefix: the beginning of its name.
        description: a comment.
        attrs: attributes of Graphviz.
    """

    _count = 0

    def __init__(self, label: str, prefix: str, description: str = "", **attrs: Any) -> None:
        Node._count += 1
        self.label, self.description, self.attrs = label, description, attrs
        self.name = f"{prefix}_{Node._count}"

    def __str__(self) -> str:
        return f"{self.name} [label={self.label} {',' if self.attrs else ''}{_attributes(self.attrs)} ];"


class Edge:
    """An arrow from one node to another."""

    def __init__(self, source: Node, target: Node, **attrs: Any) -> None:
        self.source, self.target, self.attrs = source, target, attrs

    def __str__(self) -> str:
        attrs = f" [{_attributes(self.attrs)}]" if self.attrs else ""
        return f"{self.source.name} -> {self.target.name}{attrs}"


class Graph:
    """A directed graph.

    Arguments:
        title: what it shows.
        attrs: attributes of Graphviz.

    >>> graph = Graph('T', rankdir='TB')
    >>> edge = graph.edge(graph.node('A', 'n'), graph.node('B', 'n'))
    >>> graph.code().splitlines()[:3]
    ['digraph G {', 'title = "T"', 'rankdir="TB";']
    """

    def __init__(self, title: str, **attrs: Any) -> None:
        self.title, self.attrs = title, attrs
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.rank_groups: dict[str, Rank] = {}

    def node(self, label: str, prefix: str, description: str = "", **attrs: Any) -> Node:
        """Add a node and return it."""
        self.nodes.append(Node(label, prefix, description, **attrs))
        return self.nodes[-1]

    def edge(self, source: Node, target: Node, **attrs: Any) -> Edge:
        """Add an arrow and return it."""
        self.edges.append(Edge(source, target, **attrs))
        return self.edges[-1]

    def rank_group(self, kind: str, priority: int) -> Any:
        """Add a level; return a function that puts a node on it."""
        name = f"rankgroup-{len(self.rank_groups)}"
        rank = self.rank_groups[name] = Rank(kind, name, priority)
        return rank.nodes.append

    def code(self) -> str:
        """Return the text of the graph."""
        ranks = sorted(self.rank_groups.values(), key=lambda rank: rank.priority)
        head = ["digraph G {", f"title = {crepr(self.title)}", *(f"{k}={crepr(v)};" for k, v in self.attrs.items()), ""]
        nodes = sorted(self.nodes, key=lambda node: node.name)
        return "\n".join([*head, *map(str, ranks), "", *map(str, nodes), *map(str, self.edges), "}"])

    __str__ = code

    def compile(self, dot_path: str) -> str:
        """Write the text into a file, and a picture beside it where Graphviz is installed; return the picture's path."""
        with atomic_file(dot_path) as file:
            file.write(self.code().encode())
        picture = os.path.splitext(dot_path)[0] + ".pdf"
        subprocess.run(["dot", "-Tpdf", dot_path, "-o", picture], check=True)
        return picture

    def show(self, dot_path: str) -> None:
        """Write the text into a file."""
        with atomic_file(dot_path) as file:
            file.write(self.code().encode())


class GraphPreviewGenerator:
    """A graph of parameters, operators and arguments."""

    _FILLED = "rounded,filled,bold"

    def __init__(self, title: str) -> None:
        self.graph = Graph(title, layout="dot", concentrate="true", rankdir="TB")
        self.op_rank = self.graph.rank_group("same", 2)
        self.param_rank = self.graph.rank_group("same", 1)
        self.arg_rank = self.graph.rank_group("same", 0)

    def __call__(self, path: str = "temp.dot", show: bool = False) -> None:
        """Write the text into a file; with `show` make a picture, too."""
        (self.graph.compile if show else self.graph.show)(path)

    def add_param(self, name: str, data_type: Any, highlight: bool = False) -> Node:
        """Add a parameter: a name, and its dtype below it."""
        label = f"<<b>{name}</b><br/>{data_type}>"
        color = "orange" if highlight else "#148b97"
        return self.graph.node(
            label, "param", name, shape="box", style=self._FILLED, color=color, fontcolor="#ffffff", fontname="Arial"
        )

    def add_op(self, opType: str, **kwargs: Any) -> Node:
        """Add an operator; `highlight=True` draws it in another colour."""
        color = "#ed1c24" if kwargs.pop("highlight", False) else "#303A3A"
        looks = {"shape": "box", "style": self._FILLED, "color": color, "fontname": "Arial", "fontcolor": "#ffffff"}
        return self.graph.node(f"<<B>{opType}</B>>", "op", opType, **{**looks, **kwargs})

    def add_arg(self, name: str, highlight: bool = False) -> Node:
        """Add an argument."""
        color = "#ed1c24" if highlight else "#dddddd"
        return self.graph.node(
            crepr(name),
            "arg",
            name,
            shape="box",
            style=self._FILLED,
            fontname="Arial",
            fontcolor="#999999",
            color=color,
        )

    def add_edge(self, source: Node, target: Node, **kwargs: Any) -> Edge:
        """Add an arrow; `highlight=True` draws it in another colour."""
        color = "#ed1c24" if kwargs.pop("highlight", False) else "#000000"
        return self.graph.edge(source, target, color=color, **kwargs)
