"""Variables of Graphs in folders, one file each."""

from __future__ import annotations

from typing import Any

from ..core.dtype import VarType
from ..static.program.program import Program
from .variables import load_vars, save_vars

__all__: list[str] = []


def _kept_variables(graph: Any) -> list[Any]:
    """Return Variables of a Program of their own for the nodes of a graph whose values are kept between runs."""
    block = Program().global_block()
    nodes = {node.name(): node for node in graph.all_persistable_nodes()}
    return [
        block.create_var(name=name, shape=node.shape(), dtype=node.dtype(), type=node.type(), persistable=True)
        for name, node in sorted(nodes.items())
        if node.type() not in (VarType.RAW, VarType.READER, VarType.FEED_MINIBATCH, VarType.FETCH_LIST)
    ]


def save_persistable_nodes(executor: Any, dirname: str, graph: Any) -> None:
    """Save the values that an IrGraph keeps between runs, each to a file of its name.

    Arguments:
        executor: the Executor that has them.
        dirname: the folder.
        graph: the IrGraph.
    """
    save_vars(executor=executor, dirname=dirname, vars=_kept_variables(graph))


def load_persistable_nodes(executor: Any, dirname: str, graph: Any) -> None:
    """Load what `save_persistable_nodes` saved.

    Arguments:
        executor: the Executor that gets the values.
        dirname: the folder.
        graph: the IrGraph.
    """
    load_vars(executor=executor, dirname=dirname, vars=_kept_variables(graph))
