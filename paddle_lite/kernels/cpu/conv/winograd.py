"""3x3 convolution with stride 1 by Winograd's algorithms F(4x4, 3x3) and F(2x2, 3x3), which need fewer products.

A tile of m x m outputs (m = 4 or 2) depends on n x n inputs (n = m + 2). Transformed, the tile's convolution is one
product for each of n x n points instead of nine for each output: 36 instead of 144, or 16 instead of 36. Over all
channels and tiles these are n x n products of matrices, filters x channels by channels x tiles. `winograd_tiles` extracts
and assembles the tiles.

Tiles are processed in blocks. Several threads share out each step of a block: channels to extract, products, filters to assemble.

The transforms reduce accuracy: in float32 the error of an output of F(4x4) is up to about 1e-5 of the largest output, that
of F(2x2) 1e-6. An infinite or NaN input makes all outputs of its tile NaN.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from paddle_lite.kernels.cpu.conv import winograd_tiles as tiles
from paddle_lite.kernels.cpu.conv.epilogue import Epilogue, epilogue
from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.cpu.math.gemm import matmul
from paddle_lite.kernels.cpu.support.scratch import scratch
from paddle_lite.kernels.simd import SIZE, lanes
from paddle_lite.kernels.threads import Rooms, parallel_for, thread_count

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


class Memory(NamedTuple):
    """Working memory, of which each thread has a piece."""

    threads: int
    planes: np.ndarray
    row: np.ndarray

    def rooms(self, *places: int) -> Rooms:
        """Return the same for `parallel_for`, with the positions of the arrays among the arguments."""
        return Rooms(self.threads, places)


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
    v = _points("conv tiles", t, g.channels, t.pitch, x.dtype)
    m = _points("conv products", t, g.filters, t.pitch, x.dtype)
    memory = _memory(g, t, x.dtype)
    matrices = w.reshape(g.groups, w.shape[0] // g.groups, w.shape[1], 9)
    for group in range(g.groups):
        work = 0 if g.channels % lanes(x.dtype) else UNIT * TURN[side] * g.filters * g.channels  # vectors would overlap
        filters = matrices[group], turned, u.flat, u.apart, memory.row
        parallel_for(tiles.FILTERS[side], g.filters, work, filters, rooms=memory.rooms(4))
        for at, count, used in _blocks(g, t):
            _cut(g, t, group, x, at, count, v, memory)
            matmul(u.matrices, v.matrices[:, :, :used], m.matrices[:, :, :used])
            args = (
                m.flat, m.apart, t.pitch, y.reshape(-1), g.groups * g.filters, group * g.filters, g.out_height, g.out_width,
                t.rows, t.columns, at, count, memory.planes, after.bias, after.low, after.high,
            )  # fmt: skip
            parallel_for(
                tiles.JOIN[side], g.filters, UNIT * JOIN[side] * g.filters * used, args, rooms=memory.rooms(12)
            )
    after.finish_rest(y)


def filter_grad(g: Geometry, x: np.ndarray, dy: np.ndarray, dw: np.ndarray) -> None:
    """Compute dw from x and dy by the transpose of the algorithm for tiles of 4x4."""
    t = tiling(4, g, lanes(x.dtype))
    v = _points("conv tiles", t, g.channels, t.pitch, x.dtype)
    d = _points("conv products", t, g.filters, t.pitch, x.dtype)
    total = _points("conv total", t, g.filters, g.channels, x.dtype)
    memory = _memory(g, t, x.dtype)
    gradients = dw.reshape(g.groups, g.filters, g.channels, 9)
    for group in range(g.groups):
        for at, count, used in _blocks(g, t):
            _cut(g, t, group, x, at, count, v, memory)
            args = (
                dy.reshape(-1), g.groups * g.filters, group * g.filters, g.out_height, g.out_width, t.rows, t.columns, at,
                count, memory.planes, memory.row, d.flat, d.apart, t.pitch,
            )  # fmt: skip
            parallel_for(
                tiles.cut_gradients, g.filters, UNIT * CUT[4] * g.filters * used, args, rooms=memory.rooms(9, 10)
            )
            matmul(d.matrices[:, :, :used], v.matrices[:, :, :used].transpose(0, 2, 1), total.matrices, added=at > 0)
        filters = total.flat, total.apart, gradients[group], memory.row
        work = UNIT * TURN[4] * g.filters * g.channels
        parallel_for(tiles.filter_gradients, g.filters, work, filters, rooms=memory.rooms(3))


def _cut(g: Geometry, t: Tiling, group: int, x: np.ndarray, at: int, count: int, v: Points, memory: Memory) -> None:
    """Extract the tiles of all channels."""
    args = (
        x.reshape(-1), g.groups * g.channels, group * g.channels, g.height, g.width, g.pads[0], g.pads[2], t.rows, t.columns,
        at, count, memory.planes, memory.row, v.flat, v.apart, t.pitch,
    )  # fmt: skip
    work = UNIT * CUT[t.side] * g.channels * count * t.columns
    parallel_for(tiles.CUT[t.side], g.channels, work, args, rooms=memory.rooms(11, 12))


def _blocks(g: Geometry, t: Tiling) -> Iterator[tuple[int, int, int]]:
    """Yield (first row of tiles, number of rows, number of tiles) of the blocks."""
    for at in range(0, g.batch * t.rows, t.block):
        count = min(t.block, g.batch * t.rows - at)
        yield at, count, count * t.columns


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


def _memory(g: Geometry, t: Tiling, dtype: Any) -> Memory:
    """Return working memory for the planes of tiles, and a row of zeros, of each thread."""
    vector, threads = lanes(dtype), thread_count()
    planes = -(-tiles.workspace_size(t.block, t.columns, t.side, vector) // vector) * vector
    row = max(g.width + 2, t.side * t.columns) + 10 * g.channels + 20 * vector
    found = Memory(
        threads, scratch("conv planes", (threads * planes,), dtype), scratch("conv row", (threads * row,), dtype)
    )
    found.row[...] = 0
    return found
