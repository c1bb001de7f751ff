"""Operators newer than PaddlePaddle 1.8.5: pointwise functions, logsumexp, selection and padding."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.costs import PerElement
from ..framework.pointwise import pointwise
from ..framework.spec import Declaration, Grad, Ints, OpDef, Required, op
from ..math.arithmetic import need_kind
from ..support.meta import Meta
from ..support.require import require_dtype, require_elements
from ..support.scalar_inputs import require_integer_numbers
from ..support.shape_rules import UNKNOWN, axis_of, requested

BOOL = np.dtype("bool")

celu = pointwise(
    "celu",
    "x if x > 0 else alpha * (exp(x / alpha) - 1)",
    grad="dout if x > 0 else dout * exp(x / alpha)",
    attrs={"alpha": 1.0},
    common={},
    doc="Out = X where X > 0, alpha * (exp(X / alpha) - 1) elsewhere.",
    activation=False,
)


sinh = pointwise("sinh", "sinh(x)", grad="dout * cosh(x)", doc="Out = sinh(X).", common={}, activation=False)
cosh = pointwise("cosh", "cosh(x)", grad="dout * sinh(x)", doc="Out = cosh(X).", common={}, activation=False)
tan = pointwise(
    "tan", "sin(x) / cos(x)", grad="dout / (cos(x) * cos(x))", doc="Out = tan(X).", common={}, activation=False
)


def _of_numbers(type: str, doc: str, function, slope, reads: str) -> OpDef:
    """Declare a function of floating and integer numbers; the result of integers is float32.

    Arguments:
        function: `f(xp, X)`. slope: `f(xp, read)`, its derivative, by what the gradient `reads`: X or Out.
    """

    def infer(X):
        need_kind(type, X, "fi", "a float or int dtype")
        return Meta(tuple(X.shape), X.dtype if X.dtype.kind == "f" else np.dtype("float32"), X.lod_level)

    def reference(xp, X):
        return function(xp, X if X.dtype.kind == "f" else X.astype("float32"))

    def gradient(xp, read, dOut):
        return dOut * slope(xp, read)

    grad = Grad(f"{reads} Out@GRAD", "X@GRAD", gradient, flops=PerElement(2, reads))
    body = SimpleNamespace(__module__=__name__, __doc__=doc, infer=infer, reference=reference, grad=grad)
    return op(type, inputs="X", outputs="Out", flops=PerElement(1))(body)


log2 = _of_numbers(
    "log2", "Out = log2(X).", lambda xp, x: xp.log2(x), lambda xp, x: 1 / (x * x.dtype.type(math.log(2))), "X"
)
log10 = _of_numbers(
    "log10", "Out = log10(X).", lambda xp, x: xp.log10(x), lambda xp, x: 1 / (x * x.dtype.type(math.log(10))), "X"
)
expm1 = _of_numbers(
    "expm1", "Out = exp(X) - 1, exact near 0.", lambda xp, x: xp.expm1(x), lambda xp, out: out + 1, "Out"
)


def _tested(type: str, name: str, doc: str) -> OpDef:
    """Declare Out = whether each element is so."""

    def infer(X):
        need_kind(type, X, "fi", "a float or int dtype")
        return Meta(tuple(X.shape), BOOL, X.lod_level)

    def reference(xp, X):
        return getattr(xp, name)(X)

    body = SimpleNamespace(__module__=__name__, __doc__=doc, infer=infer, reference=reference)
    return op(type, inputs="X", outputs="Out")(body)


isnan_v2 = _tested("isnan_v2", "isnan", "Whether each element is NaN.")
isinf_v2 = _tested("isinf_v2", "isinf", "Whether each element is infinite.")
isfinite_v2 = _tested("isfinite_v2", "isfinite", "Whether each element is neither NaN nor infinite.")


# --- logsumexp ------------------------------------------------------------------------------------------------------------


def axes_of(rank, axis, reduce_all):
    """Return the axes to sum over: all of them for `reduce_all` and for an empty list."""
    if reduce_all or not axis:
        return tuple(range(rank))
    return tuple(sorted({axis_of("logsumexp", a, rank) for a in axis}))


@op(
    "logsumexp",
    inputs="X",
    outputs="Out",
    attrs={"axis": Ints([0]), "keepdim": False, "reduce_all": False},
    lod=None,
    flops=PerElement(3),
)
class logsumexp(Declaration):
    """Compute the logarithm of the sum of the exponentials over the given axes."""

    def infer(X, *, axis, keepdim, reduce_all):
        need_kind("logsumexp", X, "f", "a float dtype")
        require_elements("logsumexp", "X", X)
        axes = axes_of(len(X.shape), axis, reduce_all)
        kept = [1 if i in axes else n for i, n in enumerate(X.shape) if keepdim or i not in axes]
        return Meta(tuple(kept), X.dtype)

    def reference(xp, X, *, axis, keepdim, reduce_all):
        axes = axes_of(X.ndim, axis, reduce_all)
        top = X.max(axis=axes, keepdims=True)
        out = xp.log(xp.exp(X - top).sum(axis=axes, keepdims=True)) + top
        return out if keepdim else xp.asarray(out.reshape([n for i, n in enumerate(X.shape) if i not in axes]))

    def gradient(xp, X, Out, dOut, *, axis, reduce_all):
        axes = axes_of(X.ndim, axis, reduce_all)
        kept = [1 if i in axes else n for i, n in enumerate(X.shape)]
        return dOut.reshape(kept) * xp.exp(X - Out.reshape(kept))

    grad = Grad("X Out Out@GRAD", "X@GRAD", gradient)


# --- masked_select ----------------------------------------------------------------------------------------------------------


@op("masked_select", inputs="X Mask", outputs="Y", lod=None)
class masked_select(Declaration):
    """Return the elements of X at which Mask is True, as a vector."""

    def infer(X, Mask):
        require_dtype("masked_select", "Mask", Mask, "bool")
        if len(X.shape) != len(Mask.shape) or any(
            a != b and UNKNOWN not in (a, b) for a, b in zip(X.shape, Mask.shape, strict=True)
        ):
            needs = f"{list(X.shape)}, the shape of X"
            raise ShapeError(message("masked_select", "Input(Mask)", f"shape {list(Mask.shape)}", needs))
        return Meta((UNKNOWN,), X.dtype)

    def reference(xp, X, Mask):
        return X[Mask]

    def gradient(xp, X, Mask, dOut):
        dX = xp.zeros(X.shape, dOut.dtype)
        dX[Mask] = dOut
        return dX

    grad = Grad("X# Mask Y@GRAD", "X@GRAD", gradient)


# --- pad3d ----------------------------------------------------------------------------------------------------------------


MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def margins(X, paddings, mode, data_format):
    """Return (axis, before, after) of each axis that gets margins; `paddings` begins with the last of them."""
    where = "pad3d"
    if mode not in MODES:
        raise ArgumentValueError(message(where, "attribute 'mode'", repr(mode), f"one of {', '.join(MODES)}"))
    if len(X.shape) != 5 or len(paddings) != 6:
        got = f"{list(paddings)} for an input of {len(X.shape)} dimensions"
        raise ShapeError(message(where, "attribute 'paddings'", got, "six numbers, for five dimensions"))
    last = 3 if data_format == "NDHWC" else 4
    found = [(last - i, paddings[2 * i], paddings[2 * i + 1]) for i in range(3)]
    for axis, *ends in found:
        n = X.shape[axis]
        most = {"reflect": n - 1, "circular": n}.get(mode, max(ends))
        if min(ends) < 0 or (n != UNKNOWN and max(ends) > most):
            needs = f"0 to {most} at the ends of an axis of {n}, in the mode {mode}"
            raise ShapeError(message(where, "attribute 'paddings'", list(paddings), needs))
    return found


@op(
    "pad3d",
    inputs="X Paddings?",
    outputs="Out",
    attrs={"paddings": Required("INTS"), "mode": "constant", "value": 0.0, "data_format": "NCDHW"},
    lod=None,
    flops=0,
)
class pad3d(Declaration):
    """Pad volumes: with a constant, by reflection, by the edge values, or circularly."""

    def infer(X, Paddings, *, paddings, mode, data_format, **_):
        shape = list(X.shape)
        if Paddings is not None:
            require_integer_numbers("pad3d", "Paddings", Paddings)
            return Meta(tuple(UNKNOWN for _ in shape), X.dtype)
        for axis, before, after in margins(X, paddings, mode, data_format):
            shape[axis] = UNKNOWN if shape[axis] == UNKNOWN else shape[axis] + before + after
        return Meta(tuple(shape), X.dtype)

    def reference(xp, X, Paddings, *, paddings, mode, value, data_format):
        out = X
        for axis, *ends in margins(X, requested(paddings, Paddings), mode, data_format):
            if any(ends):
                widths = [tuple(ends) if a == axis else (0, 0) for a in range(X.ndim)]
                more = {"constant_values": value} if mode == "constant" else {}
                out = xp.pad(out, widths, mode=MODES[mode], **more)
        return xp.array(out) if out is X else out

    def gradient(xp, X, Paddings, dOut, *, paddings, mode, data_format):
        dx = dOut
        for axis, before, after in margins(X, requested(paddings, Paddings), mode, data_format):
            n = X.shape[axis]
            inner = dx[(slice(None),) * axis + (slice(before, before + n),)]
            if mode == "constant" or not (before or after):
                dx = inner
                continue
            places = xp.pad(xp.arange(n), (before, after), mode=MODES[mode])
            weights = xp.zeros((len(places), n), dOut.dtype)
            weights[xp.arange(len(places)), places] = 1
            dx = xp.moveaxis(xp.tensordot(dx, weights, axes=(axis, 0)), -1, axis)
        return xp.array(dx, order="C")

    grad = Grad("X# Paddings? Out@GRAD", "X@GRAD", gradient)
