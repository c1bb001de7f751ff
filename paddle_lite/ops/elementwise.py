"""Elementwise operators of two arrays, with Paddle's `axis` broadcasting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.errors import ArgumentValueError, DtypeError, ShapeError, message
from .spec import MKLDNN, Grad, Meta, OpDef, op

ATTRS: dict[str, Any] = {"axis": -1, **MKLDNN, "x_data_format": "", "y_data_format": ""}


# --- shapes ------------------------------------------------------------------------------------------------------------


def aligned(where: str, x: tuple, y: tuple, axis: int) -> tuple[tuple, tuple]:
    """The shapes of X and Y with the smaller one placed at `axis` of the larger: ready for NumPy broadcasting."""
    if axis == -1 or len(x) == len(y):
        return x, y
    large, small = (x, y) if len(x) > len(y) else (y, x)
    if not -1 <= axis < len(large):
        needs = f"-1, or 0 to {len(large) - 1} for shapes {list(x)} and {list(y)}"
        raise ShapeError(message(where, "attribute 'axis'", axis, needs))
    while len(small) > 1 and axis + len(small) > len(large) and small[-1] == 1:
        small = small[:-1]
    trailing = len(large) - axis - len(small)
    if trailing < 0:
        needs = f"room for shape {list(small)} in {list(large)} from there"
        raise ShapeError(message(where, "attribute 'axis'", axis, needs))
    small = (1,) * axis + small + (1,) * trailing
    return (large, small) if len(x) > len(y) else (small, large)


def broadcast(where: str, x: tuple, y: tuple, axis: int) -> tuple[int, ...]:
    """The shape of the result, -1 where it is not known."""
    x, y = aligned(where, tuple(x), tuple(y), axis)
    rank = max(len(x), len(y))
    a, b = (1,) * (rank - len(x)) + x, (1,) * (rank - len(y)) + y
    out = []
    for i, (m, n) in enumerate(zip(a, b, strict=True)):
        if m != n and 1 not in (m, n) and -1 not in (m, n):
            got, needs = f"{n} (shape {list(b)})", f"{m} or 1, to fit X of shape {list(a)}"
            fix = "Reshape it, or say with `axis` where its dimensions belong."
            raise ShapeError(message(where, f"Input(Y) at dimension {i}", got, needs, fix))
        out.append(n if m == 1 else m if n == 1 else max(m, n))
    return tuple(out)


def same_dtype(where: str, X: Any, Y: Any, slot: str = "Y") -> None:
    """Raise unless both have one dtype: operators never convert by themselves."""
    if X.dtype != Y.dtype:
        needs = f"{X.dtype}, the dtype of X"
        raise DtypeError(
            message(where, f"Input({slot})", f"dtype {Y.dtype}", needs, "Convert one of them with cast().")
        )


def infer_binary(where: str, X: Meta, Y: Meta, axis: int) -> Meta:
    """Meta of an elementwise result; X and Y need one dtype."""
    same_dtype(where, X, Y)
    return Meta(broadcast(where, X.shape, Y.shape, axis), X.dtype, X.lod_level)


def spread(X: Any, Y: Any, axis: int) -> tuple[Any, Any]:
    """X and Y reshaped so that NumPy broadcasting does what `axis` says."""
    if axis == -1 or len(X.shape) == len(Y.shape):
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
    name: str, doc: str, compute: Callable, grad: Grad | None = None, *, fast: Callable | None = None
) -> OpDef:
    """Declare Out = compute(xp, X, Y) with broadcasting by `axis`; `fast` is what runs where axis is -1."""

    class body:
        ufunc = fast

        def infer(X: Meta, Y: Meta, *, axis: int) -> Meta:
            return infer_binary(name, X, Y, axis)

        @np.errstate(all="ignore")
        def reference(xp: Any, X: Any, Y: Any, *, axis: int) -> Any:
            same_dtype(name, X, Y)
            return compute(xp, *spread(X, Y, axis))

    body.__doc__ = doc
    if grad is not None:
        body.grad = grad  # type: ignore[attr-defined]
    return op(name, inputs="X Y", outputs="Out", attrs=ATTRS)(body)  # type: ignore[return-value]


def gradients(reads: str, rule: Callable, double: Grad | None = None) -> Grad:
    """The gradient `rule(xp, *reads)`, two functions without arguments that give those of X and Y in Out's shape.

    X and Y arrive shaped for broadcasting; what the functions give is summed back to the shapes of X and Y.
    """

    @np.errstate(all="ignore")
    def gradient(xp: Any, X: Any, Y: Any, *rest: Any, axis: int, need: tuple = (True, True)) -> tuple:
        x, y = (X, Y) if "#" in reads else spread(X, Y, axis)
        of_x, of_y = rule(xp, x, y, *rest)
        return (
            reduce_to(of_x(), X, Y, axis) if need[0] else None,
            reduce_to(of_y(), Y, X, axis) if need[1] else None,
        )

    return Grad(reads, "X@GRAD Y@GRAD", gradient, grad=double)


# --- the operators -------------------------------------------------------------------------------------------------------

elementwise_add = elementwise(
    "elementwise_add", "Out = X + Y.",
    lambda xp, x, y: xp.add(x, y),
    gradients("X# Y# Out@GRAD", lambda xp, x, y, dout: (lambda: dout, lambda: dout)),
    fast=np.add,
)  # fmt: skip

elementwise_sub = elementwise(
    "elementwise_sub", "Out = X - Y.",
    lambda xp, x, y: xp.subtract(x, y),
    gradients("X# Y# Out@GRAD", lambda xp, x, y, dout: (lambda: dout, lambda: -dout)),
    fast=np.subtract,
)  # fmt: skip

elementwise_mul = elementwise(
    "elementwise_mul", "Out = X * Y.",
    lambda xp, x, y: xp.multiply(x, y),
    gradients("X Y Out@GRAD", lambda xp, x, y, dout: (lambda: dout * y, lambda: dout * x)),
    fast=np.multiply,
)  # fmt: skip


def _whole(xp: Any, name: str, x: Any, y: Any, compute: Callable) -> Any:
    """An integer division; by zero it is refused."""
    if not y.all():
        at = [int(i) for i in xp.argwhere(y == 0)[0]]
        raise ArgumentValueError(message(name, "Input(Y)", f"0 at {at}", "a divisor other than 0 for integers"))
    return compute(xp, x, y)


def _quotient(xp: Any, x: Any, y: Any) -> Any:
    """Integer division as C does it: towards zero."""
    quotient = x // y
    return quotient + ((quotient < 0) & (quotient * y != x))


def _divide(xp: Any, x: Any, y: Any) -> Any:
    return xp.divide(x, y) if x.dtype.kind == "f" else _whole(xp, "elementwise_div", x, y, _quotient)


def _divide_gradient(xp: Any, x: Any, y: Any, out: Any, dout: Any) -> tuple:
    return lambda: _divide(xp, dout, y), lambda: _divide(xp, -dout * out, y)


elementwise_div = elementwise(
    "elementwise_div", "Out = X / Y; integers are divided towards zero and stay integers.",
    _divide, gradients("X Y Out Out@GRAD", _divide_gradient),
)  # fmt: skip


def _remainder(xp: Any, x: Any, y: Any) -> Any:
    return xp.mod(x, y) if x.dtype.kind == "f" else _whole(xp, "elementwise_mod", x, y, lambda xp, x, y: xp.fmod(x, y))


elementwise_mod = elementwise(
    "elementwise_mod",
    "Out = X % Y: with the sign of Y for floats, with the sign of X (as in C) for integers.",
    _remainder,
)


def _floor_divide(xp: Any, x: Any, y: Any) -> Any:
    if x.dtype.kind == "f":
        raise DtypeError(
            message("elementwise_floordiv", "Input(X)", f"dtype {x.dtype}", "an integer dtype", "Use floor(x / y).")
        )
    return _whole(xp, "elementwise_floordiv", x, y, _quotient)


elementwise_floordiv = elementwise("elementwise_floordiv", "Out = X / Y of integers, towards zero.", _floor_divide)

elementwise_max = elementwise(
    "elementwise_max", "Out = the larger of X and Y; where they are equal the gradient goes to Y.",
    lambda xp, x, y: xp.maximum(x, y),
    gradients("X Y Out@GRAD", lambda xp, x, y, dout: (lambda: dout * (x > y), lambda: dout * (x <= y))),
    fast=np.maximum,
)  # fmt: skip

elementwise_min = elementwise(
    "elementwise_min", "Out = the smaller of X and Y; where they are equal the gradient goes to Y.",
    lambda xp, x, y: xp.minimum(x, y),
    gradients("X Y Out@GRAD", lambda xp, x, y, dout: (lambda: dout * (x < y), lambda: dout * (x >= y))),
    fast=np.minimum,
)  # fmt: skip


def _power(xp: Any, x: Any, y: Any) -> Any:
    if x.dtype.kind == "f":
        return xp.power(x, y)
    power = xp.power(x, xp.abs(y))  # a negative power of an integer is 0, except those of 1 and -1
    return xp.where((y >= 0) | (xp.abs(x) == 1), power, xp.zeros_like(power))


elementwise_pow = elementwise(
    "elementwise_pow", "Out = X ** Y.",
    _power,
    gradients("X Y Out@GRAD", lambda xp, x, y, dout: (
        lambda: dout * y * _power(xp, x, y - 1),
        lambda: dout * (xp.log(x) * _power(xp, x, y)).astype(x.dtype),
    )),
)  # fmt: skip
