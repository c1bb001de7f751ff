"""Scales for quantisation that follow the data: the maximum over a window of calls, and a moving average."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, message
from ..framework.spec import CallSite, Declaration, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_elements, require_floats, require_shape
from .quantize import check_bits, largest, lod_of_x, moving_average, quantised, require_moving


def _window(xp: Any, site: CallSite | None, size: int, like: Any) -> Any:
    """Return the maxima of the last calls from this place, a new array; zeros where there was none."""
    kept = None if site is None else site.kept
    return (
        xp.zeros(size, like.dtype) if kept is None or len(kept) != size else xp.asarray(kept, dtype=like.dtype).copy()
    )


@op(
    "fake_quantize_range_abs_max", inputs="X InScale Iter?", outputs="Out OutScale OutScales?",
    attrs={"window_size": 10000, "bit_length": 8, "is_test": False}, lod=lod_of_x, effects="state",
)  # fmt: skip
class fake_quantize_range_abs_max(Declaration):
    """Out = X quantised to integers of `bit_length` bits; the scale is the largest |X| of the last `window_size` calls.

    In training OutScales [window_size] has max |X| of these calls, that of call Iter at Iter mod window_size. OutScale
    [1] is InScale, or max |X| if that is larger; where InScale leaves the window, it is the largest number in it. In
    tests the scale is InScale. Paddle keeps the window in the Variable OutScales, paddle_lite in the call site.
    """

    def infer(X, InScale, Iter, *, window_size, bit_length, is_test):
        where = "fake_quantize_range_abs_max"
        require_floats(where, X=X, InScale=InScale)
        require_elements(where, "X", X)
        require_shape(where, "InScale", InScale, (1,))
        check_bits(where, bit_length)
        one = Meta((1,), X.dtype)
        if is_test:
            return X, one, None
        if window_size < 1:
            raise ArgumentValueError(message(where, "attribute 'window_size'", window_size, "1 or more"))
        if Iter is None:
            raise ArgumentTypeError(message(where, "Input(Iter)", "None", "the number of the step, in training"))
        require_dtype(where, "Iter", Iter, "int64")
        require_shape(where, "Iter", Iter, (1,))
        return X, one, Meta((window_size,), X.dtype)

    def reference(xp, X, InScale, Iter, *, site=None, window_size, bit_length, is_test):
        if is_test:
            return quantised(xp, X, InScale, bit_length), InScale.copy(), None
        window, step, now = _window(xp, site, window_size, X), int(Iter[0]), largest(xp, X)
        place = step % window_size
        leaves = xp.abs(window[place] - InScale) < X.dtype.type(1e-6)
        window[place] = now[0]
        kept = xp.where(leaves, window[: max(min(step, window_size), 1)].max(), InScale)
        scale = xp.where(now > InScale, now, kept)
        if site is not None:
            site.kept = window.copy()
        return quantised(xp, X, scale, bit_length), scale, window


@op(
    "moving_average_abs_max_scale", inputs="X InAccum? InState?", outputs="Out OutScale OutState? OutAccum?",
    attrs={"moving_rate": 0.9, "is_test": False}, lod=lod_of_x,
    leaves=lambda attrs: ("OutScale", "OutState", "OutAccum") if attrs["is_test"] else (),
)  # fmt: skip
class moving_average_abs_max_scale(Declaration):
    """Out = X; OutScale [1] = a moving average of max |X| in training. In tests a Program's OutScale keeps its value.

    OutState = moving_rate * InState + 1, OutAccum = moving_rate * InAccum + max |X|, OutScale = OutAccum / OutState.
    """

    def infer(X, InAccum, InState, *, is_test, **_):
        require_moving("moving_average_abs_max_scale", X, None, InAccum, InState, is_test)
        one = Meta((1,), X.dtype)
        return X, one, *((None, None) if is_test else (one, one))

    def reference(xp, X, InAccum, InState, *, moving_rate, is_test):
        if is_test:
            return X.copy(), xp.zeros(1, X.dtype), None, None
        return X.copy(), *moving_average(xp, X, InAccum, InState, moving_rate)
