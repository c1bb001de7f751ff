"""Operators that sort elements, and operators that find equal elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import DtypeError, ShapeError, message
from ..framework.spec import Declaration, Grad, Required, op
from ..support.meta import Meta
from ..support.shape_rules import UNKNOWN, axis_of


def order(xp, X, axis, descending):
    """Return the indices that sort X along the axis; equal elements stay in their order."""
    if not descending:
        return xp.argsort(X, axis=axis, kind="stable")
    last = X.shape[axis] - 1  # reversed, so that equal elements keep their order when the result is reversed again
    return last - xp.flip(xp.argsort(xp.flip(X, axis), axis=axis, kind="stable"), axis)


@op("argsort", inputs="X", outputs="Out Indices", attrs={"axis": -1, "descending": False}, stopped="Out Indices")
class argsort(Declaration):
    """X sorted along an axis, and the int64 indices of its elements; equal ones stay in their order, NaN counts as largest."""

    def infer(X, *, axis, **_):
        axis_of("argsort", axis, len(X.shape))
        return X, X._replace(dtype=np.dtype("int64"))

    def reference(xp, X, *, axis, descending):
        axis = axis_of("argsort", axis, X.ndim)
        indices = order(xp, X, axis, descending).astype("int64", copy=False)
        return xp.take_along_axis(X, indices, axis), indices

    def gradient(xp, X, Indices, dOut, *, axis):
        return xp.take_along_axis(dOut, xp.argsort(Indices, axis=axis), axis)

    def double(xp, Indices, ddX, *, axis):
        return xp.take_along_axis(ddX, Indices, axis)

    grad = Grad("X# Indices Out@GRAD", "X@GRAD", gradient,
                grad=Grad("Indices X@GRAD@GRAD", "Out@GRAD@GRAD", double))  # fmt: skip


# --- equal elements --------------------------------------------------------------------------------------------------


def infer_unique(where: str, X: Meta, dtype: int) -> Meta:
    """Return the Meta of the indices."""
    if len(X.shape) != 1:
        raise ShapeError(message(where, "Input(X)", f"shape {list(X.shape)}", "shape [n]", "Flatten it."))
    if to_numpy(dtype).name not in ("int32", "int64"):
        raise DtypeError(message(where, "attribute 'dtype'", to_numpy(dtype).name, "int32 or int64"))
    return Meta(X.shape, to_numpy(dtype))


def distinct(xp: Any, where: str, X: Any, dtype: int) -> tuple[Any, Any, Any]:
    """(each value once, in the order of first occurrence; for each element the place of its value; how often it occurs)."""
    kind = infer_unique(where, Meta(X.shape, X.dtype), dtype).dtype
    values, first, inverse, counts = xp.unique(X, return_index=True, return_inverse=True, return_counts=True)
    places = xp.argsort(first)
    return values[places], xp.argsort(places)[inverse].astype(kind), counts[places].astype(kind)


@op("unique", inputs="X", outputs="Out Index", attrs={"dtype": Required("INT")}, lod=None)
class unique(Declaration):
    """Each value of X once, in the order of first occurrence, and for each element of X where its value stands in Out."""

    def infer(X, *, dtype):
        return Meta((UNKNOWN,), X.dtype), infer_unique("unique", X, dtype)

    def reference(xp, X, *, dtype):
        return distinct(xp, "unique", X, dtype)[:2]


@op("unique_with_counts", inputs="X", outputs="Out Index Count", attrs={"dtype": Required("INT")}, lod=None)
class unique_with_counts(Declaration):
    """The outputs of `unique`, and the number of occurrences of each value."""

    def infer(X, *, dtype):
        index = infer_unique("unique_with_counts", X, dtype)
        return Meta((UNKNOWN,), X.dtype), index, index._replace(shape=(UNKNOWN,))

    def reference(xp, X, *, dtype):
        return distinct(xp, "unique_with_counts", X, dtype)
