"""Windows along one dimension of an array: maxima and sums over them, and the gradient of the sums.

A pooling reduces one dimension after another. Arrays are read and written by taps: a tap is the k-th points of all
windows, which are a slice of the dimension if the windows are evenly spaced.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from ...core.indexed import add_at
from . import window_sizes

Selector = slice | tuple[int, ...]


class Windows(NamedTuple):
    """The windows along a dimension.

    size: the number of points of the dimension. first, end: for each window, its first point and the one after its last
    point; points below 0 and from `size` on are padding.
    """

    size: int
    first: tuple[int, ...]
    end: tuple[int, ...]

    def counts(self) -> list[int]:
        """Return the number of points of each window that are no padding; 0 or less if there are none."""
        return [min(end, self.size) - max(first, 0) for first, end in zip(self.first, self.end)]


def pooling_windows(
    size: Any, ksize: Any, global_pooling: bool, strides: Any, paddings: Any, adaptive: bool, ceil_mode: bool,
    padding_algorithm: str, **_: Any,
) -> list[Windows]:  # fmt: skip
    """Return the windows of a pooling along each dimension of an image of `size`; the arguments are its attributes."""
    window, pads, out = window_sizes.pooling_sizes(
        size, ksize, global_pooling, strides, paddings, adaptive, ceil_mode, padding_algorithm
    )
    found = []
    for n, k, s, (before, _after), o in zip(size, window, strides, pads, out):
        if adaptive:
            found.append(Windows(n, tuple(i * n // o for i in range(o)), tuple(-(-(i + 1) * n // o) for i in range(o))))
        else:
            first = range(-before, o * s - before, s)
            found.append(Windows(n, tuple(first), tuple(i + k for i in first)))
    return found


class Tap(NamedTuple):
    """The k-th points of some windows. begins: whether they are the first points of these windows that are no padding."""

    points: Selector
    windows: Selector
    begins: bool


@lru_cache(maxsize=256)
def _taps(windows: Windows) -> list[Tap]:
    """Return all taps in the order of the points of a window, without padding."""
    found = []
    for k in range(max(end - first for first, end in zip(windows.first, windows.end))):
        for begins in (True, False):
            pairs = [
                (first + k, i)
                for i, (first, end) in enumerate(zip(windows.first, windows.end))
                if 0 <= first + k < min(end, windows.size) and begins == (k == max(0, -first))
            ]
            if pairs:
                points, numbers = zip(*pairs)
                found.append(Tap(_selector(points), _selector(numbers), begins))
    return found


def _selector(numbers: tuple[int, ...]) -> Selector:
    """Return a slice if the numbers rise by equal steps, else the numbers."""
    step = numbers[1] - numbers[0] if len(numbers) > 1 else 1
    even = step > 0 and numbers == tuple(range(numbers[0], numbers[-1] + 1, step))
    return slice(numbers[0], numbers[-1] + 1, step) if even else numbers


def _indices(xp: Any, axis: int, windows: Windows) -> Iterator[tuple[tuple, tuple, bool]]:
    """Yield, for each tap, the index of its points in an array, that of its windows in a result, and whether it begins."""
    before = (slice(None),) * axis
    for tap in _taps(windows):
        points, numbers = ((*before, s if isinstance(s, slice) else xp.asarray(s)) for s in tap[:2])
        yield points, numbers, tap.begins


def _filled(xp: Any, x: Any, axis: int, windows: Windows, value: Any, dtype: Any) -> Any:
    """Return an array like x with an element for each window."""
    return xp.full((*x.shape[:axis], len(windows.first), *x.shape[axis + 1 :]), value, dtype)


def highest(xp: Any, x: Any, axis: int, windows: Windows) -> Any:
    """Return the maximum of each window along an axis: -inf for no points, NaN if one is NaN."""
    y = _filled(xp, x, axis, windows, -xp.inf, x.dtype)
    for points, numbers, begins in _indices(xp, axis, windows):
        y[numbers] = x[points] if begins else xp.maximum(y[numbers], x[points])
    return y


def first_highest(xp: Any, x: Any, labels: Any, axis: int, windows: Windows) -> tuple[Any, Any]:
    """Return the maximum of each window along an axis, and the label of the first point that has it.

    labels: integers that broadcast to x. The label is -1 for no points; a NaN counts as the maximum.
    """
    y = _filled(xp, x, axis, windows, -xp.inf, x.dtype)
    found = _filled(xp, x, axis, windows, -1, labels.dtype)
    for points, numbers, begins in _indices(xp, axis, windows):
        label = labels[points]
        if begins:
            y[numbers], found[numbers] = x[points], label
            continue
        seen, best = xp.ascontiguousarray(x[points]), y[numbers]
        found[numbers] = xp.where((seen > best) | ((seen != seen) & (best == best)), label, found[numbers])
        y[numbers] = xp.maximum(best, seen)
    return y, found


def totals(xp: Any, x: Any, axis: int, windows: Windows) -> Any:
    """Return the sum of each window along an axis."""
    y = _filled(xp, x, axis, windows, 0, x.dtype)
    for points, numbers, begins in _indices(xp, axis, windows):
        y[numbers] = x[points] if begins else y[numbers] + x[points]
    return y


def spread(xp: Any, d: Any, axis: int, windows: Windows) -> Any:
    """Return the gradient of `totals`: each window's d added to all of its points."""
    x = xp.zeros((*d.shape[:axis], windows.size, *d.shape[axis + 1 :]), d.dtype)
    for points, numbers, _ in _indices(xp, axis, windows):
        if isinstance(points[axis], slice):
            x[points] += d[numbers]
        else:
            add_at(xp, x, points, d[numbers])  # where there are more windows than points, several begin at the same one
    return x
