"""Operators newer than PaddlePaddle 1.8.5 along an axis: running products and extremes, and elements chosen by their rank.

Slots, attributes and results are those of PaddlePaddle 2.6.2.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import ArgumentValueError, message
from ...core.indexed import add_at
from ..framework.costs import PerElement
from ..framework.spec import Declaration, Grad, Longs, OpDef, Required, op
from ..math.arithmetic import need_kind
from ..support.meta import Meta
from ..support.require import require_elements
from ..support.shape_rules import UNKNOWN, axis_of
from .places import along

NUMBERS = "a float or integer dtype"


@op("cumprod", inputs="X", outputs="Out", attrs={"dim": Required("INT")}, lod=None, flops=PerElement(1))
class cumprod(Declaration):
    """Out[i] = the product of X[0] to X[i] along an axis."""

    def infer(X, *, dim):
        need_kind("cumprod", X, "fi", NUMBERS)
        axis_of("cumprod", dim, len(X.shape), "dim")
        return Meta(tuple(X.shape), X.dtype)

    def reference(xp, X, *, dim):
        return xp.cumprod(X, axis=dim, dtype=X.dtype)

    def gradient(xp, X, Out, dOut, *, dim):
        """Sum over j >= i the product of X[0] to X[j] without X[i], times dOut[j]: without a division, as X may hold zeros."""
        x, d = xp.moveaxis(X, dim, 0), xp.moveaxis(dOut, dim, 0)
        before, after = xp.ones(x.shape[1:], x.dtype), xp.zeros(x.shape, x.dtype)
        total = xp.zeros(x.shape[1:], x.dtype)
        for i in range(len(x) - 1, -1, -1):  # total: d[i] + x[i + 1] * (d[i + 1] + ...)
            total = d[i] + (x[i + 1] * total if i + 1 < len(x) else 0)
            after[i] = total
        for i in range(len(x)):
            after[i] *= before
            before = before * x[i]
        return xp.ascontiguousarray(xp.moveaxis(after, 0, dim))

    grad = Grad("X Out Out@GRAD", "X@GRAD", gradient)


@op(
    "logcumsumexp",
    inputs="X",
    outputs="Out",
    attrs={"axis": -1, "flatten": False, "exclusive": False, "reverse": False},
    lod=None,
    flops=PerElement(4),
)
class logcumsumexp(Declaration):
    """Out[i] = the logarithm of the sum of exp(X[0]) to exp(X[i]) along an axis, or over all elements in one row."""

    def infer(X, *, axis, flatten, **_):
        need_kind("logcumsumexp", X, "f", "a float dtype")
        if flatten:
            return Meta((UNKNOWN if UNKNOWN in X.shape else int(np.prod(X.shape)),), X.dtype)
        axis_of("logcumsumexp", axis, len(X.shape))
        return Meta(tuple(X.shape), X.dtype)

    @np.errstate(all="ignore")
    def reference(xp, X, *, axis, flatten, exclusive, reverse):
        x = xp.moveaxis(X.reshape(-1) if flatten else X, 0 if flatten else axis, 0)
        x = x[::-1] if reverse else x
        out, total = xp.empty(x.shape, x.dtype), xp.full(x.shape[1:], np.finfo(x.dtype).min, x.dtype)
        for i in range(len(x)):
            if exclusive:
                out[i] = total
            total = xp.logaddexp(total, x[i])
            if not exclusive:
                out[i] = total
        out = out[::-1] if reverse else out
        return xp.ascontiguousarray(xp.moveaxis(out, 0, 0 if flatten else axis))

    @np.errstate(all="ignore")
    def gradient(xp, X, Out, dOut, *, axis, flatten, exclusive, reverse):
        x, out, d = (xp.moveaxis(a.reshape(-1) if flatten else a, 0 if flatten else axis, 0) for a in (X, Out, dOut))
        x, out, d = (a[::-1] if reverse else a for a in (x, out, d))
        dx = xp.zeros(x.shape, x.dtype)
        for j in range(len(x)):
            upto = j if exclusive else j + 1
            dx[:upto] += d[j] * xp.exp(x[:upto] - out[j])
        dx = xp.moveaxis(dx[::-1] if reverse else dx, 0, 0 if flatten else axis)
        return xp.ascontiguousarray(dx).reshape(X.shape)

    grad = Grad("X Out Out@GRAD", "X@GRAD", gradient)


def _running(type: str, larger: Callable, doc: str) -> OpDef:
    """Declare the extreme of all elements up to each one along an axis, and the index of the last one that is equal to it."""

    def infer(x, *, axis, dtype):
        need_kind(type, x, "fi", NUMBERS, "x")
        axis_of(type, axis, len(x.shape))
        return Meta(tuple(x.shape), x.dtype), Meta(tuple(x.shape), to_numpy(dtype, type))

    def reference(xp, x, *, axis, dtype):
        moved = xp.moveaxis(x, axis, 0)
        out, at = moved.copy(), xp.zeros(moved.shape, to_numpy(dtype))
        for i in range(1, len(moved)):
            better = larger(moved[i], out[i - 1]) | (moved[i] == out[i - 1]) | (moved[i] != moved[i])
            out[i], at[i] = xp.where(better, moved[i], out[i - 1]), xp.where(better, i, at[i - 1])
        return tuple(xp.ascontiguousarray(xp.moveaxis(a, 0, axis)) for a in (out, at))

    def gradient(xp, x, indices, dout, *, axis):
        dx = xp.zeros(x.shape, dout.dtype)
        add_at(xp, dx, along(xp, indices, axis % len(x.shape)), dout)
        return dx

    grad = Grad("x# indices out@GRAD", "x@GRAD", gradient)
    body = SimpleNamespace(__module__=__name__, __doc__=doc, infer=infer, reference=reference, grad=grad)
    return op(type, inputs="x", outputs="out indices", attrs={"axis": -1, "dtype": 3}, lod=None)(body)


cummax = _running(
    "cummax", lambda a, b: a > b, "Return the largest element up to each one along an axis, and its index."
)
cummin = _running(
    "cummin", lambda a, b: a < b, "Return the smallest element up to each one along an axis, and its index."
)

# --- chosen by rank -----------------------------------------------------------------------------------------------------------


def infer_chosen(where: str, X: Meta, axis: int, keepdim: bool) -> tuple[Meta, Meta]:
    """Return the Metas of one element along an axis, and of its index."""
    need_kind(where, X, "fi", NUMBERS)
    axis = axis_of(where, axis, len(X.shape))
    shape = tuple(1 if i == axis else n for i, n in enumerate(X.shape) if keepdim or i != axis)
    return Meta(shape, X.dtype), Meta(shape, np.dtype("int64"))


def chosen(xp: Any, X: Any, at: Any, axis: int, keepdim: bool) -> tuple:
    """Return the elements of these indices along an axis, and the indices."""
    at = xp.expand_dims(at, axis)
    out = X[along(xp, at, axis % X.ndim)]
    shape = tuple(n for i, n in enumerate(at.shape) if keepdim or i != axis % X.ndim)
    return out.reshape(shape), at.reshape(shape).astype("int64")


def chosen_gradient(xp, X, Indices, dOut, *, axis):
    """Give the gradient of each element to the one that was chosen."""
    rank, dx = len(X.shape), xp.zeros(X.shape, dOut.dtype)
    shape = [1 if i == axis % rank else n for i, n in enumerate(X.shape)]
    dx[along(xp, Indices.reshape(shape), axis % rank)] = dOut.reshape(shape)
    return dx


@op("kthvalue", inputs="X", outputs="Out Indices", attrs={"k": 1, "axis": -1, "keepdim": False}, lod=None)
class kthvalue(Declaration):
    """Return the k-th smallest element along an axis, from 1 on, and its index."""

    def infer(X, *, k, axis, keepdim):
        out = infer_chosen("kthvalue", X, axis, keepdim)
        extent = X.shape[axis]
        if k < 1 or (extent != UNKNOWN and k > extent):
            raise ArgumentValueError(
                message("kthvalue", "attribute 'k'", k, f"1 to {extent}, the elements along the axis")
            )
        return out

    def reference(xp, X, *, k, axis, keepdim):
        order = xp.argsort(X, axis=axis, kind="stable")
        return chosen(xp, X, xp.take(order, k - 1, axis=axis), axis, keepdim)

    grad = Grad("X# Indices Out@GRAD", "X@GRAD", chosen_gradient)


@op("mode", inputs="X", outputs="Out Indices", attrs={"axis": -1, "keepdim": False}, lod=None)
class mode(Declaration):
    """Return the element that occurs most often along an axis, the smallest of several, and the index of its last place."""

    def infer(X, *, axis, keepdim):
        require_elements("mode", "X", X)
        return infer_chosen("mode", X, axis, keepdim)

    def reference(xp, X, *, axis, keepdim):
        moved = xp.moveaxis(X, axis, -1)
        counts = (moved[..., :, None] == moved[..., None, :]).sum(-1)
        often = counts == counts.max(-1, keepdims=True)
        best = xp.where(often, moved, moved.max(-1, keepdims=True)).min(-1, keepdims=True)
        last = moved.shape[-1] - 1 - xp.argmax((moved == best)[..., ::-1], axis=-1)
        return chosen(xp, X, last, axis, keepdim)

    grad = Grad("X# Indices Out@GRAD", "X@GRAD", chosen_gradient)


def _extreme(type: str, best: Callable, doc: str) -> OpDef:
    """Declare an extreme over axes whose gradient is shared by all elements that are equal to it."""

    def axes_of(rank: int, dim: Any, reduce_all: bool) -> tuple[int, ...]:
        if reduce_all or not len(dim):
            return tuple(range(rank))
        return tuple(sorted({axis_of(type, a, rank, "dim") for a in dim}))

    def infer(X, AxisTensor, AxisTensorList, *, dim, keep_dim, reduce_all):
        need_kind(type, X, "fi", NUMBERS)
        require_elements(type, "X", X)
        if AxisTensor is not None or AxisTensorList:
            needs = "the attribute 'dim'"
            raise ArgumentValueError(message(type, "Input(AxisTensor)", "axes in a tensor", needs))
        axes = axes_of(len(X.shape), dim, reduce_all)
        return Meta(tuple(1 if i in axes else n for i, n in enumerate(X.shape) if keep_dim or i not in axes), X.dtype)

    def reference(xp, X, AxisTensor, AxisTensorList, *, dim, keep_dim, reduce_all):
        return xp.asarray(best(X)(axis=axes_of(X.ndim, dim, reduce_all), keepdims=keep_dim))

    def gradient(xp, X, Out, dOut, *, dim, reduce_all):
        axes = axes_of(X.ndim, dim, reduce_all)
        shape = [1 if i in axes else n for i, n in enumerate(X.shape)]
        equal = X == Out.reshape(shape)
        return equal * (dOut.reshape(shape) / equal.sum(axis=axes, keepdims=True)).astype(dOut.dtype)

    grad = Grad("X Out Out@GRAD", "X@GRAD", gradient)
    attrs = {"dim": Longs([0]), "keep_dim": False, "reduce_all": False, "in_dtype": -1, "out_dtype": -1}
    body = SimpleNamespace(__module__=__name__, __doc__=doc, infer=infer, reference=reference, grad=grad)
    return op(type, inputs="X AxisTensor? AxisTensorList*?", outputs="Out", attrs=attrs, lod=None, flops=PerElement(1))(
        body
    )


reduce_amax = _extreme(
    "reduce_amax", lambda x: x.max, "Out = the largest element over axes; equal ones share its gradient."
)
reduce_amin = _extreme(
    "reduce_amin", lambda x: x.min, "Out = the smallest element over axes; equal ones share its gradient."
)
