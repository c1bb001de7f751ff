"""Elementwise operators of two arrays, with Paddle's `axis` broadcasting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ...core.selected_rows import SelectedRows
from ...kernels.codegen.expression import Node, make, parse
from ...kernels.codegen.numpy_form import quiet
from ..framework import double_gradients
from ..framework.call import Call
from ..framework.costs import PerElement
from ..framework.elements import Element, computes, of_text
from ..framework.fusion import broadcast_expression, broadcast_gradient
from ..framework.pointwise import ExpressionKernels, mentions
from ..framework.spec import MKLDNN, Grad, OpDef, op
from ..framework.traits import Add, Multiply
from ..support.broadcasting import align_operand, aligned_shapes, broadcast_shape, unbroadcast
from ..support.meta import Meta

ATTRS: dict[str, Any] = {"axis": -1, **MKLDNN, "x_data_format": "", "y_data_format": ""}


# --- shared by all operators -----------------------------------------------------------------------------------------


def same_dtype(where: str, X: Any, Y: Any, slot: str = "Y") -> None:
    """Raise unless X and Y have the same dtype: operators do not convert dtypes implicitly."""
    if X.dtype != Y.dtype:
        needs = f"{X.dtype}, the dtype of X"
        raise DtypeError(
            message(where, f"Input({slot})", f"dtype {Y.dtype}", needs, "Convert one of them with cast().")
        )


def numbers(where: str, X: Any, Y: Any) -> None:
    """Raise unless X and Y hold numbers of the same dtype."""
    same_dtype(where, X, Y)
    if X.dtype.kind == "b":
        needs = "a float or integer dtype"
        raise DtypeError(
            message(where, "Input(X)", "dtype bool", needs, "Convert it with cast(), or use logical_and().")
        )


def elementwise(
    name: str,
    doc: str,
    compute: Callable,
    grad: Grad | None = None,
    *,
    fast: Callable | None = None,
    instead_of_floats: str = "",
    **traits: Any,
) -> OpDef:
    """Declare Out = compute(xp, X, Y) with broadcasting by `axis`.

    Arguments:
        grad: the result of `gradients`; None for an operator without a gradient.
        fast: `fast(X, Y)` computes it on the CPU where axis is -1, with NumPy's broadcasting, for numbers of one dtype.
        instead_of_floats: for an operator on integers only, the operator that its error recommends for floats.
        traits: as of `op`.
    """

    class body:
        ufunc = fast

        def infer(X, Y, *, axis):
            numbers(name, X, Y)
            shape = broadcast_shape(name, X.shape, Y.shape, axis)
            if instead_of_floats and X.dtype.kind == "f":
                raise DtypeError(message(name, "Input(X)", f"dtype {X.dtype}", "an integer dtype", instead_of_floats))
            return Meta(shape, X.dtype, X.lod_level)

        @np.errstate(all="ignore")
        def reference(xp, X, Y, *, axis):
            return compute(xp, align_operand(X, Y, axis), align_operand(Y, X, axis))

        def settled(X, Y, *, axis):
            if fast is None or isinstance(X, SelectedRows) or X.dtype != Y.dtype:
                return None
            x, y = aligned_shapes(name, X.shape, Y.shape, axis)
            return lambda X, Y: quiet().run(fast, X.reshape(x), Y.reshape(y))

    body.__doc__ = doc
    if grad is not None:
        body.grad = grad  # type: ignore[attr-defined]
    return op(name, inputs="X Y", outputs="Out", attrs=ATTRS, **{"captured": True, **traits})(body)


def arithmetic(
    name: str, out: str, of_x: str, of_y: str, double: Grad, *, fast: Callable, doc: str,
    of_rows: Callable | None = None, **traits: Any,
) -> OpDef:  # fmt: skip
    """Declare an elementwise operator by expressions of `x` and `y`, which fused kernels compute, too.

    Arguments:
        out: the expression of Out.
        of_x, of_y: those of the gradients in the shape of Out, of `x`, `y` and `dout`.
        double, fast, doc, traits: as of `gradients` and `elementwise`.
        of_rows: `of_rows(X, Y)` computes it where X is SelectedRows; None where these are refused.
    """
    used = [slot for slot in ("x", "y") if mentions(of_x, slot) or mentions(of_y, slot)]
    reads = " ".join(slot.upper() + "#" * (slot not in used) for slot in ("x", "y"))
    arrays = (*used, "dout")
    forms = [
        ExpressionKernels(f"{name}_of_{slot}", {"d": text}, arrays, ()) for slot, text in (("x", of_x), ("y", of_y))
    ]

    def rule(xp: Any, x: Any, y: Any, dout: Any) -> list[Callable]:
        given = [{"x": x, "y": y, "dout": dout}[array] for array in arrays]
        return [partial(form.pointwise.numpy, xp, *given) for form in forms]

    def compute(xp: Any, x: Any, y: Any) -> Any:
        if of_rows is not None and isinstance(x, SelectedRows):
            return of_rows(x, y)
        return forward.pointwise.numpy(xp, x, y)

    forward = ExpressionKernels(name, {"out": out}, ("x", "y"), ())
    fuses = broadcast_gradient(of_x, of_y)
    return elementwise(
        name,
        doc,
        compute,
        gradients(f"{reads} Out@GRAD", rule, double, fuses=fuses),
        fast=fast,
        fuses=broadcast_expression(out),
        element=of_text(out, "fiu", ("x", "y")),
        speculatable=True,
        **traits,
    )


def gradients(reads: str, rule: Callable, double: Grad, **traits: Any) -> Grad:
    """Return the gradient of an elementwise operator.

    Arguments:
        rule: `rule(xp, *reads)` gives two functions without arguments that compute the gradients of X and Y in the shape
            of Out. It gets X and Y shaped for broadcasting, unless it reads only their shapes.
        double: the gradient of the gradient.
        traits: those of the gradient operator.
    """

    @np.errstate(all="ignore")
    def gradient(xp, X, Y, *rest, axis, need=(True, True)):
        x = X if "X#" in reads else align_operand(X, Y, axis)
        y = Y if "Y#" in reads else align_operand(Y, X, axis)
        of_x, of_y = rule(xp, x, y, *rest)
        return (
            unbroadcast(of_x(), X, Y, axis) if need[0] else None,
            unbroadcast(of_y(), Y, X, axis) if need[1] else None,
        )

    return Grad(reads, "X@GRAD Y@GRAD", gradient, grad=double, **traits)


# --- sums and products -----------------------------------------------------------------------------------------------

elementwise_add = arithmetic(
    "elementwise_add",
    "x + y",
    "dout",
    "dout",
    double_gradients.linear("elementwise_add"),
    fast=np.add,
    doc="Out = X + Y.",
    algebra=Add(),
)

elementwise_sub = arithmetic(
    "elementwise_sub",
    "x - y",
    "dout",
    "-dout",
    double_gradients.linear("elementwise_sub"),
    fast=np.subtract,
    doc="Out = X - Y.",
)


def _rows_times(X: SelectedRows, Y: Any) -> SelectedRows:
    """Return a sparse gradient times the one element of Y, as clipping by a common norm computes it."""
    if Y.size != 1:
        needs = "one element, by which SelectedRows are multiplied"
        raise ShapeError(message("elementwise_mul", "Input(Y)", f"shape {list(Y.shape)}", needs))
    return X.scaled(Y.reshape(-1)[0])


elementwise_mul = arithmetic(
    "elementwise_mul",
    "x * y",
    "dout * y",
    "dout * x",
    double_gradients.bilinear("elementwise_mul"),
    fast=np.multiply,
    doc="Out = X * Y. X may be SelectedRows where Y has one element.",
    of_rows=_rows_times,
    algebra=Multiply(),
)

elementwise_max = arithmetic(
    "elementwise_max",
    "max(x, y)",
    "dout if x > y else 0",
    "0 if x > y else dout",
    double_gradients.choice("greater_than"),
    fast=np.maximum,
    doc="Out = the larger of X and Y, NaN where either is; where they are equal the gradient goes to Y.",
)

elementwise_min = arithmetic(
    "elementwise_min",
    "min(x, y)",
    "dout if x < y else 0",
    "0 if x < y else dout",
    double_gradients.choice("less_than"),
    fast=np.minimum,
    doc="Out = the smaller of X and Y, NaN where either is; where they are equal the gradient goes to Y.",
)

# --- divisions -------------------------------------------------------------------------------------------------------


def _of_integers(op: str, floats: str = "") -> Element:
    """Return the element of a division of integers, which refuses to divide by 0; floats: the expression for floats, if any."""
    divided, zero = make(op, parse("x0"), parse("x1")), parse("x1 == 0")

    def node(attrs: Any, dtypes: Sequence[np.dtype]) -> Node | None:
        if dtypes[-1].kind in "iu":
            return divided
        return parse(floats) if floats and computes(dtypes[-1], "f") else None

    return Element(node, lambda dtypes: zero if dtypes[-1].kind in "iu" else None)


def divides_floats(call: Call) -> bool:
    """Return whether a call divides floats; for integers the host looks for zeros."""
    operand = call.one("Y")
    return operand is not None and operand.dtype is not None and operand.dtype.kind == "f"


def _quotient(name: str, xp: Any, x: Any, y: Any) -> Any:
    """Return the quotient of integers, truncated towards zero; raise for a division by zero."""
    if not y.all():
        at = [int(i) for i in xp.argwhere(y == 0)[0]]
        raise ArgumentValueError(message(name, "Input(Y)", f"0 at {at}", "integer divisors other than 0"))
    quotient = x // y
    return quotient + ((quotient < 0) & (quotient * y != x))


def _divide(xp: Any, x: Any, y: Any) -> Any:
    return xp.divide(x, y) if x.dtype.kind == "f" else _quotient("elementwise_div", xp, x, y)


def _divide_gradient(xp: Any, x: Any, y: Any, out: Any, dout: Any) -> tuple[Callable, Callable]:
    return lambda: _divide(xp, dout, y), lambda: -_divide(xp, dout, y) * out


def _remainder(xp: Any, x: Any, y: Any) -> Any:
    return xp.mod(x, y) if x.dtype.kind == "f" else x - _quotient("elementwise_mod", xp, x, y) * y


elementwise_div = elementwise(
    "elementwise_div",
    "Out = X / Y; the quotient of integers is truncated towards zero.",
    _divide,
    gradients(
        "X# Y Out Out@GRAD",
        _divide_gradient,
        double_gradients.quotient(),
        fuses=broadcast_gradient("dout / y", "-(dout / y) * out"),
        captured=divides_floats,
    ),
    fast=lambda x, y: quiet().run(_divide, np, x, y),
    fuses=broadcast_expression("x / y"),
    element=_of_integers("quotient", "x0 / x1"),
    speculatable=True,
    captured=divides_floats,
)

elementwise_mod = elementwise(
    "elementwise_mod",
    "Out = the remainder of X / Y: with the sign of Y for floats, of X for integers (as in C).",
    _remainder,
    element=_of_integers("remainder"),
    captured=divides_floats,
    flops=PerElement(1, "Out"),
)

elementwise_floordiv = elementwise(
    "elementwise_floordiv",
    "Out = X / Y of integers, truncated towards zero.",
    lambda xp, x, y: _quotient("elementwise_floordiv", xp, x, y),
    instead_of_floats="Use floor(x / y).",
    captured=False,  # the host looks for zeros
    element=_of_integers("quotient"),
    flops=PerElement(1, "Out"),
)


# --- powers ----------------------------------------------------------------------------------------------------------


def _power(xp: Any, x: Any, y: Any) -> Any:
    if x.dtype.kind == "f":
        return xp.power(x, y)
    power = xp.power(x, xp.abs(y))
    return xp.where((y >= 0) | (xp.abs(x) == 1), power, x.dtype.type(0))  # 2 ** -1 is truncated to 0


def _power_fast(x: Any, y: Any) -> Any:
    if y.size == 1 and x.ndim >= y.ndim and y.item() == 2:  # x ** 2, by far the commonest power
        return quiet().run(np.multiply, x, x)
    return quiet().run(_power, np, x, y)


def _power_gradient(xp: Any, x: Any, y: Any, dout: Any) -> tuple[Callable, Callable]:
    return (
        lambda: dout * y * _power(xp, x, y - y.dtype.type(1)),
        lambda: dout * (xp.log(x) * _power(xp, x, y)).astype(x.dtype),
    )


elementwise_pow = elementwise(
    "elementwise_pow",
    "Out = X ** Y; a negative power of an integer is cut off to 0.",
    _power,
    gradients("X Y Out@GRAD", _power_gradient, double_gradients.power()),
    fast=_power_fast,
    flops=PerElement(1, "Out"),
)
