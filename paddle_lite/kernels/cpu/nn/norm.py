"""Normalisation of channels and of rows, with gradients, on NumPy arrays in float32 or float64.

Channels are planes `[image, channel, point]`, or last, `[row, channel]`; a channel of planes is read again while it is in
the cache. Sums over one plane or row have the precision of the arrays, sums of these are float64. Several threads share
out the channels, or the rows.
"""

from __future__ import annotations

import numpy as np

from ...numba_jit import inline, jit
from ...threads import parallel_for, parallel_slices

__all__ = ["batch_norm", "batch_norm_grad", "layer_norm", "layer_norm_grad", "scale_channels"]

BLOCKS, ROWS = 16, 16  # of a sum over rows: the most blocks, and the fewest rows of a block
AT_ONCE = 16  # channels in a unit of work if channels are last: 64 bytes of float32


def batch_norm(
    x: np.ndarray, scale: np.ndarray, bias: np.ndarray, epsilon: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return (x - mean) / sqrt(variance + epsilon) * scale + bias with the mean and the variance of each channel of x.

    Args:
        x: planes [N, C, M] or rows [R, C].
        scale, bias: [C].
        epsilon: added to the variance.

    Returns:
        The result, like x, and [C] each: mean, variance (biased), 1 / sqrt(variance + epsilon).

    Example:
        >>> x = np.array([[1.0, 5.0], [3.0, 5.0]])
        >>> batch_norm(x, np.ones(2), np.zeros(2), 0.0)[0][:, 0], batch_norm(x, np.ones(2), np.zeros(2), 1e-5)[1]
        (array([-1.,  1.]), array([2., 5.]))
    """
    x, y = np.ascontiguousarray(x), np.empty(x.shape, x.dtype)
    mean, variance, inverse = np.empty((3, x.shape[1]), x.dtype)
    if x.ndim == 3:
        parallel_for(_planes, x.shape[1], 3 * x.size, (x, scale, bias, epsilon, y, mean, variance, inverse))
    else:
        parallel_for(_row_moments, -(-x.shape[1] // AT_ONCE), 2 * x.size, (x, epsilon, mean, variance, inverse))
        parallel_slices(_scaled_rows, (x, mean, inverse * scale, bias, y), (0, 4), x.size)
    return y, mean, variance, inverse


def scale_channels(x: np.ndarray, mean: np.ndarray, factor: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Return (x - mean) * factor + bias for each channel.

    Args:
        x: planes [N, C, M] or rows [R, C].
        mean, factor, bias: [C].

    Returns:
        An array like x.
    """
    x, y = np.ascontiguousarray(x), np.empty(x.shape, x.dtype)
    if x.ndim == 3:
        parallel_for(_scaled_planes, x.shape[0] * x.shape[1], x.size, (x, mean, factor, bias, y))
    else:
        parallel_slices(_scaled_rows, (x, mean, factor, bias, y), (0, 4), x.size)
    return y


def batch_norm_grad(
    x: np.ndarray, dy: np.ndarray, scale: np.ndarray, mean: np.ndarray, inverse: np.ndarray, fixed: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the gradient of `batch_norm` with respect to x, scale and bias.

    Args:
        x: planes [N, C, M] or rows [R, C].
        dy: gradient of the result, like x.
        scale, mean, inverse: [C], as batch_norm took and returned them.
        fixed: whether the mean and the variance were constants, not those of x.

    Returns:
        The gradients of x, scale and bias.
    """
    x, dy = np.ascontiguousarray(x), np.ascontiguousarray(dy)
    dx, (d_scale, d_bias) = np.empty(x.shape, x.dtype), np.empty((2, x.shape[1]), x.dtype)
    kernel, length = (_planes_grad, x.shape[1]) if x.ndim == 3 else (_rows_grad, -(-x.shape[1] // AT_ONCE))
    parallel_for(kernel, length, 3 * x.size, (x, dy, scale, mean, inverse, fixed, dx, d_scale, d_bias))
    return dx, d_scale, d_bias


def layer_norm(
    x: np.ndarray, scale: np.ndarray, bias: np.ndarray, epsilon: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (x - mean) / sqrt(variance + epsilon) * scale + bias with the mean and the variance of each row.

    Args:
        x: [R, D].
        scale, bias: [D].
        epsilon: added to the variance.

    Returns:
        The result, like x, and [R] each: mean, variance (biased).
    """
    y, (mean, variance) = np.empty(x.shape, x.dtype), np.empty((2, len(x)), x.dtype)
    args = np.ascontiguousarray(x), scale, bias, epsilon, y, mean, variance
    parallel_slices(_layer_norm, args, (0, 4, 5, 6), 2 * x.size)
    return y, mean, variance


def layer_norm_grad(
    x: np.ndarray, dy: np.ndarray, scale: np.ndarray, mean: np.ndarray, variance: np.ndarray, epsilon: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the gradient of `layer_norm` with respect to x, scale and bias.

    Args:
        x: [R, D].
        dy: gradient of the result, [R, D].
        scale: [D].
        mean, variance: [R], as layer_norm returned them.
        epsilon: added to the variance.

    Returns:
        The gradients of x, scale and bias.
    """
    x, dy = np.ascontiguousarray(x), np.ascontiguousarray(dy)
    dx, sums = np.empty(x.shape, x.dtype), np.empty((max(1, min(BLOCKS, len(x) // ROWS)), 2, x.shape[1]))
    parallel_for(_layer_norm_grad, len(sums), 4 * x.size, (sums, x, dy, scale, mean, variance, epsilon, dx))
    return dx, *sums.sum(0).astype(x.dtype)


@jit(reassoc=True, shared=True)
def _planes(first, last, x, scale, bias, epsilon, y, mean, variance, inverse):
    """Compute statistics and results, channel by channel."""
    count = x.shape[0] * x.shape[2]
    for c in range(first, last):
        total = 0.0
        for n in range(x.shape[0]):
            part, plane = x.dtype.type(0), x[n, c]
            for k in range(plane.size):
                part += plane[k]
            total += part
        middle = x.dtype.type(total / count)
        total = 0.0
        for n in range(x.shape[0]):
            part, plane = x.dtype.type(0), x[n, c]
            for k in range(plane.size):
                part += (plane[k] - middle) * (plane[k] - middle)
            total += part
        mean[c], variance[c] = middle, total / count
        inverse[c] = 1 / np.sqrt(total / count + epsilon)
        factor, shift = inverse[c] * scale[c], bias[c]
        for n in range(x.shape[0]):
            plane, out = x[n, c], y[n, c]
            for k in range(plane.size):
                out[k] = (plane[k] - middle) * factor + shift


@jit(shared=True)
def _scaled_planes(first, last, x, mean, factor, bias, y):
    for p in range(first, last):
        n, c = p // x.shape[1], p % x.shape[1]
        plane, out, middle, by, shift = x[n, c], y[n, c], mean[c], factor[c], bias[c]
        for k in range(plane.size):
            out[k] = (plane[k] - middle) * by + shift


@jit(reassoc=True, shared=True)
def _planes_grad(first, last, x, dy, scale, mean, inverse, fixed, dx, d_scale, d_bias):
    """Compute dx = factor * (dy - mean(dy) - normal * mean(dy * normal)), where normal is x normalised."""
    count = x.shape[0] * x.shape[2]
    for c in range(first, last):
        middle, along, across = mean[c], 0.0, 0.0
        for n in range(x.shape[0]):
            plane, gradient = x[n, c], dy[n, c]
            one, other = x.dtype.type(0), x.dtype.type(0)
            for k in range(plane.size):
                one += gradient[k]
                other += gradient[k] * (plane[k] - middle)
            along += one
            across += other
        d_bias[c], d_scale[c] = along, across * inverse[c]
        factor = inverse[c] * scale[c]
        level = x.dtype.type(0.0 if fixed else along / count)
        slope = x.dtype.type(0.0 if fixed else across * inverse[c] * inverse[c] / count)
        for n in range(x.shape[0]):
            plane, gradient, out = x[n, c], dy[n, c], dx[n, c]
            for k in range(plane.size):
                out[k] = factor * (gradient[k] - level - (plane[k] - middle) * slope)


@jit(shared=True)
def _row_moments(first, last, x, epsilon, all_mean, all_variance, all_inverse):
    """Compute the statistics of channels that are last, AT_ONCE of them at a time."""
    first, last = AT_ONCE * first, min(AT_ONCE * last, x.shape[1])
    mean, variance, inverse = all_mean[first:last], all_variance[first:last], all_inverse[first:last]
    sums = np.zeros(mean.size)
    for r in range(x.shape[0]):
        row = x[r, first:last]
        for c in range(row.size):
            sums[c] += row[c]
    for c in range(mean.size):
        mean[c] = sums[c] / x.shape[0]
        sums[c] = 0
    for r in range(x.shape[0]):
        row = x[r, first:last]
        for c in range(row.size):
            sums[c] += (row[c] - mean[c]) * (row[c] - mean[c])
    for c in range(mean.size):
        variance[c] = sums[c] / x.shape[0]
        inverse[c] = 1 / np.sqrt(sums[c] / x.shape[0] + epsilon)


@jit(shared=True)
def _scaled_rows(x, mean, factor, bias, y):
    for r in range(x.shape[0]):
        row, out = x[r], y[r]
        for c in range(row.size):
            out[c] = (row[c] - mean[c]) * factor[c] + bias[c]


@jit(shared=True)
def _rows_grad(first, last, x, dy, all_scale, all_mean, all_inverse, fixed, dx, d_scale, d_bias):
    """Compute `_planes_grad` for channels that are last, AT_ONCE of them at a time."""
    first, last = AT_ONCE * first, min(AT_ONCE * last, x.shape[1])
    scale, mean, inverse = all_scale[first:last], all_mean[first:last], all_inverse[first:last]
    across, along = np.zeros(mean.size), np.zeros(mean.size)
    for r in range(x.shape[0]):
        row, gradient = x[r, first:last], dy[r, first:last]
        for c in range(row.size):
            along[c] += gradient[c]
            across[c] += gradient[c] * (row[c] - mean[c])
    level, slope, factor = np.zeros_like(mean), np.zeros_like(mean), np.empty_like(mean)
    for c in range(mean.size):
        across[c] *= inverse[c]
        factor[c] = inverse[c] * scale[c]
        if not fixed:
            level[c], slope[c] = along[c] / x.shape[0], across[c] * inverse[c] / x.shape[0]
    for c in range(mean.size):
        d_scale[first + c], d_bias[first + c] = across[c], along[c]
    for r in range(x.shape[0]):
        row, gradient, out = x[r, first:last], dy[r, first:last], dx[r, first:last]
        for c in range(row.size):
            out[c] = factor[c] * (gradient[c] - level[c] - (row[c] - mean[c]) * slope[c])


@jit(reassoc=True, shared=True)
def _layer_norm(x, scale, bias, epsilon, y, mean, variance):
    """Compute y and the statistics of each row."""
    for r in range(x.shape[0]):
        row, out = x[r], y[r]
        total = x.dtype.type(0)
        for k in range(row.size):
            total += row[k]
        middle = total / x.dtype.type(row.size)
        total = x.dtype.type(0)
        for k in range(row.size):
            total += (row[k] - middle) * (row[k] - middle)
        spread = total / x.dtype.type(row.size)
        mean[r], variance[r] = middle, spread
        by = x.dtype.type(1 / np.sqrt(spread + epsilon))
        for k in range(row.size):
            out[k] = (row[k] - middle) * by * scale[k] + bias[k]


@jit(reassoc=True, shared=True)
def _layer_norm_grad(first, last, sums, x, dy, scale, mean, variance, epsilon, dx):
    """Compute some blocks of dx, and in `sums`, float64 [blocks, 2, D], what each adds to the gradients of scale and bias."""
    for block in range(first, last):
        begin, end = x.shape[0] * block // sums.shape[0], x.shape[0] * (block + 1) // sums.shape[0]
        _rows_of_layer_norm_grad(begin, end, sums[block], x, dy, scale, mean, variance, epsilon, dx)


@inline(reassoc=True)
def _rows_of_layer_norm_grad(begin, end, sums, x, dy, scale, mean, variance, epsilon, dx):
    """Compute some rows of dx, and what they add to the gradients of scale and bias."""
    d_scale, d_bias = sums[0], sums[1]
    sums[:] = 0
    for r in range(begin, end):
        row, gradient, out, middle = x[r], dy[r], dx[r], mean[r]
        by = x.dtype.type(1 / np.sqrt(variance[r] + epsilon))
        along, across = x.dtype.type(0), x.dtype.type(0)
        for k in range(row.size):
            scaled_gradient = gradient[k] * scale[k]
            along += scaled_gradient
            across += scaled_gradient * (row[k] - middle) * by
        along, across = along / x.dtype.type(row.size), across / x.dtype.type(row.size)
        for k in range(row.size):
            normal = (row[k] - middle) * by
            out[k] = (gradient[k] * scale[k] - along - normal * across) * by
        for k in range(row.size):
            d_scale[k] += gradient[k] * ((row[k] - middle) * by)
            d_bias[k] += gradient[k]
