"""Activations and other functions of one array, softmax, dropout in inference."""

from __future__ import annotations

import numpy as np

from .call import OnnxCall, converts

PLAIN = {
    "abs": "Abs", "acos": "Acos", "asin": "Asin", "atan": "Atan", "ceil": "Ceil", "cos": "Cos", "cosh": "Cosh",
    "erf": "Erf", "exp": "Exp", "floor": "Floor", "log": "Log", "logical_not": "Not", "reciprocal": "Reciprocal",
    "relu": "Relu", "sigmoid": "Sigmoid", "sign": "Sign", "sin": "Sin", "sinh": "Sinh", "softplus": "Softplus",
    "softsign": "Softsign", "sqrt": "Sqrt", "tan": "Tan", "tanh": "Tanh",
}  # fmt: skip
"""Operators that ONNX has under another name, without attributes."""


@converts(*PLAIN)
def plain(call: OnnxCall) -> None:
    """Convert functions without attributes."""
    if call.dtype().kind in "fb" or call.op.type in ("abs", "sign"):
        call.out(call.node(PLAIN[call.op.type], call.x()))
    else:
        call.out(call.cast(call.node(PLAIN[call.op.type], call.float_x()), call.dtype_made()))


@converts("isnan", "isinf", "isfinite")
def any_special(call: OnnxCall) -> None:
    """Convert isnan and isinf: whether any element is a NaN or an infinity; and isfinite: whether all are finite."""
    bad = _special(call, {"isnan": ("IsNaN",), "isinf": ("IsInf",)}.get(call.op.type, ("IsNaN", "IsInf")))
    found = call.cast(call.node("ReduceMax", call.cast(bad, np.int32), keepdims=0), bool)
    found = call.node("Not", found) if call.op.type == "isfinite" else found
    call.out(call.reshape(found, 1))


@converts("isnan_v2", "isinf_v2", "isfinite_v2")
def special(call: OnnxCall) -> None:
    """Convert the tests of each element: NaN, infinite, finite."""
    bad = _special(call, {"isnan_v2": ("IsNaN",), "isinf_v2": ("IsInf",)}.get(call.op.type, ("IsNaN", "IsInf")))
    call.out(call.node("Not", bad) if call.op.type == "isfinite_v2" else bad)


def _special(call: OnnxCall, tests: tuple[str, ...]) -> str:
    x = call.x() if call.dtype().kind == "f" else call.cast(call.x(), np.float32)
    found = [call.node(test, x) for test in tests]
    return found[0] if len(found) == 1 else call.node("Or", *found)


@converts("leaky_relu", "elu", "celu")
def with_alpha(call: OnnxCall) -> None:
    """Convert functions with a slope."""
    x, alpha = call.x(), float(call.attr("alpha"))
    if call.op.type == "leaky_relu":
        call.out(call.node("LeakyRelu", x, alpha=alpha))
    elif call.op.type == "elu":
        call.out(call.node("Elu", x, alpha=alpha))
    else:
        call.out(call.node("Celu", x, alpha=alpha))


@converts("selu")
def selu(call: OnnxCall) -> None:
    """scale * x, or scale * alpha * (e ** x - 1) below 0."""
    call.out(call.node("Selu", call.x(), alpha=float(call.attr("alpha")), gamma=float(call.attr("scale"))))


@converts("relu6", "brelu", "hard_sigmoid", "clip")
def clipped(call: OnnxCall) -> None:
    """Convert a line between two bounds."""
    x, type = call.x(), call.op.type
    low, high = 0.0, 1.0
    if type == "relu6":
        high = float(call.attr("threshold"))
    elif type == "brelu":
        low, high = float(call.attr("t_min")), float(call.attr("t_max"))
    elif type == "hard_sigmoid":
        x = line(call, x, float(call.attr("slope")), float(call.attr("offset")))
    else:
        bounds = [
            call.scalar(call.x(slot)) if call.has(slot) else call.like(call.attr(slot.lower()))
            for slot in ("Min", "Max")
        ]
        call.out(call.node("Clip", x, *bounds))
        return
    call.out(call.node("Clip", x, call.like(low), call.like(high)))


def line(call: OnnxCall, x: str, slope: float, offset: float) -> str:
    """Return slope * x + offset."""
    x = x if slope == 1 else call.node("Mul", x, call.like(slope))
    return x if offset == 0 else call.node("Add", x, call.like(offset))


@converts("hard_swish")
def hard_swish(call: OnnxCall) -> None:
    """x * min(max(x + offset, 0), threshold) / scale."""
    gate = call.node(
        "Clip", line(call, call.x(), 1.0, call.attr("offset")), call.like(0.0), call.like(call.attr("threshold"))
    )
    call.out(call.node("Div", call.node("Mul", call.x(), gate), call.like(call.attr("scale"))))


@converts("swish", "silu")
def swish(call: OnnxCall) -> None:
    """x * sigmoid(beta * x)."""
    beta = float(call.attr("beta")) if call.op.type == "swish" else 1.0
    call.out(call.node("Mul", call.x(), call.node("Sigmoid", line(call, call.x(), beta, 0.0))))


@converts("gelu")
def gelu(call: OnnxCall) -> None:
    """x times the normal distribution's function of x, exact or by tanh."""
    x = call.x()
    if call.attr("approximate"):
        cube = call.node("Mul", call.node("Mul", x, x), x)
        inner = call.node("Add", x, call.node("Mul", cube, call.like(0.044715)))
        part = call.node("Tanh", call.node("Mul", inner, call.like(np.sqrt(2 / np.pi))))
    else:
        part = call.node("Erf", call.node("Mul", x, call.like(np.sqrt(0.5))))
    half = call.node("Mul", x, call.like(0.5))
    call.out(call.node("Mul", half, call.node("Add", part, call.like(1.0))))


@converts("mish")
def mish(call: OnnxCall) -> None:
    """x * tanh(softplus(x)), x itself for softplus above a threshold."""
    x, bound = call.x(), float(call.attr("threshold"))
    soft = call.node("Softplus", x)
    if bound < 20:  # above that float32 does not tell them apart
        soft = call.node("Where", call.node("Greater", x, call.like(bound)), x, soft)
        soft = call.node("Where", call.node("Less", x, call.like(-bound)), call.node("Exp", x), soft)
    call.out(call.node("Mul", x, call.node("Tanh", soft)))


@converts("logsigmoid")
def logsigmoid(call: OnnxCall) -> None:
    """-softplus(-x)."""
    call.out(call.node("Neg", call.node("Softplus", call.node("Neg", call.x()))))


@converts("tanh_shrink")
def tanh_shrink(call: OnnxCall) -> None:
    """x - tanh(x)."""
    call.out(call.node("Sub", call.x(), call.node("Tanh", call.x())))


@converts("softshrink", "hard_shrink")
def shrink(call: OnnxCall) -> None:
    """0 near 0."""
    soft = call.op.type == "softshrink"
    bound = float(call.attr("lambda" if soft else "threshold"))
    call.out(call.node("Shrink", call.x(), lambd=bound, bias=bound if soft else 0.0))


@converts("thresholded_relu")
def thresholded_relu(call: OnnxCall) -> None:
    """x above a threshold, else 0."""
    call.out(call.node("ThresholdedRelu", call.x(), alpha=float(call.attr("threshold"))))


@converts("stanh")
def stanh(call: OnnxCall) -> None:
    """b * tanh(a * x)."""
    inner = call.node("Tanh", line(call, call.x(), float(call.attr("scale_a")), 0.0))
    call.out(line(call, inner, float(call.attr("scale_b")), 0.0))


@converts("soft_relu")
def soft_relu(call: OnnxCall) -> None:
    """log(1 + e ** x), x between bounds."""
    bound = float(call.attr("threshold"))
    call.out(call.node("Softplus", call.node("Clip", call.x(), call.like(-bound), call.like(bound))))


@converts("log2", "log10", "log1p", "expm1")
def logarithms(call: OnnxCall) -> None:
    """Convert logarithms to other bases, and near 1."""
    type, x = call.op.type, call.float_x()
    dtype = call.dtype() if call.dtype().kind == "f" else np.dtype(np.float64)
    if type == "log1p":
        found = call.node("Log", call.node("Add", x, call.constant(1, dtype)))
    elif type == "expm1":
        found = call.node("Sub", call.node("Exp", x), call.constant(1, dtype))
    else:
        found = call.node("Div", call.node("Log", x), call.constant(np.log(2.0 if type == "log2" else 10.0), dtype))
    call.out(found if dtype == call.dtype() else call.cast(found, call.dtype_made()))


@converts("square")
def square(call: OnnxCall) -> None:
    """x * x."""
    call.out(call.node("Mul", call.x(), call.x()))


@converts("rsqrt")
def rsqrt(call: OnnxCall) -> None:
    """1 / sqrt(x)."""
    call.out(call.node("Reciprocal", call.node("Sqrt", call.x())))


@converts("round")
def rounded(call: OnnxCall) -> None:
    """Convert the rounding of halves away from 0: ONNX's Round takes the even neighbour."""
    size = call.node("Floor", call.node("Add", call.node("Abs", call.x()), call.like(0.5)))
    call.out(call.node("Mul", call.node("Sign", call.x()), size))


@converts("pow")
def power(call: OnnxCall) -> None:
    """x ** factor."""
    factor = call.scalar(call.x("FactorTensor")) if call.has("FactorTensor") else call.like(call.attr("factor"))
    call.out(call.node("Pow", call.x(), factor))


@converts("scale")
def scale(call: OnnxCall) -> None:
    """scale * x + bias, or scale * (x + bias)."""
    x, dtype = call.x(), call.dtype()
    bias = call.attr("bias") if dtype.kind == "f" else int(call.attr("bias"))
    factor: float | None = float(call.attr("scale"))
    if call.has("ScaleTensor"):
        factor, tensor = None, call.scalar(call.x("ScaleTensor"))
    else:
        tensor = call.like(factor if dtype.kind == "f" else int(factor or 0))
    if bias and not call.attr("bias_after_scale"):
        x = call.node("Add", x, call.like(bias))
    x = x if factor == 1 else call.node("Mul", x, tensor)
    if bias and call.attr("bias_after_scale"):
        x = call.node("Add", x, call.like(bias))
    call.out(x)


@converts("softmax", "log_softmax")
def softmax(call: OnnxCall) -> None:
    """Convert softmax along one axis."""
    axis = call.axis(int(call.attr("axis")))
    call.out(call.node("Softmax" if call.op.type == "softmax" else "LogSoftmax", call.x(), axis=axis))


@converts("prelu")
def prelu(call: OnnxCall) -> None:
    """Convert a slope below 0: one, one for each channel, or one for each element."""
    mode, alpha, rank = call.attr("mode"), call.x("Alpha"), call.rank()
    if mode == "channel":
        alpha = call.reshape(alpha, 1, -1, *[1] * (rank - 2))
    elif mode == "element":
        alpha = call.reshape(alpha, 1, *call.shape()[1:])
    else:
        alpha = call.reshape(alpha, *[1] * rank)
    call.out(call.node("PRelu", call.x(), alpha))


@converts("maxout")
def maxout(call: OnnxCall) -> None:
    """Convert the largest of each group of channels."""
    groups, axis, shape = int(call.attr("groups")), call.axis(int(call.attr("axis"))), call.shape()
    parts: list[str | int] = [shape[axis] // groups, groups] if shape[axis] > 0 else [-1, groups]
    head = [0] * axis
    if axis == len(shape) - 1:
        split = call.reshape(call.x(), *head, *[int(p) for p in parts])
    else:
        call.need(shape[axis] > 0, "the number of channels is not known")
        split = call.node("Reshape", call.x(), call.vector([*head, *parts, call.dims(call.x(), axis + 1)]))
    call.out(call.node("ReduceMax", split, call.ints(axis + 1), keepdims=0))


@converts("dropout")
def dropout(call: OnnxCall) -> None:
    """Convert dropout of inference: nothing, or a product with 1 - p where training does not scale ("downgrade_in_infer")."""
    if call.attr("dropout_implementation") == "upscale_in_train":
        call.out(call.x())
    else:
        call.out(call.node("Mul", call.x(), call.like(1.0 - float(np.float32(call.attr("dropout_prob"))))))
