"""QuantizationFreezePass: a graph of a test whose weights hold quantized numbers, with dequantization behind each operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core import unique_name
from . import graph_tools as tools
from .operator_slots import FAKE_DEQUANT, FAKE_QUANT, WITH_WEIGHT, values_written

_CALL = "QuantizationFreezePass"


class QuantizationFreezePass:
    """Quantizes the weights themselves, removes the operators that did so in training, and dequantizes results of operators.

    Weights keep their dtype; ConvertToInt8Pass makes them int8.

    Arguments:
        scope: the Scope with the weights, which are changed.
        place: the place of new values.
        weight_bits, activation_bits: as in QuantizationTransformPass.
        weight_quantize_type: as in QuantizationTransformPass.
        quantizable_op_type: not used; the attribute `quantization_type` of operators says which are quantized.

    Raises:
        ArgumentValueError: scope or place is None.
    """

    def __init__(
        self,
        scope: Any,
        place: Any,
        weight_bits: int = 8,
        activation_bits: int = 8,
        weight_quantize_type: str = "abs_max",
        quantizable_op_type: Sequence[str] | None = None,
    ) -> None:
        tools.need(_CALL, scope=scope, place=place)
        self._scope, self._place = scope, place
        self._weight_bits, self._activation_bits = weight_bits, activation_bits
        self._weight_quantize_type = weight_quantize_type
        self._sources: dict[str, str] = {}  # a quantized or dequantized Variable -> the Variable that it was made from
        self._results: dict[Any, Any] = {}  # the node of a result -> that of the dequantized result
        self._scales: dict[str, Any] = {}  # a Variable -> its scale: numbers of a weight, the node of an activation's

    def apply(self, graph: Any) -> Any:
        """Change a graph and return it.

        Arguments:
            graph: an IrGraph of a test that QuantizationTransformPass has changed.

        Raises:
            ArgumentTypeError: it is something else.
        """
        tools.check_graph(_CALL, graph)
        names = tools.persistable_names(graph)
        replaced = graph.out_node_mapping_table
        for op in tools.ordered_ops(graph):
            if op.name() in FAKE_QUANT:
                source = op.input("X")[0]
                self._quantize(graph, op, replaced.get(source, source), names)
        for op in tools.ordered_ops(graph):
            if op.name() in FAKE_DEQUANT:
                self._remove(graph, op)
        ops = tools.ordered_ops(graph)
        for op in ops:
            if op.name() in WITH_WEIGHT and tools.quantized_as(op) == "qat_with_weight":
                self._dequantize(graph, op, names)
        for op in ops:
            for node in list(op.inputs):
                if node.node in self._results:
                    graph.update_input_link(node, self._results[node.node], op)
        tools.remove_unused_variables(graph)
        graph.resolve_hazard()
        return graph

    def _quantize(self, graph: Any, op: Any, name: str, names: set[str]) -> None:
        """Quantize a weight; or note where the scale of an activation is."""
        if name not in names:
            self._scales[name] = graph._find_node_by_name(op.outputs, op.output("OutScale")[0])
            return
        weight = tools.load(self._scope, name)
        if self._weight_quantize_type == "abs_max":
            scale = np.max(np.abs(weight))
        elif self._weight_quantize_type == "channel_wise_abs_max":
            one_each = op.name() == "fake_channel_wise_quantize_abs_max"
            scale = np.array([np.max(np.abs(part)) for part in weight]) if one_each else np.max(np.abs(weight))
        else:
            scale = tools.load(self._scope, op.output("OutScale")[0])[0]
        self._scales[name] = scale
        self._remove(graph, op)
        tools.store(self._scope, self._place, name, quantized(weight, scale, self._weight_bits))

    def _remove(self, graph: Any, op: Any) -> None:
        """Remove an operator that quantizes or dequantizes."""
        made, source = op.output("Out")[0], op.input("X")[0]
        self._sources[made] = self._sources.get(source, source)
        graph.safe_remove_nodes(op)

    def _dequantize(self, graph: Any, op: Any, names: set[str]) -> None:
        """Let an operator read the quantized values, and dequantize its result."""
        weight: Any = None
        scale: Any = None
        for node in list(op.inputs):
            name = node.name()
            if name not in op.input_arg_names():
                continue
            if name in self._sources:
                known = graph._find_node_by_name(graph.all_var_nodes(), self._sources[name])
                known.clear_outputs()
                graph.update_input_link(node, known, op)
            original = original_name(name)
            if original in names:
                weight = self._scales[original]
            else:
                scale = self._scales[original]
        result = graph._find_node_by_name(op.outputs, values_written(op)[0])
        made = tools.like(graph, result, f"{result.name()}.dequantized")
        if np.ndim(weight):
            self._dequantize_channels(graph, result, made, weight, scale)
        else:
            self._dequantize_all(graph, result, made, weight, scale)
        self._results[result.node] = made

    def _dequantize_channels(self, graph: Any, result: Any, made: Any, weight: Any, scale: Any) -> None:
        """Dequantize the result of a convolution whose filters have scales of their own."""
        name, dtype = unique_name.generate("channel_scale"), tools.number_dtype(result)
        scales = tools.kept(graph, self._scope, self._place, name, weight, dtype)
        attrs = {"quant_bits": [self._weight_bits, self._activation_bits]}
        inputs = {"X": result, "Scales": [scales, scale]}
        tools.operator(graph, "fake_channel_wise_dequantize_max_abs", attrs, inputs, {"Out": made})

    def _dequantize_all(self, graph: Any, result: Any, made: Any, weight: Any, scale: Any) -> None:
        """Dequantize a result by one scale."""
        largest = float((1 << (self._activation_bits - 1)) - 1)
        if weight is not None:
            largest *= ((1 << (self._weight_bits - 1)) - 1) / weight
        attrs = {"max_range": float(largest)}
        tools.operator(graph, "fake_dequantize_max_abs", attrs, {"X": result, "Scale": scale}, {"Out": made})


def quantized(weight: np.ndarray, scale: Any, bits: int) -> np.ndarray:
    """Return a weight in units of its scale, rounded; with several scales, one for each part along the first axis."""
    scales = np.reshape(scale, [-1] + [1] * (weight.ndim - 1)) if np.ndim(scale) else scale
    return np.round(weight / scales * ((1 << (bits - 1)) - 1)).astype(weight.dtype)


def original_name(name: str) -> str:
    """Return the name of a Variable without what quantization has added to it."""
    for suffix in (".quantized.dequantized", ".quantized", ".dequantized"):
        if name.endswith(suffix):
            return name[: -len(suffix)]
    return name
