"""Quantization as models of PaddlePaddle 2 hold it: to integers by a scale that is there, and to integers and back.

Slots, attributes and results are those of PaddlePaddle 2.6.2.
"""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.spec import Declaration, op
from ..math.arithmetic import need_kind
from ..math.quantize import check_bits, largest, levels, rounded_away, steps_of
from ..support.meta import Meta
from ..support.require import require_elements, require_floats
from ..support.shape_rules import UNKNOWN, axis_of

LINEAR: dict[str, Any] = {
    "inputs": "X Scale ZeroPoint InAccum? InState?",
    "outputs": "Y OutState? OutAccum? OutScale?",
    "attrs": {"quant_axis": 0, "bit_length": 8, "round_type": 0, "is_test": True, "only_observer": False},
    "lod": None,
}


def infer_linear(where: str, X: Meta, Scale: Meta, quant_axis: int, bit_length: int, is_test: bool, made: Any) -> tuple:
    """Return the Metas of a conversion by the scale of all elements, or by one for each place along an axis."""
    check_bits(where, bit_length)
    require_floats(where, Scale=Scale)
    if not is_test:
        fix = "Set it with program.clone(for_test=True)."
        raise ArgumentValueError(message(where, "attribute 'is_test'", False, "True: scales are not learned here", fix))
    count = 1 if quant_axis < 0 else X.shape[axis_of(where, quant_axis, len(X.shape), "quant_axis")]
    if len(Scale.shape) != 1 or (Scale.shape[0] != count and UNKNOWN not in (count, Scale.shape[0])):
        raise ShapeError(message(where, "Input(Scale)", f"shape {list(Scale.shape)}", f"[{count}]"))
    return Meta(tuple(X.shape), made), None, None, None


def along_axis(Scale: Any, rank: int, quant_axis: int) -> Any:
    """Return scales shaped for broadcasting along an axis; one scale where the axis is -1."""
    return Scale.reshape([-1 if i == quant_axis else 1 for i in range(rank)]) if quant_axis >= 0 else Scale.reshape(-1)


def there_and_back(xp: Any, x: Any, scale: Any, bits: int) -> Any:
    """Return x in whole steps of scale / levels; halves are rounded away from 0."""
    return rounded_away(xp, steps_of(xp, x, scale, bits)) * scale / levels(bits)


@op("quantize_linear", **LINEAR)
class quantize_linear(Declaration):
    """Y = X divided by its scale, in whole steps of `bit_length` bits; Scale is the largest |X|, of all or along `quant_axis`.

    `round_type` 0 rounds halves to even numbers before steps are limited, 1 away from 0.
    """

    def infer(X, Scale, ZeroPoint, InAccum, InState, *, quant_axis, bit_length, is_test, **_):
        need_kind("quantize_linear", X, "f", "a float dtype")
        return infer_linear("quantize_linear", X, Scale, quant_axis, bit_length, is_test, X.dtype)

    def reference(
        xp, X, Scale, ZeroPoint, InAccum, InState, *, quant_axis, bit_length, round_type, is_test, only_observer
    ):
        scale, steps = along_axis(Scale, X.ndim, quant_axis), levels(bit_length)
        if only_observer:
            return X.copy(), None, None, None
        if round_type:
            return rounded_away(xp, steps_of(xp, X, scale, bit_length)).astype(X.dtype), None, None, None
        return xp.clip(xp.rint(X * (steps / scale)), -steps - 1, steps).astype(X.dtype), None, None, None


@op("dequantize_linear", **LINEAR)
class dequantize_linear(Declaration):
    """Y = X times its scale, divided by the largest integer of `bit_length` bits."""

    def infer(X, Scale, ZeroPoint, InAccum, InState, *, quant_axis, bit_length, is_test, **_):
        need_kind("dequantize_linear", X, "fi", "a float dtype, or int8")
        return infer_linear("dequantize_linear", X, Scale, quant_axis, bit_length, is_test, Scale.dtype)

    def reference(
        xp, X, Scale, ZeroPoint, InAccum, InState, *, quant_axis, bit_length, round_type, is_test, only_observer
    ):
        scale = along_axis(Scale, X.ndim, quant_axis)
        given = X.astype(Scale.dtype)
        return given if only_observer else given * scale / levels(bit_length), None, None, None


@op("fake_quantize_dequantize_abs_max", inputs="X", outputs="Out OutScale", attrs={"bit_length": 8}, lod=None)
class fake_quantize_dequantize_abs_max(Declaration):
    """Out = X as it is after quantization to `bit_length` bits and back; OutScale [1] = max |X|."""

    def infer(X, *, bit_length):
        require_floats("fake_quantize_dequantize_abs_max", X=X)
        require_elements("fake_quantize_dequantize_abs_max", "X", X)
        check_bits("fake_quantize_dequantize_abs_max", bit_length)
        return Meta(tuple(X.shape), X.dtype), Meta((1,), X.dtype)

    def reference(xp, X, *, bit_length):
        scale = largest(xp, X)
        return there_and_back(xp, X, scale, bit_length), scale


@op(
    "fake_channel_wise_quantize_dequantize_abs_max",
    inputs="X",
    outputs="Out OutScale",
    attrs={"quant_axis": 0, "bit_length": 8},
    lod=None,
)
class fake_channel_wise_quantize_dequantize_abs_max(Declaration):
    """Out = X as it is after quantization and back, with a scale for each place along `quant_axis`, which are OutScale."""

    def infer(X, *, quant_axis, bit_length):
        where = "fake_channel_wise_quantize_dequantize_abs_max"
        require_floats(where, X=X)
        require_elements(where, "X", X)
        check_bits(where, bit_length)
        return Meta(tuple(X.shape), X.dtype), Meta(
            (X.shape[axis_of(where, quant_axis, len(X.shape), "quant_axis")],), X.dtype
        )

    def reference(xp, X, *, quant_axis, bit_length):
        found = xp.abs(X).max(tuple(i for i in range(X.ndim) if i != quant_axis % X.ndim))
        scale = along_axis(found, X.ndim, quant_axis % X.ndim)
        return there_and_back(xp, X, scale, bit_length), found
