"""Elementwise operators of two arrays, with Paddle's `axis` broadcasting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.errors import DtypeError, ShapeError, message
from .spec import MKLDNN, Grad, Meta, OpDef, op

ATTRS: dict[str, Any] = {"axis": -1, **MKLDNN, "x_data_format": "", "y_data_format": ""}


# --- shapes ------------------------------------------------------------------------------------------------------------


def aligned(type: str, x: tuple, y: tuple, axis: int) -> tuple[tuple, tuple]:
    """The shapes of X and Y with the smaller one placed at `axis` of the larger: ready for NumPy broadcasting."""
    if axis == -1 or len(x) == len(y):
        return x, y
    large, small = (x, y) if len(x) > len(y) else (y, x)
    if not -1 <= axis < len(large):
        needs = f"-1, or 0 to {len(large) - 1} for shapes {list(x)} and {list(y)}"
        raise ShapeError(message(type, "attribute 'axis'", axis, needs))
    while len(small) > 1 and axis + len(small) > len(large) and small[-1] == 1:
        small = small[:-1]
    trailing = len(large) - axis - len(small)
    if trailing < 0:
        needs = f"room for shape {list(small)} in {list(large)} from there"
        raise ShapeError(message(type, "attribute 'axis'", axis, needs))
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
            got, needs = f"{n} (shape {list(b)})", f"{m} or 1, to fit X of shape {list(a)}"
            fix = "Reshape it, or say with `axis` where its dimensions belong."
            raise ShapeError(message(type, f"Input(Y) at dimension {i}", got, needs, fix))
        out.append(n if m == 1 else m if n == 1 else max(m, n))
    return tuple(out)


def same_dtype(type: str, X: Any, Y: Any, slot: str = "Y") -> None:
    """Raise unless both have one dtype: operators never convert by themselves."""
    if X.dtype != Y.dtype:
        needs = f"{X.dtype}, the dtype of X"
        raise DtypeError(message(type, f"Input({slot})", f"dtype {Y.dtype}", needs, "Convert one of them with cast()."))


def infer_binary(type: str, X: Meta, Y: Meta, axis: int) -> Meta:
    """Meta of an elementwise result; X and Y need one dtype."""
    same_dtype(type, X, Y)
    return Meta(broadcast(type, X.shape, Y.shape, axis), X.dtype, X.lod_level)


def spread(X: Any, Y: Any, axis: int) -> tuple[Any, Any]:
    """X and Y reshaped so that NumPy broadcasting does what `axis` says."""
    if axis == -1:
        return X, Y
    x, y = aligned("elementwise", X.shape, Y.shape, axis)
    return X.reshape(x), Y.reshape(y)


def reduce_to(gradient: Any, like: Any, other: Any, axis: int) -> Any:
    """The gradient of a broadcast operand: summed over the dimensions along which it was repeated."""
    if gradient.shape == like.shape:
        return gradient
    shape = aligned("elementwise", like.shape, other.shape, axis)[0]
    shape = (1,) * (gradient.ndim - len(shape)) + tuple(shape)
    axes = tuple(i for i, (n, m) in enumerate(zip(shape, gradient.shape, strict=True)) if n != m)
    return (gradient.sum(axis=axes) if axes else gradient).reshape(like.shape)


# --- the declaration that they share -------------------------------------------------------------------------------------


def elementwise(
    type: str,
    doc: str,
    compute: Callable,
    *,
    reads: str = "",
    gradient: Callable | None = None,
    double: Grad | None = None,
    ufunc: Callable | None = None,
) -> OpDef:
    """Declare Out = compute(xp, X, Y) with broadcasting by `axis`.

    Arguments:
        gradient: `f(xp, *what `reads` names, need)` giving the gradients of X and Y in the shape of Out; they are summed
            back to the shapes of X and Y here. Both see X and Y already shaped for broadcasting.
        double: the gradient of the gradient.
        ufunc: what the imperative call may run at once when axis is -1.
    """

    def infer(X: Meta, Y: Meta, *, axis: int) -> Meta:
        return infer_binary(type, X, Y, axis)

    def reference(xp: Any, X: Any, Y: Any, *, axis: int) -> Any:
        same_dtype(type, X, Y)
        return compute(xp, *spread(X, Y, axis))

    body: dict[str, Any] = {
        "__module__": __name__,
        "__doc__": doc,
        "infer": infer,
        "reference": reference,
        "ufunc": ufunc,
    }
    if gradient is not None:
        body["grad"] = Grad(reads, "X@GRAD Y@GRAD", _backward(reads, gradient), grad=double)
    return op(type, inputs="X Y", outputs="Out", attrs=ATTRS)(_class(type, body))  # type: ignore[return-value]


def _class(name: str, body: dict[str, Any]) -> type:
    return __builtins_type(name, (), body)


__builtins_type = __import__("builtins").type
