"""Operators that pick elements of an array, and that find them."""

from __future__ import annotations

from math import prod

import numpy as np

from ..core.dtype import to_numpy
from ..core.errors import ArgumentValueError, ShapeError, message
from ..core.ranges import require_range
from .shape_rules import UNKNOWN, axis_of
from .spec import Declaration, Grad, Meta, Required, op

# --- gather -----------------------------------------------------------------------------------------------------------------


def added_up(xp, like, index, values):
    """Zeros of the shape of `like` with `values[i]` added to row `index[i]`."""
    dX = xp.zeros(like.shape, values.dtype)
    xp.add.at(dX, index, values)
    return dX


def rows_named(Index):
    """The rows that Index [n] or [n, 1] names, how many there are first."""
    if len(Index.shape) == 1 or (len(Index.shape) == 2 and Index.shape[1] in (1, UNKNOWN)):
        return Index.shape[0]
    raise ShapeError(message("gather", "Input(Index)", f"shape {list(Index.shape)}", "shape [n] or [n, 1]"))


@op("gather", inputs="X Index", outputs="Out", attrs={"overwrite": True}, lod=None)
class gather(Declaration):
    """Row i of the result is row Index[i] of X."""

    def infer(X, Index):
        return Meta((rows_named(Index), *X.shape[1:]), X.dtype)

    def reference(xp, X, Index):
        rows_named(Index)
        require_range("gather", "Input(Index)", Index, X.shape[0])
        return X[Index.reshape(-1)]

    def gradient(xp, X, Index, dOut):
        return added_up(xp, X, Index.reshape(-1), dOut)

    def double(xp, Index, ddX):
        return ddX[Index.reshape(-1)]

    grad = Grad("X# Index Out@GRAD", "X@GRAD", gradient, grad=Grad("Index X@GRAD@GRAD", "Out@GRAD@GRAD", double))


# --- the largest and smallest -------------------------------------------------------------------------------------------------


def best(xp, X, k):
    """Indices of the k largest of each row, the largest first; of equal ones the one with the lowest index first."""
    if k == 1:
        return X.argmax(-1)[..., None]
    return xp.argsort(-X, axis=-1, kind="stable")[..., :k]


@op("top_k", inputs="X K?", outputs="Out Indices", attrs={"k": 1})
class top_k(Declaration):
    """The k largest elements of each row (along the last axis) of X, the largest first, and their int64 indices."""

    def infer(X, K, *, k):
        count = UNKNOWN if K is not None else k
        require_k(k if K is None else 1, X.shape)
        shape = (*X.shape[:-1], count)
        return Meta(shape, X.dtype, X.lod_level), Meta(shape, np.dtype("int64"), X.lod_level)

    def reference(xp, X, K=None, *, k):
        k = k if K is None else K.item()
        require_k(k, X.shape)
        where = best(xp, X, k).astype("int64")
        return xp.take_along_axis(X, where, -1), where

    def gradient(xp, X, Indices, dOut):
        dX = xp.zeros(X.shape, dOut.dtype)
        rows = xp.arange(prod(X.shape[:-1]))[:, None]
        dX.reshape(-1, X.shape[-1])[rows, Indices.reshape(len(rows), -1)] = dOut.reshape(len(rows), -1)
        return dX

    grad = Grad("X# Indices Out@GRAD", "X@GRAD", gradient)


def require_k(k, shape):
    """Raise unless each row of `shape` has k elements."""
    columns = shape[-1] if shape else 0
    if k < 1 or (columns != UNKNOWN and k > columns):
        raise ArgumentValueError(
            message("top_k", "k", k, f"1 to {columns}, the length of the last axis of shape {list(shape)}")
        )


FIND = {"axis": Required("LONG"), "keepdims": False, "dtype": -1}


def infer_found(where, X, axis, keepdims, dtype):
    axis = axis_of(where, axis, len(X.shape))
    shape = (*X.shape[:axis], *((1,) if keepdims else ()), *X.shape[axis + 1 :])
    return Meta(shape, to_numpy(3 if dtype < 0 else dtype))


def found(xp, X, which, axis, keepdims, dtype):
    where = xp.asarray(which(X, axis)).astype(to_numpy(3 if dtype < 0 else dtype), copy=False)
    return xp.expand_dims(where, axis) if keepdims else where


@op("arg_max", inputs="X", outputs="Out", attrs=FIND, lod=None)
class arg_max(Declaration):
    """The index of the largest element along an axis, int64 unless `dtype` says otherwise; of equal ones the first."""

    def infer(X, *, axis, keepdims, dtype):
        return infer_found("arg_max", X, axis, keepdims, dtype)

    def reference(xp, X, *, axis, keepdims, dtype):
        return found(xp, X, xp.argmax, axis, keepdims, dtype)


@op("arg_min", inputs="X", outputs="Out", attrs=FIND, lod=None)
class arg_min(Declaration):
    """The index of the smallest element along an axis, int64 unless `dtype` says otherwise; of equal ones the first."""

    def infer(X, *, axis, keepdims, dtype):
        return infer_found("arg_min", X, axis, keepdims, dtype)

    def reference(xp, X, *, axis, keepdims, dtype):
        return found(xp, X, xp.argmin, axis, keepdims, dtype)
