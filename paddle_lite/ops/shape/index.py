"""Operators that pick elements of an array, and that find them."""

from __future__ import annotations

from math import prod

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import ShapeError, message
from ...core.indexed import add_at, write_at
from ...core.ranges import require_count, require_integers, require_range
from ...kernels.gpu.shape import MOST_FOUND
from ..framework.call import Call
from ..framework.costs import PerElement
from ..framework.spec import Declaration, Grad, Required, op
from ..framework.traits import Along, TakesRows
from ..support.index_tuples import add_to_rows
from ..support.meta import Meta
from ..support.scalar_inputs import require_one_integer
from ..support.shape_rules import UNKNOWN, axis_of

# --- gather ----------------------------------------------------------------------------------------------------------


def last_place(xp, index, size):
    """Return, for each element of `index`, the last position of its value in `index`."""
    last = xp.zeros(size, "int64")
    write_at(xp, last, index, xp.arange(len(index)))
    return last[index]


def rows_named(Index):
    """Return the number of rows that Index [n] or [n, 1] selects."""
    if len(Index.shape) == 1 or (len(Index.shape) == 2 and Index.shape[1] in (1, UNKNOWN)):
        return Index.shape[0]
    raise ShapeError(message("gather", "Input(Index)", f"shape {list(Index.shape)}", "shape [n] or [n, 1]"))


def require_rows(where, X):
    """Raise unless X has rows."""
    if not X.shape:
        raise ShapeError(message(where, "Input(X)", "shape []", "at least one dimension"))


@op(
    "gather",
    inputs="X Index",
    outputs="Out",
    attrs={"overwrite": True},
    lod=None,
    flops=0,
    gathers="X",
    fed_as="Index",
    takes_rows=TakesRows("X", "Index", last=lambda attrs: attrs["overwrite"]),
)
class gather(Declaration):
    """Out[i] = X[Index[i]].

    If a row occurs more than once in Index, its gradient is that of the last occurrence, as in Paddle, unless
    `overwrite` is False: then the gradients are summed.
    """

    def infer(X, Index, **_):
        require_rows("gather", X)
        require_integers("gather", "Input(Index)", Index)
        return Meta((rows_named(Index), *X.shape[1:]), X.dtype)

    def reference(xp, X, Index, *, overwrite):
        require_range("gather", "Input(Index)", Index, X.shape[0])
        return X[Index.reshape(-1)]

    def gradient(xp, X, Index, dOut, *, overwrite):
        dX = xp.zeros(X.shape, dOut.dtype)
        if overwrite:
            write_at(xp, dX, Index.reshape(-1), dOut)
        else:
            add_to_rows(xp, dX, Index, dOut)
        return dX

    def double(xp, Index, ddX, *, overwrite):
        index = Index.reshape(-1)
        picked = ddX[index]
        if overwrite:
            picked[last_place(xp, index, len(ddX)) != xp.arange(len(index))] = 0
        return picked

    grad = Grad("X# Index Out@GRAD", "X@GRAD", gradient, grad=Grad("Index X@GRAD@GRAD", "Out@GRAD@GRAD", double))


def tuples_in(Index, rank):
    """Return the length of the tuples in the last dimension of Index; raise unless they fit an array of this rank."""
    if len(Index.shape) < 2 or Index.shape[-1] > rank:
        needs = f"rank 2 or more, and a last dimension of at most {rank}, the rank of X"
        raise ShapeError(message("gather_nd", "Input(Index)", f"shape {list(Index.shape)}", needs))
    return Index.shape[-1]


def positions(Index):
    """Return Index as a NumPy index: one array for each axis."""
    return tuple(Index[..., i] for i in range(Index.shape[-1]))


@op(
    "gather_nd",
    inputs="X Index",
    outputs="Out",
    lod=None,
    flops=0,
    gathers="X",
    takes_rows=TakesRows("X", "Index", tuples=True),
    fed_as="Index",
)
class gather_nd(Declaration):
    """Each tuple in the last dimension of Index names an element of X, or a slice where it is shorter than X's rank."""

    def infer(X, Index):
        depth = max(tuples_in(Index, len(X.shape)), 1)
        require_integers("gather_nd", "Input(Index) for axis 0", Index)
        return Meta((*Index.shape[:-1], *X.shape[depth:]), X.dtype)

    def reference(xp, X, Index):
        index = positions(Index)
        for axis, each in enumerate(index):
            require_range("gather_nd", f"Input(Index) for axis {axis}", each, X.shape[axis])
        return X[index]

    def gradient(xp, X, Index, dOut):
        dX = xp.zeros(X.shape, dOut.dtype)
        add_at(xp, dX, positions(Index), dOut)
        return dX

    def double(xp, Index, ddX):
        return ddX[positions(Index)]

    grad = Grad("X# Index Out@GRAD", "X@GRAD", gradient, grad=Grad("Index X@GRAD@GRAD", "Out@GRAD@GRAD", double))


# --- the largest and smallest ----------------------------------------------------------------------------------------


MOST_INSERTED = 64  # up to this k, a kernel inserts numbers into a sorted list
FEW = 8  # up to this k, maxima one after another are found faster than rows are sorted


def one_after_another(xp, X, k):
    """Return the k largest elements of each row and their indices, as top_k does.

    In a row that has NaN, or fewer than k elements above -inf, an element is NaN or -inf, and indices are wrong.
    """
    rest = X.reshape(-1, X.shape[-1]).copy()
    rows = xp.arange(len(rest))
    found, where = xp.empty((len(rest), k), X.dtype), xp.empty((len(rest), k), "int64")
    for j in range(k):
        where[:, j] = rest.argmax(axis=1)
        found[:, j] = rest[rows, where[:, j]]
        rest[rows, where[:, j]] = -xp.inf
    shape = (*X.shape[:-1], k)
    return found.reshape(shape), where.reshape(shape)


def found_unsorted(call: Call) -> bool:
    """Return whether a GPU finds the largest elements without a sort."""
    operand = call.one("X")
    floats = operand is not None and operand.dtype is not None and operand.dtype.kind == "f"
    return floats and call.attrs["k"] <= MOST_FOUND


LARGEST_ALONG = Along(
    "top_k",
    axis=lambda attrs: -1,
    numbers=lambda attrs: (attrs["k"],),
    made="Out Indices",
    when=lambda attrs: attrs["k"] <= MOST_INSERTED,
)


@op(
    "top_k",
    inputs="X K?",
    outputs="Out Indices",
    attrs={"k": 1},
    along=LARGEST_ALONG,
    captured=found_unsorted,
    stopped="Out Indices",
    fed_as="K",
)
class top_k(Declaration):
    """The k largest elements of each row (along the last axis) of X, the largest first, and their int64 indices.

    Of equal elements the one with the lowest index comes first; NaN comes after all others.
    """

    def infer(X, K, *, k):
        if K is not None:
            require_one_integer("top_k", "K", K)
        count = UNKNOWN if K is not None else k
        require_count("top_k", "k", k if K is None else 1, X.shape)
        shape = (*X.shape[:-1], count)
        return Meta(shape, X.dtype, X.lod_level), Meta(shape, np.dtype("int64"), X.lod_level)

    def reference(xp, X, K=None, *, k):
        k = k if K is None else K.item()
        require_count("top_k", "k", k, X.shape)
        if k <= FEW and X.dtype.kind == "f":
            found, where = one_after_another(xp, X, k)
            if bool((found > -xp.inf).all()):
                return found, where
        where = xp.argsort(-X, axis=-1, kind="stable")[..., :k].astype("int64", copy=False)
        return xp.take_along_axis(X, where, -1), where

    def gradient(xp, X, Indices, dOut):
        dX = xp.zeros(X.shape, dOut.dtype)
        rows, k = prod(X.shape[:-1]), Indices.shape[-1]
        dX.reshape(rows, X.shape[-1])[xp.arange(rows)[:, None], Indices.reshape(rows, k)] = dOut.reshape(rows, k)
        return dX

    grad = Grad("X# Indices Out@GRAD", "X@GRAD", gradient)


FIND = {"axis": Required("LONG"), "keepdims": False, "dtype": -1}


def infer_found(where, X, axis, keepdims, dtype):
    axis = axis_of(where, axis, len(X.shape))
    if X.shape[axis] == 0:
        raise ShapeError(
            message(where, "Input(X)", f"shape {list(X.shape)}", f"at least one element along axis {axis}")
        )
    shape = (*X.shape[:axis], *((1,) if keepdims else ()), *X.shape[axis + 1 :])
    return Meta(shape, to_numpy(3 if dtype < 0 else dtype))


def found(where, xp, X, which, axis, keepdims, dtype):
    where = xp.asarray(which(X, axis_of(where, axis, X.ndim))).astype(to_numpy(3 if dtype < 0 else dtype), copy=False)
    return xp.expand_dims(where, axis) if keepdims else where


@op(
    "arg_max",
    inputs="X",
    outputs="Out",
    attrs=FIND,
    lod=None,
    flops=PerElement(1),
    along=Along("arg_max"),
    captured=True,
    stopped="Out",
)
class arg_max(Declaration):
    """The index of the largest element along an axis, int64 unless `dtype` says otherwise; of equal ones the first."""

    def infer(X, *, axis, keepdims, dtype):
        return infer_found("arg_max", X, axis, keepdims, dtype)

    def reference(xp, X, *, axis, keepdims, dtype):
        return found("arg_max", xp, X, xp.argmax, axis, keepdims, dtype)


@op(
    "arg_min",
    inputs="X",
    outputs="Out",
    attrs=FIND,
    lod=None,
    flops=PerElement(1),
    along=Along("arg_min"),
    stopped="Out",
)
class arg_min(Declaration):
    """The index of the smallest element along an axis, int64 unless `dtype` says otherwise; of equal ones the first."""

    def infer(X, *, axis, keepdims, dtype):
        return infer_found("arg_min", X, axis, keepdims, dtype)

    def reference(xp, X, *, axis, keepdims, dtype):
        return found("arg_min", xp, X, xp.argmin, axis, keepdims, dtype)
