"""Quantization as models of PaddlePaddle 2 hold it; tests/interop compares it with numbers of 2.6.2."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

WHY = "PaddlePaddle 1.8.5 has no such operator"
X, ZERO = draw(3, 4, low=-2, high=2), np.zeros(1, "float32")
SCALES = draw(3, low=1, high=2)


def one(attrs=None, **inputs):
    return Sample(inputs, attrs, excluded=WHY, grads=(), outputs=["Y"] if "Scale" in inputs else None)


def bad(error, match, attrs=None, **inputs):
    return Bad(inputs, attrs, error, match)


def linear(type, x, *more):
    samples = [
        one({"quant_axis": -1}, X=x, Scale=SCALES[:1], ZeroPoint=ZERO),
        one({"quant_axis": 0}, X=x, Scale=SCALES, ZeroPoint=np.zeros(3, "float32")),
        one({"quant_axis": 0, "bit_length": 4}, X=x, Scale=SCALES, ZeroPoint=np.zeros(3, "float32")),
    ]
    errors = [
        bad("ShapeError", "Input(Scale)", {"quant_axis": 1}, X=x, Scale=SCALES, ZeroPoint=ZERO),
        bad("ArgumentValueError", "bit_length", {"bit_length": 0}, X=x, Scale=SCALES, ZeroPoint=ZERO),
        bad("ArgumentValueError", "'is_test'", {"is_test": False}, X=x, Scale=SCALES, ZeroPoint=ZERO),
    ]
    return Row(type, [*samples, *more], errors)


UNTRAINED = "models with it are run here, and trained by PaddlePaddle 2"
ROWS = [
    linear("quantize_linear", X, one({"quant_axis": -1, "round_type": 1}, X=X, Scale=SCALES[:1], ZeroPoint=ZERO)),
    linear("dequantize_linear", np.rint(X * 20)),
    Row(
        "fake_quantize_dequantize_abs_max",
        [one(X=X), one({"bit_length": 4}, X=X)],
        [bad("ArgumentValueError", "bit_length", {"bit_length": 0}, X=X)],
        no_grad_reason=UNTRAINED,
    ),
    Row(
        "fake_channel_wise_quantize_dequantize_abs_max",
        [one(X=X), one({"quant_axis": 1}, X=X)],
        [bad("ShapeError", "quant_axis", {"quant_axis": 2}, X=X)],
        no_grad_reason=UNTRAINED,
    ),
]
