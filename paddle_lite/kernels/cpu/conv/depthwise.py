"""Depthwise convolution: with one channel a filter there is too little work for matrix products, so taps are summed directly.

Planes are laid out as in `planes`, one at a time. Images, results and their gradients are flat, `[image, channel, row,
column]`, with separate sizes; filters are `[filter, tap]`, and filter k reads channel `k // (filters / channels)`. `sums`
is working memory for all positions of a plane and a few vectors. Several threads share out the planes of all images, or
the channels if gradients of filters are summed over the images.
"""

from __future__ import annotations

import numpy as np

from paddle_lite.kernels.cpu.conv.epilogue import Epilogue
from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.cpu.conv.planes import fill, finish_rows, layout, positions_of, spread_rows, workspace
from paddle_lite.kernels.numba_jit import inline, jit
from paddle_lite.kernels.simd import SIZE, lanes, load, store, total, zeros
from paddle_lite.kernels.threads import Rooms, parallel_for

__all__ = ["filter_grad", "forward", "input_grad"]

AT_ONCE = 4096  # positions of a plane that are summed before they are stored in the result


def forward(g: Geometry, x: np.ndarray, w: np.ndarray, y: np.ndarray, epilogue: Epilogue) -> None:
    """Compute y from x and w."""
    p = layout(g, lanes(x.dtype))
    rows = max(1, min(g.out_height, AT_ONCE // p.pitch))
    room, sums, threads = workspace(p, 1, positions_of(rows, p.pitch, g.out_width), x.dtype)
    args = (
        x.reshape(-1), g.groups, g.height, g.width, w.reshape(w.shape[0], -1), y.reshape(-1), g.out_height, g.out_width,
        epilogue.bias, epilogue.low, epilogue.high, p.offsets, room, sums, rows, p.top, p.left, *g.strides, p.phase, p.pitch,
    )  # fmt: skip
    parallel_for(_forward, g.batch * g.groups, g.work, args, rooms=Rooms(threads, (12, 13)))
    epilogue.finish_rest(y)


def input_grad(g: Geometry, dy: np.ndarray, w: np.ndarray, dx: np.ndarray) -> None:
    """Compute dx from dy and w."""
    p = layout(g, lanes(dy.dtype))
    room, sums, threads = workspace(p, 1, p.positions, dy.dtype)
    args = (
        dy.reshape(-1), g.groups, g.out_height, g.out_width, w.reshape(w.shape[0], -1), dx.reshape(-1), g.height, g.width,
        p.offsets, room, sums, p.positions, p.top, p.left, *g.strides, p.phase, p.pitch,
    )  # fmt: skip
    parallel_for(_input_grad, g.batch * g.groups, g.work, args, rooms=Rooms(threads, (9, 10)))


def filter_grad(g: Geometry, x: np.ndarray, dy: np.ndarray, dw: np.ndarray) -> None:
    """Compute dw from x and dy."""
    p = layout(g, lanes(x.dtype))
    room, sums, threads = workspace(p, 1, p.positions, x.dtype)
    args = (
        x.reshape(-1), g.batch, g.groups, g.height, g.width, dy.reshape(-1), g.out_height, g.out_width,
        dw.reshape(dw.shape[0], -1), p.offsets, room, sums, p.positions, p.top, p.left, *g.strides, p.phase, p.pitch,
    )  # fmt: skip
    parallel_for(_filter_grad, g.groups, g.work, args, rooms=Rooms(threads, (10, 11)))


@inline
def _taps(x, first, offsets, w, sums, positions):
    """Sum over the taps at some positions of a plane, four vectors at a time."""
    step = SIZE // x.itemsize
    for p in range(0, positions, 4 * step):
        a = b = c = d = zeros(x)
        at = first + p
        for t in range(offsets.size):
            tap, seen = w[t], at + offsets[t]
            a = a + tap * load(x, seen)
            b = b + tap * load(x, seen + step)
            c = c + tap * load(x, seen + 2 * step)
            d = d + tap * load(x, seen + 3 * step)
        store(sums, p, a)
        store(sums, p + step, b)
        store(sums, p + 2 * step, c)
        store(sums, p + 3 * step, d)


@inline
def _nine_taps(x, first, offsets, w, sums, positions):
    """Compute `_taps` for 3x3 filters, whose taps stay in registers."""
    step = SIZE // x.itemsize
    w0, w1, w2, w3, w4, w5, w6, w7, w8 = w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]
    o1, o2, o3, o4, o5, o6, o7, o8 = (
        offsets[1], offsets[2], offsets[3], offsets[4], offsets[5], offsets[6], offsets[7], offsets[8],
    )  # fmt: skip
    for p in range(0, positions, step):
        at = first + p
        a = w0 * load(x, at) + w1 * load(x, at + o1) + w2 * load(x, at + o2)
        b = w3 * load(x, at + o3) + w4 * load(x, at + o4) + w5 * load(x, at + o5)
        c = w6 * load(x, at + o6) + w7 * load(x, at + o7) + w8 * load(x, at + o8)
        store(sums, p, a + b + c)


@jit(shared=True)
def _forward(
    first, last, x, channels, height, width, w, y, out_height, out_width, bias, low, high,
    offsets, room, sums, rows, top, left, stride_h, stride_w, phase, pitch,
):  # fmt: skip
    """Compute y for some planes of x: `rows` output rows at a time, results limited to [low, high]."""
    per_channel = w.shape[0] // channels
    for plane in range(first, last):
        n, channel = plane // channels, plane % channels
        fill(x, plane * height * width, height, width, room, 0, top, left, stride_h, stride_w, phase, pitch)
        for k in range(channel * per_channel, (channel + 1) * per_channel):
            to = (n * channels * per_channel + k) * out_height * out_width
            for row in range(0, out_height, rows):
                count = min(rows, out_height - row)
                positions = (count - 1) * pitch + out_width
                if offsets.size == 9:
                    _nine_taps(room, row * pitch, offsets, w[k], sums, positions)
                else:
                    _taps(room, row * pitch, offsets, w[k], sums, positions)
                finish_rows(sums, 0, pitch, y, to + row * out_width, count, out_width, bias[k], low, high)


@jit(shared=True)
def _input_grad(
    first, last, dy, channels, out_height, out_width, w, dx, height, width,
    offsets, room, sums, positions, top, left, stride_h, stride_w, phase, pitch,
):  # fmt: skip
    """Compute some planes of dx: gradients are accumulated in its phases, which are then interleaved."""
    per_channel = w.shape[0] // channels
    step = SIZE // dy.itemsize
    for plane in range(first, last):
        n, channel = plane // channels, plane % channels
        room[: stride_h * stride_w * phase] = 0
        for k in range(channel * per_channel, (channel + 1) * per_channel):
            start = (n * channels * per_channel + k) * out_height * out_width
            spread_rows(dy, start, out_height, out_width, sums, 0, pitch)
            for t in range(offsets.size):
                tap, to = w[k, t], offsets[t]
                for p in range(0, positions, step):
                    store(room, to + p, load(room, to + p) + tap * load(sums, p))
        _join(room, dx, plane * height * width, height, width, top, left, stride_h, stride_w, phase, pitch)


@inline
def _join(room, dx, start, height, width, top, left, stride_h, stride_w, phase, pitch):
    """Apply the inverse of `fill`."""
    for r in range(height):
        at = (r + top) % stride_h * stride_w * phase + (r + top) // stride_h * pitch
        for b in range(stride_w):
            first = (b - left) % stride_w
            seen = room[at + b * phase + (left + first) // stride_w :]
            target = dx[start + r * width + first : start + (r + 1) * width]
            if stride_w == 1:
                for i in range(target.size):
                    target[i] = seen[i]
            else:
                for i in range((target.size + stride_w - 1) // stride_w):
                    target[i * stride_w] = seen[i]


@inline
def _three(x, offsets, t, dy, positions, dw, k):
    """Add to the gradients of taps t to t + 2."""
    step = SIZE // x.itemsize
    a0 = a1 = a2 = b0 = b1 = b2 = zeros(x)
    o0, o1, o2 = offsets[t], offsets[min(t + 1, offsets.size - 1)], offsets[min(t + 2, offsets.size - 1)]
    for p in range(0, positions, 2 * step):
        d, e, q = load(dy, p), load(dy, p + step), p + step
        a0, a1, a2 = a0 + d * load(x, o0 + p), a1 + d * load(x, o1 + p), a2 + d * load(x, o2 + p)
        b0, b1, b2 = b0 + e * load(x, o0 + q), b1 + e * load(x, o1 + q), b2 + e * load(x, o2 + q)
    dw[k, t] += total(a0 + b0)
    if t + 1 < offsets.size:
        dw[k, t + 1] += total(a1 + b1)
    if t + 2 < offsets.size:
        dw[k, t + 2] += total(a2 + b2)


@jit(shared=True)
def _filter_grad(
    first, last, x, images, channels, height, width, dy, out_height, out_width, dw,
    offsets, room, sums, positions, top, left, stride_h, stride_w, phase, pitch,
):  # fmt: skip
    """Compute dw for some channels; `sums` must be 0 initially."""
    per_channel = dw.shape[0] // channels
    dw[first * per_channel : last * per_channel] = 0
    for n in range(images):
        for channel in range(first, last):
            start = (n * channels + channel) * height * width
            fill(x, start, height, width, room, 0, top, left, stride_h, stride_w, phase, pitch)
            for k in range(channel * per_channel, (channel + 1) * per_channel):
                start = (n * channels * per_channel + k) * out_height * out_width
                spread_rows(dy, start, out_height, out_width, sums, 0, pitch)
                for t in range(0, offsets.size, 3):
                    _three(room, offsets, t, sums, positions, dw, k)
