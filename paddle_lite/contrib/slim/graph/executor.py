"""SlimGraphExecutor, which runs graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....reader.feeder import DataFeeder
from ....static.execution.executor import Executor
from .wrapper import GraphWrapper

__all__ = ["SlimGraphExecutor"]


class SlimGraphExecutor:
    """Runs graphs at a place.

    Arguments:
        place: CPUPlace() or CUDAPlace(i).
    """

    def __init__(self, place: Any) -> None:
        self.place = place
        self.exe = Executor(place)

    def run(self, graph: GraphWrapper, scope: Any, data: Any = None) -> list[Any]:
        """Run a graph once.

        Arguments:
            graph: the graph; its `compiled_graph` runs if it has one.
            scope: the Scope with the values of the parameters.
            data: rows, each a tuple in the order of `in_nodes`, or a dict of arrays, or None where the graph reads for itself.

        Returns:
            The values of `out_nodes`.
        """
        feed = data if data is None or isinstance(data, dict) else self._fed(graph, data)
        program = graph.program if graph.compiled_graph is None else graph.compiled_graph
        fetches = list(graph.out_nodes.values())
        return self.exe.run(program, feed=feed, scope=scope, fetch_list=fetches) or []

    def _fed(self, graph: GraphWrapper, rows: Sequence[Any]) -> dict[str, Any]:
        feeder = DataFeeder([graph.var(name)._var for name in graph.in_nodes.values()], self.place, graph.program)
        fed: dict[str, Any] = feeder.feed(rows)
        return fed
