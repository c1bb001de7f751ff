"""Interpolation along one axis: the source indices and weights of each output point."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["interpolation_taps", "scaled_size"]


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
