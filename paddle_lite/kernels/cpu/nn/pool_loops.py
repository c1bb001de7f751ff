"""The loops of pooling over contiguous planes `[image and channel, row, column]`.

If only values matter, a window is reduced over its rows first, since rows are contiguous and the loop is vectorised.
"""

import numpy as np

from paddle_lite.kernels.numba_jit import inline, jit

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


@jit(shared=True)
def max_pairs_grad(x, y, dy, dx):
    """Compute the gradient of `max_pairs`, which goes to the first maximum.

    There is one loop for each row, which passes on the remaining gradient; a single loop over both rows would need more
    overlap checks than LLVM generates, and would not be vectorised.
    """
    zero = dy.dtype.type(0)
    left = np.empty(y.shape[2], dy.dtype)
    for p in range(y.shape[0]):
        for r in range(y.shape[1]):
            best, gradient, width = y[p, r], dy[p, r], 2 * y.shape[2]
            source, out = x[p, 2 * r, :width], dx[p, 2 * r, :width]
            for c in range(best.size):
                rest, smaller = gradient[c], source[2 * c] < best[c]
                out[2 * c] = zero if smaller else rest
                rest, smaller = rest if smaller else zero, source[2 * c + 1] < best[c]
                out[2 * c + 1] = zero if smaller else rest
                left[c] = rest if smaller else zero
            source, out = x[p, 2 * r + 1, :width], dx[p, 2 * r + 1, :width]
            for c in range(best.size):
                rest, smaller = left[c], source[2 * c] < best[c]
                out[2 * c] = zero if smaller else rest
                out[2 * c + 1] = rest if smaller else zero
            dx[p, 2 * r, width:] = 0
            dx[p, 2 * r + 1, width:] = 0
        dx[p, 2 * y.shape[1] :] = 0


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
