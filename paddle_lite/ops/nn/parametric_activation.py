"""Activations with parameters: limits, slopes and groups; prelu learns its slopes."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.costs import PerElement
from ..framework.pointwise import pointwise
from ..framework.spec import MKLDNN, Declaration, Grad, Required, op
from ..math.arithmetic import need_kind
from ..math.elementwise import same_dtype
from ..support.meta import Meta

# --- limits --------------------------------------------------------------------------------------------------------------

relu6 = pointwise(
    "relu6",
    "min(max(x, 0), threshold)",
    grad="dout if 0 < out < threshold else 0",
    attrs={"threshold": 6.0},
    common={},
    doc="Out = X, but 0 where it is smaller and threshold where it is larger.",
    as_epilogue={"threshold": 6.0},
)
brelu = pointwise(
    "brelu",
    "min(max(x, t_min), t_max)",
    grad="dout if t_min < x < t_max else 0",
    attrs={"t_min": 0.0, "t_max": 24.0},
    common={},
    doc="Out = X, but t_min where it is smaller and t_max where it is larger.",
)
hard_sigmoid = pointwise(
    "hard_sigmoid",
    "min(max(slope * x + offset, 0), 1)",
    grad="slope * dout if 0 < out < 1 else 0",
    attrs={"slope": 0.2, "offset": 0.5},
    common={},
    doc="Out = slope * X + offset, kept between 0 and 1.",
)
hard_swish = pointwise(
    "hard_swish",
    "x * min(max(x + offset, 0), threshold) / scale",
    grad="0 if x + offset <= 0 else dout * (2 * x + offset) / scale if x + offset < threshold"
    " else dout * (threshold / scale)",
    attrs={"threshold": 6.0, "scale": 6.0, "offset": 3.0},
    common={},
    doc="Out = X * min(max(X + offset, 0), threshold) / scale (Howard et al., Searching for MobileNetV3, 2019).",
)
# The gradient reads Out only. X was clipped where Out is the softplus of the threshold or of its negative; Out may differ
# from these by a rounding error, which the factors near 1 allow for.
soft_relu = pointwise(
    "soft_relu",
    "log1p(exp(min(max(x, -threshold), threshold)))",
    grad="-dout * expm1(-out) if 1.000001 * log1p(exp(-threshold)) < out < 0.999999 * log1p(exp(threshold)) else 0",
    attrs={"threshold": 40.0},
    common={},
    doc="Out = log(1 + exp(X)), with X kept between -threshold and threshold.",
)

# --- slopes --------------------------------------------------------------------------------------------------------------

elu = pointwise(
    "elu",
    "x if x > 0 else alpha * expm1(x)",
    grad="dout if x > 0 else alpha * dout * exp(x)",
    attrs={"alpha": 1.0},
    common={},
    doc="Out = X where X > 0, alpha * (exp(X) - 1) elsewhere (Clevert et al., 2015).",
)
selu = pointwise(
    "selu",
    "scale * x if x > 0 else scale * alpha * expm1(x)",
    grad="scale * dout if out > 0 else dout * (out + scale * alpha)",
    attrs={"scale": 1.0507009873554805, "alpha": 1.6732632423543772},
    common={},
    doc="Out = scale * X where X > 0, scale * alpha * (exp(X) - 1) elsewhere (Klambauer et al., 2017).",
)
swish = pointwise(
    "swish",
    "x * sigmoid(beta * x)",
    grad="dout * sigmoid(beta * x) * (1 + beta * x * (1 - sigmoid(beta * x)))",
    attrs={"beta": 1.0},
    common=MKLDNN,
    doc="Out = X * sigmoid(beta * X) (Ramachandran et al., Searching for Activation Functions, 2017).",
)
stanh = pointwise(
    "stanh",
    "scale_b * tanh(scale_a * x)",
    grad="dout * scale_a * scale_b * (1 - tanh(scale_a * x) * tanh(scale_a * x))",
    attrs={"scale_a": 0.67, "scale_b": 1.7159},
    common={},
    doc="Out = scale_b * tanh(scale_a * X).",
)
_softplus = "(x if x > threshold else exp(x) if x < -threshold else log1p(exp(x)))"
_slope = "(1 if x > threshold else exp(x) if x < -threshold else sigmoid(x))"
mish = pointwise(
    "mish",
    f"x * tanh({_softplus})",
    grad=f"dout * (tanh({_softplus}) + x * {_slope} * (1 - tanh({_softplus}) * tanh({_softplus})))",
    attrs={"threshold": 20.0},
    common={},
    doc="Out = X * tanh(softplus(X)), softplus being X above threshold and exp(X) below -threshold (Misra, 2019).",
)


# --- learned slopes ------------------------------------------------------------------------------------------------------


def _slopes_shape(X: Any, Alpha: Any, mode: str) -> tuple[int, ...]:
    """Return the shape in which Alpha multiplies X; raise if it does not fit."""
    need_kind("prelu", X, "f", "float32 or float64")
    same_dtype("prelu", X, Alpha, "Alpha")
    x, slopes = tuple(X.shape), tuple(Alpha.shape)
    if mode not in ("all", "channel", "element"):
        raise ArgumentValueError(message("prelu", "attribute 'mode'", repr(mode), "'all', 'channel' or 'element'"))
    if mode != "all" and len(x) < 2:
        needs = f"a batch of rank 2 or more in mode {mode!r}"
        raise ShapeError(message("prelu", "Input(X)", f"shape {list(x)}", needs, "Use mode 'all'."))
    if mode == "all":
        needed: tuple[int, ...] = (1,) * len(x)
        fits = all(n in (1, -1) for n in slopes)
        needs = "one element in mode 'all'"
    elif mode == "channel":
        needed = (1, x[1], *(1,) * (len(x) - 2))
        fits = sorted(n for n in slopes if n not in (1, -1)) in ([], [x[1]]) or x[1] == -1
        fits = fits and (-1 in (*slopes, x[1]) or max(slopes, default=1) == x[1])
        needs = f"{x[1]} elements in mode 'channel', for X of shape {list(x)}"
    else:
        needed = (1, *x[1:])
        fits = len(slopes) == len(x) and all(m == n or -1 in (m, n) for m, n in zip(slopes, needed))
        needs = f"shape {list(needed)} in mode 'element', for X of shape {list(x)}"
    if not fits:
        raise ShapeError(message("prelu", "Input(Alpha)", f"shape {list(slopes)}", needs))
    return needed


@op(
    "prelu", inputs="X Alpha", outputs="Out", attrs={"mode": "all"}, flops=PerElement(2), activation=True, captured=True
)
class prelu(Declaration):
    """Out = X where X > 0, Alpha * X elsewhere, with one slope, one a channel or one an element (He et al., 2015)."""

    def infer(X, Alpha, *, mode):
        _slopes_shape(X, Alpha, mode)
        return X

    def reference(xp, X, Alpha, *, mode):
        return xp.where(X > 0, X, Alpha.reshape(_slopes_shape(X, Alpha, mode)) * X)

    def gradient(xp, X, Alpha, dOut, *, mode, need=(True, True)):
        shape = _slopes_shape(X, Alpha, mode)
        dx = dalpha = None
        if need[0]:
            dx = xp.where(X > 0, dOut, Alpha.reshape(shape) * dOut)
        if need[1]:
            axes = tuple(i for i, n in enumerate(shape) if n == 1)
            dalpha = xp.where(X > 0, X.dtype.type(0), X * dOut).sum(axis=axes).reshape(Alpha.shape)
        return dx, dalpha

    grad = Grad("X Alpha Out@GRAD", "X@GRAD Alpha@GRAD", gradient, flops=PerElement(3))


# --- the largest of a group ----------------------------------------------------------------------------------------------


def _grouped(X: Any, groups: int, axis: int) -> tuple[tuple[int, ...], int]:
    """Return X's shape with its channels as [channels, groups], and the axis of the groups."""
    need_kind("maxout", X, "f", "float32 or float64")
    shape = tuple(X.shape)
    if len(shape) != 4:
        raise ShapeError(message("maxout", "Input(X)", f"shape {list(shape)}", "rank 4, [N, C, H, W] or [N, H, W, C]"))
    if axis not in (1, 3):
        raise ArgumentValueError(message("maxout", "attribute 'axis'", axis, "the dimension of the channels, 1 or 3"))
    if groups < 2:
        raise ArgumentValueError(message("maxout", "attribute 'groups'", groups, "2 or more"))
    channels = shape[axis]
    if channels > 0 and channels % groups:
        needs = f"a divisor of the {channels} channels of X of shape {list(shape)}"
        raise ArgumentValueError(message("maxout", "attribute 'groups'", groups, needs))
    left = -1 if channels == -1 else channels // groups
    return (*shape[:axis], left, groups, *shape[axis + 1 :]), axis + 1


@op(
    "maxout",
    inputs="X",
    outputs="Out",
    attrs={"groups": Required("INT"), "axis": 1},
    lod=None,
    flops=PerElement(1),
    captured=True,
)
class maxout(Declaration):
    """Out = the largest of each `groups` channels that follow each other (Goodfellow et al., Maxout Networks, 2013)."""

    def infer(X, *, groups, axis):
        shape, at = _grouped(X, groups, axis)
        return Meta((*shape[:at], *shape[at + 1 :]), X.dtype)

    def reference(xp, X, *, groups, axis):
        shape, at = _grouped(X, groups, axis)
        return X.reshape(shape).max(axis=at)

    def gradient(xp, X, Out, dOut, *, groups, axis):
        shape, at = _grouped(X, groups, axis)
        dx = xp.empty(shape, dOut.dtype)
        channels, gradients = xp.moveaxis(X.reshape(shape), at, 0), xp.moveaxis(dx, at, 0)
        left = xp.ones(Out.shape, bool)
        for k in range(groups):  # of equal channels the first receives the whole gradient
            chosen = left & (channels[k] == Out)
            gradients[k] = xp.where(chosen, dOut, dOut.dtype.type(0))
            left &= ~chosen
        return dx.reshape(X.shape)

    grad = Grad("X Out Out@GRAD", "X@GRAD", gradient)
