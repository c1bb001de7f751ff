"""What convolutions and poolings compute, in NumPy, for any number of spatial dimensions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

Pads = Sequence[tuple[int, int]]


def padded(x: np.ndarray, pads: Pads, value: float = 0.0) -> np.ndarray:
    """Return x [N, C, ...] with `value` before and after each spatial dimension."""
    return np.pad(x, [(0, 0), (0, 0), *pads], constant_values=value)


def convolved(x: np.ndarray, w: np.ndarray, b: np.ndarray, pads: Pads) -> np.ndarray:
    """Return the convolution with w [filters, C, ...] in steps of 1."""
    spatial = tuple(range(2, x.ndim))
    windows = np.lib.stride_tricks.sliding_window_view(padded(x, pads), w.shape[2:], axis=spatial)
    out = np.tensordot(windows, w, axes=[[1, *range(x.ndim, windows.ndim)], range(1, w.ndim)])
    return np.moveaxis(out, -1, 1) + b.reshape(-1, *[1] * len(spatial))


def transposed(x: np.ndarray, w: np.ndarray, b: np.ndarray, stride: int, pads: Pads, size: Sequence[int]) -> np.ndarray:
    """Return the transposed convolution with w [C, filters, ...]: each element of x adds w times itself to a window."""
    before = [p for p, _ in pads]
    room = [
        max((n - 1) * stride + k, first + want) for n, k, first, want in zip(x.shape[2:], w.shape[2:], before, size)
    ]
    out = np.zeros((len(x), w.shape[1], *room))
    for place in np.ndindex(*x.shape[2:]):
        window = tuple(slice(i * stride, i * stride + k) for i, k in zip(place, w.shape[2:]))
        out[(slice(None), slice(None), *window)] += np.tensordot(x[(slice(None), slice(None), *place)], w, axes=1)
    part = tuple(slice(first, first + want) for first, want in zip(before, size))
    return out[(slice(None), slice(None), *part)] + b.reshape(-1, *[1] * len(size))


def pooled(x: np.ndarray, windows: Sequence[Sequence[slice]], how: Callable) -> np.ndarray:
    """Return what `how` (np.max, np.mean) gives for each window of [N, C, H, W], given by slices of rows and of columns."""
    rows, columns = windows
    each = [[how(x[:, :, r, c], axis=(2, 3)) for c in columns] for r in rows]
    return np.moveaxis(np.array(each), (0, 1), (2, 3))


def slices(size: int, window: int, stride: int, before: int, count: int) -> list[slice]:
    """Return `count` windows of a dimension as they lie in it, cut off at its ends."""
    starts = [i * stride - before for i in range(count)]
    return [slice(max(start, 0), min(start + window, size)) for start in starts]
