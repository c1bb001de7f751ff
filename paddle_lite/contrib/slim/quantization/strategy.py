"""QuantizationStrategy: a network is trained with quantized values, then saved as float, int8 and mobile model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....core.errors import ArgumentValueError, message
from ....io.inference_model import save_inference_model
from ....static.execution.scope import scope_guard
from ....static.ir_graph.graph import Graph
from ....static.ir_graph.ir_graph import IrGraph
from ..core.strategy import Strategy
from ..graph.wrapper import GraphWrapper
from .freeze_pass import QuantizationFreezePass
from .int8_passes import ConvertToInt8Pass, TransformForMobilePass
from .transform_pass import QuantizationTransformPass

__all__ = ["QuantizationStrategy"]

ACTIVATIONS = ("abs_max", "range_abs_max", "moving_average_abs_max")
WEIGHTS = ("abs_max", "channel_wise_abs_max")


class QuantizationStrategy(Strategy):
    """Trains with quantized values from `start_epoch` to the end of `end_epoch`, and saves the models then.

    Arguments:
        start_epoch, end_epoch: the first and the last epoch.
        float_model_save_path: the folder of the inference model with rounded weights as floats; None saves none.
        mobile_model_save_path: the folder of the model for Paddle-Mobile; None saves none.
        int8_model_save_path: the folder of the model with int8 weights; None saves none.
        activation_bits, weight_bits: the number of bits of a quantized value.
        activation_quantize_type: "abs_max", "range_abs_max" or "moving_average_abs_max".
        weight_quantize_type: "abs_max" or "channel_wise_abs_max".
        save_in_nodes: the names of the Variables that the models are fed; None means all that evaluations are fed.
        save_out_nodes: the names of the Variables that the models compute; None means all that evaluations fetch.

    Raises:
        ArgumentValueError: a type of quantization is unknown.
    """

    def __init__(
        self, start_epoch: int = 0, end_epoch: int = 0, float_model_save_path: str | None = None,
        mobile_model_save_path: str | None = None, int8_model_save_path: str | None = None, activation_bits: int = 8,
        weight_bits: int = 8, activation_quantize_type: str = "abs_max", weight_quantize_type: str = "abs_max",
        save_in_nodes: Sequence[str] | None = None, save_out_nodes: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(start_epoch, end_epoch)
        for name, value, known in (
            ("activation_quantize_type", activation_quantize_type, ACTIVATIONS),
            ("weight_quantize_type", weight_quantize_type, WEIGHTS),
        ):
            if value not in known:
                raise ArgumentValueError(
                    message("QuantizationStrategy", name, repr(value), f"one of {', '.join(known)}")
                )
        self.float_model_save_path, self.mobile_model_save_path = float_model_save_path, mobile_model_save_path
        self.int8_model_save_path = int8_model_save_path
        self.activation_bits, self.weight_bits = activation_bits, weight_bits
        self.activation_quantize_type, self.weight_quantize_type = activation_quantize_type, weight_quantize_type
        self.save_in_nodes, self.save_out_nodes = save_in_nodes, save_out_nodes

    def restore_from_checkpoint(self, context: Any) -> None:
        """Quantise on, where the checkpoint lies between the first and the last epoch."""
        if self.start_epoch < context.epoch_id <= self.end_epoch:
            self._modify_graph_for_quantization(context)

    def on_epoch_begin(self, context: Any) -> None:
        """Begin with quantized values in the first epoch."""
        if context.epoch_id == self.start_epoch:
            self._modify_graph_for_quantization(context)

    def _quantized(self, context: Any, program: Any, for_test: bool) -> Any:
        graph = IrGraph(Graph(program.desc), for_test=for_test)
        QuantizationTransformPass(
            scope=context.scope, place=context.place, weight_bits=self.weight_bits, activation_bits=self.activation_bits,
            activation_quantize_type=self.activation_quantize_type, weight_quantize_type=self.weight_quantize_type,
        ).apply(graph)  # fmt: skip
        return graph.to_program()

    def _modify_graph_for_quantization(self, context: Any) -> None:
        """Let the training and the evaluations quantise their values."""
        with scope_guard(context.scope):
            train, test = context.optimize_graph, context.eval_graph
            program = self._quantized(context, train.program, for_test=False)
            context.optimize_graph = GraphWrapper(program, train.in_nodes, train.out_nodes)
            program = self._quantized(context, test.program, for_test=True)
            context.eval_graph = GraphWrapper(program, test.in_nodes, test.out_nodes)

    def on_epoch_end(self, context: Any) -> None:
        """Save the models, at the end of the last epoch."""
        if context.epoch_id == self.end_epoch:
            with scope_guard(context.scope):
                self._save(context)

    def _save(self, context: Any) -> None:
        graph = context.eval_graph
        ir_graph = IrGraph(Graph(graph.program.clone(for_test=True).desc), for_test=True)
        QuantizationFreezePass(
            scope=context.scope, place=context.place, weight_bits=self.weight_bits, activation_bits=self.activation_bits,
            weight_quantize_type=self.weight_quantize_type,
        ).apply(ir_graph)  # fmt: skip
        feeds = list(self.save_in_nodes or graph.in_nodes.values())
        fetches = list(self.save_out_nodes or graph.out_nodes.values())
        self._save_model(context, self.float_model_save_path, ir_graph, feeds, fetches)
        if self.int8_model_save_path or self.mobile_model_save_path:
            ConvertToInt8Pass(scope=context.scope, place=context.place).apply(ir_graph)
            self._save_model(context, self.int8_model_save_path, ir_graph, feeds, fetches)
        if self.mobile_model_save_path:
            TransformForMobilePass().apply(ir_graph)
            self._save_model(context, self.mobile_model_save_path, ir_graph, feeds, fetches)

    @staticmethod
    def _save_model(context: Any, folder: str | None, graph: Any, feeds: Sequence[str], fetches: Sequence[str]) -> None:
        if folder:
            program = graph.to_program()
            targets = [program.global_block().var(name) for name in fetches]
            save_inference_model(
                folder, list(feeds), targets, context.executor.exe, program,
                model_filename="model", params_filename="weights",
            )  # fmt: skip
