"""3x3 convolution with stride 1 by Winograd's algorithms F(4x4, 3x3) and F(2x2, 3x3), which need fewer products.

A tile of m x m outputs (m = 4 or 2) depends on n x n inputs (n = m + 2). Transformed, the tile's convolution is one
product for each of n x n points instead of nine for each output: 36 instead of 144, or 16 instead of 36. Over all
channels and tiles these are n x n products of matrices, filters x channels by channels x tiles. `winograd_tiles` extracts
and assembles the tiles.

Tiles are processed in blocks, which several threads share out. If there are too few blocks for half of the threads, they
share out the steps of a block instead: channels to extract, points to multiply, filters to assemble.

The transforms reduce accuracy: in float32 the error of an output of F(4x4) is up to about 1e-5 of the largest output, that
of F(2x2) 1e-6. An infinite or NaN input makes all outputs of its tile NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from paddle_lite.kernels.cpu.conv import winograd_tiles as tiles
from paddle_lite.kernels.cpu.conv.epilogue import Epilogue, epilogue
from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.cpu.math.gemm import matmul
from paddle_lite.kernels.cpu.support.scratch import scratch
from paddle_lite.kernels.simd import SIZE, lanes
from paddle_lite.kernels.threads import parallel_for, parallel_sum, threads_for

__all__ = ["filter_grad", "fits", "forward2", "forward4", "input_grad2", "input_grad4"]

FEWEST, MOST = 96, 256  # tiles of a product: enough to amortise reading the filters, few enough for the cache
ROOM = 1 << 21  # elements of one array of transformed tiles: 8 MB of float32
# nanoseconds for a tile of a channel, a tile of a filter, and the transform of a filter of a channel
CUT, JOIN, TURN = {4: 20, 2: 5}, {4: 10, 2: 3}, {4: 14, 2: 7}
UNIT = (
    8  # the work of a nanosecond for threads.parallel_for; twice the usual value, since other steps keep threads awake
)


class Tiling(NamedTuple):
    """The division of a convolution into tiles.

    Attributes:
        side: the outputs of a tile in each direction.
        points: the points of a transformed tile.
        rows, columns: the tiles of an image.
        block: the rows of tiles, of one or several images, that are processed together.
        blocks: the number of blocks.
        pitch: the elements for the tiles of a block, including the end of their last vector.
    """

    side: int
    points: int
    rows: int
    columns: int
    block: int
    blocks: int
    pitch: int


class Points(NamedTuple):
    """A matrix for each point; their distance is not a power of two, which would map them to the same cache sets."""

    flat: np.ndarray
    apart: int
    matrices: np.ndarray


def fits(g: Geometry) -> bool:
    """Return whether the algorithm supports a convolution."""
    return g.kernel == (3, 3) and g.strides == (1, 1) and g.dilations == (1, 1) and max(g.pads) <= 2


def forward4(g: Geometry, x: np.ndarray, w: np.ndarray, y: np.ndarray, epilogue: Epilogue) -> None:
    """Compute y from x and w by tiles of 4x4."""
    _forward(4, g, x, w, y, epilogue, turned=False)


def forward2(g: Geometry, x: np.ndarray, w: np.ndarray, y: np.ndarray, epilogue: Epilogue) -> None:
    """Compute y from x and w by tiles of 2x2."""
    _forward(2, g, x, w, y, epilogue, turned=False)


def input_grad4(g: Geometry, dy: np.ndarray, w: np.ndarray, dx: np.ndarray) -> None:
    """Compute dx from dy and w by tiles of 4x4."""
    _forward(4, g.mirrored, dy, w, dx, epilogue(None, None, dx.shape[1], dy.dtype), turned=True)


def input_grad2(g: Geometry, dy: np.ndarray, w: np.ndarray, dx: np.ndarray) -> None:
    """Compute dx from dy and w by tiles of 2x2."""
    _forward(2, g.mirrored, dy, w, dx, epilogue(None, None, dx.shape[1], dy.dtype), turned=True)


def _forward(
    side: int, g: Geometry, x: np.ndarray, w: np.ndarray, y: np.ndarray, after: Epilogue, *, turned: bool
) -> None:
    """Compute y from x and w; if `turned`, w is [group, channel, filter, tap] with reversed taps."""
    t = tiling(side, g, lanes(x.dtype))
    u = _points("conv filters", t, g.filters, g.channels, x.dtype)
    matrices = w.reshape(g.groups, w.shape[0] // g.groups, w.shape[1], 9)
    for group in range(g.groups):
        work = 0 if g.channels % lanes(x.dtype) else UNIT * TURN[side] * g.filters * g.channels  # vectors would overlap
        parallel_for(_turn, g.filters, work, (g, t, matrices[group], turned, u))
        args = g, t, group, x, u, y, after
        if 2 * t.blocks <= threads_for(g.work // 3):
            _forward_blocks(0, t.blocks, *args, parallel_for)
        else:
            parallel_for(_forward_blocks, t.blocks, g.work // (3 * g.groups), (*args, _alone), products=True)
    after.finish_rest(y)


def _forward_blocks(
    first: int, last: int, g: Geometry, t: Tiling, group: int, x: np.ndarray, u: Points, y: np.ndarray, after: Epilogue,
    by: Callable[..., None],
) -> None:  # fmt: skip
    """Compute some blocks of y from transformed filters; `by` runs each step: `parallel_for` or `_alone`."""
    v = _points("conv tiles", t, g.channels, t.pitch, x.dtype)
    m = _points("conv products", t, g.filters, t.pitch, x.dtype)
    memory = _working_memory(g, t, x.dtype) if by is _alone else None
    for at, count, used in _blocks(first, last, g, t):
        by(_cut, g.channels, UNIT * CUT[t.side] * g.channels * used, (g, t, group, x, at, count, v, memory))
        work = UNIT * t.points * g.filters * g.channels * used // 50
        by(_multiply, t.points, work, (u.matrices, v.matrices, m.matrices, used), products=True)
        args = g, t, group, m, y, at, count, after, memory
        by(_join, g.filters, UNIT * JOIN[t.side] * g.filters * used, args)


def filter_grad(g: Geometry, x: np.ndarray, dy: np.ndarray, dw: np.ndarray) -> None:
    """Compute dw from x and dy by the transpose of the algorithm for tiles of 4x4."""
    t = tiling(4, g, lanes(x.dtype))
    total = _points("conv total", t, g.filters, g.channels, x.dtype)
    gradients = dw.reshape(g.groups, g.filters, g.channels, 9)
    for group in range(g.groups):
        args = g, t, group, x, dy
        if 2 * t.blocks <= threads_for(g.work // 3):
            _gradient_blocks(0, t.blocks, total.matrices, *args, parallel_for)
        else:
            work = g.work // (3 * g.groups)
            parallel_sum(_gradient_blocks, total.matrices, t.blocks, work, (*args, _alone), products=True)
        parallel_for(_turn_back, g.filters, UNIT * TURN[4] * g.filters * g.channels, (g, t, total, gradients[group]))


def _gradient_blocks(
    first: int, last: int, total: np.ndarray, g: Geometry, t: Tiling, group: int, x: np.ndarray, dy: np.ndarray,
    by: Callable[..., None],
) -> None:  # fmt: skip
    """Sum some blocks' gradients of transformed filters; `by` is as for `_forward_blocks`."""
    v = _points("conv tiles", t, g.channels, t.pitch, x.dtype)
    d = _points("conv products", t, g.filters, t.pitch, x.dtype)
    part = _points("conv filters", t, g.filters, g.channels, x.dtype)
    memory = _working_memory(g, t, x.dtype) if by is _alone else None
    for at, count, used in _blocks(first, last, g, t):
        by(_cut, g.channels, UNIT * CUT[4] * g.channels * used, (g, t, group, x, at, count, v, memory))
        by(_cut_gradients, g.filters, UNIT * CUT[4] * g.filters * used, (g, t, group, dy, at, count, d, memory))
        work = UNIT * t.points * g.filters * g.channels * used // 50
        args = d.matrices, v.matrices, used, part.matrices, total, at > first * t.block
        by(_multiply_gradients, t.points, work, args, products=True)


def _blocks(first: int, last: int, g: Geometry, t: Tiling) -> Iterator[tuple[int, int, int]]:
    """Yield (first row of tiles, number of rows, number of tiles) of some blocks."""
    for at in range(first * t.block, last * t.block, t.block):
        count = min(t.block, g.batch * t.rows - at)
        yield at, count, count * t.columns


def _alone(task: Callable[..., None], length: int, work: int, args: Sequence[Any], *, products: bool = False) -> None:
    """Run a task like `parallel_for`, in the calling thread."""
    task(0, length, *args)


# --- the steps of a block: over filters, channels, or points ----------------------------------------------------------


def _turn(first: int, last: int, g: Geometry, t: Tiling, w: np.ndarray, turned: bool, u: Points) -> None:
    """Transform some filters."""
    tiles.FILTERS[t.side](first, last, w, turned, u.flat, u.apart, _working_memory(g, t, w.dtype)[1])


def _turn_back(first: int, last: int, g: Geometry, t: Tiling, total: Points, dw: np.ndarray) -> None:
    """Compute the gradients of some filters from those of transformed filters."""
    tiles.filter_gradients(first, last, total.flat, total.apart, dw, _working_memory(g, t, dw.dtype)[1])


def _cut(
    first: int,
    last: int,
    g: Geometry,
    t: Tiling,
    group: int,
    x: np.ndarray,
    at: int,
    count: int,
    v: Points,
    memory: Any,
) -> None:
    """Extract the tiles of some channels."""
    planes, row = memory or _working_memory(g, t, x.dtype)
    channels = g.groups * g.channels, group * g.channels + first, last - first
    tiles.CUT[t.side](
        x.reshape(-1), *channels, g.height, g.width, g.pads[0], g.pads[2], t.rows, t.columns, at, count,
        planes, row, v.flat[first * t.pitch :], v.apart, t.pitch,
    )  # fmt: skip


def _cut_gradients(
    first: int,
    last: int,
    g: Geometry,
    t: Tiling,
    group: int,
    dy: np.ndarray,
    at: int,
    count: int,
    d: Points,
    memory: Any,
) -> None:
    """Extract the tiles of the output gradients of some filters."""
    planes, row = memory or _working_memory(g, t, dy.dtype)
    filters = g.groups * g.filters, group * g.filters + first, last - first
    tiles.cut_gradients(
        dy.reshape(-1), *filters, g.out_height, g.out_width, t.rows, t.columns, at, count, planes, row,
        d.flat[first * t.pitch :], d.apart, t.pitch,
    )  # fmt: skip


def _multiply(first: int, last: int, u: np.ndarray, v: np.ndarray, m: np.ndarray, used: int) -> None:
    """Compute the products of some points."""
    matmul(u[first:last], v[first:last, :, :used], m[first:last, :, :used])


def _multiply_gradients(
    first: int, last: int, d: np.ndarray, v: np.ndarray, used: int, part: np.ndarray, total: np.ndarray, more: bool
) -> None:
    """Compute the products of some points and add them to the total if there is one."""
    out = (part if more else total)[first:last]
    matmul(d[first:last, :, :used], v[first:last, :, :used].transpose(0, 2, 1), out)
    if more:
        np.add(total[first:last], out, out=total[first:last])


def _join(
    first: int, last: int, g: Geometry, t: Tiling, group: int, m: Points, y: np.ndarray, at: int, count: int,
    after: Epilogue, memory: Any,
) -> None:  # fmt: skip
    """Assemble the results of some filters."""
    planes, _ = memory or _working_memory(g, t, y.dtype)
    filters = g.groups * g.filters, group * g.filters + first, last - first
    tiles.JOIN[t.side](
        m.flat[first * t.pitch :], m.apart, t.pitch, y.reshape(-1), *filters, g.out_height, g.out_width,
        t.rows, t.columns, at, count, planes, after.bias, after.low, after.high,
    )  # fmt: skip


@lru_cache(maxsize=1024)
def tiling(side: int, g: Geometry, vector: int) -> Tiling:
    """Divide a convolution into tiles and blocks; `vector` is the number of elements of a vector."""
    rows, columns = -(-g.out_height // side), -(-g.out_width // side)
    points = (side + 2) ** 2
    most = min(MOST, ROOM // (points * max(g.channels, g.filters)) - 2 * vector)
    at_once = min(
        most, max(FEWEST, (g.channels + g.filters) * 3 // 4)
    )  # many channels mean large operands of a product
    block = max(1, min(g.batch * rows, at_once // columns))
    blocks = -(-g.batch * rows // block)
    block = -(-g.batch * rows // blocks)  # blocks of about equal size
    pitch = (-(-block * columns // vector) + 1) * vector
    return Tiling(side, points, rows, columns, block, -(-g.batch * rows // block), pitch)


def _points(use: str, t: Tiling, rows: int, columns: int, dtype: Any) -> Points:
    """Return working memory for a matrix for each point."""
    apart = rows * columns + SIZE // 4
    flat = scratch(use, (t.points * apart,), dtype)
    return Points(flat, apart, flat.reshape(t.points, apart)[:, : rows * columns].reshape(t.points, rows, columns))


def _working_memory(g: Geometry, t: Tiling, dtype: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return working memory for the planes of tiles, and a row of zeros."""
    vector = lanes(dtype)
    planes = scratch("conv planes", (tiles.workspace_size(t.block, t.columns, t.side, vector),), dtype)
    row = scratch("conv row", (max(g.width + 2, t.side * t.columns) + 10 * g.channels + 20 * vector,), dtype)
    row[...] = 0
    return planes, row
