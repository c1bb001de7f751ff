"""Fake quantisation: numbers rounded to a few bits, but kept as floats."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, message
from ..framework.spec import Declaration, Ints, Required, op
from ..support.meta import Meta
from ..support.require import require_elements, require_floats, require_shape

BITS = {"bit_length": 8}
MOVING = {"moving_rate": 0.9, "bit_length": 8, "is_test": False}


def check_bits(where: str, bits: int, name: str = "bit_length") -> None:
    if not 1 <= bits <= 16:
        raise ArgumentValueError(message(where, f"attribute '{name}'", bits, "1 to 16"))


def levels(bits: int) -> int:
    """Return the largest signed integer of this number of bits."""
    return (1 << (bits - 1)) - 1


SMALLEST, ADDED = 1e-30, 1e-6  # Paddle adds 1e-6 to scales up to 1e-30


VECTOR = 8  # elements that Paddle rounds at once


def steps_of(xp: Any, x: Any, scale: Any, bits: int) -> Any:
    """Return x clipped to +-`scale` and divided by the step, scale / levels, in Paddle's order; 0 for a tiny scale."""
    one, most, added = (xp.asarray(number, dtype=x.dtype) for number in (1.0, levels(bits), ADDED))
    divisor = xp.where(scale.astype("float64") <= SMALLEST, scale * one + added, scale)
    return most * (one / divisor) * xp.clip(x, -scale, scale)


def rounded_away(xp: Any, x: Any) -> Any:
    """Return the nearest whole numbers, and of two the one farther from 0."""
    half, zero = (xp.asarray(number, dtype=x.dtype) for number in (0.5, 0.0))
    return xp.trunc(x + xp.copysign(xp.nextafter(half, zero), x))  # with 0.5, the number below it would become 1


def quantised(xp: Any, x: Any, scale: Any, bits: int) -> Any:
    """Return x clipped to +-`scale` and rounded to steps of scale / levels; 0 for a tiny scale.

    Paddle rounds the elements that have one scale in vectors of 8, and the last ones, fewer than 8, one by one: halves in
    vectors become even numbers, the other halves the number farther from 0.
    """
    rows = steps_of(xp, x, scale, bits).reshape(scale.size, -1)
    whole, last = xp.rint(rows), rows.shape[1] // VECTOR * VECTOR
    whole[:, last:] = rounded_away(xp, rows[:, last:])
    return whole.reshape(x.shape)


def largest(xp: Any, x: Any) -> Any:
    return xp.abs(x).max().reshape(1)


def lod_of_x(lods: tuple, ins: tuple, outs: tuple, attrs: dict) -> tuple:
    return (lods[0], *(None for _ in outs[1:]))


@op("fake_quantize_abs_max", inputs="X", outputs="Out OutScale", attrs=BITS, lod=lod_of_x)
class fake_quantize_abs_max(Declaration):
    """Out = X quantised to integers of `bit_length` bits, the largest of which represents OutScale [1] = max |X|."""

    def infer(X, *, bit_length):
        require_floats("fake_quantize_abs_max", X=X)
        require_elements("fake_quantize_abs_max", "X", X)
        check_bits("fake_quantize_abs_max", bit_length)
        return X, Meta((1,), X.dtype)

    def reference(xp, X, *, bit_length):
        scale = largest(xp, X)
        return quantised(xp, X, scale, bit_length), scale


@op("fake_channel_wise_quantize_abs_max", inputs="X", outputs="Out OutScale", attrs=BITS, lod=lod_of_x)
class fake_channel_wise_quantize_abs_max(Declaration):
    """Out = X quantised to integers of `bit_length` bits, with a scale for each X[i]: OutScale[i] = max |X[i]|."""

    def infer(X, *, bit_length):
        require_floats("fake_channel_wise_quantize_abs_max", X=X)
        require_elements("fake_channel_wise_quantize_abs_max", "X", X)
        check_bits("fake_channel_wise_quantize_abs_max", bit_length)
        return X, Meta(X.shape[:1], X.dtype)

    def reference(xp, X, *, bit_length):
        scale = xp.abs(X.reshape(len(X), -1)).max(axis=1)
        return quantised(xp, X, scale.reshape(-1, *[1] * (X.ndim - 1)), bit_length), scale


@op(
    "fake_dequantize_max_abs",
    inputs="X Scale",
    outputs="Out",
    attrs={"max_range": Required("FLOAT")},
)
class fake_dequantize_max_abs(Declaration):
    """Out = X * Scale / max_range, with the first element of Scale for all."""

    def infer(X, Scale, **_):
        require_floats("fake_dequantize_max_abs", X=X, Scale=Scale)
        require_elements("fake_dequantize_max_abs", "Scale", Scale)
        return X

    def reference(xp, X, Scale, *, max_range):
        return X * Scale.reshape(-1)[0] / xp.asarray(max_range, dtype=X.dtype)


@op(
    "fake_channel_wise_dequantize_max_abs",
    inputs="X Scales*",
    outputs="Out",
    attrs={"quant_bits": Ints([8])},
)
class fake_channel_wise_dequantize_max_abs(Declaration):
    """Out = X times its scales, divided by the largest integers of their numbers of bits.

    A single array in Scales has a scale for each X[i]. Of two, the first has one for each X[:, i], the second only one.
    """

    def infer(X, Scales, *, quant_bits):
        where = "fake_channel_wise_dequantize_max_abs"
        if len(Scales) not in (1, 2) or len(quant_bits) < len(Scales):
            got = f"{len(Scales)} Variables, attribute 'quant_bits' {list(quant_bits)}"
            raise ArgumentValueError(message(where, "Input(Scales)", got, "one or two, with bits for each"))
        require_floats(where, X=X, **{f"Scales[{i}]": scale for i, scale in enumerate(Scales)})
        require_shape(where, "Scales[0]", Scales[0], X.shape[len(Scales) - 1 : len(Scales)])
        for scale in Scales[1:]:
            require_shape(where, "Scales[1]", scale, (1,))
        for bits in quant_bits:
            check_bits(where, bits, "quant_bits")
        return X

    def reference(xp, X, Scales, *, quant_bits):
        axis, largest = len(Scales) - 1, 1
        for bits in quant_bits[: len(Scales)]:
            largest *= levels(bits)
        factor = Scales[0] if axis == 0 else Scales[0] * Scales[1]
        factor = factor.reshape([-1 if i == axis else 1 for i in range(X.ndim)])
        return X * factor / xp.asarray(largest, dtype=X.dtype)


# --- scales that follow the data -------------------------------------------------------------------------------------


def require_moving(where: str, X: Meta, scale: Meta | None, InAccum: Meta | None, InState: Meta | None, is_test: bool):
    require_floats(where, X=X)
    require_elements(where, "X", X)
    for name, meta in (("InScale", scale), ("InAccum", InAccum), ("InState", InState)):
        if meta is not None:
            require_floats(where, X=X, **{name: meta})
            require_shape(where, name, meta, (1,))
    if not is_test and (InAccum is None or InState is None):
        raise ArgumentTypeError(message(where, "Input(InAccum), Input(InState)", "None", "Variables, in training"))


def moving_average(xp: Any, x: Any, accum: Any, state: Any, rate: float) -> tuple:
    """Return (the scale, the new state: the sum of the weights and the weighted sum of the maxima)."""
    rate = xp.asarray(rate, dtype=x.dtype)
    state, accum = rate * state + 1, rate * accum + largest(xp, x)
    return accum / state, state, accum


def _infer_moving(where: str):
    def infer(X, InScale, InAccum, InState, *, bit_length, is_test, **_):
        require_moving(where, X, InScale, InAccum, InState, is_test)
        check_bits(where, bit_length)
        one = Meta((1,), X.dtype)
        return X, one, *((None, None) if is_test else (one, one))

    return infer


MOVING_SLOTS: dict[str, Any] = {
    "inputs": "X InScale InAccum? InState?",
    "outputs": "Out OutScale OutState? OutAccum?",
    "attrs": MOVING,
    "lod": lod_of_x,
}


@op("fake_quantize_moving_average_abs_max", **MOVING_SLOTS)
class fake_quantize_moving_average_abs_max(Declaration):
    """Out = X quantised to integers of `bit_length` bits; the scale is a moving average of max |X|, in tests InScale."""

    infer = _infer_moving("fake_quantize_moving_average_abs_max")

    def reference(xp, X, InScale, InAccum, InState, *, moving_rate, bit_length, is_test):
        moved = (InScale.copy(), None, None) if is_test else moving_average(xp, X, InAccum, InState, moving_rate)
        return (quantised(xp, X, moved[0], bit_length), *moved)


@op("fake_quantize_dequantize_moving_average_abs_max", **MOVING_SLOTS)
class fake_quantize_dequantize_moving_average_abs_max(Declaration):
    """Out = X quantised to `bit_length` bits and dequantised; the scale is a moving average of max |X|, in tests InScale."""

    infer = _infer_moving("fake_quantize_dequantize_moving_average_abs_max")

    def reference(xp, X, InScale, InAccum, InState, *, moving_rate, bit_length, is_test):
        moved = (InScale.copy(), None, None) if is_test else moving_average(xp, X, InAccum, InState, moving_rate)
        most = xp.asarray(max(levels(bit_length), 1), dtype=X.dtype)
        return (quantised(xp, X, moved[0], bit_length) * (moved[0] / most), *moved)
