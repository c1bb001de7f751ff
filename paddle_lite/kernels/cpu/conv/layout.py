"""Copies between images and the matrices of a convolution by products.

A block contains a few images, with their padding, as `[stack, channel, row, column, image]`: either several images one
after another and one image side by side, or one stack with the images interleaved point by point, so that copies run over
long pieces of memory even if rows are short. Columns are `[stack, channel and tap, output position and image]`; their rows
are `pitch` elements apart.

Several threads share out the planes, counted over the stack and the channels. Arrays are flat, and positions are element offsets. All loops copy between slices, from which LLVM infers that indices are
not negative, and vectorises the loops. Columns at a stride of 1 and at others are kernels of their own: most programs need the
first only, which compiles faster alone.
"""

from paddle_lite.kernels.numba_jit import inline, jit

__all__ = ["gather_columns", "gather_strided_columns", "pack", "scatter_columns", "scatter_strided_columns", "unpack"]


@jit(shared=True)
def pack(
    first, last, planes, image_pitch, channel_pitch, row_pitch, block, block_channel_pitch, block_row_pitch,
    images, channels, rows, width,
):  # fmt: skip
    """Copy planes of separate images into a block (pack)."""
    for plane in range(first, last):
        b, c = plane // channels, plane % channels
        for r in range(rows):
            at = plane * block_channel_pitch + r * block_row_pitch
            for t in range(images):
                start = (b * images + t) * image_pitch + c * channel_pitch + r * row_pitch
                source = planes[start : start + width]
                target = block[at + t :]
                for k in range(width):
                    target[k * images] = source[k]


@jit(shared=True)
def unpack(
    first, last, planes, image_pitch, channel_pitch, row_pitch, block, block_channel_pitch, block_row_pitch,
    images, channels, rows, width,
):  # fmt: skip
    """Copy a block into planes of separate images (unpack)."""
    for plane in range(first, last):
        b, c = plane // channels, plane % channels
        for r in range(rows):
            at = plane * block_channel_pitch + r * block_row_pitch
            for t in range(images):
                start = (b * images + t) * image_pitch + c * channel_pitch + r * row_pitch
                target = planes[start : start + width]
                source = block[at + t :]
                for k in range(width):
                    target[k] = source[k * images]


@inline
def _copy(target, source):
    """Copy a run of elements."""
    for k in range(target.size):
        target[k] = source[k]


@inline
def _add(target, source):
    """Add a run of elements."""
    for k in range(target.size):
        target[k] += source[k]


@jit(shared=True)
def gather_columns(
    first, last, block, columns, images, height, width, pitch, row0, rows, out_width,
    kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w,
):  # fmt: skip
    """Write the inputs of each filter tap for some output rows, one row of the columns a tap (im2col); stride_w is 1."""
    run = out_width * images
    for plane in range(first, last):
        for i in range(kernel_h):
            for j in range(kernel_w):
                to = ((plane * kernel_h + i) * kernel_w + j) * pitch
                for r in range(rows):
                    start = (
                        (plane * height + (row0 + r) * stride_h + i * dilation_h) * width + j * dilation_w
                    ) * images
                    target = columns[to + r * run : to + r * run + run]
                    _copy(target, block[start : start + run])


@jit(shared=True)
def gather_strided_columns(
    first, last, block, columns, images, height, width, pitch, row0, rows, out_width,
    kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w,
):  # fmt: skip
    """Write columns as `gather_columns` does, for a stride_w of 2 or more."""
    run = out_width * images
    for plane in range(first, last):
        for i in range(kernel_h):
            for j in range(kernel_w):
                to = ((plane * kernel_h + i) * kernel_w + j) * pitch
                for r in range(rows):
                    start = (
                        (plane * height + (row0 + r) * stride_h + i * dilation_h) * width + j * dilation_w
                    ) * images
                    target = columns[to + r * run : to + r * run + run]
                    if images == 1:
                        source = block[start:]
                        for k in range(out_width):
                            target[k] = source[k * stride_w]
                    else:
                        for k in range(out_width):
                            at = start + k * stride_w * images
                            _copy(target[k * images : k * images + images], block[at : at + images])


@jit(shared=True)
def scatter_columns(
    first, last, block, columns, images, height, width, pitch, row0, rows, out_width,
    kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w,
):  # fmt: skip
    """Add columns to the points that `gather_columns` reads them from (col2im); stride_w is 1."""
    run = out_width * images
    for plane in range(first, last):
        for i in range(kernel_h):
            for j in range(kernel_w):
                to = ((plane * kernel_h + i) * kernel_w + j) * pitch
                for r in range(rows):
                    start = (
                        (plane * height + (row0 + r) * stride_h + i * dilation_h) * width + j * dilation_w
                    ) * images
                    source = columns[to + r * run : to + r * run + run]
                    _add(block[start : start + run], source)


@jit(shared=True)
def scatter_strided_columns(
    first, last, block, columns, images, height, width, pitch, row0, rows, out_width,
    kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w,
):  # fmt: skip
    """Add columns to the points that `gather_strided_columns` reads them from."""
    run = out_width * images
    for plane in range(first, last):
        for i in range(kernel_h):
            for j in range(kernel_w):
                to = ((plane * kernel_h + i) * kernel_w + j) * pitch
                for r in range(rows):
                    start = (
                        (plane * height + (row0 + r) * stride_h + i * dilation_h) * width + j * dilation_w
                    ) * images
                    source = columns[to + r * run : to + r * run + run]
                    if images == 1:
                        target = block[start:]
                        for k in range(out_width):
                            target[k * stride_w] += source[k]
                    else:
                        for k in range(out_width):
                            at = start + k * stride_w * images
                            _add(block[at : at + images], source[k * images : k * images + images])
