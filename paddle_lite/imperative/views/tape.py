"""The graph of what is recorded on the tape behind a Variable: what its gradient goes through."""

from __future__ import annotations

from typing import Any

from ...core.errors import GraphError
from ...core.views.graph import Graph
from ..parameter import Parameter
from ..tape import Node, Port
from ..variable import Variable
from .flow import DATA, OPERATOR, PARAMETER

RESULT = {**DATA, "fillcolor": "#F2B8B5"}


def tape_graph(variable: Any) -> Graph | None:
    """Return the graph of a Variable's tape: leaves that get a gradient, the operators in between, and the Variable.

    It is None for what is no Variable of imperative mode.

    Raises:
        GraphError: nothing is recorded for the Variable, or it was freed.
    """
    if not isinstance(variable, Variable):
        return None
    root = variable.node.node if isinstance(variable.node, Port) else variable.node
    if root is None:
        fix = "Set stop_gradient = False on a leaf, or call the Layer outside of no_grad."
        what = "is a leaf" if not variable.stop_gradient else "has stop_gradient set"
        raise GraphError(f"plot.graph: nothing is recorded for {variable.name}, which {what}. {fix}")
    graph, keys = Graph(), dict[int, str]()
    for node in sorted(_behind(root), key=lambda each: each.order):
        for edge in node.edges:
            if isinstance(edge, Variable) and id(edge) not in keys:
                keys[id(edge)] = f"n{len(keys)}"
                style = PARAMETER if isinstance(edge, Parameter) else DATA
                graph.node(keys[id(edge)], _lines(edge), style)
        keys[id(node)] = f"n{len(keys)}"
        graph.node(keys[id(node)], [_type(node)], OPERATOR)
        for edge in dict.fromkeys(_maker(edge) for edge in node.edges if edge is not None):
            graph.edge(keys[id(edge)], keys[id(node)])
    graph.node("result", _lines(variable), RESULT)
    graph.edge(keys[id(root)], "result")
    return graph


def _behind(root: Node) -> list[Node]:
    """Return an entry and all that its gradient goes to."""
    found, waiting = {id(root): root}, [root]
    while waiting:
        node = waiting.pop()
        if node.edges is None:
            raise GraphError(
                "plot.graph: what was recorded has been freed by backward(). Draw it before, or keep it with "
                "backward(retain_graph=True)."
            )
        for edge in node.edges:
            maker = _maker(edge)
            if isinstance(maker, Node) and id(maker) not in found:
                found[id(maker)] = maker
                waiting.append(maker)
    return list(found.values())


def _maker(edge: Any) -> Any:
    return edge.node if isinstance(edge, Port) else edge


def _type(node: Node) -> str:
    op = getattr(node.run, "op", None)
    return op.type if op is not None else "gradient stops" if node.edges == () else "function"


def _lines(variable: Variable) -> list[str]:
    return [variable.name, f"{variable.array.dtype} {list(variable.shape)}"]
