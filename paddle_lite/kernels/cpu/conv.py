"""2-D convolution and its gradients on NumPy arrays, as products of matrices over blocks that stay in the cache.

A few images at a time are laid out so that one product does the work of many taps (`conv_layout`), the columns of a block
being small enough to be read by the product before they leave the second-level cache. Grouped convolutions are done group
by group, those with one channel a group directly (`conv_depthwise`).

Arrays are `[image, channel, row, column]`, filters `[filter, channel of the group, row, column]`; paddings are `(top, bottom,
left, right)`. Results have the dtype of the first argument, float32 or float64.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from paddle_lite.core.errors import ShapeError, message
from paddle_lite.kernels.cpu.conv_depthwise import depthwise, depthwise_filter_grad, depthwise_input_grad
from paddle_lite.kernels.cpu.conv_layout import gather_columns, pack, scatter_columns, unpack
from paddle_lite.kernels.cpu.scratch import scratch
from paddle_lite.kernels.numba_jit import Jitted

__all__ = ["conv2d", "conv2d_filter_grad", "conv2d_input_grad"]

BLOCK = 1 << 17  # elements of the columns of one product: half a megabyte in float32
SHORTEST, LONGEST = 256, 1024  # columns of one product: enough to pay for reading the filters, few enough for the cache
SIDE_BY_SIDE = 16  # images laid side by side where the outputs of one are few: a cache line of float32


class Geometry(NamedTuple):
    """A convolution's sizes, and how it is cut into products."""

    batch: int
    groups: int
    channels: int  # of a group
    height: int
    width: int
    filters: int  # of a group
    kernel: tuple[int, int]
    strides: tuple[int, int]
    pads: tuple[int, int, int, int]
    dilations: tuple[int, int]
    out_height: int
    out_width: int
    stack: int  # images of a block one after another
    images: int  # images of a block side by side
    rows: int  # output rows of a product
    pitch: int  # elements from one row of the columns to the next

    @property
    def taps(self) -> int:
        """Rows of the columns: what one output element is a sum over."""
        return self.channels * self.kernel[0] * self.kernel[1]

    @property
    def padded(self) -> tuple[int, int]:
        """Height and width with the padding."""
        top, bottom, left, right = self.pads
        return self.height + top + bottom, self.width + left + right

    @property
    def in_place(self) -> bool:
        """Whether a block of the input is the input itself: nothing to pad, nothing to lay side by side."""
        return self.images == 1 and self.stack == 1 and not any(self.pads)

    @property
    def pointwise(self) -> bool:
        """Whether the columns are the input itself."""
        return self.images == 1 and self.kernel == (1, 1) and self.strides == (1, 1) and not any(self.pads)

    @property
    def depthwise(self) -> bool:
        """Whether each filter sees one of several channels."""
        return self.channels == 1 and self.groups > 1


def conv2d(
    x: np.ndarray,
    w: np.ndarray,
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
    groups: int,
) -> np.ndarray:
    """Convolve images with filters (cross-correlation, as deep learning calls it).

    Args:
        x: images [N, C, H, W], float32 or float64.
        w: filters [K, C / groups, KH, KW] of the same dtype.
        strides: (vertical, horizontal).
        pads: zeros added at (top, bottom, left, right).
        dilations: distance between taps, (vertical, horizontal).
        groups: K / groups filters each see C / groups channels.

    Returns:
        [N, K, OH, OW] with OH = (H + top + bottom - dilation * (KH - 1) - 1) // stride + 1, likewise OW.

    Raises:
        ShapeError: channels, filters and groups disagree, or the window is larger than the padded image.

    Example:
        >>> x = np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3)
        >>> conv2d(x, np.ones((1, 1, 2, 2), np.float32), (1, 1), (0, 0, 0, 0), (1, 1), 1)
        array([[[[ 8., 12.],
                 [20., 24.]]]], dtype=float32)
    """
    g = _geometry(x.shape, w.shape, tuple(strides), tuple(pads), tuple(dilations), groups)
    x, w = np.ascontiguousarray(x), np.ascontiguousarray(w)
    y = np.empty((g.batch, g.groups * g.filters, g.out_height, g.out_width), x.dtype)
    if g.depthwise:
        depthwise(x, w, y, *g.strides, g.pads[0], g.pads[2], *g.dilations)
        return y
    matrices = w.reshape(g.groups, g.filters, g.taps)
    for group, first, count in _blocks(g):
        block = _input_block(g, x, group, first, count)
        for row, rows in _row_ranges(g):
            columns = _columns(g, block, count, row, rows)
            out, direct = _output_block(g, y, group, first, count, row, rows)
            np.matmul(matrices[group], columns, out=out)
            if not direct:
                _copy_output(unpack, g, y, out, group, first, count, row)
    return y


def conv2d_input_grad(
    dy: np.ndarray,
    w: np.ndarray,
    x_shape: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
    groups: int,
) -> np.ndarray:
    """The gradient of `conv2d` with respect to the images.

    Args:
        dy: gradient of the result, [N, K, OH, OW].
        w: the filters, [K, C / groups, KH, KW].
        x_shape: shape of the images, [N, C, H, W].
        strides: as for `conv2d`.
        pads: as for `conv2d`.
        dilations: as for `conv2d`.
        groups: as for `conv2d`.

    Returns:
        An array of shape x_shape.

    Raises:
        ShapeError: as for `conv2d`.
    """
    g = _geometry(tuple(x_shape), w.shape, tuple(strides), tuple(pads), tuple(dilations), groups)
    dy, w = np.ascontiguousarray(dy), np.ascontiguousarray(w)
    dx = np.empty(tuple(x_shape), dy.dtype)
    if g.depthwise:
        depthwise_input_grad(dy, w, dx, *g.strides, g.pads[0], g.pads[2], *g.dilations)
        return dx
    matrices = w.reshape(g.groups, g.filters, g.taps).transpose(0, 2, 1)
    for group, first, count in _blocks(g):
        block = _zero_block(g, dx, group, first, count)
        for row, rows in _row_ranges(g):
            gradients = _gradient_block(g, dy, group, first, count, row, rows)
            if g.pointwise:
                np.matmul(matrices[group], gradients, out=block)
                continue
            columns = _column_buffer(g, count, dy.dtype)
            np.matmul(matrices[group], gradients, out=columns[:, :, : gradients.shape[2]])
            _move_columns(scatter_columns, g, block, columns, count, row, rows)
        if not g.in_place and not g.pointwise:
            _copy_input(unpack, g, dx, block, group, first, count)
    return dx


def conv2d_filter_grad(
    x: np.ndarray,
    dy: np.ndarray,
    w_shape: Sequence[int],
    strides: Sequence[int],
    pads: Sequence[int],
    dilations: Sequence[int],
    groups: int,
) -> np.ndarray:
    """The gradient of `conv2d` with respect to the filters.

    Args:
        x: the images, [N, C, H, W].
        dy: gradient of the result, [N, K, OH, OW].
        w_shape: shape of the filters, [K, C / groups, KH, KW].
        strides: as for `conv2d`.
        pads: as for `conv2d`.
        dilations: as for `conv2d`.
        groups: as for `conv2d`.

    Returns:
        An array of shape w_shape.

    Raises:
        ShapeError: as for `conv2d`.
    """
    g = _geometry(x.shape, tuple(w_shape), tuple(strides), tuple(pads), tuple(dilations), groups)
    x, dy = np.ascontiguousarray(x), np.ascontiguousarray(dy)
    if g.depthwise:
        dw = np.empty(tuple(w_shape), x.dtype)
        depthwise_filter_grad(x, dy, dw, *g.strides, g.pads[0], g.pads[2], *g.dilations)
        return dw
    # BLAS is a third faster with the columns first, which pays for transposing the result where much is summed up
    columns_first = g.batch * g.out_height * g.out_width >= LONGEST
    shape = (g.taps, g.filters) if columns_first else (g.filters, g.taps)
    total = np.zeros((g.groups, *shape), x.dtype)
    for group, first, count in _blocks(g):
        block = _input_block(g, x, group, first, count)
        part = scratch("conv part", (_stack(g, count), *shape), x.dtype)
        for row, rows in _row_ranges(g):
            columns = _columns(g, block, count, row, rows)
            gradients = _gradient_block(g, dy, group, first, count, row, rows)
            left, right = (columns, gradients) if columns_first else (gradients, columns)
            np.matmul(left, right.transpose(0, 2, 1), out=part)
            for one in part:
                total[group] += one
    filters_first = total.transpose(0, 2, 1) if columns_first else total
    return np.ascontiguousarray(filters_first).reshape(tuple(w_shape))


@lru_cache(maxsize=1024)
def _geometry(
    x_shape: tuple[int, ...],
    w_shape: tuple[int, ...],
    strides: tuple[int, int],
    pads: tuple[int, int, int, int],
    dilations: tuple[int, int],
    groups: int,
) -> Geometry:
    """Check and complete the sizes, and choose the blocks."""
    batch, channels, height, width = x_shape
    filters, group_channels, kernel_h, kernel_w = w_shape
    if channels != group_channels * groups or filters % groups:
        needs = f"[K, {channels} / groups, KH, KW] with K divisible by groups={groups}"
        raise ShapeError(message("conv2d", "Filter", f"shape {list(w_shape)}", needs))
    out_height = (height + pads[0] + pads[1] - dilations[0] * (kernel_h - 1) - 1) // strides[0] + 1
    out_width = (width + pads[2] + pads[3] - dilations[1] * (kernel_w - 1) - 1) // strides[1] + 1
    if out_height < 1 or out_width < 1:
        got = f"{kernel_h}x{kernel_w} taps {list(dilations)} apart"
        needs = f"a window inside of the image of {height}x{width} with paddings {list(pads)}"
        raise ShapeError(message("conv2d", "Filter", got, needs, "Pad the image, or take a smaller filter."))
    sizes = Geometry(
        batch, groups, group_channels, height, width, filters // groups, (kernel_h, kernel_w), strides, pads, dilations,
        out_height, out_width, stack=1, images=1, rows=out_height, pitch=out_height * out_width,
    )  # fmt: skip
    return _cut(sizes)


def _cut(g: Geometry) -> Geometry:
    """Choose how much one product does."""
    positions = g.out_height * g.out_width
    columns = max(SHORTEST, min(LONGEST, max(BLOCK // max(g.taps, 1), g.filters)))
    images = 1 if positions >= SHORTEST else max(1, min(g.batch, max(SIDE_BY_SIDE, columns // positions)))
    if g._replace(images=images).pointwise:
        rows = g.out_height
    else:
        rows = max(1, min(g.out_height, columns // (g.out_width * images)))
    stack = 1
    if images == 1 and rows == g.out_height:
        stack = max(1, min(g.batch, BLOCK // max(1, g.taps * positions)))
    pitch = rows * g.out_width * images
    if pitch % 256 == 0 and images > 1:
        pitch += 16  # rows a power of two apart would share the same few places in the cache
    return g._replace(stack=stack, images=images, rows=rows, pitch=pitch)


def _blocks(g: Geometry) -> Iterator[tuple[int, int, int]]:
    """(group, first image, number of images) of each block."""
    size = g.stack * g.images
    for group in range(g.groups):
        for first in range(0, g.batch, size):
            yield group, first, min(size, g.batch - first)


def _row_ranges(g: Geometry) -> Iterator[tuple[int, int]]:
    """(first output row, number of rows) of each product."""
    for row in range(0, g.out_height, g.rows):
        yield row, min(g.rows, g.out_height - row)


def _stack(g: Geometry, count: int) -> int:
    """How many of a block's images lie one after another."""
    return count if g.images == 1 else 1


def _side_by_side(g: Geometry, count: int) -> int:
    """How many of a block's images lie side by side."""
    return 1 if g.images == 1 else count


def _group_of(g: Geometry, array: np.ndarray, group: int, first: int, count: int) -> np.ndarray:
    """A view [count, channel of the group, position] of one group of some images."""
    planes = array.reshape(g.batch, g.groups, array.shape[1] // g.groups, -1)
    return planes[first : first + count, group]


def _input_block(g: Geometry, x: np.ndarray, group: int, first: int, count: int) -> np.ndarray:
    """Images with their padding, in the block's layout; a view of them where that is the same."""
    if g.in_place or g.pointwise:
        return _group_of(g, x, group, first, count)
    height, width = g.padded
    block = scratch("conv block", (_stack(g, count), g.channels, height * width * _side_by_side(g, count)), x.dtype)
    if any(g.pads):
        block[...] = 0
    _copy_input(pack, g, x, block, group, first, count)
    return block


def _zero_block(g: Geometry, dx: np.ndarray, group: int, first: int, count: int) -> np.ndarray:
    """Where a block's gradients are added up; a view of their final place where that is the same."""
    if g.pointwise:
        return _group_of(g, dx, group, first, count)
    if g.in_place:
        block = _group_of(g, dx, group, first, count)
    else:
        height, width = g.padded
        block = scratch(
            "conv block", (_stack(g, count), g.channels, height * width * _side_by_side(g, count)), dx.dtype
        )
    block[...] = 0
    return block


def _copy_input(how: Jitted, g: Geometry, x: np.ndarray, block: np.ndarray, group: int, first: int, count: int) -> None:
    """Pack or unpack the points of a block that are not padding."""
    height, width = g.padded
    images = _side_by_side(g, count)
    planes = g.height * g.width
    start = (first * g.groups + group) * g.channels * planes
    inner = (g.pads[0] * width + g.pads[2]) * images
    how(
        x.reshape(-1)[start:], g.groups * g.channels * planes, planes, g.width,
        block.reshape(-1)[inner:], height * width * images, width * images,
        _stack(g, count), images, g.channels, g.height, g.width,
    )  # fmt: skip


def _copy_output(
    how: Jitted, g: Geometry, y: np.ndarray, block: np.ndarray, group: int, first: int, count: int, row: int
) -> None:
    """Pack or unpack some output rows of images that lie side by side."""
    positions = g.out_height * g.out_width
    start = (first * g.groups + group) * g.filters * positions + row * g.out_width
    length = block.shape[2] // count
    how(
        y.reshape(-1)[start:], g.groups * g.filters * positions, positions, 0,
        block.reshape(-1), length * count, 0, 1, count, g.filters, 1, length,
    )  # fmt: skip


def _column_buffer(g: Geometry, count: int, dtype: np.dtype) -> np.ndarray:
    """Room for columns: [stack, tap, position and image]."""
    return scratch("conv columns", (_stack(g, count), g.taps, g.pitch), dtype)


def _columns(g: Geometry, block: np.ndarray, count: int, row: int, rows: int) -> np.ndarray:
    """The columns of some output rows of a block."""
    if g.pointwise:
        return block
    columns = _column_buffer(g, count, block.dtype)
    _move_columns(gather_columns, g, block, columns, count, row, rows)
    return columns[:, :, : rows * g.out_width * _side_by_side(g, count)]


def _move_columns(
    how: Jitted, g: Geometry, block: np.ndarray, columns: np.ndarray, count: int, row: int, rows: int
) -> None:
    """Gather columns from a block, or scatter them to it."""
    how(
        block.reshape(-1), columns.reshape(-1), _stack(g, count), _side_by_side(g, count), g.channels, *g.padded,
        g.pitch, row, rows, g.out_width, *g.kernel, *g.strides, *g.dilations,
    )  # fmt: skip


def _output_block(
    g: Geometry, y: np.ndarray, group: int, first: int, count: int, row: int, rows: int
) -> tuple[np.ndarray, bool]:
    """Where a product's result goes, and whether that is its final place."""
    if g.images == 1:
        return _group_of(g, y, group, first, count)[:, :, row * g.out_width : (row + rows) * g.out_width], True
    return scratch("conv output", (1, g.filters, rows * g.out_width * count), y.dtype), False


def _gradient_block(g: Geometry, dy: np.ndarray, group: int, first: int, count: int, row: int, rows: int) -> np.ndarray:
    """The gradients of some output rows, laid out as the product's result was."""
    block, direct = _output_block(g, dy, group, first, count, row, rows)
    if not direct:
        _copy_output(pack, g, dy, block, group, first, count, row)
    return block
