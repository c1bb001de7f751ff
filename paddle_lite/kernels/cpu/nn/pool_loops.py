"""The loops of pooling over contiguous planes `[image and channel, row, column]`.

If only values matter, a window is reduced over its rows first, since rows are contiguous and the loop is vectorised.
"""

import numpy as np

from paddle_lite.kernels.numba_jit import inline, jit
from paddle_lite.kernels.simd import (
    SIZE,
    deinterleave,
    interleave,
    load,
    load_first,
    store,
    store_first,
    where_less,
    zeros,
)

__all__ = [
    "add_at_index",
    "average_windows",
    "average_windows_grad",
    "max_pairs",
    "max_pairs_grad",
    "max_windows",
    "max_windows_grad",
    "max_windows_with_index",
]


@inline
def _larger(best, value):
    """Return the larger number; NaN takes precedence."""
    return value if (value > best) | (value != value) else best


@inline
def _hold(row, low, high):
    """Clamp a row of results while it is in the cache; NaN stays."""
    if low > -np.inf:
        for c in range(row.size):
            value = low if row[c] < low else row[c]
            row[c] = high if value > high else value


@jit(shared=True)
def max_pairs(x, y, low, high):
    """Compute the maxima of adjacent 2x2 windows, clamped to [low, high]."""
    for p in range(y.shape[0]):
        for r in range(y.shape[1]):
            upper, lower, out = x[p, 2 * r], x[p, 2 * r + 1], y[p, r]
            for c in range(out.size):
                above = _larger(upper[2 * c], upper[2 * c + 1])
                below = _larger(lower[2 * c], lower[2 * c + 1])
                out[c] = _larger(above, below)
            _hold(out, low, high)


@inline
def _pass_on(upper, lower, best, gradient, none):
    """Return the gradients of the left and right inputs of windows in two rows, given by vectors (left, right) of either row."""
    first = where_less(upper[0], best, none, gradient)
    rest = where_less(upper[0], best, gradient, none)
    second = where_less(upper[1], best, none, rest)
    rest = where_less(upper[1], best, rest, none)
    third = where_less(lower[0], best, none, rest)
    return first, second, third, where_less(lower[0], best, rest, none)


@inline
def _load_pairs(x, at, count):
    """Return the elements of a row at even places and those at odd ones; from the element `count` on they are 0."""
    step = SIZE // x.itemsize
    return deinterleave(load_first(x, at, count), load_first(x, at + step, count - step))


@inline
def _store_pairs(out, at, even, odd, count):
    """Write the first `count` elements of a row."""
    step = SIZE // out.itemsize
    a, b = interleave(even, odd)
    store_first(out, at, a, count)
    store_first(out, at + step, b, count - step)


@jit(shared=True, in_vectors=True)
def max_pairs_grad(x, y, dy, dx):
    """Compute the gradient of `max_pairs`, which goes to the first maximum.

    The last vector of windows of a row overlaps the one before. A row shorter than a vector is followed by what is written again later,
    or, at the end of the arrays, written in part.
    """
    height, width, rows, columns = x.shape[1], x.shape[2], y.shape[1], y.shape[2]
    source, best, gradient, out = x.reshape(x.size), y.reshape(y.size), dy.reshape(dy.size), dx.reshape(dx.size)
    step, none = SIZE // x.itemsize, zeros(out)
    for row in range(y.shape[0] * rows):
        start = (row // rows * height + row % rows * 2) * width
        for first in range(0, columns, step):
            c = max(0, min(first, columns - step))
            at, below, to = start + 2 * c, start + 2 * c + width, row * columns + c
            if below + 2 * step <= out.size and to + step <= best.size:
                one = deinterleave(load(source, at), load(source, at + step))
                two = deinterleave(load(source, below), load(source, below + step))
                a, b, d, e = _pass_on(one, two, load(best, to), load(gradient, to), none)
                a, b = interleave(a, b)
                d, e = interleave(d, e)
                store(out, at, a)
                store(out, at + step, b)
                store(out, below, d)
                store(out, below + step, e)
            else:
                left = columns - c
                one, two = _load_pairs(source, at, 2 * left), _load_pairs(source, below, 2 * left)
                given = load_first(best, to, left), load_first(gradient, to, left)
                a, b, d, e = _pass_on(one, two, given[0], given[1], none)
                _store_pairs(out, at, a, b, 2 * left)
                _store_pairs(out, below, d, e, 2 * left)
        for k in range(2 * columns, width):
            out[start + k] = 0
            out[start + width + k] = 0
        if row % rows == rows - 1:
            for k in range(start + 2 * width, start + (height - 2 * rows + 2) * width):
                out[k] = 0


@jit(shared=True)
def max_windows(x, y, tops, bottoms, lefts, rights, lowest, low, high):
    """Compute the maxima of arbitrary windows, clamped to [low, high]."""
    columns = np.empty(x.shape[2], x.dtype)
    for p in range(y.shape[0]):
        for r in range(y.shape[1]):
            columns[:] = -np.inf
            for h in range(tops[r], bottoms[r]):
                row = x[p, h]
                for w in range(row.size):
                    columns[w] = _larger(columns[w], row[w])
            for c in range(y.shape[2]):
                if tops[r] < bottoms[r] and lefts[c] < rights[c]:
                    best = columns[lefts[c]]
                    for w in range(lefts[c] + 1, rights[c]):
                        best = _larger(best, columns[w])
                    y[p, r, c] = best
                else:
                    y[p, r, c] = lowest
            _hold(y[p, r], low, high)


@jit(shared=True)
def max_windows_with_index(x, y, index, tops, bottoms, lefts, rights, lowest):
    """Compute the maxima of arbitrary windows, and the position of the first of each in its plane."""
    for p in range(y.shape[0]):
        for r in range(y.shape[1]):
            for c in range(y.shape[2]):
                best, at = x.dtype.type(lowest), -1
                for h in range(tops[r], bottoms[r]):
                    for w in range(lefts[c], rights[c]):
                        value = x[p, h, w]
                        better = (at < 0) | (value > best) | ((value != value) & (best == best))
                        at = h * x.shape[2] + w if better else at
                        best = value if better else best
                y[p, r, c] = best
                index[p, r, c] = at


@jit(shared=True)
def max_windows_grad(x, y, dy, dx, tops, bottoms, lefts, rights):
    """Compute the gradient of `max_windows`, which goes to the first maximum."""
    dx[:] = 0
    for p in range(y.shape[0]):
        source, out = x[p].ravel(), dx[p].ravel()
        for r in range(y.shape[1]):
            for c in range(y.shape[2]):
                best, at = y[p, r, c], -1
                for h in range(bottoms[r] - 1, tops[r] - 1, -1):  # backwards, so that the first maximum is found last
                    for k in range(h * x.shape[2] + rights[c] - 1, h * x.shape[2] + lefts[c] - 1, -1):
                        at = at if source[k] < best else k
                if at >= 0:
                    out[at] += dy[p, r, c]


@jit(shared=True)
def add_at_index(index, dy, dx):
    """Add gradients at positions of flat planes in dx."""
    for p in range(dy.shape[0]):
        for r in range(dy.shape[1]):
            for c in range(dy.shape[2]):
                if index[p, r, c] >= 0:
                    dx[p, index[p, r, c]] += dy[p, r, c]


@jit(shared=True)
def average_windows(x, y, tops, bottoms, lefts, rights, area, low, high):
    """Compute the averages of arbitrary windows, clamped to [low, high].

    Area 0 divides by the number of inputs, which is negative for some windows outside the image.
    """
    columns = np.empty(x.shape[2], x.dtype)
    for p in range(y.shape[0]):
        for r in range(y.shape[1]):
            columns[:] = 0
            for h in range(tops[r], bottoms[r]):
                row = x[p, h]
                for w in range(row.size):
                    columns[w] += row[w]
            for c in range(y.shape[2]):
                total = x.dtype.type(0)
                for w in range(lefts[c], rights[c]):
                    total += columns[w]
                inputs = (bottoms[r] - tops[r]) * (rights[c] - lefts[c])
                y[p, r, c] = total / x.dtype.type(area if area > 0 else inputs)
            _hold(y[p, r], low, high)


@jit(shared=True)
def average_windows_grad(dy, dx, tops, bottoms, lefts, rights, area):
    """Add the gradient of `average_windows` to dx."""
    columns = np.empty(dx.shape[2], dx.dtype)
    for p in range(dy.shape[0]):
        for r in range(dy.shape[1]):
            columns[:] = 0
            for c in range(dy.shape[2]):
                inputs = (bottoms[r] - tops[r]) * (rights[c] - lefts[c])
                share = dy[p, r, c] / dx.dtype.type(area if area > 0 else inputs)
                for w in range(lefts[c], rights[c]):
                    columns[w] += share
            for h in range(tops[r], bottoms[r]):
                row = dx[p, h]
                for w in range(row.size):
                    row[w] += columns[w]
