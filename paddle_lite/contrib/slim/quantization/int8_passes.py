"""ConvertToInt8Pass and TransformForMobilePass: a frozen graph for devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.dtype import VarType
from . import graph_tools as tools
from .operator_slots import FAKE_DEQUANT, FAKE_QUANT, WITH_WEIGHT


class ConvertToInt8Pass:
    """Makes the weights of quantized operators int8, as Variables of their own with the ending ".int8".

    Arguments:
        scope: the Scope with the weights.
        place: the place of the new ones.
        quantizable_op_type: not used; the attribute `quantization_type` of operators says which are quantized.

    Raises:
        ArgumentValueError: scope or place is None.
    """

    def __init__(self, scope: Any, place: Any, quantizable_op_type: Sequence[str] | None = None) -> None:
        tools.need("ConvertToInt8Pass", scope=scope, place=place)
        self._scope, self._place = scope, place

    def apply(self, graph: Any) -> Any:
        """Change a graph and return it.

        Arguments:
            graph: an IrGraph that QuantizationFreezePass has changed.

        Raises:
            ArgumentTypeError: it is something else.
        """
        tools.check_graph("ConvertToInt8Pass", graph)
        names = tools.persistable_names(graph)
        made: dict[str, Any] = {}
        for op in tools.ordered_ops(graph):
            if op.name() not in WITH_WEIGHT or tools.quantized_as(op) != "qat_with_weight":
                continue
            for node in list(op.inputs):
                name = node.name()
                if name in names and name in op.input_arg_names():
                    if name not in made:
                        made[name] = self._convert(graph, node)
                    graph.update_input_link(node, made[name], op)
        tools.remove_unused_variables(graph)
        graph.resolve_hazard()
        return graph

    def _convert(self, graph: Any, node: Any) -> Any:
        """Create the int8 Variable of a weight; return its node."""
        name = f"{node.name()}.int8"
        made = graph.create_persistable_node(name, node.type(), node.shape(), VarType.INT8)
        tools.store(self._scope, self._place, name, tools.load(self._scope, node.name()).astype(np.int8))
        return made


class TransformForMobilePass:
    """Renames the operators that quantize and dequantize as inference on mobile devices names them: quantize, dequantize."""

    def apply(self, graph: Any) -> Any:
        """Change a graph and return it.

        Arguments:
            graph: an IrGraph that QuantizationFreezePass has changed.

        Raises:
            ArgumentTypeError: it is something else.
        """
        tools.check_graph("TransformForMobilePass", graph)
        for op in tools.ordered_ops(graph):
            if op.name() in (*FAKE_QUANT, *FAKE_DEQUANT):
                op.set_type("quantize" if op.name() in FAKE_QUANT else "dequantize")
                made = graph.create_op_node_from_desc(op.op())
                for node in op.inputs:
                    graph.link_to(node, made)
                for node in op.outputs:
                    graph.link_to(made, node)
                graph.safe_remove_nodes(op)
        graph.resolve_hazard()
        return graph
