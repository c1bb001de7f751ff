"""`fluid.net_drawer`: drawing a startup and a main Program."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentTypeError, describe, message
from ..core.missing import missing_names
from ..static.program.drawing import programs_graph, write_graph
from ..static.program.program import Program

__getattr__ = missing_names(__name__)

__all__ = ["draw_graph"]


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
