"""Operators newer than PaddlePaddle 1.8.5 on the elements of one, two or three arrays.

Slots, attributes and results are those of PaddlePaddle 2.6.2.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, message
from ..framework.costs import PerElement
from ..framework.elements import of_text
from ..framework.pointwise import pointwise
from ..framework.spec import Declaration, Grad, OpDef, op
from ..math.arithmetic import need_kind
from ..math.elementwise import same_dtype
from ..support.broadcasting import align_operand, broadcast_shape
from ..support.meta import Meta
from ..support.require import require_floats, require_one_shape
from .manipulation import summed_to

BOOL = np.dtype("bool")
INTEGERS = "a bool or integer dtype"
NUMBERS = "a float or integer dtype"


def _inverse(type: str, out: str, grad: str, doc: str) -> OpDef:
    return pointwise(type, out, grad=grad, doc=doc, common={}, activation=False)


asinh = _inverse(
    "asinh",
    "log(x + sqrt(x * x + 1)) if x > 0 else -log(sqrt(x * x + 1) - x)",
    "dout / sqrt(x * x + 1)",
    "Out = the inverse of sinh at X.",
)
acosh = _inverse("acosh", "log(x + sqrt(x * x - 1))", "dout / sqrt(x * x - 1)", "Out = the inverse of cosh at X.")
atanh = _inverse("atanh", "0.5 * log((1 + x) / (1 - x))", "dout / (1 - x * x)", "Out = the inverse of tanh at X.")


softplus_to_threshold = pointwise(
    "softplus_to_threshold",
    "x if beta * x > threshold else log1p(exp(beta * x)) / beta",
    grad="dout if beta * x > threshold else dout * sigmoid(beta * x)",
    attrs={"beta": 1.0, "threshold": 20.0},
    common={},
    doc="Out = log(1 + exp(beta * X)) / beta where beta * X is up to threshold, X above: softplus of Paddle 2.",
    activation=False,
)


@op("trunc", inputs="X", outputs="Out", flops=PerElement(1))
class trunc(Declaration):
    """Round towards zero."""

    def infer(X):
        need_kind("trunc", X, "fi", NUMBERS)
        return X

    def reference(xp, X):
        return xp.trunc(X).astype(X.dtype)

    def gradient(xp, dOut):
        return xp.zeros(dOut.shape, dOut.dtype)

    grad = Grad("Out@GRAD", "X@GRAD", gradient)


@op("logit", inputs="X", outputs="Out", attrs={"eps": 9.999999974752427e-07}, flops=PerElement(5))
class logit(Declaration):
    """Out = log(x / (1 - x)), with x = X held within eps and 1 - eps; NaN outside of 0 to 1 where eps is 0."""

    def infer(X, **_):
        need_kind("logit", X, "f", "a float dtype")
        return X

    @np.errstate(all="ignore")
    def reference(xp, X, *, eps):
        eps = X.dtype.type(eps)
        x = xp.clip(X, eps, 1 - eps) if eps > 0 else X
        return xp.log(x / (1 - x))

    @np.errstate(all="ignore")
    def gradient(xp, X, dOut, *, eps):
        eps = X.dtype.type(eps)
        inside = (X >= eps) & (X <= 1 - eps)
        return xp.where(inside, dOut / (X * (1 - X)), 0 if eps > 0 else X.dtype.type("nan"))

    grad = Grad("X Out@GRAD", "X@GRAD", gradient)


# --- of two arrays ------------------------------------------------------------------------------------------------------------


def _of_two(
    type: str, doc: str, compute: Callable, kinds: str = "fi", needs: str = NUMBERS, slopes: Callable | None = None,
    slots: tuple[str, str] = ("X", "Y"), made: Callable = lambda dtype: dtype, **traits: Any,
) -> OpDef:  # fmt: skip
    """Declare Out = compute(xp, x, y) of two arrays of one dtype, which are broadcast.

    Arguments:
        slopes: `slopes(xp, x, y)` gives the derivatives by x and y; None for an operator without a gradient.
        slots: the names of the inputs. made: the dtype of Out by that of the inputs. traits: those of the declaration.
    """

    def infer(X, Y):
        same_dtype(type, X, Y, slots[1])
        need_kind(type, X, kinds, needs, slots[0])
        return Meta(broadcast_shape(type, X.shape, Y.shape, -1), made(X.dtype), X.lod_level)

    @np.errstate(all="ignore")
    def reference(xp, X, Y):
        return compute(xp, X, Y).astype(made(X.dtype))

    @np.errstate(all="ignore")
    def gradient(xp, X, Y, dOut, *, need=(True, True)):
        of = slopes(xp, X, Y)
        return tuple(
            summed_to(xp, (dOut * slope).astype(dOut.dtype), each.shape) if wanted else None
            for slope, each, wanted in zip(of, (X, Y), need, strict=True)
        )

    body = SimpleNamespace(__module__=__name__, __doc__=doc, infer=infer, reference=reference)
    if slopes is not None:
        first, second = slots
        body.grad = Grad(f"{first} {second} Out@GRAD", f"{first}@GRAD {second}@GRAD", gradient)
    return op(type, inputs=" ".join(slots), outputs="Out", flops=PerElement(1, "Out"), **traits)(body)


def _angle_slopes(xp: Any, x: Any, y: Any) -> tuple[Any, Any]:
    square = x * x + y * y
    return y / square, -x / square


atan2 = _of_two(
    "atan2",
    "Out = the angle of the point (X2, X1), in radians; of integers in float64.",
    lambda xp, x, y: xp.arctan2(x, y),
    slopes=_angle_slopes,
    slots=("X1", "X2"),
    made=lambda dtype: dtype if dtype.kind == "f" else np.dtype("float64"),
)


def _choice(xp: Any, first: Any) -> tuple[Any, Any]:
    return first.astype("int8"), (~first).astype("int8")


elementwise_fmax = _of_two(
    "elementwise_fmax",
    "Out = the larger of X and Y, the other one where one is NaN; where they are equal the gradient goes to X.",
    lambda xp, x, y: xp.fmax(x, y),
    slopes=lambda xp, x, y: _choice(xp, (x >= y) | xp.isnan(y)),
)
elementwise_fmin = _of_two(
    "elementwise_fmin",
    "Out = the smaller of X and Y, the other one where one is NaN; where they are equal the gradient goes to X.",
    lambda xp, x, y: xp.fmin(x, y),
    slopes=lambda xp, x, y: _choice(xp, (x <= y) | xp.isnan(y)),
)
elementwise_heaviside = _of_two(
    "elementwise_heaviside",
    "Out = 1 where X > 0, Y where X is 0, 0 elsewhere, where X is NaN, too.",
    lambda xp, x, y: xp.where(x == 0, y, (x > 0).astype(x.dtype)),
    slopes=lambda xp, x, y: (xp.zeros((), "int8"), (x == 0).astype("int8")),
)


def _of_bits(type: str, symbol: str, of_bools: str, compute: Callable) -> OpDef:
    """Declare Out = X (symbol) Y of integers, bit by bit, and of truth values, for which loops compute `of_bools`."""
    doc = f"Out = X {symbol} Y, bit by bit."
    return _of_two(
        type, doc, compute, "biu", INTEGERS, element=of_text(of_bools, "b"), speculatable=True, captured=True
    )


bitwise_and = _of_bits("bitwise_and", "&", "x0 and x1", lambda xp, x, y: xp.bitwise_and(x, y))
bitwise_or = _of_bits("bitwise_or", "|", "x0 or x1", lambda xp, x, y: xp.bitwise_or(x, y))
bitwise_xor = _of_bits("bitwise_xor", "^", "x0 != x1", lambda xp, x, y: xp.bitwise_xor(x, y))


@op("bitwise_not", inputs="X", outputs="Out", flops=PerElement(1))
class bitwise_not(Declaration):
    """Invert each bit of integers; `not` of bools."""

    def infer(X):
        need_kind("bitwise_not", X, "biu", INTEGERS)
        return X

    def reference(xp, X):
        return xp.invert(X)


def _floored(type: str, doc: str, compute: Callable) -> OpDef:
    """Declare an operator that divides with a quotient rounded towards minus infinity, as Python does."""

    def infer(X, Y, *, axis):
        same_dtype(type, X, Y)
        need_kind(type, X, "fiu", NUMBERS)
        return Meta(broadcast_shape(type, X.shape, Y.shape, axis), X.dtype, X.lod_level)

    @np.errstate(all="ignore")
    def reference(xp, X, Y, *, axis):
        if Y.dtype.kind != "f" and (Y == 0).any():
            raise ArgumentValueError(message(type, "Input(Y)", "0 among its numbers", "divisors other than 0"))
        return compute(xp, align_operand(X, Y, axis), align_operand(Y, X, axis))

    body = SimpleNamespace(__module__=__name__, __doc__=doc, infer=infer, reference=reference)
    return op(type, inputs="X Y", outputs="Out", attrs={"axis": -1}, flops=PerElement(1))(body)


floor_divide = _floored(
    "floor_divide",
    "Out = X // Y as in Python, where elementwise_floordiv of 1.8.5 rounds towards zero and takes no floats.",
    lambda xp, x, y: xp.floor_divide(x, y),
)
floor_remainder = _floored(
    "floor_remainder",
    "Out = X % Y with the sign of Y, where elementwise_mod of 1.8.5 gives the sign of X for integers.",
    lambda xp, x, y: xp.remainder(x, y),
)

# --- comparisons --------------------------------------------------------------------------------------------------------------


@op("equal_all", inputs="X Y", outputs="Out", lod=None)
class equal_all(Declaration):
    """Out = whether X and Y have one shape and equal elements, without dimensions."""

    def infer(X, Y):
        same_dtype("equal_all", X, Y)
        return Meta((), BOOL)

    def reference(xp, X, Y):
        return xp.asarray(X.shape == Y.shape and (X == Y).all())


@op(
    "isclose",
    inputs="Input Other Rtol? Atol?",
    outputs="Out",
    attrs={"rtol": "1e-5", "atol": "1e-8", "equal_nan": False},
)
class isclose(Declaration):
    """Out = whether |Input - Other| <= atol + rtol * |Other|, element by element; the tolerances are numbers as text."""

    def infer(Input, Other, Rtol, Atol, *, rtol, atol, **_):
        same_dtype("isclose", Input, Other, "Other")
        require_one_shape("isclose", Input=Input, Other=Other)
        for name, text in (("rtol", rtol), ("atol", atol)):
            tolerance(name, None, text)
        return Meta(tuple(Input.shape), BOOL, Input.lod_level)

    @np.errstate(all="ignore")
    def reference(xp, Input, Other, Rtol, Atol, *, rtol, atol, equal_nan):
        relative, absolute = tolerance("rtol", Rtol, rtol), tolerance("atol", Atol, atol)
        near = (Input == Other) | (abs(Input - Other) <= absolute + relative * abs(Other))
        return near | (xp.isnan(Input) & xp.isnan(Other)) if equal_nan else near


def tolerance(name: str, given: Any, text: str) -> float:
    """Return a tolerance: the number of its input, or else that of the attribute's text."""
    try:
        return float(text) if given is None else float(given.reshape(-1)[0])
    except ValueError:
        needs = "a number, as text: '1e-5'"
        raise ArgumentValueError(message("isclose", f"attribute {name!r}", repr(text), needs)) from None


# --- of three -----------------------------------------------------------------------------------------------------------------


@op("lerp", inputs="X Y Weight", outputs="Out", flops=PerElement(3))
class lerp(Declaration):
    """Out = X + Weight * (Y - X), with broadcasting."""

    def infer(X, Y, Weight):
        require_floats("lerp", X=X, Y=Y, Weight=Weight)
        shape = broadcast_shape("lerp", X.shape, Y.shape, -1)
        return Meta(broadcast_shape("lerp", shape, Weight.shape, -1), X.dtype, X.lod_level)

    def reference(xp, X, Y, Weight):
        return X + Weight * (Y - X)

    def gradient(xp, X, Y, Weight, dOut):
        return summed_to(xp, dOut * (1 - Weight), X.shape), summed_to(xp, dOut * Weight, Y.shape)

    grad = Grad("X# Y# Weight Out@GRAD", "X@GRAD Y@GRAD", gradient)
