"""Convolution as matrix products (im2col), over blocks that fit into the cache.

A few images at a time are laid out so that one product handles many taps (`layout`); the columns of a block are small
enough to stay in the second-level cache until the product reads them. Grouped convolutions are computed group by group.
A filter of one tap needs no columns: the image is the matrix.

Several threads share out each step: the planes that are copied, the parts of a product. Products follow each other in one order,
so that a result does not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from paddle_lite.kernels.cpu.conv.epilogue import Epilogue, finish_block
from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.cpu.conv.layout import (
    gather_columns,
    gather_strided_columns,
    pack,
    scatter_columns,
    scatter_strided_columns,
    unpack,
)
from paddle_lite.kernels.cpu.math.gemm import matmul
from paddle_lite.kernels.cpu.support.scratch import scratch
from paddle_lite.kernels.numba_jit import Jitted
from paddle_lite.kernels.threads import parallel_for

__all__ = ["filter_grad", "forward", "input_grad"]

BLOCK = 1 << 17  # elements of the columns of one product: half a megabyte in float32
SHORTEST, LONGEST = (
    256,
    1024,
)  # columns of one product: enough to amortise reading the filters, few enough for the cache
FEW_WEIGHTS = 1 << 17  # weights that fit into the cache: half a megabyte of float32
SHORTEST_OF_SEVERAL = 512  # columns of a product of images side by side, whose results must be separated
COPIED = 2  # the work, for `parallel_for`, of an element that is copied
OFTEN = 2048  # number of positions from which on transposing the filters is worthwhile
SIDE_BY_SIDE = 16  # images that are interleaved if one has few outputs: a cache line of float32
GATHER = gather_columns, gather_strided_columns  # for a horizontal stride of 1, and for others
SCATTER = scatter_columns, scatter_strided_columns


class Cut(NamedTuple):
    """The division of a convolution into products."""

    g: Geometry
    stack: int  # images of a block one after another
    images: int  # images of a block side by side
    rows: int  # output rows of a product
    pitch: int  # elements from one row of the columns to the next
    blocks: int  # of all groups

    @property
    def in_place(self) -> bool:
        """Whether a block of the input is a view of the input: no padding and no interleaving."""
        return self.images == 1 and self.stack == 1 and not any(self.g.pads)

    @property
    def pointwise(self) -> bool:
        """Whether the columns are the input itself."""
        return self.images == 1 and _pointwise(self.g)


def forward(g: Geometry, x: np.ndarray, w: np.ndarray, y: np.ndarray, epilogue: Epilogue) -> None:
    """Compute y from x and w."""
    c = _cut(g)
    matrices = w.reshape(c.g.groups, c.g.filters, c.g.taps)
    for group, first, count in _blocks(c):
        block = _input_block(c, x, group, first, count)
        for row, rows in _row_ranges(c):
            columns = _columns(c, block, count, row, rows)
            out, direct = _output_block(c, y, group, first, count, row, rows)
            matmul(matrices[group], columns, out)
            if not direct:
                _copy_output(unpack, c, y, out, group, first, count, row)
            if not epilogue.empty:
                _finish(c, y, epilogue, group, first, count, row, rows)


def input_grad(g: Geometry, dy: np.ndarray, w: np.ndarray, dx: np.ndarray) -> None:
    """Compute dx from dy and w."""
    c = _cut(g)
    matrices = w.reshape(c.g.groups, c.g.filters, c.g.taps).transpose(0, 2, 1)
    if c.g.batch * c.g.outputs >= OFTEN:
        matrices = np.ascontiguousarray(matrices)  # as the kernels require
    for group, first, count in _blocks(c):
        block = _zero_block(c, dx, group, first, count)
        for row, rows in _row_ranges(c):
            gradients = _gradient_block(c, dy, group, first, count, row, rows)
            if c.pointwise:
                matmul(matrices[group], gradients, block)
                continue
            columns = _column_buffer(c, count, dy.dtype)
            matmul(matrices[group], gradients, columns[:, :, : gradients.shape[2]])
            _move_columns(SCATTER, c, block, columns, count, row, rows)
        if not c.in_place and not c.pointwise:
            _copy_input(unpack, c, dx, block, group, first, count)


def filter_grad(g: Geometry, x: np.ndarray, dy: np.ndarray, dw: np.ndarray) -> None:
    """Compute dw from x and dy."""
    c = _cut(g)
    # a product is faster with the columns first, which outweighs transposing the result if many terms are summed
    columns_first = c.g.batch * c.g.outputs >= LONGEST
    shape = (c.g.taps, c.g.filters) if columns_first else (c.g.filters, c.g.taps)
    total = np.zeros((c.g.groups, *shape), x.dtype)
    for group, first, count in _blocks(c):
        block = _input_block(c, x, group, first, count)
        for row, rows in _row_ranges(c):
            columns = _columns(c, block, count, row, rows)
            gradients = _gradient_block(c, dy, group, first, count, row, rows)
            left, right = (columns, gradients) if columns_first else (gradients, columns)
            for k in range(len(left)):
                matmul(left[k : k + 1], right[k : k + 1].transpose(0, 2, 1), total[group : group + 1], added=True)
    filters_first = total.transpose(0, 2, 1) if columns_first else total
    dw[...] = filters_first.reshape(dw.shape)


def _finish(c: Cut, y: np.ndarray, epilogue: Epilogue, group: int, first: int, count: int, row: int, rows: int) -> None:
    """Apply bias and activation to some output rows."""
    g = c.g
    start = (first * g.groups + group) * g.filters * g.outputs + row * g.out_width
    finish_block(
        y.reshape(-1), start, count, g.groups * g.filters * g.outputs, g.filters, g.outputs, rows * g.out_width,
        epilogue.bias[group * g.filters :], epilogue.code,
    )  # fmt: skip


def _pointwise(g: Geometry) -> bool:
    """Return whether the columns of an image are the image itself."""
    return g.kernel == (1, 1) and g.strides == (1, 1) and not any(g.pads)


@lru_cache(maxsize=1024)
def _cut(g: Geometry) -> Cut:
    """Choose the sizes of products and blocks."""
    positions, pointwise = g.outputs, _pointwise(g)
    columns = max(SHORTEST, min(LONGEST, max(BLOCK // max(g.taps, 1), g.filters)))
    images = 1
    if positions < SHORTEST:
        columns = max(columns, SHORTEST_OF_SEVERAL)
        images = max(SIDE_BY_SIDE, columns // positions // SIDE_BY_SIDE * SIDE_BY_SIDE)
        images = max(1, min(g.batch, images))
    if pointwise and (positions >= SHORTEST // 2 or g.channels * g.filters <= FEW_WEIGHTS):
        images = 1  # nothing to gather, and the filters are read again for each image from the cache
    if pointwise and images == 1:
        rows = g.out_height
    else:
        rows = max(1, min(g.out_height, columns // (g.out_width * images)))
    stack = 1
    if pointwise and images == 1:
        stack = g.batch
    elif images == 1 and rows == g.out_height:
        stack = max(1, min(g.batch, BLOCK // max(1, g.taps * positions)))
    pitch = rows * g.out_width * images
    if pitch % 256 == 0 and images > 1:
        pitch += 16  # rows at a distance of a power of two would map to the same cache sets
    return Cut(g, stack, images, rows, pitch, g.groups * -(-g.batch // (stack * images)))


def _blocks(c: Cut) -> Iterator[tuple[int, int, int]]:
    """Yield (group, first image, number of images) of the blocks."""
    size = c.stack * c.images
    for group in range(c.g.groups):
        for first in range(0, c.g.batch, size):
            yield group, first, min(size, c.g.batch - first)


def _row_ranges(c: Cut) -> Iterator[tuple[int, int]]:
    """Yield (first output row, number of rows) of each product."""
    for row in range(0, c.g.out_height, c.rows):
        yield row, min(c.rows, c.g.out_height - row)


def _stack(c: Cut, count: int) -> int:
    """Return the number of a block's images that are stored one after another."""
    return count if c.images == 1 else 1


def _side_by_side(c: Cut, count: int) -> int:
    """Return the number of a block's images that are interleaved."""
    return 1 if c.images == 1 else count


def _group_of(c: Cut, array: np.ndarray, group: int, first: int, count: int) -> np.ndarray:
    """Return a view [count, channel of the group, position] of one group of some images."""
    planes = array.reshape(c.g.batch, c.g.groups, array.shape[1] // c.g.groups, -1)
    return planes[first : first + count, group]


def _input_block(c: Cut, x: np.ndarray, group: int, first: int, count: int) -> np.ndarray:
    """Return images with their padding in the block's layout; a view of them if the layouts are equal."""
    if c.in_place or c.pointwise:
        return _group_of(c, x, group, first, count)
    height, width = c.g.padded
    block = scratch("conv block", (_stack(c, count), c.g.channels, height * width * _side_by_side(c, count)), x.dtype)
    if any(c.g.pads):
        block[...] = 0
    _copy_input(pack, c, x, block, group, first, count)
    return block


def _zero_block(c: Cut, dx: np.ndarray, group: int, first: int, count: int) -> np.ndarray:
    """Return the zeroed accumulator of a block's gradients; a view of the result if the layouts are equal."""
    if c.pointwise:
        return _group_of(c, dx, group, first, count)
    if c.in_place:
        block = _group_of(c, dx, group, first, count)
    else:
        height, width = c.g.padded
        block = scratch(
            "conv block", (_stack(c, count), c.g.channels, height * width * _side_by_side(c, count)), dx.dtype
        )
    block[...] = 0
    return block


def _copy_input(how: Jitted, c: Cut, x: np.ndarray, block: np.ndarray, group: int, first: int, count: int) -> None:
    """Pack or unpack the points of a block, except for the padding."""
    height, width = c.g.padded
    images = _side_by_side(c, count)
    planes = c.g.height * c.g.width
    start = (first * c.g.groups + group) * c.g.channels * planes
    inner = (c.g.pads[0] * width + c.g.pads[2]) * images
    args = (
        x.reshape(-1)[start:], c.g.groups * c.g.channels * planes, planes, c.g.width,
        block.reshape(-1)[inner:], height * width * images, width * images, images, c.g.channels, c.g.height, c.g.width,
    )  # fmt: skip
    parallel_for(how, _stack(c, count) * c.g.channels, COPIED * block.size, args)


def _copy_output(
    how: Jitted, c: Cut, y: np.ndarray, block: np.ndarray, group: int, first: int, count: int, row: int
) -> None:
    """Pack or unpack some output rows of interleaved images."""
    positions = c.g.outputs
    start = (first * c.g.groups + group) * c.g.filters * positions + row * c.g.out_width
    length = block.shape[2] // count
    args = (
        y.reshape(-1)[start:], c.g.groups * c.g.filters * positions, positions, 0,
        block.reshape(-1), length * count, 0, count, c.g.filters, 1, length,
    )  # fmt: skip
    parallel_for(how, c.g.filters, COPIED * block.size, args)


def _column_buffer(c: Cut, count: int, dtype: np.dtype) -> np.ndarray:
    """Return a buffer for columns: [stack, tap, position and image]."""
    return scratch("conv columns", (_stack(c, count), c.g.taps, c.pitch), dtype)


def _columns(c: Cut, block: np.ndarray, count: int, row: int, rows: int) -> np.ndarray:
    """Return the columns of some output rows of a block."""
    if c.pointwise:
        return block
    columns = _column_buffer(c, count, block.dtype)
    _move_columns(GATHER, c, block, columns, count, row, rows)
    return columns[:, :, : rows * c.g.out_width * _side_by_side(c, count)]


def _move_columns(
    way: tuple[Jitted, Jitted], c: Cut, block: np.ndarray, columns: np.ndarray, count: int, row: int, rows: int
) -> None:
    """Gather columns from a block, or scatter them into it; `way` is GATHER or SCATTER."""
    args = (
        block.reshape(-1), columns.reshape(-1), _side_by_side(c, count), *c.g.padded,
        c.pitch, row, rows, c.g.out_width, *c.g.kernel, *c.g.strides, *c.g.dilations,
    )  # fmt: skip
    parallel_for(way[c.g.strides[1] > 1], _stack(c, count) * c.g.channels, COPIED * columns.size, args)


def _output_block(
    c: Cut, y: np.ndarray, group: int, first: int, count: int, row: int, rows: int
) -> tuple[np.ndarray, bool]:
    """Return the array for a product's result, and whether it is a view of the final result."""
    if c.images == 1:
        return _group_of(c, y, group, first, count)[:, :, row * c.g.out_width : (row + rows) * c.g.out_width], True
    return scratch("conv output", (1, c.g.filters, rows * c.g.out_width * count), y.dtype), False


def _gradient_block(c: Cut, dy: np.ndarray, group: int, first: int, count: int, row: int, rows: int) -> np.ndarray:
    """Return the gradients of some output rows, in the layout of the product's result."""
    block, direct = _output_block(c, dy, group, first, count, row, rows)
    if not direct:
        _copy_output(pack, c, dy, block, group, first, count, row)
    return block
