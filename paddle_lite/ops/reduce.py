"""Reductions over some or all dimensions. What is left of a reduction over everything has shape [1]."""

from __future__ import annotations

from typing import Any

from ..core.dtype import to_numpy
from ..core.errors import ShapeError, message
from .spec import Grad, Ints, Meta, op

ATTRS: dict[str, Any] = {"dim": Ints([0]), "keep_dim": False, "reduce_all": False, "in_dtype": -1, "out_dtype": -1}


def axes_of(name: str, rank: int, dim: Any, reduce_all: bool) -> tuple[int, ...]:
    """The dimensions that are reduced, counted from the front, in rising order."""
    if reduce_all or len(dim) == 0:
        return tuple(range(rank))
    for d in dim:
        if not -rank <= d < rank:
            raise ShapeError(message(name, "attribute 'dim'", f"{list(dim)}", f"dimensions from {-rank} to {rank - 1}"))
    return tuple(sorted({d % rank for d in dim}))


def reduced_shape(shape: tuple, axes: tuple[int, ...], keep_dim: bool) -> tuple[int, ...]:
    """The shape of the result."""
    if keep_dim:
        return tuple(1 if i in axes else n for i, n in enumerate(shape)) or (1,)
    return tuple(n for i, n in enumerate(shape) if i not in axes) or (1,)


def opened(array: Any, shape: tuple, axes: tuple[int, ...]) -> Any:
    """The result, or its gradient, with a 1 in place of each reduced dimension: it broadcasts against X."""
    return array.reshape(tuple(1 if i in axes else n for i, n in enumerate(shape)))


@op("reduce_sum", inputs="X", outputs="Out", attrs=ATTRS)
class reduce_sum:
    """Out = the sum over the dimensions `dim`."""

    def infer(X, *, dim, keep_dim, reduce_all, out_dtype):
        axes = axes_of("reduce_sum", len(X.shape), dim, reduce_all)
        return Meta(
            reduced_shape(X.shape, axes, keep_dim), X.dtype if out_dtype < 0 else to_numpy(out_dtype), X.lod_level
        )

    def reference(xp, X, *, dim, keep_dim, reduce_all, out_dtype):
        axes = axes_of("reduce_sum", X.ndim, dim, reduce_all)
        dtype = X.dtype if out_dtype < 0 else to_numpy(out_dtype)
        return xp.sum(X, axis=axes, dtype=dtype).reshape(reduced_shape(X.shape, axes, keep_dim))

    def gradient(xp, X, dOut, *, dim, reduce_all):
        axes = axes_of("reduce_sum", X.ndim, dim, reduce_all)
        out = xp.empty(X.shape, X.dtype)
        out[...] = opened(dOut, X.shape, axes)
        return out

    def again(X, ddX, *, dim, keep_dim, reduce_all, out_dtype):
        return reduce_sum.call(ddX, dim=dim, keep_dim=keep_dim, reduce_all=reduce_all, out_dtype=out_dtype)

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient)
