"""WeightQuantization: a saved model whose weights are stored as int8 or int16."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.errors import ArgumentTypeError, ArgumentValueError, MissingFileError, describe, message
from ....core.place import CPUPlace
from ....io.inference_model import load_inference_model, save_inference_model
from ....static.execution.executor import Executor
from ....static.execution.scope import Scope, scope_guard
from . import graph_tools as tools
from .operator_slots import CONVOLUTIONS

_CALL = "WeightQuantization"
_BINS = 5000


class WeightQuantization:
    """Makes the files of a saved model smaller: weights are stored as integers, with their scales in attributes.

    Arguments:
        model_dir: the folder of the model, as `save_inference_model` wrote it.
        model_filename, params_filename: the files in the folder, where they are not the usual ones.

    Raises:
        ArgumentTypeError: model_dir is no path.
    """

    _supported_quantizable_op_type = ["conv2d", "depthwise_conv2d", "mul"]
    _supported_weight_quantize_type = ["channel_wise_abs_max", "abs_max"]

    def __init__(self, model_dir: str, model_filename: str | None = None, params_filename: str | None = None) -> None:
        if not isinstance(model_dir, (str, os.PathLike)):
            raise ArgumentTypeError(message(_CALL, "model_dir", describe(model_dir), "the path of a folder"))
        self._files = os.fspath(model_dir), model_filename, params_filename

    def quantize_weight_to_int(
        self,
        save_model_dir: str,
        save_model_filename: str | None = None,
        save_params_filename: str | None = None,
        quantizable_op_type: Sequence[str] = ("conv2d", "mul"),
        weight_bits: int = 8,
        weight_quantize_type: str = "channel_wise_abs_max",
        generate_test_model: bool = False,
        threshold_rate: float = 0.0,
    ) -> None:
        """Save the model with integer weights in the folder `quantized_model` of a folder.

        Inference engines restore the weights by the attributes; PaddlePaddle's Executor and the one here do not run such a model.

        Arguments:
            save_model_dir: the folder.
            save_model_filename, save_params_filename: the files, where they are not to be the usual ones.
            quantizable_op_type: the types of the operators: "conv2d", "depthwise_conv2d" and "mul".
            weight_bits: 8 or 16.
            weight_quantize_type: "channel_wise_abs_max" (a scale for each filter, or for each column of a matrix) or "abs_max".
            generate_test_model: whether to save the model with weights that were quantized and restored, too, which the Executor
                runs; in the folder `test_model`.
            threshold_rate: the part of the weights that may be clipped; for "abs_max".

        Raises:
            ArgumentValueError: an argument has an unknown value.
            MissingFileError: there is no model in the folder.
        """
        types = tools.check_types(
            f"{_CALL}.quantize_weight_to_int", quantizable_op_type, self._supported_quantizable_op_type
        )
        _known("weight_bits", weight_bits, [8, 16])
        _known("weight_quantize_type", weight_quantize_type, self._supported_weight_quantize_type)
        if not os.path.isdir(self._files[0]):
            raise MissingFileError(message(_CALL, "model_dir", repr(self._files[0]), "a folder with a saved model"))
        for folder, restored in (("quantized_model", False), ("test_model", True)):
            if not restored or generate_test_model:
                to = os.path.join(save_model_dir, folder), save_model_filename, save_params_filename
                self._save(to, types, weight_bits, weight_quantize_type, restored, threshold_rate)

    def _save(self, to: tuple, types: list[str], bits: int, kind: str, restored: bool, rate: float) -> None:
        """Save the model with integer weights, or with weights that were restored from them."""
        place, scope = CPUPlace(), Scope()
        executor = Executor(place)
        with scope_guard(scope):
            folder, model, params = self._files
            program, feeds, fetches = load_inference_model(folder, executor, model, params)
            kept = {v.name for v in program.list_vars() if v.persistable}
            done: dict[str, list[float]] = {}
            for op in program.global_block().ops:
                for name in op.input_arg_names if op.type in types else ():
                    if name in kept:
                        if name not in done:
                            done[name] = _quantize(scope, place, op.type, name, bits, kind, restored, rate)
                        op._set_attr("quantization_type", f"post_weight_{kind}")
                        op._set_attr("quantize_weight_bits", bits)
                        op._set_attr(f"{name}_quant_scale", done[name])
            save_inference_model(
                dirname=to[0], feeded_var_names=feeds, target_vars=fetches, executor=executor, main_program=program,
                model_filename=to[1], params_filename=to[2],
            )  # fmt: skip


def _quantize(
    scope: Any, place: Any, type: str, name: str, bits: int, kind: str, restored: bool, rate: float
) -> list[float]:
    """Quantize a weight in a Scope; return its scales."""
    weight, levels = tools.load(scope, name), (1 << (bits - 1)) - 1
    axis = 0 if type in CONVOLUTIONS else weight.ndim - 1
    if kind == "abs_max":
        threshold = clipping_threshold(weight, rate)
        weight = np.clip(weight, -threshold, threshold).astype(weight.dtype)
        scales = np.array([threshold / levels])
    else:
        others = tuple(i for i in range(weight.ndim) if i != axis)
        scales = np.max(np.abs(weight), axis=others) / levels
    shape = [-1 if i == axis and len(scales) > 1 else 1 for i in range(weight.ndim)]
    whole = np.around(weight / scales.reshape(shape).astype(weight.dtype)).astype(np.int8 if bits == 8 else np.int16)
    tools.store(scope, place, name, (whole * scales.reshape(shape)).astype(weight.dtype) if restored else whole)
    return [float(scale) for scale in scales]


def clipping_threshold(values: np.ndarray, rate: float) -> float:
    """Return the least edge of a histogram of absolute values that at most the part `rate` of the values exceeds."""
    magnitudes = np.abs(values)
    largest = np.max(magnitudes)
    if abs(rate) < 1e-10:
        return float(largest)
    histogram, edges = np.histogram(magnitudes, bins=_BINS, range=(0, largest))
    parts = np.cumsum(histogram / float(histogram.sum()))
    reached = np.flatnonzero(parts >= 1.0 - rate)
    return float((reached[0] + 1 if len(reached) else 0) * (edges[1] - edges[0]))


def _known(argument: str, value: Any, known: list[Any]) -> None:
    if value not in known:
        raise ArgumentValueError(message(f"{_CALL}.quantize_weight_to_int", argument, repr(value), f"one of {known}"))
