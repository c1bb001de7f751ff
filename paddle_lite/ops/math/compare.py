"""Comparisons and logic: results are bool and have no gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.errors import DtypeError, ShapeError, message
from ..framework.costs import PerElement
from ..framework.elements import of_text
from ..framework.spec import Declaration, OpDef, op
from ..support.broadcasting import align_operand, broadcast_shape
from ..support.meta import Meta
from ..support.require import require_same
from .elementwise import same_dtype

BOOL = np.dtype("bool")


def comparison(name: str, symbol: str, fast: Callable, compute: Callable) -> OpDef:
    """Declare Out = X (symbol) Y with broadcasting by `axis`."""

    class body:
        ufunc = fast

        def infer(X, Y, *, axis):
            same_dtype(name, X, Y)
            return Meta(broadcast_shape(name, X.shape, Y.shape, axis), BOOL, X.lod_level)

        def reference(xp, X, Y, *, axis):
            return compute(xp, align_operand(X, Y, axis), align_operand(Y, X, axis))

    body.__doc__ = f"Out = X {symbol} Y."
    attrs = {"axis": -1, "force_cpu": False}
    element = of_text(f"x0 {symbol} x1", "fiub")
    return op(
        name, inputs="X Y", outputs="Out", attrs=attrs, flops=PerElement(1, "Out"), element=element, speculatable=True,
        captured=True, fed_as="X Y", stopped="Out",
    )(body)  # fmt: skip


less_than = comparison("less_than", "<", np.less, lambda xp, x, y: xp.less(x, y))
less_equal = comparison("less_equal", "<=", np.less_equal, lambda xp, x, y: xp.less_equal(x, y))
greater_than = comparison("greater_than", ">", np.greater, lambda xp, x, y: xp.greater(x, y))
greater_equal = comparison("greater_equal", ">=", np.greater_equal, lambda xp, x, y: xp.greater_equal(x, y))
equal = comparison("equal", "==", np.equal, lambda xp, x, y: xp.equal(x, y))
not_equal = comparison("not_equal", "!=", np.not_equal, lambda xp, x, y: xp.not_equal(x, y))


@op("equal_reduce", inputs="X Y", outputs="Out", attrs={"axis": -1}, lod=None)
class equal_reduce(Declaration):
    """Out = [the logical AND of X == Y over all elements], with broadcasting by `axis`."""

    def infer(X, Y, *, axis):
        same_dtype("equal_reduce", X, Y)
        broadcast_shape("equal_reduce", X.shape, Y.shape, axis)
        return Meta((1,), BOOL)

    def reference(xp, X, Y, *, axis):
        return xp.equal(align_operand(X, Y, axis), align_operand(Y, X, axis)).all().reshape(1)


def _need_bool(name: str, **slots: Any) -> None:
    for slot, value in slots.items():
        if value.dtype != BOOL:
            raise DtypeError(message(name, f"Input({slot})", f"dtype {value.dtype}", "bool", "Compare it: x != 0."))


def logical(name: str, word: str, element: str, compute: Callable) -> OpDef:
    """Declare Out = X (word) Y of two bool arrays of one shape."""

    def fit(X: Any, Y: Any) -> None:
        _need_bool(name, X=X, Y=Y)
        if len(X.shape) != len(Y.shape) or any(m != n and -1 not in (m, n) for m, n in zip(X.shape, Y.shape)):
            raise ShapeError(message(name, "Input(Y)", f"shape {list(Y.shape)}", f"{list(X.shape)}, the shape of X"))

    class body:
        def infer(X, Y):
            fit(X, Y)
            return X

        def reference(xp, X, Y):
            return compute(xp, X, Y)

    body.__doc__ = f"Out = X {word} Y."
    return op(
        name, inputs="X Y", outputs="Out", flops=0, element=of_text(element, "b"), speculatable=True, captured=True
    )(body)


logical_and = logical("logical_and", "and", "x0 and x1", lambda xp, x, y: xp.logical_and(x, y))
logical_or = logical("logical_or", "or", "x0 or x1", lambda xp, x, y: xp.logical_or(x, y))
logical_xor = logical("logical_xor", "xor", "x0 != x1", lambda xp, x, y: xp.logical_xor(x, y))


@op(
    "logical_not",
    inputs="X",
    outputs="Out",
    flops=0,
    element=of_text("not x0", "b"),
    speculatable=True,
    captured=True,
)
class logical_not(Declaration):
    """Out = not X."""

    def infer(X):
        _need_bool("logical_not", X=X)
        return X

    def reference(xp, X):
        return xp.logical_not(X)


def _whole(name: str, doc: str, compute: Callable, **traits: Any) -> OpDef:
    """Declare a predicate on a whole array: Out is one bool, shape [1]."""

    class body:
        def infer(X):
            return Meta((1,), BOOL)

        def reference(xp, X):
            return compute(xp, X).reshape(1)

    body.__doc__ = doc
    return op(name, inputs="X", outputs="Out", lod=None, **{"captured": True, **traits})(body)


isfinite = _whole(
    "isfinite",
    "Out = [whether every element is finite].",
    lambda xp, x: xp.isfinite(x).all(),
    flops=PerElement(1),
    speculatable=True,
)
isinf = _whole(
    "isinf", "Out = [whether some element is infinite].", lambda xp, x: xp.isinf(x).any(), flops=PerElement(1)
)
isnan = _whole("isnan", "Out = [whether some element is NaN].", lambda xp, x: xp.isnan(x).any(), flops=PerElement(1))
is_empty = _whole(
    "is_empty",
    "Out = [whether there are no elements].",
    lambda xp, x: xp.asarray(x.size == 0),
    flops=0,
    captured=False,
    stopped="Out",
)


@op(
    "allclose",
    inputs="Input Other",
    outputs="Out",
    attrs={"rtol": 1e-5, "atol": 1e-8, "equal_nan": False},
    lod=None,
)
class allclose(Declaration):
    """Out = [the logical AND of |Input - Other| <= atol + rtol |Other| everywhere]; infinite elements are not close."""

    def infer(Input, Other, **_):
        require_same("allclose", Input=Input, Other=Other)
        return Meta((1,), BOOL)

    @np.errstate(invalid="ignore")
    def reference(xp, Input, Other, *, rtol, atol, equal_nan):
        close = abs(Input - Other) <= atol + rtol * abs(Other)
        if equal_nan:
            close |= xp.isnan(Input) & xp.isnan(Other)
        return close.all().reshape(1)
