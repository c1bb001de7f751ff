"""An elementwise operator and a function of one array as one operator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from ...core.errors import ArgumentValueError, message
from ..framework.spec import Declaration, Grad, Required, op
from ..support.broadcasting import align_operand, broadcast_shape, unbroadcast
from ..support.meta import Meta
from ..support.require import require_floats
from ..support.sigmoid import sigmoid

WHERE = "fused_elemwise_activation"


class Function(NamedTuple):
    """A function of one array, and its slope from its argument and its result; both take `xp` and `scale` first."""

    value: Callable
    slope: Callable


FUNCTIONS = {
    "relu": Function(lambda xp, a, x: xp.maximum(x, 0), lambda xp, a, x, y: (y > 0).astype(x.dtype)),
    "scale": Function(lambda xp, a, x: a * x, lambda xp, a, x, y: a),
    "sigmoid": Function(lambda xp, a, x: sigmoid(xp, x), lambda xp, a, x, y: y * (1 - y)),
    "tanh": Function(lambda xp, a, x: xp.tanh(x), lambda xp, a, x, y: 1 - y * y),
}
COMBINATIONS = (
    ("elementwise_add", "relu"), ("elementwise_add", "scale"), ("elementwise_mul", "scale"), ("elementwise_mul", "sigmoid"),
    ("elementwise_mul", "tanh"), ("relu", "elementwise_add"), ("scale", "elementwise_add"), ("tanh", "elementwise_add"),
)  # fmt: skip


class _Parts(NamedTuple):
    """What `functor_list` says.

    outside: whether the function is applied to the result of the elementwise operator, rather than to Y.
    """

    function: Function
    multiplies: bool
    outside: bool

    def combine(self, x: Any, y: Any) -> Any:
        return x * y if self.multiplies else x + y


def _parts(functor_list: Sequence[str]) -> _Parts:
    names = tuple(functor_list)
    if names not in COMBINATIONS:
        needs = "one of " + ", ".join(str(list(known)) for known in COMBINATIONS)
        raise ArgumentValueError(message(WHERE, "attribute 'functor_list'", list(names), needs))
    outside = names[0] in FUNCTIONS
    return _Parts(FUNCTIONS[names[not outside]], "elementwise_mul" in names, outside)


@op(
    "fused_elemwise_activation", inputs="X Y", outputs="Out IntermediateOut~",
    attrs={"axis": -1, "scale": 0.0, "save_intermediate_out": False, "functor_list": Required("STRINGS")},
)  # fmt: skip
class fused_elemwise_activation(Declaration):
    """Out = f(X op Y) for functor_list [f, op], X op f(Y) for [op, f], with the broadcasting of elementwise operators.

    op is elementwise_add or elementwise_mul; f is relu, scale (by `scale`), sigmoid or tanh. IntermediateOut is X op Y,
    or f(Y).
    """

    def infer(X, Y, *, axis, functor_list, **_):
        require_floats(WHERE, X=X, Y=Y)
        shape, parts = broadcast_shape(WHERE, X.shape, Y.shape, axis), _parts(functor_list)
        return Meta(shape, X.dtype, X.lod_level), Meta(shape if parts.outside else Y.shape, X.dtype, X.lod_level)

    def reference(xp, X, Y, *, axis, scale, functor_list):
        parts = _parts(functor_list)
        f = partial(parts.function.value, xp, xp.asarray(scale, dtype=X.dtype))
        x, y = align_operand(X, Y, axis), align_operand(Y, X, axis)
        if parts.outside:
            inner = parts.combine(x, y)
            return f(inner), inner
        inner = f(y)
        return parts.combine(x, inner), inner.reshape(Y.shape)

    def gradient(xp, X, Y, Out, dOut, *, axis, scale, functor_list, need=(True, True)):
        parts, scale = _parts(functor_list), xp.asarray(scale, dtype=X.dtype)
        x, y = align_operand(X, Y, axis), align_operand(Y, X, axis)
        slope = partial(parts.function.slope, xp, scale)
        inner = parts.combine(x, y) if parts.outside else parts.function.value(xp, scale, y)
        dinner = dOut * slope(inner, Out) if parts.outside else dOut
        second = y if parts.outside else inner
        dx = dinner * second if parts.multiplies else dinner
        dy = dinner * x if parts.multiplies else dinner
        if not parts.outside:
            dy = dy * slope(y, inner)
        return unbroadcast(dx, X, Y, axis) if need[0] else None, unbroadcast(dy, Y, X, axis) if need[1] else None

    grad = Grad("X Y Out Out@GRAD", "X@GRAD Y@GRAD", gradient)
