"""Poolings of images whose channels are last: a vector holds neighbouring channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_lite.kernels.cpu.conv.channels_last.layout import as_images, first, last
from paddle_lite.kernels.cpu.nn.pool import LOWEST, OUTPUT
from paddle_lite.kernels.cpu.nn.pool_kernels import windows_of
from paddle_lite.kernels.cpu.support.cache_lines import at_line
from paddle_lite.kernels.numba_jit import jit
from paddle_lite.kernels.simd import SIZE, larger, load, load_first, store, store_first, zeros
from paddle_lite.kernels.threads import parallel_for

__all__ = ["Pooling"]


class Pooling:
    """A pooling of a Plan over images [N, C, H, W] whose channels are last in memory.

    Args:
        pooling_type: "max" or "avg".
        final: whether the channels of the result are second in memory, rather than last.
        place: the other attributes of `pool2d`.
    """

    __slots__ = ("final", "largest", "place")

    def __init__(self, pooling_type: str, final: bool, **place: Any) -> None:
        self.largest, self.final, self.place = pooling_type == "max", final, place

    def __call__(self, x: np.ndarray) -> np.ndarray:
        windows = windows_of(x.shape[2:], **self.place)
        source = last(x)
        y = at_line((x.shape[0], *windows.out_size, x.shape[1]), x.dtype)
        rows = len(y) * y.shape[1]
        work = x.size + OUTPUT * y.size // 4
        if self.largest:
            images = source.reshape(-1), y.reshape(-1), *x.shape[1:]
            parallel_for(_largest, rows, work, (*images, *windows.bounds, x.dtype.type(LOWEST)))
        else:
            parallel_for(_average, rows, work, (source, y, *windows.bounds, windows.area))
        return first(y) if self.final else as_images(y)


@jit(shared=True)
def _largest(begin, end, x, y, channels, height, width, tops, bottoms, lefts, rights, lowest):
    """Compute some rows of maxima, counted over all images; a NaN is the largest. That of no point is `lowest`."""
    step = SIZE // x.itemsize
    for unit in range(begin, end):
        image, row = unit // tops.size, unit % tops.size
        for column in range(lefts.size):
            at, to = image * height * width * channels, (unit * lefts.size + column) * channels
            seen = (tops[row] < bottoms[row]) & (lefts[column] < rights[column])
            start = x.dtype.type(-np.inf) if seen else lowest
            for c in range(0, channels, step):
                best = zeros(x) + start
                if c + step <= channels:
                    for h in range(tops[row], bottoms[row]):
                        for w in range(lefts[column], rights[column]):
                            best = larger(best, load(x, at + (h * width + w) * channels + c))
                    store(y, to + c, best)
                else:
                    for h in range(tops[row], bottoms[row]):
                        for w in range(lefts[column], rights[column]):
                            best = larger(best, load_first(x, at + (h * width + w) * channels + c, channels - c))
                    store_first(y, to + c, best, channels - c)


@jit(shared=True)
def _average(begin, end, x, y, tops, bottoms, lefts, rights, area):
    """Compute some rows of averages, counted over all images."""
    for unit in range(begin, end):
        image, row = unit // tops.size, unit % tops.size
        for column in range(lefts.size):
            target = y[image, row, column]
            for c in range(target.size):
                target[c] = 0
            for h in range(tops[row], bottoms[row]):
                for w in range(lefts[column], rights[column]):
                    source = x[image, h, w]
                    for c in range(target.size):
                        target[c] += source[c]
            count = area if area > 0 else (bottoms[row] - tops[row]) * (rights[column] - lefts[column])
            for c in range(target.size):
                target[c] /= x.dtype.type(count)
