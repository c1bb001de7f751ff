"""OutScaleForTrainingPass and OutScaleForInferencePass: the ranges of operators' results."""

from __future__ import annotations

from typing import Any

from ....core.dtype import VarType
from . import graph_tools as tools
from .operator_slots import OUT_SCALE, values_written
from .transform_pass import add_moving_state


def _scale_name(name: str) -> str:
    return f"{name}@scale"


class OutScaleForTrainingPass:
    """Records the moving average of the range of each operator's results, in a Variable with the ending "@scale".

    Arguments:
        scope: the Scope in which these Variables get their first values.
        place: the place of these values.
        moving_rate: the rate of the moving average.
    """

    def __init__(self, scope: Any = None, place: Any = None, moving_rate: float = 0.9) -> None:
        self._scope, self._place = scope, place
        self._moving_rate = moving_rate

    def apply(self, graph: Any) -> Any:
        """Change a graph and return it.

        Arguments:
            graph: an IrGraph.

        Raises:
            ArgumentTypeError: it is something else.
        """
        tools.check_graph("OutScaleForTrainingPass", graph)
        for op in tools.ordered_ops(graph):
            for name in values_written(op) if op.name() in OUT_SCALE else ():
                node = graph._find_node_by_name(op.outputs, name)
                if node.dtype() in (VarType.FP32, VarType.FP64):
                    self._record(graph, node)
        graph.resolve_hazard()
        return graph

    def _record(self, graph: Any, node: Any) -> None:
        scope, place = self._scope, self._place
        scale = tools.kept(graph, scope, place, _scale_name(node.name()), [1], tools.number_dtype(node))
        inputs, outputs = {"X": node}, {"Out": tools.again(graph, node), "OutScale": scale}
        add_moving_state(graph, scope, place, "scale_", node, inputs, outputs, suffix="@")
        attrs = {"moving_rate": self._moving_rate, "is_test": graph.is_test()}
        tools.operator(graph, "moving_average_abs_max_scale", attrs, inputs, outputs)


class OutScaleForInferencePass:
    """Writes the ranges that OutScaleForTrainingPass has recorded into the attribute `out_threshold` of the operators.

    Arguments:
        scope: the Scope with the ranges.
    """

    def __init__(self, scope: Any = None) -> None:
        self._scope = scope

    def apply(self, graph: Any) -> Any:
        """Change a graph and return it.

        Arguments:
            graph: an IrGraph that OutScaleForTrainingPass has changed.

        Raises:
            ArgumentTypeError: it is something else.
            ArgumentValueError: the Scope does not have the range of a result.
        """
        tools.check_graph("OutScaleForInferencePass", graph)
        for op in tools.ordered_ops(graph):
            for name in values_written(op) if op.name() in OUT_SCALE else ():
                tools.need_value("OutScaleForInferencePass.apply", self._scope, _scale_name(name))
                scale = tools.load(self._scope, _scale_name(name)).reshape(-1)[0]
                op.op()._set_attr("out_threshold", float(scale))
        graph.resolve_hazard()
        return graph
