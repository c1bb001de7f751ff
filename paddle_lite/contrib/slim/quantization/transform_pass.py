"""QuantizationTransformPass: inputs of operators are quantized and dequantized, so that training sees the error of that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....core import unique_name
from ....core.errors import ArgumentValueError, message
from . import graph_tools as tools
from .operator_slots import CONVOLUTIONS, WITH_WEIGHT
from .own_functions import OwnFunctions

_CALL = "QuantizationTransformPass"
_OF_ACTIVATIONS = ("abs_max", "range_abs_max", "moving_average_abs_max")
_OF_WEIGHTS = ("abs_max", "channel_wise_abs_max", "range_abs_max", "moving_average_abs_max")
FIRST_SCALE = 0.001


class QuantizationTransformPass:
    """Quantizes and dequantizes the inputs of convolutions and products, weights and activations, in a graph of training or test.

    Arguments:
        scope: the Scope in which scales get their first values.
        place: the place of these values.
        weight_bits, activation_bits: the number of bits of a quantized value.
        activation_quantize_type: how the range of an activation is found: "abs_max" (of the batch), "range_abs_max" (the largest of
            the latest `window_size` batches) or "moving_average_abs_max".
        weight_quantize_type: one of those, or "channel_wise_abs_max" (one range for each filter of a convolution).
        window_size, moving_rate: see above.
        skip_pattern: a part of a name scope, or several; operators in such scopes are left as they are.
        quantizable_op_type: types of operators: "conv2d", "depthwise_conv2d", "mul" and "matmul".
        weight_quantize_func, act_quantize_func: functions of a Variable that quantize and dequantize weights or activations in place
            of the operators for it.
        weight_preprocess_func, act_preprocess_func: functions of a Variable whose result is quantized.
        optimizer_func: makes the optimizer of the parameters that those functions have; required with them in training.
        executor: the Executor that initialises those parameters.

    Raises:
        ArgumentValueError: a type is unknown.
    """

    _supported_quantizable_op_type = list(WITH_WEIGHT)

    def __init__(
        self,
        scope: Any = None,
        place: Any = None,
        weight_bits: int = 8,
        activation_bits: int = 8,
        activation_quantize_type: str = "abs_max",
        weight_quantize_type: str = "abs_max",
        window_size: int = 10000,
        moving_rate: float = 0.9,
        skip_pattern: str | Sequence[str] | None = ("skip_quant",),
        quantizable_op_type: Sequence[str] = ("conv2d", "depthwise_conv2d", "mul"),
        weight_quantize_func: Callable[[Any], Any] | None = None,
        act_quantize_func: Callable[[Any], Any] | None = None,
        weight_preprocess_func: Callable[[Any], Any] | None = None,
        act_preprocess_func: Callable[[Any], Any] | None = None,
        optimizer_func: Callable[[], Any] | None = None,
        executor: Any = None,
    ) -> None:
        _known("activation_quantize_type", activation_quantize_type, _OF_ACTIVATIONS)
        _known("weight_quantize_type", weight_quantize_type, _OF_WEIGHTS)
        self._quantizable_ops = tools.check_types(_CALL, quantizable_op_type, WITH_WEIGHT)
        self._quantizable_grad_ops = [f"{type}_grad" for type in self._quantizable_ops]
        self._scope, self._place = scope, place
        self._weight_bits, self._activation_bits = weight_bits, activation_bits
        self._activation_quantize_type, self._weight_quantize_type = activation_quantize_type, weight_quantize_type
        self._window_size, self._moving_rate = window_size, moving_rate
        self._skip_pattern = skip_pattern
        self._weight_quantize_func, self._act_quantize_func = weight_quantize_func, act_quantize_func
        self._weight_preprocess_func, self._act_preprocess_func = weight_preprocess_func, act_preprocess_func
        self._own = OwnFunctions(_CALL, scope, executor, optimizer_func)
        self._global_step: Any = None

    def apply(self, graph: Any) -> Any:
        """Change a graph and return it.

        Arguments:
            graph: an IrGraph, of training (`for_test=False`) or of a test.

        Raises:
            ArgumentTypeError: it is something else.
        """
        tools.check_graph(_CALL, graph)
        names = tools.persistable_names(graph)
        made: dict[str, Any] = {}  # Variable -> the node of what was quantized and dequantized
        replaced: set[str] = set()  # Variables that a function of the user has replaced
        if not graph.is_test():
            self._create_global_step(graph)
        ops = tools.ordered_ops(graph)
        for op in ops:
            if op.name() in (*self._quantizable_ops, *self._quantizable_grad_ops) and tools.skipped(
                op, self._skip_pattern
            ):
                op.op()._set_attr("skip_quant", True)
        for op in ops:
            if op.name() in self._quantizable_ops and not self._is_skip_quant(graph, op):
                self._transform(graph, op, names, made, replaced)
        for op in ops:
            if op.name() in self._quantizable_grad_ops and not self._is_skip_quant(graph, op):
                for node in list(op.inputs):
                    if node.name() in op.input_arg_names() and node.name() in made:
                        graph.update_input_link(node, made[node.name()], op)
        graph.resolve_hazard()
        return graph

    def _is_skip_quant(self, graph: Any, op: Any) -> bool:
        """Return whether an operator is left as it is."""
        desc = op.op()
        if desc.has_attr("skip_quant") and desc.attr("skip_quant"):
            return True
        if op.name() in ("mul", "matmul") and tools.reads_computed_values_only(graph, op):
            return True
        return tools.quantized_as(op) == "qat_without_weight"

    def _transform(self, graph: Any, op: Any, names: set[str], made: dict[str, Any], replaced: set[str]) -> None:
        """Quantize and dequantize the inputs of an operator."""
        op.op()._set_attr("quantization_type", "qat_with_weight")
        for node in list(op.inputs):
            name = node.name()
            if name not in op.input_arg_names() or name in replaced:
                continue
            if name not in made:
                weight = name in names
                source = node
                before = self._weight_preprocess_func if weight else self._act_preprocess_func
                if before is not None:
                    source = self._own.insert(graph, before, node, op)
                function = self._weight_quantize_func if weight else self._act_quantize_func
                if function is not None:
                    self._own.insert(graph, function, source, op)
                    replaced.add(name)
                    continue
                made[name] = self._quantized(graph, op, source, name, weight)
                node = source
            graph.update_input_link(node, made[name], op)

    def _quantized(self, graph: Any, op: Any, node: Any, name: str, weight: bool) -> Any:
        """Return the node of a Variable behind quantization and dequantization; `name` begins the names of these."""
        bits = self._weight_bits if weight else self._activation_bits
        kind = self._weight_quantize_type if weight else self._activation_quantize_type
        if kind == "channel_wise_abs_max" and op.name() in CONVOLUTIONS:
            values, scales = self._quantize(
                graph, node, name, "fake_channel_wise_quantize_abs_max", bits, node.shape()[0]
            )
            result = tools.like(graph, values, f"{values.name()}.dequantized")
            inputs = {"X": values, "Scales": [scales]}
            of_channels = {"quant_bits": [bits]}
            tools.operator(graph, "fake_channel_wise_dequantize_max_abs", of_channels, inputs, {"Out": result})
            return result
        if kind == "range_abs_max":
            values, scale = self._quantize_range(graph, node, name, bits)
        elif kind == "moving_average_abs_max":
            values, scale = self._quantize_moving(graph, node, name, bits)
        else:
            values, scale = self._quantize(graph, node, name, "fake_quantize_abs_max", bits, 1)
        result = tools.like(graph, values, f"{values.name()}.dequantized")
        attrs = {"max_range": float((1 << (bits - 1)) - 1)}
        tools.operator(graph, "fake_dequantize_max_abs", attrs, {"X": values, "Scale": scale}, {"Out": result})
        return result

    # --- operators that quantize --------------------------------------------------------------------------------------

    def _create_global_step(self, graph: Any) -> None:
        """Create the counter of steps that range_abs_max needs, or find it."""
        if "range_abs_max" not in (self._weight_quantize_type, self._activation_quantize_type):
            return
        name = "@STEP_COUNTER@"
        found = [node for node in graph.all_var_nodes() if node.name() == name]
        if found:
            self._global_step = found[0]
            return
        before = tools.kept(graph, self._scope, self._place, name, [0], "int64")
        self._global_step = tools.again(graph, before)
        tools.operator(graph, "increment", {"step": 1.0}, {"X": before}, {"Out": self._global_step})

    def _quantize(self, graph: Any, node: Any, name: str, type: str, bits: int, scales: int) -> tuple[Any, Any]:
        """Quantize by the range of the value itself; return the nodes of the result and of the scales."""
        values = tools.like(graph, node, f"{name}.quantized")
        scale = tools.like(graph, node, f"{name}.scale", [scales])
        tools.operator(graph, type, {"bit_length": bits}, {"X": node}, {"Out": values, "OutScale": scale})
        return values, scale

    def _first_scale(self, graph: Any, node: Any, name: str) -> Any:
        """Create the scale of a Variable that is kept between runs."""
        dtype = tools.number_dtype(node)
        return tools.kept(graph, self._scope, self._place, f"{name}.scale", [FIRST_SCALE], dtype)

    def _quantize_range(self, graph: Any, node: Any, name: str, bits: int) -> tuple[Any, Any]:
        """Quantize by the largest range of the latest batches."""
        values = tools.like(graph, node, f"{name}.quantized")
        before = self._first_scale(graph, node, name)
        after = tools.again(graph, before)
        inputs, outputs = {"X": node, "InScale": before}, {"Out": values, "OutScale": after}
        attrs = {"window_size": self._window_size, "bit_length": bits, "is_test": graph.is_test()}
        if not graph.is_test():
            inputs["Iter"] = self._global_step
            zeros, dtype = np.zeros([self._window_size]), tools.number_dtype(node)
            outputs["OutScales"] = tools.kept(
                graph, self._scope, self._place, unique_name.generate("scales"), zeros, dtype
            )
        tools.operator(graph, "fake_quantize_range_abs_max", attrs, inputs, outputs)
        return values, after

    def _quantize_moving(self, graph: Any, node: Any, name: str, bits: int) -> tuple[Any, Any]:
        """Quantize by the moving average of ranges."""
        values = tools.like(graph, node, f"{name}.quantized")
        before = self._first_scale(graph, node, name)
        after = tools.again(graph, before)
        inputs, outputs = {"X": node, "InScale": before}, {"Out": values, "OutScale": after}
        add_moving_state(graph, self._scope, self._place, "", node, inputs, outputs)
        attrs = {"bit_length": bits, "moving_rate": self._moving_rate, "is_test": graph.is_test()}
        tools.operator(graph, "fake_quantize_moving_average_abs_max", attrs, inputs, outputs)
        return values, after


def add_moving_state(
    graph: Any, scope: Any, place: Any, prefix: str, node: Any, inputs: dict, outputs: dict, suffix: str = ""
) -> None:
    """Add what a moving average keeps to the slots of its operator, in training."""
    if graph.is_test():
        return
    for slot, word in (("State", "state"), ("Accum", "accum")):
        name = unique_name.generate(f"{prefix}{word}{suffix}")
        inputs[f"In{slot}"] = tools.kept(graph, scope, place, name, [1], tools.number_dtype(node))
        outputs[f"Out{slot}"] = tools.again(graph, inputs[f"In{slot}"])


def _known(argument: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ArgumentValueError(message(_CALL, argument, repr(value), f"one of {list(known)}"))
