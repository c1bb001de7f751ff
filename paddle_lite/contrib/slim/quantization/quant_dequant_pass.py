"""AddQuantDequantPass: activations of operators without weights are quantized and dequantized by one operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import graph_tools as tools
from .operator_slots import ACTIVATIONS, WITHOUT_WEIGHT, values_read
from .transform_pass import FIRST_SCALE, add_moving_state

_CALL = "AddQuantDequantPass"


class AddQuantDequantPass:
    """Quantizes and dequantizes the inputs of operators that have no weights, by moving averages of ranges.

    Arguments:
        scope: the Scope in which scales get their first values.
        place: the place of these values.
        moving_rate: the rate of the moving averages.
        quant_bits: the number of bits of a quantized value.
        skip_pattern: a part of a name scope, or several; operators in such scopes are left as they are.
        quantizable_op_type: the types of the operators.
        is_full_quantized: whether all types are taken that can be quantized.

    Raises:
        ArgumentValueError: a type cannot be quantized.
    """

    _supported_quantizable_op_type = list(WITHOUT_WEIGHT)
    _activation_type = list(ACTIVATIONS)

    def __init__(
        self,
        scope: Any = None,
        place: Any = None,
        moving_rate: float = 0.9,
        quant_bits: int = 8,
        skip_pattern: str | Sequence[str] | None = ("skip_quant",),
        quantizable_op_type: Sequence[str] = ("elementwise_add", "pool2d"),
        is_full_quantized: bool = False,
    ) -> None:
        types = WITHOUT_WEIGHT if is_full_quantized else quantizable_op_type
        self._quantizable_op_type = tools.check_types(_CALL, types, WITHOUT_WEIGHT)
        self._quantizable_grad_op_type = [f"{type}_grad" for type in self._quantizable_op_type]
        self._scope, self._place = scope, place
        self._moving_rate, self._quant_bits = moving_rate, quant_bits
        self._skip_pattern = skip_pattern

    def apply(self, graph: Any) -> Any:
        """Change a graph and return it.

        Arguments:
            graph: an IrGraph, of training or of a test.

        Raises:
            ArgumentTypeError: it is something else.
        """
        tools.check_graph(_CALL, graph)
        made: dict[str, Any] = {}
        ops = tools.ordered_ops(graph)
        for op in ops:
            if op.name() in self._quantizable_op_type and self._takes(graph, op):
                op.op()._set_attr("quantization_type", "qat_without_weight")
                op.op()._set_attr("activation_bits", self._quant_bits)
                for name in values_read(op):
                    node = graph._find_node_by_name(op.inputs, name)
                    if name not in made:
                        made[name] = self._quantize(graph, node)
                    graph.update_input_link(node, made[name], op)
        for op in ops:
            if op.name() in self._quantizable_grad_op_type:
                for name in op.input_arg_names():
                    if name in made:
                        graph.update_input_link(graph._find_node_by_name(op.inputs, name), made[name], op)
        graph.resolve_hazard()
        return graph

    def _takes(self, graph: Any, op: Any) -> bool:
        """Return whether the inputs of an operator are to be quantized."""
        if tools.skipped(op, self._skip_pattern) or tools.quantized_as(op) == "qat_with_weight":
            return False
        return tools.reads_computed_values_only(graph, op)

    def _quantize(self, graph: Any, node: Any) -> Any:
        """Quantize and dequantize a Variable; return the node of the result."""
        result = tools.like(graph, node, f"{node.name()}.quant_dequant")
        dtype = tools.number_dtype(node)
        name = f"{node.name()}.quant_dequant.scale"
        before = tools.kept(graph, self._scope, self._place, name, [FIRST_SCALE], dtype)
        inputs, outputs = {"X": node, "InScale": before}, {"Out": result, "OutScale": tools.again(graph, before)}
        add_moving_state(graph, self._scope, self._place, "quant_dequant.", node, inputs, outputs)
        attrs = {"bit_length": self._quant_bits, "moving_rate": self._moving_rate, "is_test": graph.is_test()}
        tools.operator(graph, "fake_quantize_dequantize_moving_average_abs_max", attrs, inputs, outputs)
        return result
