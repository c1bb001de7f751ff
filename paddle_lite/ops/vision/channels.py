"""Operators that move the channels of images: between places, groups and time steps; and one affine map a channel."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.costs import PerElement
from ..framework.spec import Declaration, Grad, Long, Required, op
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN


def require_image(where: str, x: Any) -> None:
    """Raise unless the input has four dimensions."""
    if len(x.shape) != 4:
        raise ShapeError(message(where, "Input(X)", f"shape {list(x.shape)}", "shape [N, C, H, W]"))


def require_positive(where: str, name: str, value: int, least: int = 1) -> None:
    """Raise unless an attribute is `least` or more."""
    if value < least:
        raise ArgumentValueError(message(where, f"attribute '{name}'", value, f"{least} or more"))


def require_multiple(where: str, x: Meta, axis: int, of: int, what: str) -> None:
    """Raise unless a dimension is a multiple of a number, as far as it is known."""
    if x.shape[axis] != UNKNOWN and x.shape[axis] % of:
        got = f"{x.shape[axis]} {what} (shape {list(x.shape)})"
        raise ShapeError(message(where, "Input(X)", got, f"a multiple of {of} {what}"))


def times(n: int, factor: int) -> int:
    """Return a dimension made larger; -1 if unknown."""
    return n if n == UNKNOWN else n * factor


def over(n: int, factor: int) -> int:
    """Return a dimension made smaller; -1 if unknown."""
    return n if n == UNKNOWN else n // factor


# --- between channels and places --------------------------------------------------------------------------------------------


@op("pixel_shuffle", inputs="X", outputs="Out", attrs={"upscale_factor": 1}, lod=None, flops=0)
class pixel_shuffle(Declaration):
    """Rearrange [N, C r r, H, W] to [N, C, H r, W r]: r * r channels become r by r pixels in place of one pixel.

    Shi et al., "Real-Time Single Image and Video Super-Resolution Using an Efficient Sub-Pixel CNN", 2016.
    """

    def infer(X, *, upscale_factor):
        require_image("pixel_shuffle", X)
        require_floats("pixel_shuffle", X=X)
        require_positive("pixel_shuffle", "upscale_factor", upscale_factor)
        require_multiple("pixel_shuffle", X, 1, upscale_factor**2, "channels")
        n, c, h, w = X.shape
        return Meta((n, over(c, upscale_factor**2), times(h, upscale_factor), times(w, upscale_factor)), X.dtype)

    def reference(xp, X, *, upscale_factor):
        r, (n, c, h, w) = upscale_factor, X.shape
        parts = X.reshape(n, c // r**2, r, r, h, w)
        return parts.transpose(0, 1, 4, 2, 5, 3).reshape(n, c // r**2, h * r, w * r)

    def gradient(xp, dOut, *, upscale_factor):
        r, (n, c, h, w) = upscale_factor, dOut.shape
        parts = dOut.reshape(n, c, h // r, r, w // r, r)
        return parts.transpose(0, 1, 3, 5, 2, 4).reshape(n, c * r**2, h // r, w // r)

    grad = Grad("Out@GRAD", "X@GRAD", gradient)


@op("space_to_depth", inputs="X", outputs="Out", attrs={"blocksize": Long(2)}, flops=0)
class space_to_depth(Declaration):
    """Rearrange [N, C, H, W] to [N, C b b, H / b, W / b] in the order of the reorganization layer of YOLO v2.

    This order writes each b * b channels as the pixels of b by b blocks, and reads the result row by row.
    """

    def infer(X, *, blocksize):
        require_image("space_to_depth", X)
        require_positive("space_to_depth", "blocksize", blocksize, 2)
        require_multiple("space_to_depth", X, 1, blocksize**2, "channels")
        require_multiple("space_to_depth", X, 2, blocksize, "rows")
        require_multiple("space_to_depth", X, 3, blocksize, "columns")
        n, c, h, w = X.shape
        return X._replace(shape=(n, times(c, blocksize**2), over(h, blocksize), over(w, blocksize)))

    def reference(xp, X, *, blocksize):
        b, (n, c, h, w) = blocksize, X.shape
        parts = X.reshape(n, b, b, c // b**2, h, w)
        return parts.transpose(0, 3, 4, 1, 5, 2).reshape(n, c * b**2, h // b, w // b)

    def gradient(xp, X, dOut, *, blocksize):
        b, (n, c, h, w) = blocksize, X.shape
        parts = dOut.reshape(n, c // b**2, h, b, w, b)
        return parts.transpose(0, 3, 5, 1, 2, 4).reshape(n, c, h, w)

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient)


# --- between channels -------------------------------------------------------------------------------------------------------


def regrouped(x: Any, groups: int) -> Any:
    """Transpose the channels from [groups, c] to [c, groups]."""
    n, c, h, w = x.shape
    return x.reshape(n, groups, c // groups, h, w).transpose(0, 2, 1, 3, 4).reshape(x.shape)


@op("shuffle_channel", inputs="X", outputs="Out", attrs={"group": 1}, lod=None, flops=0)
class shuffle_channel(Declaration):
    """Transpose the channels from [group, C / group] to [C / group, group].

    Zhang et al., "ShuffleNet", 2017.
    """

    def infer(X, *, group):
        require_image("shuffle_channel", X)
        require_floats("shuffle_channel", X=X)
        require_positive("shuffle_channel", "group", group)
        require_multiple("shuffle_channel", X, 1, group, "channels")
        return X._replace(lod_level=0)

    def reference(xp, X, *, group):
        return regrouped(X, group)

    def gradient(xp, dOut, *, group):
        return regrouped(dOut, dOut.shape[1] // group)

    grad = Grad("Out@GRAD", "X@GRAD", gradient)


# --- between time steps -----------------------------------------------------------------------------------------------------


def shifted(xp: Any, x: Any, seg_num: int, shift_ratio: float, back: bool) -> Any:
    """Shift some channels by one step forward and some back, padded with zeros; `back` inverts the directions."""
    nt, c, h, w = x.shape
    steps = x.reshape(nt // seg_num, seg_num, c, h, w)
    ratio = np.float32(shift_ratio)
    first, second = int(c * ratio), int(np.float32(c * 2) * ratio)
    out = xp.zeros_like(steps)
    before, after = (slice(first, second), slice(0, first)) if back else (slice(0, first), slice(first, second))
    out[:, 1:, before] = steps[:, :-1, before]
    out[:, :-1, after] = steps[:, 1:, after]
    out[:, :, second:] = steps[:, :, second:]
    return out.reshape(x.shape)


@op(
    "temporal_shift",
    inputs="X",
    outputs="Out",
    attrs={"seg_num": Required("INT"), "shift_ratio": 0.25},
)
class temporal_shift(Declaration):
    """Shift a fraction of the channels to the next frame, and as many to the previous, in videos of `seg_num` frames.

    Lin et al., "TSM: Temporal Shift Module for Efficient Video Understanding", 2019.
    """

    def infer(X, *, seg_num, shift_ratio):
        require_image("temporal_shift", X)
        require_floats("temporal_shift", X=X)
        require_positive("temporal_shift", "seg_num", seg_num)
        require_multiple("temporal_shift", X, 0, seg_num, "frames")
        if not 0 < shift_ratio < 0.5:
            raise ArgumentValueError(
                message("temporal_shift", "attribute 'shift_ratio'", shift_ratio, "above 0, below 0.5")
            )
        return X

    def reference(xp, X, *, seg_num, shift_ratio):
        return shifted(xp, X, seg_num, shift_ratio, back=False)

    def gradient(xp, dOut, *, seg_num, shift_ratio):
        return shifted(xp, dOut, seg_num, shift_ratio, back=True)

    grad = Grad("Out@GRAD", "X@GRAD", gradient)


# --- within a channel -------------------------------------------------------------------------------------------------------


def channel_axis(x: Any, data_layout: str) -> int:
    """Return which axis holds the channels: as in Paddle the last one, unless the layout says otherwise."""
    return 1 if data_layout == "NCHW" else len(x.shape) - 1


def beside(x: Any, vector: Any, data_layout: str) -> Any:
    """Return a number for each channel, shaped so that it broadcasts to the image."""
    shape = [1] * x.ndim
    shape[channel_axis(x, data_layout)] = -1
    return vector.reshape(shape)


@op(
    "affine_channel",
    inputs="X Scale Bias",
    outputs="Out",
    attrs={"data_layout": "AnyLayout"},
    flops=PerElement(2),
)
class affine_channel(Declaration):
    """Compute Out = X * Scale + Bias with one scale and one bias for each channel."""

    def infer(X, Scale, Bias, *, data_layout):
        if data_layout not in ("NCHW", "NHWC", "AnyLayout"):
            needs = '"NCHW" or "NHWC"'
            raise ArgumentValueError(message("affine_channel", "attribute 'data_layout'", repr(data_layout), needs))
        if len(X.shape) < 2:
            raise ShapeError(message("affine_channel", "Input(X)", f"shape {list(X.shape)}", "2 dimensions or more"))
        require_floats("affine_channel", X=X, Scale=Scale, Bias=Bias)
        for slot, meta in (("Scale", Scale), ("Bias", Bias)):
            require_shape("affine_channel", slot, meta, (X.shape[channel_axis(X, data_layout)],))
        return X

    def reference(xp, X, Scale, Bias, *, data_layout):
        return X * beside(X, Scale, data_layout) + beside(X, Bias, data_layout)

    def gradient(xp, X, Scale, dOut, *, data_layout, need=(True, True, True)):
        others = tuple(a for a in range(X.ndim) if a != channel_axis(X, data_layout))
        return (
            dOut * beside(X, Scale, data_layout) if need[0] else None,
            (dOut * X).sum(axis=others) if need[1] else None,
            dOut.sum(axis=others) if need[2] else None,
        )

    grad = Grad("X Scale Out@GRAD", "X@GRAD Scale@GRAD Bias@GRAD", gradient)
