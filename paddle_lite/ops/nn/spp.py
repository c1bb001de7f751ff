"""Spatial pyramid pooling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.spec import Declaration, Grad, Required, op
from ..support.meta import Meta
from ..support.require import require_floats
from ..support.shape_rules import UNKNOWN

KINDS = ("max", "avg")
EMPTY = float(np.finfo("float32").min)
"""The maximum of a window that lies outside of the image."""


def _windows(high: int, wide: int, pyramid_height: int) -> Iterator[tuple[slice, slice]]:
    """Yield the rows and columns of each window: for each level 2^level x 2^level of them, around the centre."""
    for level in range(pyramid_height):
        bins = 2**level
        rows, columns = (list(_along(size, bins)) for size in (high, wide))
        yield from ((row, column) for row in rows for column in columns)


def _along(size: int, bins: int) -> Iterator[slice]:
    width = -(-size // bins)
    padding = (width * bins - size + 1) // 2
    for i in range(bins):
        start = i * width - padding
        yield slice(min(max(start, 0), size), min(max(start + width, 0), size))


def _numbers(pyramid_height: int) -> int:
    """Return the number of windows of all levels."""
    return (4**pyramid_height - 1) // 3


def _places(pyramid_height: int, channels: int) -> Iterator[slice]:
    """Yield, for each window of `_windows`, the columns of the result that have its channels."""
    start = 0
    for level in range(pyramid_height):
        bins = 4**level
        yield from (slice(start + i, start + channels * bins, bins) for i in range(bins))
        start += channels * bins


@op(
    "spp", inputs="X", outputs="Out", attrs={"pyramid_height": Required("INT"), "pooling_type": Required("STRING")},
    lod=None,
)  # fmt: skip
class spp(Declaration):
    """Out [N, C * (4^pyramid_height - 1) / 3] = the maxima or means of X [N, C, H, W] over a grid of windows a level.

    Level l has 2^l x 2^l windows of equal size, ceil(H / 2^l) x ceil(W / 2^l); what remains is around the image. The
    maximum of a window without any number is the lowest float32, the mean NaN (He et al., "Spatial pyramid pooling in
    deep convolutional networks for visual recognition", 2014).
    """

    def infer(X, *, pyramid_height, pooling_type):
        require_floats("spp", X=X)
        if len(X.shape) != 4 or 0 in X.shape:
            raise ShapeError(message("spp", "Input(X)", f"shape {list(X.shape)}", "[N, C, H, W], none of them 0"))
        if pyramid_height < 1:
            raise ArgumentValueError(message("spp", "attribute 'pyramid_height'", pyramid_height, "1 or more"))
        if pooling_type not in KINDS:
            raise ArgumentValueError(message("spp", "attribute 'pooling_type'", repr(pooling_type), '"max" or "avg"'))
        columns = UNKNOWN if X.shape[1] == UNKNOWN else X.shape[1] * _numbers(pyramid_height)
        return Meta((X.shape[0], columns), X.dtype)

    def reference(xp, X, *, pyramid_height, pooling_type):
        count, channels, high, wide = X.shape
        out = xp.empty((count, channels * _numbers(pyramid_height)), X.dtype)
        windows = _windows(high, wide, pyramid_height)
        for (rows, columns), place in zip(windows, _places(pyramid_height, channels), strict=True):
            part = X[:, :, rows, columns]
            if not part.size:
                out[:, place] = EMPTY if pooling_type == "max" else xp.nan
            else:
                out[:, place] = part.max(axis=(2, 3)) if pooling_type == "max" else part.mean(axis=(2, 3))
        return out

    def gradient(xp, X, dOut, *, pyramid_height, pooling_type):
        _, channels, high, wide = X.shape
        dx = xp.zeros(X.shape, dOut.dtype)
        windows = _windows(high, wide, pyramid_height)
        for (rows, columns), place in zip(windows, _places(pyramid_height, channels), strict=True):
            part = X[:, :, rows, columns]
            if part.size:
                dx[:, :, rows, columns] += _back(xp, part, dOut[:, place], pooling_type)
        return dx

    grad = Grad("X Out@GRAD", "X@GRAD", gradient)


def _back(xp: Any, part: Any, dout: Any, pooling_type: str) -> Any:
    """Return the gradient of a window: that of its maximum at the first place of it, that of its mean everywhere."""
    flat = part.reshape(*part.shape[:2], -1)
    if pooling_type == "avg":
        share = dout[:, :, None] / xp.asarray(flat.shape[2], dtype=part.dtype)
        return xp.broadcast_to(share[..., None], part.shape)
    best = flat.argmax(axis=2)[:, :, None] == xp.arange(flat.shape[2])
    return xp.where(best, dout[:, :, None], 0).reshape(part.shape)
