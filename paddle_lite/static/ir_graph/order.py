"""The order of operators in a Graph, and what follows from their links."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...core.errors import GraphError
from .node import Node

if TYPE_CHECKING:
    from .graph import Graph


def build_adjacency_list(graph: Graph) -> dict[Node, set[Node]]:
    """Return for each operator of a Graph the operators that have to run before it."""
    return {
        node: {op for variable in node._inputs for op in variable._inputs if op is not node}
        for node in sorted(graph.nodes(), key=Node.id)
        if node.is_op()
    }


def topology_sort(graph: Graph) -> list[Node]:
    """Return the operators of a Graph in an order in which each runs after those that it needs.

    Raises:
        GraphError: operators need each other in a circle.
    """
    order, circle = _sorted(graph)
    if circle is not None:
        first, second = circle
        raise GraphError(f"topology_sort: the operators {first.name()} and {second.name()} need each other")
    return order


def _sorted(graph: Graph) -> tuple[list[Node], tuple[Node, Node] | None]:
    """Return the operators in order, and None or two operators of a circle."""
    before = build_adjacency_list(graph)
    order: list[Node] = []
    open_nodes: set[Node] = set()
    done: set[Node] = set()
    for start in before:
        trail = [(start, _by_number(before[start]))] if start not in done else []
        open_nodes.update(node for node, _ in trail)
        while trail:
            node, rest = trail[-1]
            if rest:
                after = rest.pop(0)
                if after in open_nodes:
                    return order, (after, node)
                if after not in done:
                    open_nodes.add(after)
                    trail.append((after, _by_number(before.get(after, ()))))
            else:
                trail.pop()
                open_nodes.discard(node)
                done.add(node)
                order.append(node)
    return [node for node in order if node in before], None


def _by_number(nodes: Iterable[Node]) -> list[Node]:
    return sorted(nodes, key=Node.id)


def has_circle(graph: Graph) -> bool:
    """Return whether operators of a Graph need each other in a circle."""
    return _sorted(graph)[1] is not None


def graph_num(graph: Graph) -> int:
    """Return in how many parts without links between them the operators of a Graph fall."""
    ops = {node for node in graph.nodes() if node.is_op()}
    parts = 0
    while ops:
        parts += 1
        reached = [ops.pop()]
        seen: set[Node] = set(reached)
        while reached:
            node = reached.pop()
            for other in (*node._inputs, *node._outputs):
                if other not in seen:
                    seen.add(other)
                    reached.append(other)
        ops -= seen
    return parts


def graph_safe_remove_nodes(graph: Graph, nodes: Iterable[Node]) -> None:
    """Remove nodes of a Graph with all links to them."""
    removed = {id(graph.remove_node(node)) for node in set(nodes)}
    for node in graph.nodes():
        node._inputs = [each for each in node._inputs if id(each) not in removed]
        node._outputs = [each for each in node._outputs if id(each) not in removed]
