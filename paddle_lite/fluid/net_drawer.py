"""`fluid.net_drawer`: drawing a startup and a main Program."""

from __future__ import annotations

import logging
from collections.abc import Callable, MutableMapping
from typing import Any

from ..core.errors import ArgumentTypeError, describe, message
from ..core.missing import missing_names
from ..static.program.drawing import programs_graph, write_graph
from ..static.program.program import Program
from .internals.decorators import get_logger

__getattr__ = missing_names(__name__)

__all__ = ["draw_edge", "draw_graph", "draw_node", "parse_graph", "unique_id"]

logger = get_logger(__name__.replace("paddle_lite", "paddle"), logging.INFO)

OP_STYLE = {"shape": "oval", "color": "#0F9D58", "style": "filled", "fontcolor": "#FFFFFF"}
VAR_STYLE: dict[str, str] = {}
GRAPH_STYLE = {"rankdir": "TB"}
GRAPH_ID = 0


def draw_graph(startup_program: Any, main_program: Any, **kwargs: Any) -> Any:
    """Draw the graph of a startup Program and a main one into a .dot file.

    Arguments:
        startup_program, main_program: Programs.
        filename: the file; "graph.gv" unless given, None for none.
        graph_attr, node_attr, edge_attr, ...: what a graphviz.Digraph takes.

    Returns:
        A graphviz.Digraph: `str(graph)` is its text, `graph.render()` makes a picture where Graphviz is installed.

    Raises:
        ArgumentTypeError: one of them is no Program.

    >>> import paddle_lite.fluid as fluid
    >>> main, startup = fluid.Program(), fluid.Program()
    >>> with fluid.program_guard(main, startup):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 8], 'float32'), 2)
    >>> graph = fluid.net_drawer.draw_graph(startup, main, filename=None)
    >>> [word in graph.source for word in ('uniform_random', 'mul', 'elementwise_add')]
    [True, True, True]
    """
    where = "draw_graph"
    for name, program in (("startup_program", startup_program), ("main_program", main_program)):
        if not isinstance(program, Program):
            raise ArgumentTypeError(message(where, name, describe(program), "a fluid.Program"))
    filename = kwargs.pop("filename", "graph.gv")
    graph = programs_graph({"startup Program": startup_program, "main Program": main_program}).digraph(**kwargs)
    if filename is not None:
        write_graph(graph, filename)
    return graph


def unique_id() -> Callable[[], str]:
    """Return a function that gives the next number at each call, as text; 1.8.5's raises an UnboundLocalError at each.

    >>> import paddle_lite.fluid as fluid
    >>> number = fluid.net_drawer.unique_id()
    >>> int(number()) < int(number())
    True
    """

    def generator() -> str:
        global GRAPH_ID
        GRAPH_ID += 1
        return str(GRAPH_ID)

    return generator


def draw_node(op: Any) -> dict[str, str]:
    """Return what a graph's node of an operator looks like: OP_STYLE with the type as name and label."""
    return {**OP_STYLE, "name": op.type, "label": op.type}


def draw_edge(var_parent: MutableMapping[str, str], op: Any, var: Any, arg: str) -> dict[str, str]:
    """Return what a graph's edge to an operator looks like, from the one that wrote a Variable.

    Arguments:
        var_parent: name of a Variable -> name of the node that wrote it.
        op: the operator.
        var: the slot in which it reads the Variable, whose `parameter` is the slot's name.
        arg: the name of the Variable.

    Returns:
        A dict with the label, and the names of the nodes of its head and tail.
    """
    return {"label": f"{var.parameter}({arg})", "head_name": op.type, "tail_name": var_parent[arg]}


def parse_graph(program: Program, graph: Any, var_dict: MutableMapping[str, str], **kwargs: Any) -> None:
    """Add a node for each operator of a Program to a graph, and an edge for each Variable that it reads.

    Arguments:
        program: the Program.
        graph: an object with the methods `node(**attributes)` and `edge(**attributes)` of a graphviz.Digraph.
        var_dict: name of a Variable -> name of the node that wrote it, which is filled; "Feed" where no operator did.
        kwargs: accepted for Fluid code, ignored, as in 1.8.5.
    """
    block = program.global_block()
    written = {name for op in block.ops for name in op.output_arg_names}
    for name in block.vars:
        if name not in written:
            var_dict.setdefault(name, "Feed")
    for number, op in enumerate(block.ops):
        node = f"{op.type}_{number}"
        graph.node(**{**draw_node(op), "name": node, "label": node})
        for slot in op.input_names:
            for name in op.input(slot):
                tail = var_dict.get(name, "Feed")
                graph.edge(label=f"{slot}({name})", head_name=node, tail_name=tail)
        for name in op.output_arg_names:
            var_dict[name] = node
