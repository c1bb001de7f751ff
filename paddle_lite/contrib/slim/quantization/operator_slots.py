"""Which operators are quantized, which of their slots hold values, and the operators that quantize."""

from __future__ import annotations

from typing import Any

CONVOLUTIONS = ("conv2d", "depthwise_conv2d")

FAKE_QUANT = (
    "fake_quantize_abs_max", "fake_quantize_range_abs_max", "fake_quantize_moving_average_abs_max",
    "fake_channel_wise_quantize_abs_max",
)  # fmt: skip
FAKE_DEQUANT = ("fake_dequantize_max_abs", "fake_channel_wise_dequantize_max_abs")
FAKE_QUANT_DEQUANT = ("fake_quantize_dequantize_moving_average_abs_max",)

WITH_WEIGHT = ("conv2d", "depthwise_conv2d", "mul", "matmul")
"""Operators that QuantizationTransformPass quantizes with their weights."""

ACTIVATIONS = ("relu", "relu6", "leaky_relu", "tanh", "swish")

WITHOUT_WEIGHT = (
    "pool2d", "elementwise_add", "concat", "softmax", "argmax", "transpose", "equal", "gather", "greater_equal",
    "greater_than", "less_equal", "less_than", "mean", "not_equal", "reshape", "reshape2", "bilinear_interp",
    "nearest_interp", "trilinear_interp", "slice", "squeeze", "elementwise_sub", "mul", "matmul", *ACTIVATIONS,
)  # fmt: skip
"""Operators that AddQuantDequantPass quantizes."""

OUT_SCALE = (
    "conv2d", "depthwise_conv2d", "mul", "matmul", "relu", "leaky_relu", "relu6", "sigmoid", "tanh", "prelu", "swish",
    "softmax", "batch_norm", "elementwise_add", "pool2d", "reshape2", "transpose2", "concat", "elementwise_mul", "scale",
)  # fmt: skip
"""Operators whose results' ranges OutScaleForTrainingPass records."""

_TWO = ("elementwise_add", "elementwise_sub", "elementwise_mul", "mul", "matmul", "equal", "not_equal", "greater_equal",
        "greater_than", "less_equal", "less_than")  # fmt: skip
_ONE = ("pool2d", "concat", "softmax", "argmax", "transpose", "gather", "mean", "reshape", "reshape2", "transpose2",
        "bilinear_interp", "nearest_interp", "trilinear_interp", "squeeze", "relu", "relu6", "leaky_relu", "prelu", "tanh",
        "swish", "dropout", "sigmoid", "scale")  # fmt: skip

SLOTS: dict[str, list[list[str]]] = {
    **{name: [["Input", "Filter"], ["Output"]] for name in CONVOLUTIONS},
    **{name: [["X", "Y"], ["Out"]] for name in _TWO},
    **{name: [["X"], ["Out"]] for name in _ONE},
    "slice": [["Input"], ["Out"]],
    "batch_norm": [["X"], ["Y"]],
}
"""Type -> [the slots of its inputs that hold values, the slots of its results]."""


def values_read(op: Any) -> list[str]:
    """Return the names of the values that an operator (a node, or an Operator) reads; [] where its slots are not known."""
    return _names(op, 0, op.input)


def values_written(op: Any) -> list[str]:
    """Return the names of the values that an operator writes; [] where its slots are not known."""
    return _names(op, 1, op.output)


def _names(op: Any, which: int, get: Any) -> list[str]:
    type = op.name() if callable(getattr(op, "name", None)) else op.type
    return [name for slot in SLOTS.get(type, [[], []])[which] for name in get(slot)]
