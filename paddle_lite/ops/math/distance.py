"""Norms of vectors, scaling by a norm, distances and cosine similarity."""

from __future__ import annotations

from math import isinf
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.selected_rows import SelectedRows
from ..framework.costs import PerElement
from ..framework.spec import Declaration, Grad, Required, op
from ..support.broadcasting import broadcast_shape, unbroadcast
from ..support.matmul_shapes import as_matrix
from ..support.meta import Meta
from ..support.reduction_shapes import axes_of, keep_reduced_axes, reduced_shape
from .arithmetic import attribute_scalar, need_kind
from .elementwise import same_dtype
from .linalg import axis_of
from .reduce import ATTRS as REDUCE
from .reduce import kept_lod


def _need_float(where: str, X: Any) -> None:
    need_kind(where, X, "f", "a float dtype")


# --- along one or some dimensions ------------------------------------------------------------------------------------


@op(
    "norm",
    inputs="X",
    outputs="Norm~ Out",
    attrs={"axis": Required("INT"), "epsilon": 1e-10},
    lod=None,
    flops=PerElement(3),
    captured=True,
)
class norm(Declaration):
    """Out = X / Norm with Norm = sqrt(sum of X squared along `axis` + epsilon)."""

    def infer(X, *, axis, **_):
        _need_float("norm", X)
        axis = axis_of("norm", X.shape, axis)
        return Meta(tuple(1 if i == axis else n for i, n in enumerate(X.shape)), X.dtype), Meta(X.shape, X.dtype)

    def reference(xp, X, *, axis, epsilon):
        length = xp.sqrt((X * X).sum(axis=axis, keepdims=True) + X.dtype.type(attribute_scalar(epsilon, X.dtype)))
        return length, X / length

    def gradient(xp, X, Norm, dOut, *, axis, epsilon):
        out = X / Norm
        return (dOut - out * (out * dOut).sum(axis=axis, keepdims=True)) / Norm

    grad = Grad("X Norm Out@GRAD", "X@GRAD", gradient)


def _p_norm_takes(X: Any, porder: float, axis: int) -> int:
    _need_float("p_norm", X)
    if not 0 < porder < float("inf"):
        needs = "a number above 0, not infinite"
        fix = "Use reduce_max(abs(x)) for the infinite one."
        raise ArgumentValueError(message("p_norm", "attribute 'porder'", porder, needs, fix))
    return axis_of("p_norm", X.shape, axis)


@op(
    "p_norm",
    inputs="X",
    outputs="Out",
    attrs={"porder": 2.0, "axis": -1, "epsilon": 1e-12, "keepdim": False},
    lod=None,
)
class p_norm(Declaration):
    """Out = (sum of |X| ** porder along `axis`) ** (1 / porder); epsilon keeps the gradient at 0 finite."""

    def infer(X, *, porder, axis, keepdim, **_):
        axis = _p_norm_takes(X, porder, axis)
        return Meta(reduced_shape(X.shape, (axis,), keepdim), X.dtype)

    @np.errstate(all="ignore")
    def reference(xp, X, *, porder, axis, epsilon, keepdim):
        axis = _p_norm_takes(X, porder, axis)
        p = X.dtype.type(attribute_scalar(porder, X.dtype))
        powers = X * X if porder == 2 else xp.abs(X) ** p
        out = powers.sum(axis=axis, keepdims=True) ** (1 / p)
        return out.reshape(reduced_shape(X.shape, (axis,), keepdim))

    @np.errstate(all="ignore")
    def gradient(xp, X, Out, dOut, *, porder, axis, epsilon, keepdim):
        axes = (axis_of("p_norm", X.shape, axis),)
        p = X.dtype.type(attribute_scalar(porder, X.dtype))
        out, dout = keep_reduced_axes(Out, X.shape, axes), keep_reduced_axes(dOut, X.shape, axes)
        slope = xp.sign(X) * xp.abs(X) ** (p - 1)
        slope = xp.where(X == 0, X, slope)  # 0 where a power below 1 has no derivative
        return slope * (dout / (out + X.dtype.type(epsilon)) ** (p - 1))

    grad = Grad("X Out Out@GRAD", "X@GRAD", gradient)


@op("frobenius_norm", inputs="X", outputs="Out", attrs=REDUCE, lod=kept_lod)
class frobenius_norm(Declaration):
    """Out = sqrt(sum of X squared over the dimensions `dim`)."""

    def infer(X, *, dim, keep_dim, reduce_all):
        _need_float("frobenius_norm", X)
        axes = axes_of("frobenius_norm", len(X.shape), dim, reduce_all)
        return Meta(reduced_shape(X.shape, axes, keep_dim), X.dtype, 0 if 0 in axes else X.lod_level)

    @np.errstate(over="ignore")
    def reference(xp, X, *, dim, keep_dim, reduce_all):
        axes = axes_of("frobenius_norm", X.ndim, dim, reduce_all)
        return xp.sqrt((X * X).sum(axis=axes, keepdims=True)).reshape(reduced_shape(X.shape, axes, keep_dim))

    def gradient(xp, X, Out, dOut, *, dim, keep_dim, reduce_all):
        axes = axes_of("frobenius_norm", X.ndim, dim, reduce_all)
        out, dout = keep_reduced_axes(Out, X.shape, axes), keep_reduced_axes(dOut, X.shape, axes)
        return X * (dout / xp.where(out == 0, out.dtype.type(1), out))  # 0 where all elements are 0

    grad = Grad("X Out Out@GRAD", "X@GRAD", gradient)


# --- over all elements -----------------------------------------------------------------------------------------------


@op("squared_l2_norm", inputs="X", outputs="Out", lod=None, flops=PerElement(2), captured=True)
class squared_l2_norm(Declaration):
    """Out = the sum of the squares of all elements, shape [1]."""

    def infer(X):
        _need_float("squared_l2_norm", X)
        return Meta((1,), X.dtype)

    def reference(xp, X):
        return (X * X).sum().reshape(1)

    def gradient(xp, X, dOut):
        return 2 * dOut.reshape(()) * X

    grad = Grad("X Out@GRAD", "X@GRAD", gradient)


@op(
    "clip_by_norm", inputs="X", outputs="Out", attrs={"max_norm": Required("FLOAT")}, flops=PerElement(3), captured=True
)
class clip_by_norm(Declaration):
    """Out = X * min(1, max_norm / norm(X)), with the L2 norm over all elements. It has no gradient.

    Of SelectedRows those that stand more than once are added up first.
    """

    def infer(X, *, max_norm):
        _clip_takes(X, max_norm)
        return X

    def reference(xp, X, *, max_norm):
        sparse = X.merged(xp) if isinstance(X, SelectedRows) else None
        numbers = X if sparse is None else sparse.values
        length = xp.sqrt((numbers * numbers).sum())
        most = X.dtype.type(attribute_scalar(max_norm, X.dtype))
        factor = most / xp.maximum(length, most)
        return X * factor if sparse is None else sparse.scaled(factor)


def _clip_takes(X: Any, max_norm: float) -> None:
    _need_float("clip_by_norm", X)
    if not max_norm > 0:
        raise ArgumentValueError(message("clip_by_norm", "attribute 'max_norm'", max_norm, "a number above 0"))


# --- of two arrays ---------------------------------------------------------------------------------------------------


def _distance(gap: Any, p: float) -> Any:
    """Return the p-norm of all elements, shape [1]; `gap` holds their magnitudes."""
    if p == 0:
        return (gap != 0).sum().reshape(1).astype(gap.dtype)
    if isinf(p):
        return (gap.max() if p > 0 else gap.min()).reshape(1)
    return (gap**p).sum().reshape(1) ** (1 / p)


def _dist_shape(X: Any, Y: Any) -> tuple[int, ...]:
    _need_float("dist", X)
    same_dtype("dist", X, Y)
    shape = broadcast_shape("dist", X.shape, Y.shape, -1)
    if 0 in shape:
        raise ShapeError(message("dist", "Input(X)", f"shape {list(X.shape)}", "at least one element"))
    return shape


@op("dist", inputs="X Y", outputs="Out", attrs={"p": 2.0}, lod=None)
class dist(Declaration):
    """Out = the p-norm of X - Y, broadcast together, shape [1]. p may be 0 (count of non-zeros) or +-inf (max, min).

    Where X equals Y the gradient is 0.
    """

    def infer(X, Y, **_):
        _dist_shape(X, Y)
        return Meta((1,), X.dtype)

    @np.errstate(all="ignore")
    def reference(xp, X, Y, *, p):
        return _distance(xp.abs(X - Y), attribute_scalar(p, X.dtype))

    @np.errstate(all="ignore")
    def gradient(xp, X, Y, Out, dOut, *, p, need=(True, True)):
        difference, out, dout = X - Y, Out.reshape(()), dOut.reshape(())
        gap, p = xp.abs(difference), attribute_scalar(p, X.dtype)
        if p == 0:
            slope = xp.zeros_like(gap)
        elif isinf(p):
            slope = xp.sign(difference) * (gap == out)
        else:
            slope = xp.sign(difference) * (gap / out) ** (p - 1)
        d = xp.where(gap == 0, slope.dtype.type(0), dout * slope)
        return (
            unbroadcast(d, X, Y, -1) if need[0] else None,
            unbroadcast(-d, Y, X, -1) if need[1] else None,
        )

    grad = Grad("X Y Out Out@GRAD", "X@GRAD Y@GRAD", gradient)


SHORTEST = 1e-8  # the lower bound of squared norms, so that the cosine with a zero vector is 0


def _cos_sim_takes(X: Any, Y: Any) -> None:
    _need_float("cos_sim", X)
    same_dtype("cos_sim", X, Y)
    x, y = tuple(X.shape), tuple(Y.shape)
    if len(x) < 2:
        raise ShapeError(message("cos_sim", "Input(X)", f"shape {list(x)}", "rank 2 or more, [N, ...]"))
    rows = (y[:1] and y[0] in (1, -1, x[0])) or x[0] == -1
    if len(x) != len(y) or not rows or any(m != n and -1 not in (m, n) for m, n in zip(x[1:], y[1:])):
        needs = f"{list(x)}, the shape of X, or 1 in place of {x[0]}"
        raise ShapeError(message("cos_sim", "Input(Y)", f"shape {list(y)}", needs))


@op(
    "cos_sim",
    inputs="X Y",
    outputs="Out XNorm~ YNorm~",
    attrs={"@ALL_KERNELS_MUST_COMPUTE_RUNTIME_SHAPE@": True},
    lod=lambda lods, ins, outs, attrs: (lods[0], None, None),
    flops=PerElement(6),
    captured=True,
)
class cos_sim(Declaration):
    """Out = the cosine of the angle between each row of X and the same row of Y, or its only row: [N, 1]."""

    def infer(X, Y):
        _cos_sim_takes(X, Y)
        n, m = X.shape[0], Y.shape[0]
        return Meta((n, 1), X.dtype, X.lod_level), Meta((n, 1), X.dtype), Meta((m, 1), X.dtype)

    def reference(xp, X, Y):
        x, y = as_matrix(X, 1), as_matrix(Y, 1)
        lengths = [xp.sqrt(xp.maximum((a * a).sum(axis=1, keepdims=True), a.dtype.type(SHORTEST))) for a in (x, y)]
        return (x * y).sum(axis=1, keepdims=True) / (lengths[0] * lengths[1]), *lengths

    def gradient(xp, X, Y, Out, XNorm, YNorm, dOut, *, need=(True, True)):
        x, y = as_matrix(X, 1), as_matrix(Y, 1)
        dx = dy = None
        if need[0]:
            dx = (dOut * (y / (XNorm * YNorm) - Out * x / (XNorm * XNorm))).reshape(X.shape)
        if need[1]:
            dy = dOut * (x / (XNorm * YNorm) - Out * y / (YNorm * YNorm))
            dy = unbroadcast(dy, y, x, -1).reshape(Y.shape)
        return dx, dy

    grad = Grad("X Y Out XNorm YNorm Out@GRAD", "X@GRAD Y@GRAD", gradient)
