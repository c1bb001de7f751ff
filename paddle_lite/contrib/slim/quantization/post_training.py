"""PostTrainingQuantization: a saved model is quantized by the ranges that its activations have on some batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....core.errors import ArgumentValueError, message
from ....io.inference_model import load_inference_model, save_inference_model
from ....reader.loader import DataLoader
from ....static.execution.scope import global_scope
from ....static.ir_graph.graph import Graph
from ....static.ir_graph.ir_graph import IrGraph
from . import graph_tools as tools
from .freeze_pass import QuantizationFreezePass
from .operator_slots import OUT_SCALE, WITH_WEIGHT, WITHOUT_WEIGHT, values_read, values_written
from .quant_dequant_pass import AddQuantDequantPass
from .ranges import KullbackLeibler, Largest, MinMax
from .transform_pass import QuantizationTransformPass

_CALL = "PostTrainingQuantization"
_ALGORITHMS = {"KL": KullbackLeibler, "abs_max": Largest, "min_max": MinMax}


class PostTrainingQuantization:
    """Quantizes a saved model without training: it runs on some batches, from which the ranges of activations come.

    Arguments:
        executor: the Executor that runs the model.
        scope: the Scope of the model; the global one where it is None.
        model_dir: the folder of the model, as `save_inference_model` wrote it.
        model_filename, params_filename: the files in the folder, where they are not the usual ones.
        batch_generator: a reader of batches.
        sample_generator: a reader of samples, in the place of batch_generator.
        batch_size: the size of a batch from sample_generator.
        batch_nums: the number of batches; all where it is None.
        algo: how a range is found: "KL" (the threshold of least information loss), "abs_max" (the largest absolute value), or
            "min_max", with which the model is not changed, but says the least and the largest value in attributes.
        quantizable_op_type: the types of the operators.
        is_full_quantize: whether all types are taken that can be quantized.
        activation_bits, weight_bits: the number of bits of a quantized value.
        activation_quantize_type: the operator that quantizes activations: "range_abs_max", "moving_average_abs_max" or "abs_max".
        weight_quantize_type: "channel_wise_abs_max" or "abs_max".
        is_use_cache_file, cache_dir: not used; values are kept in memory.

    Raises:
        ArgumentValueError: an argument is missing or has an unknown value.
    """

    def __init__(
        self,
        executor: Any = None,
        scope: Any = None,
        model_dir: str | None = None,
        model_filename: str | None = None,
        params_filename: str | None = None,
        batch_generator: Callable[[], Any] | None = None,
        sample_generator: Callable[[], Any] | None = None,
        batch_size: int = 10,
        batch_nums: int | None = None,
        algo: str = "KL",
        quantizable_op_type: Sequence[str] = ("conv2d", "depthwise_conv2d", "mul"),
        is_full_quantize: bool = False,
        activation_bits: int = 8,
        weight_bits: int = 8,
        activation_quantize_type: str = "range_abs_max",
        weight_quantize_type: str = "channel_wise_abs_max",
        is_use_cache_file: bool = False,
        cache_dir: str = "./temp_post_training",
    ) -> None:
        for name, value in (("executor", executor), ("model_dir", model_dir)):
            if value is None:
                raise ArgumentValueError(message(_CALL, name, "None", f"the {name.replace('_', ' ')}"))
        if batch_generator is None and sample_generator is None:
            needs = "a reader of samples, or batch_generator, a reader of batches"
            raise ArgumentValueError(message(_CALL, "sample_generator", "None", needs))
        if batch_size <= 0:
            raise ArgumentValueError(message(_CALL, "batch_size", batch_size, "1 or more"))
        _known("algo", algo, list(_ALGORITHMS))
        _known(
            "activation_quantize_type", activation_quantize_type, ["range_abs_max", "moving_average_abs_max", "abs_max"]
        )
        _known("weight_quantize_type", weight_quantize_type, ["abs_max", "channel_wise_abs_max"])
        types = (*WITH_WEIGHT, *WITHOUT_WEIGHT)
        self._quantizable_op_type = tools.check_types(_CALL, types if is_full_quantize else quantizable_op_type, types)
        self._executor, self._place = executor, executor.place
        self._scope = global_scope() if scope is None else scope
        self._files = model_dir, model_filename, params_filename
        self._batch_generator, self._sample_generator = batch_generator, sample_generator
        self._batch_size, self._batch_nums = batch_size, batch_nums
        self._algo = algo
        self._activation_bits, self._weight_bits = activation_bits, weight_bits
        self._activation_quantize_type, self._weight_quantize_type = activation_quantize_type, weight_quantize_type
        self._ranges = _ALGORITHMS[algo](weight_quantize_type == "channel_wise_abs_max")
        self._program: Any = None
        self._feed_list: list[Any] = []
        self._fetch_list: list[Any] = []

    def quantize(self) -> Any:
        """Run the model on the batches and quantize it.

        Returns:
            The Program of the quantized model.
        """
        loader = self._load()
        weights, activations = self._targets()
        self._observe(loader, activations)
        for name in weights:
            self._ranges.see_weight(name, tools.load(self._scope, name))
        if self._algo == "min_max":
            self._describe_inputs()
        else:
            self._apply_passes()
        self._describe_results()
        return self._program

    def save_quantized_model(
        self, save_model_path: str, model_filename: str | None = None, params_filename: str | None = None
    ) -> None:
        """Save the quantized model.

        Arguments:
            save_model_path: the folder.
            model_filename, params_filename: the files in it, where they are not to be the usual ones.
        """
        save_inference_model(
            dirname=save_model_path,
            feeded_var_names=self._feed_list,
            target_vars=self._fetch_list,
            executor=self._executor,
            main_program=self._program,
            model_filename=model_filename,
            params_filename=params_filename,
        )

    # --- the model and its values -------------------------------------------------------------------------------------

    def _load(self) -> Any:
        """Load the model; return the loader of batches."""
        folder, model, params = self._files
        self._program, self._feed_list, self._fetch_list = load_inference_model(
            folder, self._executor, model_filename=model, params_filename=params
        )
        feeds = [self._program.global_block().var(name) for name in self._feed_list]
        loader = DataLoader.from_generator(feed_list=feeds, capacity=3 * self._batch_size, iterable=True)
        if self._sample_generator is not None:
            loader.set_sample_generator(
                self._sample_generator, batch_size=self._batch_size, drop_last=True, places=self._place
            )
        elif self._batch_generator is not None:
            loader.set_batch_generator(self._batch_generator, places=self._place)
        return loader

    def _targets(self) -> tuple[list[str], list[str]]:
        """Return the names of the weights and of the activations whose ranges are needed."""
        kept = {v.name for v in self._program.list_vars() if v.persistable}
        weights: dict[str, None] = {}
        activations: dict[str, None] = {}
        for op in self._program.global_block().ops:
            names = values_read(op) if op.type in self._quantizable_op_type else []
            if op.type in self._quantizable_op_type or op.type in OUT_SCALE:
                names = [*names, *values_written(op)]
            for name in names:
                (weights if name in kept else activations)[name] = None
        return list(weights), list(activations)

    def _observe(self, loader: Any, activations: list[str]) -> None:
        """Run the model on the batches, and let the ranges see its activations."""
        for number, data in enumerate(loader()):
            if self._batch_nums is not None and number >= max(self._batch_nums, 1):
                break
            values = self._executor.run(
                program=self._program, feed=data, fetch_list=activations, return_numpy=False, scope=self._scope
            )
            for name, value in zip(activations, values, strict=True):
                self._ranges.see(name, np.array(value))

    # --- the quantized model ------------------------------------------------------------------------------------------

    def _apply_passes(self) -> None:
        """Quantize the Program by the passes of training, with the scales that were found."""
        graph = IrGraph(Graph(self._program.desc), for_test=True)
        scope, place = self._scope, self._place
        QuantizationTransformPass(
            scope, place, self._weight_bits, self._activation_bits, self._activation_quantize_type,
            self._weight_quantize_type, quantizable_op_type=[t for t in self._quantizable_op_type if t in WITH_WEIGHT],
        ).apply(graph)  # fmt: skip
        others = [t for t in self._quantizable_op_type if t in WITHOUT_WEIGHT and t not in WITH_WEIGHT]
        AddQuantDequantPass(scope, place, quantizable_op_type=others).apply(graph)
        for name, scale in self._ranges.scales().items():
            for suffix in (".scale", ".quant_dequant.scale"):
                tools.store(scope, place, name + suffix, np.array([scale], np.float32))
        freeze = QuantizationFreezePass(
            scope, place, self._weight_bits, self._activation_bits, self._weight_quantize_type
        )
        self._program = freeze.apply(graph).to_program()

    def _describe_inputs(self) -> None:
        """Write the ranges of inputs into the attributes of the operators."""
        for op in self._program.global_block().ops:
            if op.type in self._quantizable_op_type:
                for name in values_read(op):
                    for attribute, value in self._ranges.attributes_of(name).items():
                        op._set_attr(f"{name}.{attribute}", value)

    def _describe_results(self) -> None:
        """Write the ranges of results into the attributes of the operators."""
        for op in self._program.global_block().ops:
            if op.type not in OUT_SCALE and op.type not in self._quantizable_op_type:
                continue
            for name in values_written(op):
                for attribute, value in self._ranges.attributes_of(name, "out_").items():
                    op._set_attr(attribute, value)
            if op.type in self._quantizable_op_type:
                op._set_attr("quantization_type", f"post_{self._algo.lower()}")


def _known(argument: str, value: str, known: list[str]) -> None:
    if value not in known:
        raise ArgumentValueError(message(_CALL, argument, repr(value), f"one of {known}"))
