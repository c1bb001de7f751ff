"""Depthwise convolutions of channels-last images: a vector holds neighbouring channels, so that nothing is rearranged."""

from __future__ import annotations

import numpy as np

from paddle_lite.kernels.cpu.conv.channels_last import depthwise_blocks
from paddle_lite.kernels.cpu.conv.epilogue import Epilogue
from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.numba_jit import inline, jit
from paddle_lite.kernels.simd import SIZE, clamp, load, load_first, store, store_first, zeros
from paddle_lite.kernels.threads import parallel_for

__all__ = ["forward", "rows_of_filters"]


def rows_of_filters(w: np.ndarray) -> np.ndarray:
    """Return filters [C, 1, KH, KW] as [KH * KW * C]: those of all channels for each tap."""
    return np.ascontiguousarray(w.reshape(w.shape[0], -1).T).reshape(-1)


def forward(
    g: Geometry, x: np.ndarray, w: np.ndarray, y: np.ndarray, added: np.ndarray | None, after: Epilogue
) -> None:
    """Compute y [N, OH, OW, C] from x [N, H, W, C] and the filters as `rows_of_filters` lays them out.

    added: what is added to the results before the activation, like y; None for nothing.
    """
    sizes = g.groups, g.height, g.width, g.out_height, g.out_width, g.pads[0], g.pads[2]
    args = (*after.operands(x, w, y, added), *sizes)
    if depthwise_blocks.fits(g):
        pairs = g.batch * -(-g.out_height // depthwise_blocks.ROWS)
        parallel_for(depthwise_blocks.kernel(g.kernel, g.strides), pairs, g.work, args)
    else:
        parallel_for(_rows, g.batch * g.out_height, g.work, (*args, *g.kernel, *g.strides, *g.dilations))
    after.finish_rest(y)


@inline
def _read(array, at, whole, count):
    """Return a vector, or its first elements."""
    if whole:
        return load(array, at)
    return load_first(array, at, count)


@inline
def _write(array, at, value, whole, count):
    """Store a vector, or its first elements."""
    if whole:
        store(array, at, value)
    else:
        store_first(array, at, value, count)


@inline
def _one(
    x, at, apart, line, w, tap, channels, y, to, b, added, more, low, high, i0, i1, j0, j1, kernel_w, whole, count
):
    """Compute one position of some channels from the taps in rows i0 to i1 and columns j0 to j1 of the window.

    at: the input of the tap (0, 0). apart, line: elements between taps of a row, and between rows of taps.
    """
    total = zeros(x)
    for i in range(i0, i1):
        for j in range(j0, j1):
            filter = _read(w, tap + (i * kernel_w + j) * channels, whole, count)
            total = total + filter * _read(x, at + i * line + j * apart, whole, count)
    total = total + b
    if more:
        total = total + _read(added, to, whole, count)
    _write(y, to, clamp(total, low, high), whole, count)


@inline
def _four(x, at, apart, line, next, w, tap, channels, y, to, b, added, more, low, high, i0, i1, kernel_w, whole, count):
    """Compute four positions of some channels, all of whose taps have columns inside of the image.

    next: elements between the inputs of neighbouring positions.
    """
    c0 = c1 = c2 = c3 = zeros(x)
    for i in range(i0, i1):
        for j in range(kernel_w):
            filter = _read(w, tap + (i * kernel_w + j) * channels, whole, count)
            p = at + i * line + j * apart
            c0 = c0 + filter * _read(x, p, whole, count)
            c1 = c1 + filter * _read(x, p + next, whole, count)
            c2 = c2 + filter * _read(x, p + 2 * next, whole, count)
            c3 = c3 + filter * _read(x, p + 3 * next, whole, count)
    c0, c1, c2, c3 = c0 + b, c1 + b, c2 + b, c3 + b
    if more:
        c0 = c0 + _read(added, to, whole, count)
        c1 = c1 + _read(added, to + channels, whole, count)
        c2 = c2 + _read(added, to + 2 * channels, whole, count)
        c3 = c3 + _read(added, to + 3 * channels, whole, count)
    _write(y, to, clamp(c0, low, high), whole, count)
    _write(y, to + channels, clamp(c1, low, high), whole, count)
    _write(y, to + 2 * channels, clamp(c2, low, high), whole, count)
    _write(y, to + 3 * channels, clamp(c3, low, high), whole, count)


@inline
def _line(
    x, at, w, bias, c, added, more, y, to, low, high, channels, width, out_width, i0, i1, kernel_w, stride_w, left,
    dilation_h, dilation_w, whole, count,
):  # fmt: skip
    """Compute a row of outputs of some channels."""
    b = _read(bias, c, whole, count)
    apart, line, next = dilation_w * channels, dilation_h * width * channels, stride_w * channels
    inner = min(out_width, -(-left // stride_w))
    outer = max(inner, min(out_width, (width - 1 - (kernel_w - 1) * dilation_w + left) // stride_w + 1))
    p = 0
    while p < out_width:
        start, target = at + (p * stride_w - left) * channels + c, to + p * channels + c
        if inner <= p and p + 4 <= outer:
            _four(
                x, start, apart, line, next, w, c, channels, y, target, b, added, more, low, high, i0, i1, kernel_w,
                whole, count,
            )  # fmt: skip
            p += 4
        else:
            w0 = p * stride_w - left
            j0 = max(0, -(w0 // dilation_w))
            j1 = max(j0, min(kernel_w, -(-(width - w0) // dilation_w)))
            _one(
                x, start, apart, line, w, c, channels, y, target, b, added, more, low, high, i0, i1, j0, j1, kernel_w,
                whole, count,
            )  # fmt: skip
            p += 1


@jit(shared=True)
def _rows(
    first, last, x, w, bias, added, y, more, low, high, channels, height, width, out_height, out_width, top, left, kernel_h,
    kernel_w, stride_h, stride_w, dilation_h, dilation_w,
):  # fmt: skip
    """Compute some rows of outputs of all images."""
    step = SIZE // x.itemsize
    for unit in range(first, last):
        image, row = unit // out_height, unit % out_height
        h0 = row * stride_h - top
        i0 = max(0, -(h0 // dilation_h))
        i1 = max(i0, min(kernel_h, -(-(height - h0) // dilation_h)))
        at, to = (image * height + h0) * width * channels, unit * out_width * channels
        for c in range(0, channels, step):
            if c + step <= channels:
                _line(
                    x, at, w, bias, c, added, more, y, to, low, high, channels, width, out_width, i0, i1, kernel_w,
                    stride_w, left, dilation_h, dilation_w, True, step,
                )  # fmt: skip
            else:
                _line(
                    x, at, w, bias, c, added, more, y, to, low, high, channels, width, out_width, i0, i1, kernel_w,
                    stride_w, left, dilation_h, dilation_w, False, channels - c,
                )  # fmt: skip
