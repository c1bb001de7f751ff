"""Convolutions of images [N, C, *size] with filters [K, C / groups, *window], and their gradients.

Which way is taken depends on the shapes. Filters that see one channel each are summed directly: a product of matrices would
have rows of one element. A window of one point, one apart and without padding, is a product of the images as they are. All
others are products of the windows' columns; cuBLAS runs them, in float16 on tensor cores, which a kernel without
instructions for matrices does not reach. Columns take kernel-size times the memory of the images: MOST_COLUMNS at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from ....ops.support.window_sizes import window_count
from ...registry import array_module
from ..device.kernel import launch
from ..support.shape import threads_for
from .columns import image_of_columns, window_columns
from .depthwise import depthwise, depthwise_filter_grad, depthwise_image_grad

MOST_COLUMNS = 1 << 26
"""Elements of the columns that are made at once."""


class Place(NamedTuple):
    """Where the windows stand: over images of `size`, with paddings (before, after)."""

    size: Sequence[int]
    window: Sequence[int]
    strides: Sequence[int]
    pads: Sequence[tuple[int, int]]
    dilations: Sequence[int]

    @property
    def out(self) -> list[int]:
        """The number of windows along each dimension."""
        return [window_count(*each) for each in zip(self.size, self.window, self.strides, self.pads, self.dilations)]

    @property
    def numbers(self) -> list[int]:
        """The numbers of a geometry, which device kernels take."""
        before = [each[0] for each in self.pads]
        lead = 3 - len(self.size)
        ones = (1, 1, 1, 1, 0, 1)
        parts = (self.size, self.out, self.window, self.strides, before, self.dilations)
        return [int(n) for fill, part in zip(ones, parts) for n in ([fill] * lead + [*part])]

    @property
    def points(self) -> bool:
        """Whether each window is one point, and all points have one."""
        return list(self.out) == list(self.size) and math.prod(self.window) == 1 and set(self.strides) == {1}


def convolve(x: Any, w: Any, place: Place, groups: int) -> Any:
    """Return the convolution [N, K, *out]."""
    xp, n, filters = array_module("gpu"), len(x), len(w)
    x, w = xp.ascontiguousarray(x), xp.ascontiguousarray(w)
    if _direct(w):
        out = xp.empty((n, filters, *place.out), x.dtype)
        threads = threads_for(math.prod(place.out))
        launch(depthwise, n * filters, threads, x, w, out, place.numbers, filters, filters // groups)
        return out
    parts = [_product(xp, x[some], w, place, groups) for some in _blocks(x.shape[1], n, place)]
    return parts[0] if len(parts) == 1 else xp.concatenate(parts)


def _product(xp: Any, x: Any, w: Any, place: Place, groups: int) -> Any:
    columns = _columns(xp, x, place).reshape(len(x), groups, w[0].size, math.prod(place.out))
    return xp.matmul(w.reshape(groups, -1, w[0].size), columns).reshape(len(x), len(w), *place.out)


def image_grad(dy: Any, w: Any, place: Place, groups: int) -> Any:
    """Return the gradient of the images [N, C, *size]; it is also the transposed convolution of dy."""
    xp, n, channels = array_module("gpu"), len(dy), w.shape[1] * groups
    dy, w = xp.ascontiguousarray(dy), xp.ascontiguousarray(w)
    dx = xp.empty((n, channels, *place.size), dy.dtype)
    threads = threads_for(math.prod(place.size))
    if _direct(w):
        launch(depthwise_image_grad, n * channels, threads, dy, w, dx, place.numbers, channels, len(w) // groups)
        return dx
    back = w.reshape(groups, -1, w[0].size).swapaxes(1, 2)
    for some in _blocks(channels, n, place):
        rows = dy[some].reshape(-1, groups, len(w) // groups, math.prod(place.out))
        columns = xp.ascontiguousarray(xp.matmul(back, rows))
        if place.points:
            dx[some] = columns.reshape(dx[some].shape)
        else:
            launch(image_of_columns, len(rows) * channels, threads, columns, dx[some], place.numbers)
    return dx


def filter_grad(x: Any, dy: Any, shape: Sequence[int], place: Place, groups: int) -> Any:
    """Return the gradient of the filters, which have `shape`."""
    xp, n, (filters, *inner) = array_module("gpu"), len(x), shape
    x, dy = xp.ascontiguousarray(x), xp.ascontiguousarray(dy)
    taps, places = math.prod(place.window), math.prod(place.out)
    if inner[0] == 1:  # as in `_direct`
        dw = xp.empty(tuple(shape), x.dtype)
        numbers = place.numbers, n, filters, filters // groups
        launch(depthwise_filter_grad, filters * taps, threads_for(places), x, dy, dw, *numbers)
        return dw
    total: Any = None
    for some in _blocks(x.shape[1], n, place):
        rows = dy[some].swapaxes(0, 1).reshape(groups, filters // groups, -1)
        columns = _columns(xp, x[some], place, together=True).reshape(groups, math.prod(inner), -1)
        part = xp.matmul(rows, columns.swapaxes(1, 2))
        total = part if total is None else total + part
    return total.reshape(tuple(shape))


def _direct(w: Any) -> bool:
    """Return whether each filter sees one channel."""
    return w.shape[1] == 1


def _blocks(channels: int, images: int, place: Place) -> list[slice]:
    """Return the images whose columns are made at once."""
    count = max(1, MOST_COLUMNS // (channels * math.prod(place.window) * math.prod(place.out)))
    return [slice(first, first + count) for first in range(0, images, count)]


def _columns(xp: Any, x: Any, place: Place, together: bool = False) -> Any:
    """Return the windows as columns: rows (image, channel, tap), or (channel, tap, image) if `together`."""
    if place.points:
        return xp.ascontiguousarray(x.swapaxes(0, 1)) if together else x
    (n, channels), taps, places = x.shape[:2], math.prod(place.window), math.prod(place.out)
    columns = xp.empty(n * channels * taps * places, x.dtype)
    given = x, columns, place.numbers, n, channels, int(together)
    launch(window_columns, n * channels * taps, threads_for(places), *given)
    return columns
