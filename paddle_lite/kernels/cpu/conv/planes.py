"""The image layout of the direct convolutions, in which each filter tap reads one contiguous run.

A plane (one channel of an image) is padded and split into phases: with stride s, row and column (s * r + a, s * c + b) of
the padded plane are element (r, c) of phase (a, b). The inputs of a tap for all output positions, whatever the stride and
the dilation, are one phase, shifted. Rows of a phase are contiguous, `pitch` apart. Outputs are computed for the
`out_width` positions of each row and also for the few positions between rows, in vectors that cross the ends of rows, so
that narrow images do not leave vectors partly empty. With stride 1, the right padding of a row is the left padding of the
next.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from paddle_lite.kernels.cpu.conv.geometry import Geometry
from paddle_lite.kernels.cpu.support.scratch import scratch
from paddle_lite.kernels.numba_jit import inline
from paddle_lite.kernels.simd import SIZE, clamp, deinterleave, lanes, load, load_first, store, store_first
from paddle_lite.kernels.threads import thread_count

__all__ = ["Planes", "fill", "finish_rows", "layout", "positions_of", "spread_rows", "workspace"]


class Planes(NamedTuple):
    """The layout of a padded plane.

    Attributes:
        top, left: the padding before the image.
        pitch: elements from one row of a phase to the next.
        phase: the number of elements of a phase.
        whole: the number of elements of all phases.
        positions: the number of elements from the first output to the last one, including those between rows.
        offsets: int64 [KH * KW], the offset of each tap of the output at 0.
    """

    top: int
    left: int
    pitch: int
    phase: int
    whole: int
    positions: int
    offsets: np.ndarray


@lru_cache(maxsize=1024)
def layout(g: Geometry, vector: int) -> Planes:
    """Return the layout of the planes of a convolution; `vector` is the number of elements of a vector."""
    (stride_h, stride_w), (top, bottom, left, right) = g.strides, g.pads
    height, width = g.height, g.width
    rows = -(-(height + top + bottom) // stride_h)
    pitch = width + max(left, right) if stride_w == 1 else -(-(width + left + right) // stride_w)
    positions = (g.out_height - 1) * pitch + g.out_width
    # a vector at the last output may extend beyond the last row, where no relevant element is read
    phase = -(-(rows * pitch + max(left, right) + 4 * vector) // vector) * vector
    offsets = [
        ((i % stride_h) * stride_w + j % stride_w) * phase + (i // stride_h) * pitch + j // stride_w
        for i in range(0, g.dilations[0] * g.kernel[0], g.dilations[0])
        for j in range(0, g.dilations[1] * g.kernel[1], g.dilations[1])
    ]
    table = np.array(offsets, np.int64)
    table.flags.writeable = False
    return Planes(top, left, pitch, phase, stride_h * stride_w * phase, positions, table)


def positions_of(rows: int, pitch: int, out_width: int) -> int:
    """Return how many positions some rows of outputs take.

    A row may end beyond the next one's start, by more than some vectors where the padding is wide.
    """
    return (rows - 1) * pitch + max(pitch, out_width)


def workspace(p: Planes, channels: int, sums: int, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray, int]:
    """Return working memory for the planes of some channels and for so many sums, of each thread, and the number of threads.

    It is zeroed, for the padding that `fill` does not write.
    """
    threads, vector = thread_count(), lanes(dtype)
    found = [
        scratch(use, (threads * -(-(size + 4 * SIZE) // vector) * vector,), dtype)
        for use, size in (("conv planes", channels * p.whole), ("conv sums", sums))
    ]
    for each in found:
        each[...] = 0
    return found[0], found[1], threads


@inline
def put_row(source, start, width, target, at, left, phase, stride):
    """Copy a row of an image to the phases of its plane; `at` is the start of the row's padding.

    The last vector may extend into the next row, which is written later or is padding; the extra elements are 0.
    """
    step = SIZE // source.itemsize
    if stride == 1:
        for k in range(0, width, step):
            store(target, at + left + k, load_first(source, start + k, width - k))
    elif stride == 2:
        to_even = at + left % 2 * phase + left // 2
        to_odd = at + (left + 1) % 2 * phase + (left + 1) // 2
        for k in range(0, width, 2 * step):
            first, second = (
                load_first(source, start + k, width - k),
                load_first(source, start + k + step, width - k - step),
            )
            even, odd = deinterleave(first, second)
            store(target, to_even + k // 2, even)
            store(target, to_odd + k // 2, odd)
    else:
        for k in range(width):
            target[at + (left + k) % stride * phase + (left + k) // stride] = source[start + k]


@inline
def fill(source, start, height, width, target, at, top, left, stride_h, stride_w, phase, pitch):
    """Write the layout of a plane of `height` rows to `target`, starting at `at`."""
    for r in range(height):
        to = at + (r + top) % stride_h * stride_w * phase + (r + top) // stride_h * pitch
        put_row(source, start + r * width, width, target, to, left, phase, stride_w)


@inline
def spread_rows(source, start, rows, width, target, at, pitch):
    """Copy contiguous rows to rows that are `pitch` apart, with zeros between them."""
    step = SIZE // source.itemsize
    for r in range(rows):
        for k in range(0, width, step):
            store(target, at + r * pitch + k, load_first(source, start + r * width + k, width - k))


@inline
def finish_rows(source, at, pitch, target, start, rows, width, bias, low, high):
    """Apply the inverse of `spread_rows`, adding the bias and clamping to [low, high].

    A vector may extend into the next row, which is written later; not beyond the last one.
    """
    step, end = SIZE // source.itemsize, start + rows * width
    for r in range(rows):
        for k in range(0, width, step):
            value, to = clamp(load(source, at + r * pitch + k) + bias, low, high), start + r * width + k
            if to + step <= end:
                store(target, to, value)
            else:
                store_first(target, to, value, width - k)
