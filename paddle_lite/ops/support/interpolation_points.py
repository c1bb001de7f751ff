"""Interpolation: the axes that operators resize and to which sizes, and along one axis the source indices and weights of each output point.

Functions with `_v2` are for the operators in the form of PaddlePaddle 2, with a scale for each axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import ArgumentValueError, ShapeError, message
from .shape_rules import UNKNOWN


def scaled_size(n: int, scale: Any) -> int:
    """Return a size times a scale in float32, truncated.

    >>> scaled_size(3, 1.7)
    5
    """
    return int(np.float32(n) * np.float32(scale))


def cubic_weights(t: Any) -> list[Any]:
    """Return the cubic convolution weights of four adjacent points, for a position t of the way from the second to the third.

    Keys, "Cubic convolution interpolation for digital image processing", 1981, with a = -0.75.
    """
    a = -0.75

    def near(d: Any) -> Any:
        return ((a + 2) * d - (a + 3)) * d * d + 1

    def far(d: Any) -> Any:
        return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a

    return [far(t + 1), near(t), near(1 - t), far(2 - t)]


def interpolation_taps(
    xp: Any, n: int, out: int, dtype: Any, method: str, align_corners: bool, align_mode: int, scale: float = 0.0
) -> list[Any]:
    """Return the source points of each output point along one axis: pairs of `out` indices and `out` weights.

    The step between output points is computed in float32, as in Paddle; an exact step would sometimes select another
    neighbour. It is the inverse of `scale` if that is given and corners are not aligned, as in PaddlePaddle 2; points
    beyond the last one, where `out` is larger than `scale` says, take the last one.

    >>> [(index.tolist(), weights.tolist()) for index, weights in interpolation_taps(np, 2, 3, "float32", "bilinear", True, 1)]
    [([0, 0, 1], [1.0, 0.5, 1.0]), ([1, 1, 1], [0.0, 0.5, 0.0])]
    """
    step = np.float32(0)
    if out > 1:
        step = np.float32(n - 1) / np.float32(out - 1) if align_corners else np.float32(n) / np.float32(out)
        if scale > 0 and not align_corners:
            step = np.float32(1.0 / scale)
    k = xp.arange(out)
    corner = k.astype("float32") * step
    centre = (k + 0.5) * float(step) - 0.5
    if method == "nearest":
        nearest = (corner.astype("float64") + 0.5 if align_corners else corner).astype("int64")
        return [(xp.minimum(nearest, n - 1), None)]
    if method == "bicubic":
        at = (corner if align_corners else centre).astype(dtype)
        first = xp.floor(at)
        found = [xp.clip(first.astype("int64") + i, 0, n - 1) for i in (-1, 0, 1, 2)]
        return list(zip(found, cubic_weights(at - first), strict=True))
    at = xp.maximum(centre, 0.0) if align_mode == 0 and not align_corners else corner
    first = xp.minimum(at.astype("int64"), n - 1)
    share = (at.astype("float32") - first.astype("float32")).astype(dtype)
    return [(first, 1 - share), (xp.minimum(first + 1, n - 1), share)]


Size = Sequence[int]


class Axis(NamedTuple):
    """An axis that is resized: from `n` to `m` points; `scale` as in `interpolation_taps`, 0 if it does not count."""

    axis: int
    n: int
    m: int
    scale: float = 0.0


def places(x: Any, data_layout: str) -> range:
    """Return the axes of depth (for volumes), height and width."""
    return range(1, len(x.shape) - 1) if data_layout == "NHWC" else range(2, len(x.shape))


def asked_size(size: Size, OutSize: Any, SizeTensor: Any, Scale: Any, asked: Size, scale: float) -> list[int]:
    """Return what is asked for, the strongest first: the list of arrays, the array, the scale, the attributes."""
    if SizeTensor:
        return [t.item() for t in SizeTensor]
    if OutSize is not None:
        return OutSize.reshape(-1).tolist()
    factor = scale if Scale is None else Scale.item()
    return [n if n == UNKNOWN else scaled_size(n, factor) for n in size] if factor > 0 else list(asked)


def check_size(type: str, out: Size, size: Size) -> None:
    """Raise unless the result has the rank of the image, and points."""
    if len(out) != len(size) or any(n < 1 and n != UNKNOWN for n in out):
        needs = f"{len(size)} sizes of 1 or more, for an image of {list(size)}"
        raise ShapeError(message(type, "the size of the result", list(out), needs, "Give a size or a scale."))


def resized_axes(X, OutSize, SizeTensor, Scale, *, data_layout, out_d, out_h, out_w, scale, interp_method, **_):
    """Return the axes, from the inputs and attributes of the operator."""
    axes = places(X, data_layout)
    size = [X.shape[a] for a in axes]
    out = asked_size(size, OutSize, SizeTensor, Scale, (out_d, out_h, out_w)[-len(size) :], scale)
    check_size(f"{interp_method}_interp", out, size)
    return list(map(Axis, axes, size, out))


def spread_axes(X, OutSize, SizeTensor, Scale, dOut, *, data_layout, **_):
    """Return the axes, from the inputs and attributes of the gradient operator."""
    return [Axis(a, X.shape[a], dOut.shape[a]) for a in places(X, data_layout)]


def axes_of(x: Any, data_layout: str) -> range:
    """Return the axes that are resized."""
    return places(x, "NHWC" if data_layout in ("NWC", "NHWC", "NDHWC") else "NCHW")


def scales_of(where: str, Scale: Any, scale: Any, count: int) -> list[float]:
    """Return the scale of each axis; [] where none is given."""
    given = list(scale) if Scale is None else Scale.reshape(-1).tolist()
    given = given * count if Scale is not None and len(given) == 1 else given
    if given and (len(given) != count or min(given) <= 0):
        needs = f"a positive number for each of the {count} axes"
        raise ArgumentValueError(message(where, "attribute 'scale'", given, needs))
    return given


def resized_axes_v2(
    X, OutSize, SizeTensor, Scale, *, data_layout, out_d, out_h, out_w, scale, interp_method, **_
):  # fmt: skip
    """Return the axes that are resized, from the inputs and attributes of the operator."""
    axes = axes_of(X, data_layout)
    size = [X.shape[a] for a in axes]
    scales = [] if SizeTensor else scales_of(f"{interp_method}_interp_v2", Scale, scale, len(size))
    if SizeTensor:
        out = [t.item() for t in SizeTensor]
    elif OutSize is not None:  # the steps are still those of a scale, as in Paddle
        out = OutSize.reshape(-1).tolist()
    elif scales:
        out = [scaled_size(n, s) for n, s in zip(size, scales, strict=True)]
    else:
        out = list((out_d, out_h, out_w)[-len(size) :])
    check_size(f"{interp_method}_interp_v2", out, size)
    return list(map(Axis, axes, size, out, scales or [0.0] * len(size)))


def spread_axes_v2(X, OutSize, SizeTensor, Scale, dOut, *, data_layout, scale, interp_method, **_):
    """Return the axes that are resized, from the inputs and attributes of the gradient operator."""
    axes = axes_of(X, data_layout)
    scales = [] if SizeTensor else scales_of(f"{interp_method}_interp_v2_grad", Scale, scale, len(axes))
    return [Axis(a, X.shape[a], dOut.shape[a], scales[i] if scales else 0.0) for i, a in enumerate(axes)]


def how_v2(method: str) -> str:
    """Return the interpolation method along one axis."""
    return "bilinear" if method in ("linear", "trilinear") else method
