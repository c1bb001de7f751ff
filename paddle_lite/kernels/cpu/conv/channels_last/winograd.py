"""3x3 convolutions with stride 1 of channels-last images by Winograd's algorithm F(4x4, 3x3), with filters transformed once.

`conv/winograd.py` explains the algorithm. Here vectors hold neighbouring channels, so that tiles are read from the images
where they lie; only those at the edges are copied, with zeros around them. The matrices of a block of tiles, of each of the 36
points, are [tile, channel] by [channel, filter] (packed panels), and the results [tile, filter]. Threads share out
tiles and panels.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from paddle_lite.kernels.cpu.conv.channels_last.products import classes, clear, copy, tile_lines
from paddle_lite.kernels.cpu.conv.epilogue import Epilogue
from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.cpu.conv.winograd import fits
from paddle_lite.kernels.cpu.conv.winograd_transforms import in4, out4, put36, six
from paddle_lite.kernels.cpu.math.packed_matrix import pack
from paddle_lite.kernels.cpu.math.register_blocks import Tiling, tiling
from paddle_lite.kernels.cpu.support.scratch import scratch
from paddle_lite.kernels.numba_jit import Jitted, compile_source, inline, jit
from paddle_lite.kernels.simd import SIZE, clamp, lanes, load, load_first, store, store_first
from paddle_lite.kernels.threads import Rooms, parallel_for, thread_count

__all__ = ["Filters", "forward", "is_faster", "transformed"]

POINTS = 36
SIDE = 4  # rows and columns of the outputs of a tile
ROOM = 1 << 19  # elements of the transformed inputs and results of a block: 2 MB of float32
# nanoseconds: a multiply-add in registers; an element of filters, read from beyond the second-level cache; the transforms of
# a tile of a channel or filter; what a call costs
PRODUCT, WEIGHT, TRANSFORMED, CALL = 1 / 115, 0.2, 7, 10000
KERNEL = np.array(
    [[6, 0, 0], [-4, -4, -4], [-4, 4, -4], [1, 2, 4], [1, -2, 4], [0, 0, 24]], np.float64
) / 24  # of three taps  # fmt: skip


class Filters(NamedTuple):
    """Transformed filters: the panels of each point, one point after another, `apart` elements between them."""

    panels: np.ndarray
    apart: int


def is_faster(g: Geometry) -> bool:
    """Return whether the algorithm supports a convolution, and is expected to take less time than one product."""
    if not fits(g) or g.groups != 1:
        return False
    weights, tiles = g.channels * g.filters, g.batch * -(-g.out_height // SIDE) * -(-g.out_width // SIDE)
    plain = 9 * weights * (PRODUCT * g.batch * g.outputs + WEIGHT)
    points = POINTS * weights * (PRODUCT * tiles + WEIGHT)
    return points + TRANSFORMED * tiles * (g.channels + g.filters) + CALL < plain


def transformed(w: np.ndarray) -> Filters:
    """Return filters [K, C, 3, 3] as `forward` reads them."""
    points: Any = np.einsum("ai,bj,kcij->abck", KERNEL, KERNEL, w, optimize=True).astype(w.dtype)
    panels = [pack(point) for point in points.reshape(POINTS, *points.shape[2:])]
    return Filters(np.concatenate(panels), panels[0].size)


def forward(g: Geometry, x: np.ndarray, u: Filters, y: np.ndarray, added: np.ndarray | None, after: Epilogue) -> None:
    """Compute y [N, OH, OW, K] from x [N, H, W, C].

    added: what is added to the results before the activation, like y; None for nothing.
    """
    rows, columns = -(-g.out_height // SIDE), -(-g.out_width // SIDE)
    tiles, work, threads = g.batch * rows * columns, g.work // 3, thread_count()
    channels, filters = (-(-n // lanes(x.dtype)) * lanes(x.dtype) for n in (g.channels, g.filters))
    blocks = -(-tiles * POINTS * (channels + filters) // (ROOM * threads))
    size = -(-tiles // blocks)
    apart, result = size * channels + lanes(x.dtype), size * filters + lanes(x.dtype)  # no power of two between points
    v = scratch("conv tiles", (POINTS * apart,), x.dtype)
    m = scratch("conv products", (POINTS * result,), x.dtype)
    patch = scratch("conv planes", (threads * (POINTS * channels + SIZE),), x.dtype)
    multiply = _kernel(tiling(), *classes(g.filters, x.dtype))
    panels = -(-g.filters // (tiling().vectors * lanes(x.dtype)))
    flat, out = x.reshape(-1), y.reshape(-1)
    more = out if added is None else added.reshape(-1)
    for start in range(0, tiles, size):
        some = min(size, tiles - start)
        share = work * some // tiles
        place = rows, columns, g.height, g.width, g.channels, g.pads[0], g.pads[2]
        args: tuple[Any, ...] = flat, start, v, apart, channels, patch, *place
        parallel_for(_cut, some, share, args, rooms=Rooms(threads, (5,)))
        args = v, u.panels, m, panels, some, g.channels, channels, g.filters, filters, apart, u.apart, result
        parallel_for(multiply, POINTS * panels, share, args)
        args = (
            m, start, result, filters, rows, columns, g.out_height, g.out_width, more, out, g.filters, after.bias,
            added is not None, after.low, after.high,
        )  # fmt: skip
        parallel_for(_join, some, share, args)
    after.finish_rest(y)


@jit(shared=True)
def _cut(first, last, x, start, v, apart, pitch, patch, rows, columns, height, width, channels, top, left):
    """Compute v[point, tile, channel] of some tiles of a block; start: the first one of the block, counted over all images."""
    step = SIZE // x.itemsize
    for t in range(first, last):
        image, row, column = (start + t) // (rows * columns), (start + t) // columns % rows, (start + t) % columns
        h, w = 4 * row - top, 4 * column - left
        at = ((image * height + h) * width + w) * channels
        inside = h >= 0 and w >= 0 and h + 6 <= height and w + 6 <= width
        if inside and channels == pitch:
            for c in range(0, channels, step):
                _input(x, at + c, channels, width * channels, v, t * pitch + c, apart)
        else:
            begin, end = max(0, -w), max(0, min(6, width - w))
            for i in range(6):
                for j in range(6):
                    to = (i * 6 + j) * pitch
                    if 0 <= h + i < height and begin <= j < end:
                        copy(patch, to, x, at + (i * width + j) * channels, channels)
                    else:
                        clear(patch, to, channels)
            for c in range(0, channels, step):
                _input(patch, c, pitch, 6 * pitch, v, t * pitch + c, apart)


@inline
def _input(x, at, pixel, line, y, to, apart):
    """Transform a tile of 6x6 inputs of a vector of channels to 36 points."""
    a, b, c = in4(*six(x, at, line)), in4(*six(x, at + pixel, line)), in4(*six(x, at + 2 * pixel, line))
    at += 3 * pixel
    d, e, f = in4(*six(x, at, line)), in4(*six(x, at + pixel, line)), in4(*six(x, at + 2 * pixel, line))
    put36(y, to, apart, a, b, c, d, e, f)


@inline
def _put_row(y, at, channels, count, added, more, bias, low, high, left, values):
    """Store the first `count` outputs of a row of a tile, with bias, limited to [low, high]; `left` channels are left."""
    for q in range(4):
        if q < count:
            value, to = values[q] + bias, at + q * channels
            if left >= SIZE // y.itemsize:
                if more:
                    value = value + load(added, to)
                store(y, to, clamp(value, low, high))
            else:
                if more:
                    value = value + load_first(added, to, left)
                store_first(y, to, clamp(value, low, high), left)


@jit(shared=True)
def _join(
    first, last, m, begin, apart, pitch, rows, columns, out_height, out_width, added, y, filters, bias, more, low, high
):
    """Compute y of some tiles of a block from m[point, tile, filter]; begin: the first one of the block, over all images."""
    step = SIZE // y.itemsize
    line = 6 * apart
    for t in range(first, last):
        tile = begin + t
        image, row, column = tile // (rows * columns), tile // columns % rows, tile % columns
        tall, wide = min(4, out_height - 4 * row), min(4, out_width - 4 * column)
        start = ((image * out_height + 4 * row) * out_width + 4 * column) * filters
        for k in range(0, filters, step):
            at = t * pitch + k
            a, b, c = out4(*six(m, at, line)), out4(*six(m, at + apart, line)), out4(*six(m, at + 2 * apart, line))
            at += 3 * apart
            d, e, f = out4(*six(m, at, line)), out4(*six(m, at + apart, line)), out4(*six(m, at + 2 * apart, line))
            left, to, below = filters - k, start + k, out_width * filters
            add = load_first(bias, k, left)
            for r in range(4):
                if r < tall:
                    outputs = out4(a[r], b[r], c[r], d[r], e[r], f[r])
                    _put_row(y, to + r * below, filters, wide, added, more, add, low, high, left, outputs)


@functools.cache
def _kernel(tiling: Tiling, panels: bool, rest: int) -> Jitted:
    """Return the kernel of the products of all points, for one class of numbers of filters; see `products.tile_lines`."""
    lines, scope = tile_lines(tiling, panels, rest)
    head = [
        "def multiply(",
        "    first, last, source, w, y, panels, rows, depth, pitch, filters, y_pitch, apart, w_apart, y_apart",
        "):",
        "    step = SIZE // y.itemsize",
        "    for unit in range(first, last):",
        "            point, panel = unit // panels, unit % panels",
        "            begin, w_from, start = point * apart, point * w_apart, point * y_apart",
        *lines,
    ]
    return compile_source("multiply", "\n".join(head) + "\n", scope, shared=True)
