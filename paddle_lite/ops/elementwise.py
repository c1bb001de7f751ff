"""Elementwise operators of two arrays, with Paddle's `axis` broadcasting."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.errors import DtypeError, ShapeError, message
from .spec import MKLDNN, Grad, Meta, op

ATTRS: dict[str, Any] = {"axis": -1, **MKLDNN, "x_data_format": "", "y_data_format": ""}


def aligned(type: str, x: tuple, y: tuple, axis: int) -> tuple[tuple, tuple]:
    """The shapes of X and Y with the smaller one placed at `axis` of the larger: ready for NumPy broadcasting."""
    if axis == -1 or len(x) == len(y):
        return x, y
    large, small = (x, y) if len(x) > len(y) else (y, x)
    if not -1 <= axis < len(large):
        raise ShapeError(message(type, "attribute 'axis'", axis, f"-1, or 0 to {len(large) - 1} for shapes {list(x)} and {list(y)}"))
    while len(small) > 1 and axis + len(small) > len(large) and small[-1] == 1:
        small = small[:-1]
    trailing = len(large) - axis - len(small)
    if trailing < 0:
        raise ShapeError(message(type, "attribute 'axis'", axis, f"room for shape {list(small)} in {list(large)} from there"))
    small = (1,) * axis + small + (1,) * trailing
    return (large, small) if len(x) > len(y) else (small, large)


def broadcast(type: str, x: tuple, y: tuple, axis: int) -> tuple[int, ...]:
    """The shape of the result, -1 where it is not known."""
    x, y = aligned(type, tuple(x), tuple(y), axis)
    rank = max(len(x), len(y))
    a, b = (1,) * (rank - len(x)) + x, (1,) * (rank - len(y)) + y
    out = []
    for i, (m, n) in enumerate(zip(a, b, strict=True)):
        if m != n and 1 not in (m, n) and -1 not in (m, n):
            raise ShapeError(
                message(type, f"Input(Y) at dimension {i}", f"{n} (shape {list(b)})", f"{m} or 1, to fit X of shape {list(a)}",
                        "Reshape it, or say with `axis` where its dimensions belong.")
            )
        out.append(max(m, n) if -1 not in (m, n) else (m if n == 1 else n if m == 1 else max(m, n)))
    return tuple(out)


def infer_binary(type: str, X: Meta, Y: Meta, axis: int) -> Meta:
    """Meta of an elementwise result; X and Y need one dtype."""
    if X.dtype != Y.dtype:
        raise DtypeError(message(type, "Input(Y)", f"dtype {Y.dtype}", f"{X.dtype}, the dtype of X", "Convert one with cast()."))
    return Meta(broadcast(type, X.shape, Y.shape, axis), X.dtype, X.lod_level)


def spread(xp: Any, X: Any, Y: Any, axis: int) -> tuple[Any, Any]:
    """X and Y reshaped so that NumPy broadcasting does what `axis` says."""
    x, y = aligned("elementwise", X.shape, Y.shape, axis)
    return X.reshape(x), Y.reshape(y)


def reduce_to(xp: Any, gradient: Any, like: Any, other: Any, axis: int) -> Any:
    """The gradient of a broadcast operand: summed over the dimensions along which it was repeated."""
    if gradient.shape == like.shape:
        return gradient
    shape = aligned("elementwise", like.shape, other.shape, axis)[0]
    shape = (1,) * (gradient.ndim - len(shape)) + tuple(shape)
    axes = tuple(i for i, (n, m) in enumerate(zip(shape, gradient.shape, strict=True)) if n != m)
    return (gradient.sum(axis=axes) if axes else gradient).reshape(like.shape)


@op("elementwise_add", inputs="X Y", outputs="Out", attrs=ATTRS)
class elementwise_add:
    """Out = X + Y."""

    ufunc = np.add

    def infer(X, Y, *, axis):
        return infer_binary("elementwise_add", X, Y, axis)

    def reference(xp, X, Y, *, axis):
        return xp.add(*spread(xp, X, Y, axis))

    def gradient(xp, X, Y, dOut, *, axis, need=(True, True)):
        return (
            reduce_to(xp, dOut, X, Y, axis) if need[0] else None,
            reduce_to(xp, dOut, Y, X, axis) if need[1] else None,
        )

    grad = Grad("X# Y# Out@GRAD", "X@GRAD Y@GRAD", gradient)


@op("elementwise_mul", inputs="X Y", outputs="Out", attrs=ATTRS)
class elementwise_mul:
    """Out = X * Y."""

    ufunc = np.multiply

    def infer(X, Y, *, axis):
        return infer_binary("elementwise_mul", X, Y, axis)

    def reference(xp, X, Y, *, axis):
        return xp.multiply(*spread(xp, X, Y, axis))

    def gradient(xp, X, Y, dOut, *, axis, need=(True, True)):
        if X.shape == Y.shape:
            return dOut * Y if need[0] else None, dOut * X if need[1] else None
        x, y = spread(xp, X, Y, axis)
        return (
            reduce_to(xp, dOut * y, X, Y, axis) if need[0] else None,
            reduce_to(xp, dOut * x, Y, X, axis) if need[1] else None,
        )

    grad = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient)
