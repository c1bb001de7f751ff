"""Pooling over images."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentValueError, ShapeError, message
from ..kernels import geometry
from .conv import channels_last, from_nchw, scatter_windows, to_nchw, windows
from .spec import CUDNN, MKLDNN, Declaration, Grad, Ints, Meta, Required, op

ATTRS: dict[str, Any] = {
    "pooling_type": Required("STRING"),
    "ksize": Required("INTS"),
    "global_pooling": False,
    "strides": Ints([1, 1]),
    "paddings": Ints([0, 0]),
    "exclusive": True,
    "adaptive": False,
    **CUDNN,
    "ceil_mode": False,
    **MKLDNN,
    "use_quantizer": False,
    "data_format": "NCHW",
    "is_test": False,
    "padding_algorithm": "EXPLICIT",
}


def _geometry(size, ksize, global_pooling, strides, paddings, adaptive, ceil_mode, padding_algorithm):
    """(window, pads, output size) of a pooling over an image of `size`."""
    if global_pooling:
        return list(size), [(0, 0)] * 2, [1, 1]
    if adaptive:
        return list(ksize), [(0, 0)] * 2, list(ksize)
    pads, _ = geometry.resolve(size, ksize, strides, paddings, padding_algorithm)
    out = [geometry.count(n, k, s, p, ceil=ceil_mode) for n, k, s, p in zip(size, ksize, strides, pads)]
    return list(ksize), pads, out


def _adaptive(xp, x, out, reduce):
    """Pool over windows that divide the image evenly, one at a time."""
    y = xp.empty((*x.shape[:2], *out), x.dtype)
    for i in range(out[0]):
        for j in range(out[1]):
            (a, b), (c, d) = (
                geometry.adaptive_range(i, x.shape[2], out[0]),
                geometry.adaptive_range(j, x.shape[3], out[1]),
            )
            y[:, :, i, j] = reduce(x[:, :, a:b, c:d], axis=(2, 3))
    return y


def _ceil_pads(size, window, strides, pads, out):
    """Pads that make room for the last window where ceil_mode lets it stick out."""
    return [(p[0], max(p[1], (o - 1) * s + k - n - p[0])) for n, k, s, p, o in zip(size, window, strides, pads, out)]


def _counts(xp, size, window, strides, pads, out, exclusive, dtype):
    """By how much each window of an average divides: [out_h, out_w]."""
    sides = []
    for n, k, s, p, o in zip(size, window, strides, pads, out):
        start = xp.arange(o) * s - p[0]
        # the window may reach into the padding, but no further (ceil_mode)
        end = xp.minimum(start + k, n + p[1])
        sides.append(xp.minimum(end, n) - xp.maximum(start, 0) if exclusive else end - start)
    return (sides[0][:, None] * sides[1][None, :]).astype(dtype)


@op("pool2d", inputs="X", outputs="Out", attrs=ATTRS, checked=True)
class pool2d(Declaration):
    """Out = the maximum or the average of X over each window."""

    def infer(
        X,
        *,
        pooling_type,
        ksize,
        global_pooling,
        strides,
        paddings,
        exclusive,
        adaptive,
        ceil_mode,
        data_format,
        padding_algorithm,
    ):
        if len(X.shape) != 4:
            raise ShapeError(message("pool2d", "Input(X)", f"shape {list(X.shape)}", "4 dimensions"))
        if pooling_type not in ("max", "avg"):
            raise ArgumentValueError(
                message("pool2d", "attribute 'pooling_type'", repr(pooling_type), '"max" or "avg"')
            )
        last = channels_last(data_format)
        size = X.shape[1:3] if last else X.shape[2:]
        if not global_pooling and (len(ksize) != 2 or any(k < 1 for k in ksize)):
            raise ArgumentValueError(message("pool2d", "attribute 'ksize'", list(ksize), "two sizes of 1 or more"))
        if len(strides) != 2 or any(s < 1 for s in strides):
            raise ArgumentValueError(
                message("pool2d", "attribute 'strides'", list(strides), "two numbers of 1 or more")
            )
        if len(paddings) not in (2, 4) or padding_algorithm not in ("EXPLICIT", "SAME", "VALID"):
            raise ArgumentValueError(
                message(
                    "pool2d", "padding", f"{list(paddings)}, {padding_algorithm!r}", "2 or 4 numbers, or SAME, or VALID"
                )
            )
        window, pads, out = _geometry(
            size, ksize, global_pooling, strides, paddings, adaptive, ceil_mode, padding_algorithm
        )
        if any(o == 0 or o < -1 for o in out):
            raise ShapeError(
                message("pool2d", "Input(X)", f"an image of {list(size)}", f"room for the window {window}")
            )
        if any(max(p) >= k for p, k in zip(pads, window)) and not (global_pooling or adaptive):
            raise ArgumentValueError(message("pool2d", "paddings", pads, f"less than the window {window}"))
        shape = (X.shape[0], *out, X.shape[3]) if last else (*X.shape[:2], *out)
        return Meta(shape, X.dtype, X.lod_level)

    def reference(
        xp,
        X,
        *,
        pooling_type,
        ksize,
        global_pooling,
        strides,
        paddings,
        exclusive,
        adaptive,
        ceil_mode,
        data_format,
        padding_algorithm,
    ):
        x = to_nchw(X, data_format)
        size = x.shape[2:]
        window, pads, out = _geometry(
            size, ksize, global_pooling, strides, paddings, adaptive, ceil_mode, padding_algorithm
        )
        if adaptive and not global_pooling:
            y = _adaptive(xp, x, out, xp.max if pooling_type == "max" else xp.mean)
        else:
            strides = window if global_pooling else strides
            room = _ceil_pads(size, window, strides, pads, out)
            fill = -xp.inf if pooling_type == "max" else 0.0
            patches = windows(xp, x, window, strides, room, (1, 1), fill)[:, :, : out[0], : out[1]]
            if pooling_type == "max":
                y = patches.max(axis=(4, 5))
            else:
                y = patches.sum(axis=(4, 5)) / _counts(xp, size, window, strides, pads, out, exclusive, x.dtype)
        return xp.ascontiguousarray(from_nchw(y, data_format))

    def gradient(
        xp,
        X,
        Out,
        dOut,
        *,
        pooling_type,
        ksize,
        global_pooling,
        strides,
        paddings,
        exclusive,
        adaptive,
        ceil_mode,
        data_format,
        padding_algorithm,
    ):
        x, y, dy = (to_nchw(a, data_format) for a in (X, Out, dOut))
        size = x.shape[2:]
        window, pads, out = _geometry(
            size, ksize, global_pooling, strides, paddings, adaptive, ceil_mode, padding_algorithm
        )
        if adaptive and not global_pooling:
            dx = _adaptive_gradient(xp, x, y, dy, out, pooling_type)
        else:
            strides = window if global_pooling else strides
            room = _ceil_pads(size, window, strides, pads, out)
            shape = (*x.shape[:2], *out, *window)
            if pooling_type == "avg":
                share = dy / _counts(xp, size, window, strides, pads, out, exclusive, x.dtype)
                spread = xp.broadcast_to(share[..., None, None], shape)
            else:
                patches = windows(xp, x, window, strides, room, (1, 1), -xp.inf)[:, :, : out[0], : out[1]]
                flat = (patches == y[..., None, None]).reshape(*patches.shape[:4], -1)
                first = flat & (xp.cumsum(flat, axis=-1) == 1)
                spread = (first * dy[..., None]).reshape(shape)
            dx = scatter_windows(xp, spread, size, strides, room, (1, 1))
        return xp.ascontiguousarray(from_nchw(dx, data_format))

    grad = Grad("X Out Out@GRAD", "X@GRAD", gradient)


def _adaptive_gradient(xp, x, y, dy, out, pooling_type):
    dx = xp.zeros(x.shape, x.dtype)
    for i in range(out[0]):
        for j in range(out[1]):
            (a, b), (c, d) = (
                geometry.adaptive_range(i, x.shape[2], out[0]),
                geometry.adaptive_range(j, x.shape[3], out[1]),
            )
            patch = x[:, :, a:b, c:d]
            if pooling_type == "avg":
                dx[:, :, a:b, c:d] += (dy[:, :, i, j] / ((b - a) * (d - c)))[:, :, None, None]
            else:
                flat = (patch == y[:, :, i, j][:, :, None, None]).reshape(*patch.shape[:2], -1)
                first = flat & (xp.cumsum(flat, axis=-1) == 1)
                dx[:, :, a:b, c:d] += (first * dy[:, :, i, j][..., None]).reshape(patch.shape)
    return dx
