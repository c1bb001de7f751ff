"""Activations and other functions of one array, element by element; softmax."""

from __future__ import annotations

from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ...kernels.codegen.expression import make
from ..framework.call import Call
from ..framework.costs import PerElement
from ..framework.frame import Frame, placed
from ..framework.fusion import Builder, Rule, expression, row_frame
from ..framework.pointwise import pointwise
from ..framework.spec import CUDNN, MKLDNN, Declaration, Grad, op
from ..framework.traits import Square

relu = pointwise("relu", "max(x, 0)", grad="dout if out > 0 else 0", doc="Out = max(X, 0).", as_epilogue={})
leaky_relu = pointwise(
    "leaky_relu",
    "x if x > 0 else alpha * x",
    grad="dout if out > 0 else alpha * dout",
    attrs={"alpha": 0.02},
    common=MKLDNN,
    doc="Out = X where X > 0, alpha * X elsewhere.",
)
sigmoid = pointwise(
    "sigmoid", "sigmoid(x)", grad="dout * out * (1 - out)", doc="Out = 1 / (1 + exp(-X)).", as_epilogue={}
)
logsigmoid = pointwise(
    "logsigmoid",
    "min(x, 0) - log1p(exp(-abs(x)))",
    grad="dout * sigmoid(-x)",
    doc="Out = log(1 / (1 + exp(-X))), without overflow.",
)
tanh = pointwise("tanh", "tanh(x)", grad="dout * (1 - out * out)", doc="Out = tanh(X).", as_epilogue={})
tanh_shrink = pointwise("tanh_shrink", "x - tanh(x)", grad="dout * tanh(x) * tanh(x)", doc="Out = X - tanh(X).")
softplus = pointwise(
    "softplus", "max(x, 0) + log1p(exp(-abs(x)))", grad="dout * sigmoid(x)", doc="Out = log(1 + exp(X))."
)
softsign = pointwise(
    "softsign", "x / (1 + abs(x))", grad="dout / (1 + abs(x)) / (1 + abs(x))", doc="Out = X / (1 + |X|)."
)
softshrink = pointwise(
    "softshrink",
    "x - lambda_ if x > lambda_ else x + lambda_ if x < -lambda_ else x * 0",
    grad="dout if abs(x) > lambda_ else 0",
    attrs={"lambda_": 0.5},
    common={},
    doc="Out = X moved towards 0 by lambda; 0 where |X| <= lambda.",
)
hard_shrink = pointwise(
    "hard_shrink",
    "x if abs(x) > threshold else x * 0",
    grad="dout if abs(x) > threshold else 0",
    attrs={"threshold": 0.5},
    common={},
    doc="Out = X where |X| > threshold, 0 elsewhere.",
)
thresholded_relu = pointwise(
    "thresholded_relu",
    "x if x > threshold else 0 if x < threshold else x * 0",
    grad="dout if x > threshold else 0",
    attrs={"threshold": 1.0},
    common={},
    doc="Out = X where X > threshold, 0 elsewhere.",
)
exp = pointwise("exp", "exp(x)", grad="dout * out", integers=True, cut=True, doc="Out = e ** X.")
log = pointwise("log", "log(x)", grad="dout / x", doc="Out = ln(X).")
log1p = pointwise("log1p", "log1p(x)", grad="dout / (1 + x)", doc="Out = ln(1 + X), exact near 0.", activation=False)
sqrt = pointwise("sqrt", "sqrt(x)", grad="0.5 * dout / out", doc="Out = the square root of X.")
rsqrt = pointwise("rsqrt", "rsqrt(x)", grad="-0.5 * dout * out * out * out", doc="Out = 1 / sqrt(X).")
square = pointwise("square", "x * x", grad="2 * dout * x", integers=True, doc="Out = X * X.", algebra=Square())
reciprocal = pointwise("reciprocal", "1 / x", grad="-dout * out * out", doc="Out = 1 / X.")
abs = pointwise("abs", "abs(x)", grad="dout * sign(x)", integers=True, doc="Out = |X|.")
ceil = pointwise("ceil", "ceil(x)", grad="0 * dout", doc="Out = X rounded up.")
floor = pointwise("floor", "floor(x)", grad="0 * dout", doc="Out = X rounded down.")
round = pointwise("round", "round(x)", grad="0 * dout", doc="Out = X rounded, halves away from 0.")
sin = pointwise("sin", "sin(x)", grad="dout * cos(x)", doc="Out = sin(X), X in radians.")
cos = pointwise("cos", "cos(x)", grad="-dout * sin(x)", doc="Out = cos(X), X in radians.")
asin = pointwise("asin", "asin(x)", grad="dout * rsqrt(1 - x * x)", common={}, doc="Out = arcsin(X) in radians.")
acos = pointwise("acos", "acos(x)", grad="-dout * rsqrt(1 - x * x)", common={}, doc="Out = arccos(X) in radians.")
atan = pointwise("atan", "atan(x)", grad="dout / (1 + x * x)", common={}, doc="Out = arctan(X) in radians.")
erf = pointwise(
    "erf", "erf(x)", grad="dout * 1.1283791670955126 * exp(-x * x)", common={}, doc="Out = the error function of X."
)
sign = pointwise(
    "sign",
    "sign(x)",
    common={},
    via=Grad("Out@GRAD", "X@GRAD", via="scale", attrs=lambda a: {"scale": 0.0}),
    doc="Out = -1, 0 or 1, the sign of X.",
    activation=False,
)

HALF_ROOT = 0.7071067811865476  # 1 / sqrt(2)
TANH_ROOT = 0.7978845608028654  # sqrt(2 / pi)
DENSITY = 0.3989422804014327  # 1 / sqrt(2 pi)
_inner = f"{TANH_ROOT} * (x + 0.044715 * x * x * x)"
gelu = pointwise(
    "gelu",
    f"(0.5 * x * (1 + tanh({_inner}))) if approximate else (0.5 * x * (1 + erf(x * {HALF_ROOT})))",
    grad=f"(dout * (0.5 * (1 + tanh({_inner})) + 0.5 * x * (1 - tanh({_inner}) * tanh({_inner}))"
    f" * {TANH_ROOT} * (1 + 0.134145 * x * x)))"
    f" if approximate else (dout * (0.5 * (1 + erf(x * {HALF_ROOT})) + x * {DENSITY} * exp(-0.5 * x * x)))",
    attrs={"approximate": False},
    doc="Out = X times the normal distribution's cumulative function (Hendrycks and Gimpel, 2016).",
)

FLOOR = -64.0  # Paddle clips smaller differences to the maximum to this: e^-64 is negligible beside the maximum's 1


def _softmax_frame(call: Call) -> Frame | None:
    value = call.one("X") or call.one("Out")
    if value is None or call.attrs["axis"] not in (-1, len(value.shape) - 1):
        return None
    return row_frame(value, len(value.shape) - 1)


def _build_softmax(call: Call, builder: Builder) -> None:
    x, out = call.one("X"), call.out("Out")
    assert x is not None and out is not None
    layout = placed(builder.frame, x.shape, x.shape)
    [node] = builder.read(x, layout)
    most = builder.row("max", node)
    power = expression(f"exp({FLOOR:g} if x - m < {FLOOR:g} else x - m)", x=node, m=most)
    total = builder.row("sum", power)
    builder.write(out, layout, [expression("e * (1 / s)", e=power, s=total)])


def _build_softmax_gradient(call: Call, builder: Builder) -> None:
    out, d, dx = call.one("Out"), call.one("Out@GRAD"), call.out("X@GRAD")
    assert out is not None and d is not None and dx is not None
    layout = placed(builder.frame, out.shape, out.shape)
    [y], [dy] = builder.read(out, layout), builder.read(d, layout)
    total = builder.row("sum", make("*", dy, y))
    builder.write(dx, layout, [expression("(d - s) * y", d=dy, s=total, y=y)])


@op(
    "softmax",
    inputs="X",
    outputs="Out",
    attrs={"axis": -1, **CUDNN, "data_format": "AnyLayout", **MKLDNN, "is_test": False},
    flops=PerElement(5),
    fuses=Rule(_softmax_frame, _build_softmax),
    activation=True,
)
class softmax(Declaration):
    """Out = exp(X) / sum(exp(X)) along `axis`, computed without overflow."""

    def infer(X, *, axis):
        if X.dtype.kind != "f":
            raise DtypeError(message("softmax", "Input(X)", f"dtype {X.dtype}", "float32 or float64"))
        rank = len(X.shape)
        if not -rank <= axis < rank:
            raise ArgumentValueError(
                message("softmax", "attribute 'axis'", axis, f"{-rank} to {rank - 1} for X of shape {list(X.shape)}")
            )
        if X.shape[axis] == 0:
            raise ShapeError(message("softmax", "Input(X)", f"shape {list(X.shape)}", f"an element along axis {axis}"))
        return X

    def reference(xp, X, *, axis):
        exponent = xp.exp(xp.maximum(X - X.max(axis=axis, keepdims=True), FLOOR))
        return exponent / exponent.sum(axis=axis, keepdims=True)

    def gradient(xp, Out, dOut, *, axis):
        return (dOut - (dOut * Out).sum(axis=axis, keepdims=True)) * Out

    def twice(xp, Out, dOut, ddX, *, axis):
        # dX = Out * (dOut - s) with s = sum(dOut * Out); differentiate ddX . dX
        s = (dOut * Out).sum(axis=axis, keepdims=True)
        t = (ddX * Out).sum(axis=axis, keepdims=True)
        return ddX * (dOut - s) - dOut * t, Out * (ddX - t)

    grad = Grad(
        "Out Out@GRAD",
        "X@GRAD",
        gradient,
        fuses=Rule(_softmax_frame, _build_softmax_gradient),
        grad=Grad("Out Out@GRAD X@GRAD@GRAD", "Out@GRAD Out@GRAD@GRAD", twice, type="softmax_grad_grad"),
        flops=PerElement(4, "Out@GRAD"),
    )
