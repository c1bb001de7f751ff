"""3x3 convolution with stride 1 by fewer products: Winograd's F(4x4, 3x3) and F(2x2, 3x3).

A tile of m x m outputs (m = 4 or 2) depends on n x n inputs (n = m + 2). Transformed, the tile's convolution is one product
for each of n x n points instead of nine for each output: 36 instead of 144, or 16 instead of 36. Over all channels and tiles
these are n x n products of matrices, filters x channels by channels x tiles. `winograd_tiles` makes and takes apart the tiles.

The sums of the transforms cost accuracy: in float32 an output of F(4x4) is off by up to some 1e-5 of the largest output, one of
F(2x2) by some 1e-6. An infinite or NaN input makes all outputs of its tile NaN.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from paddle_lite.kernels.cpu import winograd_tiles as tiles
from paddle_lite.kernels.cpu.conv_epilogue import Epilogue, epilogue
from paddle_lite.kernels.cpu.conv_geometry import Geometry
from paddle_lite.kernels.cpu.scratch import scratch
from paddle_lite.kernels.simd import SIZE, lanes

__all__ = ["filter_grad", "fits", "forward2", "forward4", "input_grad2", "input_grad4"]

FEWEST, MOST = 96, 256  # tiles of a product: enough to pay for reading the filters, few enough for the cache
ROOM = 1 << 21  # elements of one array of transformed tiles: 8 MB of float32


class Tiling(NamedTuple):
    """How a convolution is cut into tiles.

    Attributes:
        side: outputs of a tile, in each direction.
        points: of a transformed tile.
        rows, columns: tiles of an image.
        block: rows of tiles, of one image or of several, that are worked on together.
        pitch: room for the tiles of a block, and for the end of their last vector.
    """

    side: int
    points: int
    rows: int
    columns: int
    block: int
    pitch: int


class Points(NamedTuple):
    """A matrix for each point, not a power of two apart: that would be the same few places in the cache."""

    flat: np.ndarray
    apart: int
    matrices: np.ndarray


def fits(g: Geometry) -> bool:
    """Whether the algorithm does a convolution at all."""
    return g.kernel == (3, 3) and g.strides == (1, 1) and g.dilations == (1, 1) and max(g.pads) <= 2


def forward4(g: Geometry, x: np.ndarray, w: np.ndarray, y: np.ndarray, epilogue: Epilogue) -> None:
    """y from x and w by tiles of 4x4."""
    _forward(4, g, x, w, y, epilogue, turned=False)


def forward2(g: Geometry, x: np.ndarray, w: np.ndarray, y: np.ndarray, epilogue: Epilogue) -> None:
    """y from x and w by tiles of 2x2."""
    _forward(2, g, x, w, y, epilogue, turned=False)


def input_grad4(g: Geometry, dy: np.ndarray, w: np.ndarray, dx: np.ndarray) -> None:
    """dx from dy and w by tiles of 4x4."""
    _forward(4, g.mirrored, dy, w, dx, epilogue(None, None, dx.shape[1], dy.dtype), turned=True)


def input_grad2(g: Geometry, dy: np.ndarray, w: np.ndarray, dx: np.ndarray) -> None:
    """dx from dy and w by tiles of 2x2."""
    _forward(2, g.mirrored, dy, w, dx, epilogue(None, None, dx.shape[1], dy.dtype), turned=True)


def _forward(
    side: int, g: Geometry, x: np.ndarray, w: np.ndarray, y: np.ndarray, after: Epilogue, *, turned: bool
) -> None:
    """y from x and w; `turned`: w is [group, channel, filter, tap], its taps in reverse."""
    t = tiling(side, g, lanes(x.dtype))
    u = _points("conv filters", t, g.filters, g.channels, x.dtype)
    v = _points("conv tiles", t, g.channels, t.pitch, x.dtype)
    m = _points("conv products", t, g.filters, t.pitch, x.dtype)
    planes, row = _working_memory(g, t, x.dtype)
    matrices = w.reshape(g.groups, w.shape[0] // g.groups, w.shape[1], 9)
    size = g.height, g.width, g.pads[0], g.pads[2]
    for group in range(g.groups):
        tiles.FILTERS[side](matrices[group], turned, u.flat, u.apart, row)
        for first in range(0, g.batch * t.rows, t.block):
            count = min(t.block, g.batch * t.rows - first)
            channels = g.groups * g.channels, group * g.channels, g.channels
            tiles.CUT[side](
                x.reshape(-1), *channels, *size, t.rows, t.columns, first, count, planes, row, v.flat, v.apart, t.pitch
            )
            used = count * t.columns
            np.matmul(u.matrices, v.matrices[:, :, :used], out=m.matrices[:, :, :used])
            channels = g.groups * g.filters, group * g.filters, g.filters
            tiles.JOIN[side](
                m.flat, m.apart, t.pitch, y.reshape(-1), *channels, g.out_height, g.out_width,
                t.rows, t.columns, first, count, planes, after.bias, after.low, after.high,
            )  # fmt: skip
    after.finish_rest(y)


def filter_grad(g: Geometry, x: np.ndarray, dy: np.ndarray, dw: np.ndarray) -> None:
    """dw from x and dy: the transpose of what the tiles of 4x4 do."""
    t = tiling(4, g, lanes(x.dtype))
    v = _points("conv tiles", t, g.channels, t.pitch, x.dtype)
    d = _points("conv products", t, g.filters, t.pitch, x.dtype)
    part = _points("conv filters", t, g.filters, g.channels, x.dtype)
    total = _points("conv total", t, g.filters, g.channels, x.dtype)
    planes, row = _working_memory(g, t, x.dtype)
    gradients = dw.reshape(g.groups, g.filters, g.channels, 9)
    size = g.height, g.width, g.pads[0], g.pads[2]
    for group in range(g.groups):
        for first in range(0, g.batch * t.rows, t.block):
            count = min(t.block, g.batch * t.rows - first)
            channels = g.groups * g.channels, group * g.channels, g.channels
            tiles.CUT[4](
                x.reshape(-1), *channels, *size, t.rows, t.columns, first, count, planes, row, v.flat, v.apart, t.pitch
            )
            channels = g.groups * g.filters, group * g.filters, g.filters
            tiles.cut_gradients(
                dy.reshape(-1), *channels, g.out_height, g.out_width, t.rows, t.columns, first, count, planes, row,
                d.flat, d.apart, t.pitch,
            )  # fmt: skip
            used = count * t.columns
            right = v.matrices[:, :, :used].transpose(0, 2, 1)
            np.matmul(d.matrices[:, :, :used], right, out=(part if first else total).matrices)
            if first:
                np.add(total.matrices, part.matrices, out=total.matrices)
        tiles.filter_gradients(total.flat, total.apart, gradients[group], row)


@lru_cache(maxsize=1024)
def tiling(side: int, g: Geometry, vector: int) -> Tiling:
    """Cut a convolution into tiles and blocks of them; `vector` is the number of elements of a vector."""
    rows, columns = -(-g.out_height // side), -(-g.out_width // side)
    points = (side + 2) ** 2
    most = min(MOST, ROOM // (points * max(g.channels, g.filters)) - 2 * vector)
    at_once = min(most, max(FEWEST, (g.channels + g.filters) * 3 // 4))  # many channels: much to read for a product
    block = max(1, min(g.batch * rows, at_once // columns))
    blocks = -(-g.batch * rows // block)
    block = -(-g.batch * rows // blocks)  # all of about one size
    pitch = (-(-block * columns // vector) + 1) * vector
    return Tiling(side, points, rows, columns, block, pitch)


def _points(use: str, t: Tiling, rows: int, columns: int, dtype: Any) -> Points:
    """Working memory for a matrix a point."""
    apart = rows * columns + SIZE // 4
    flat = scratch(use, (t.points * apart,), dtype)
    return Points(flat, apart, flat.reshape(t.points, apart)[:, : rows * columns].reshape(t.points, rows, columns))


def _working_memory(g: Geometry, t: Tiling, dtype: Any) -> tuple[np.ndarray, np.ndarray]:
    """Planes for tiles, and a row of zeros."""
    vector = lanes(dtype)
    planes = scratch("conv planes", (tiles.room(t.block, t.columns, t.side, vector),), dtype)
    row = scratch("conv row", (max(g.width + 2, t.side * t.columns) + 10 * g.channels + 20 * vector,), dtype)
    row[...] = 0
    return planes, row
