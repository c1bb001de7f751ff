"""Double gradients, composed of operator calls, so that they can be differentiated again.

In the formulas G is the gradient of Out; A and B are the gradients of dX and dY (None where the gradient
of X or Y was not requested). The function that is differentiated is S = sum(A * dX) + sum(B * dY).
"""

from __future__ import annotations

from typing import Any

from .registry import get
from .spec import Grad


def call(type: str, *inputs: Any, **attrs: Any) -> Any:
    """Call the operator of this type."""
    return get(type).call(*inputs, **attrs)


def total(*terms: Any) -> Any:
    """Return the sum of the terms that are not None."""
    present = [t for t in terms if t is not None]
    return None if not present else present[0] if len(present) == 1 else call("sum", present)


def linear(type: str) -> Grad:
    """Return the double gradient for Out = f(X, Y) linear in (X, Y): dS/dG = f(A, B)."""

    def rule(X: Any, Y: Any, A: Any, B: Any, **attrs: Any) -> Any:
        A = call("fill_zeros_like", X) if A is None else A
        B = call("fill_zeros_like", Y) if B is None else B
        return call(type, A, B, **attrs)

    return Grad("X Y X@GRAD@GRAD Y@GRAD@GRAD", "Out@GRAD@GRAD", compose=rule)


def bilinear(type: str) -> Grad:
    """Return the double gradient for Out = f(X, Y) linear in X and in Y: S = sum(G * f(A, Y)) + sum(G * f(X, B))."""

    def rule(X: Any, Y: Any, G: Any, A: Any, B: Any, **attrs: Any) -> Any:
        gradient = f"{type}_grad"
        return (
            None if B is None else call(gradient, X, B, G, need=(True, False), **attrs)[0],
            None if A is None else call(gradient, A, Y, G, need=(False, True), **attrs)[1],
            total(None if A is None else call(type, A, Y, **attrs), None if B is None else call(type, X, B, **attrs)),
        )

    return Grad("X Y Out@GRAD X@GRAD@GRAD Y@GRAD@GRAD", "X@GRAD Y@GRAD Out@GRAD@GRAD", compose=rule)


def choice(comparison: str) -> Grad:
    """Return the double gradient for Out = X where `comparison`(X, Y), else Y: dS/dG = A where it holds, else B."""

    def rule(X: Any, Y: Any, A: Any, B: Any, *, axis: int) -> Any:
        code = int(X.dtype)
        of_x = call("cast", call(comparison, X, Y, axis=axis), in_dtype=0, out_dtype=code)
        of_y = call("scale", of_x, scale=-1.0, bias=1.0)
        return total(*[None if c is None else times(of, c, axis) for of, c in ((of_x, A), (of_y, B))])

    return Grad("X Y X@GRAD@GRAD Y@GRAD@GRAD", "Out@GRAD@GRAD", compose=rule)


# --- division and powers; a and t have the shape of Out --------------------------------------------------------------------


def times(a: Any, b: Any, axis: int) -> Any:
    """Return a * b, with b broadcast to a; None if either is None."""
    return None if a is None or b is None else call("elementwise_mul", a, b, axis=axis)


def summed_to(X: Any, Y: Any, t: Any, axis: int, *, first: bool) -> Any:
    """Return t summed over the dimensions along which X (Y, unless `first`) was broadcast."""
    return call("elementwise_add_grad", X, Y, t, axis=axis, need=(first, not first))[0 if first else 1]


def quotient() -> Grad:
    """Return it for Out = X / Y: S = sum(G * W) with W = (A - B * Out) / Y; Out is an independent variable."""

    def rule(X: Any, Y: Any, Out: Any, G: Any, A: Any, B: Any, *, axis: int) -> tuple:
        b_out = times(Out, B, axis)
        if b_out is None:
            top = A
        elif A is None:
            top = call("scale", b_out, scale=-1.0)
        else:
            top = call("elementwise_sub", A, b_out, axis=axis)
        W = call("elementwise_div", top, Y, axis=axis)
        U = call("elementwise_div", G, Y, axis=axis)
        of_y = call("scale", call("elementwise_mul", U, W), scale=-1.0)
        of_out = None if B is None else call("scale", times(U, B, axis), scale=-1.0)
        return summed_to(X, Y, of_y, axis, first=False), of_out, W

    return Grad("X Y Out Out@GRAD X@GRAD@GRAD Y@GRAD@GRAD", "Y@GRAD Out@GRAD Out@GRAD@GRAD", compose=rule)


def power() -> Grad:
    """Return the double gradient for Out = X ** Y: S = sum(G * (A * P + B * Q)), with P = dOut/dX and Q = dOut/dY."""

    def rule(X: Any, Y: Any, G: Any, A: Any, B: Any, *, axis: int) -> tuple:
        less_one, less_two = call("scale", Y, scale=1.0, bias=-1.0), call("scale", Y, scale=1.0, bias=-2.0)
        lower, log = call("elementwise_pow", X, less_one, axis=axis), call("log", X)
        P, Q = times(lower, Y, axis), times(call("elementwise_pow", X, Y, axis=axis), log, axis)
        xx = times(times(call("elementwise_pow", X, less_two, axis=axis), Y, axis), less_one, axis)
        xy = call("elementwise_add", lower, times(P, log, axis))
        yy = times(Q, log, axis)
        of_x = times(G, total(times(xx, A, axis), times(xy, B, axis)), -1)
        of_y = times(G, total(times(xy, A, axis), times(yy, B, axis)), -1)
        return (
            summed_to(X, Y, of_x, axis, first=True),
            summed_to(X, Y, of_y, axis, first=False),
            total(times(P, A, axis), times(Q, B, axis)),
        )

    return Grad("X Y Out@GRAD X@GRAD@GRAD Y@GRAD@GRAD", "X@GRAD Y@GRAD Out@GRAD@GRAD", compose=rule)
