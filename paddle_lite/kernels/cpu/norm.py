"""Normalisation of channels and of rows, with gradients, on NumPy arrays in float32 or float64.

Channels come as planes `[image, channel, point]`, or last, `[row, channel]`; a channel of planes is read again while it is
in the cache. Sums over one plane or row have the precision of the arrays, sums of these float64.
"""

from __future__ import annotations

import numpy as np

from ..numba_jit import jit

__all__ = ["batch_norm", "batch_norm_grad", "layer_norm", "layer_norm_grad", "scaled"]


def batch_norm(
    x: np.ndarray, scale: np.ndarray, bias: np.ndarray, epsilon: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias, with the mean and the variance of each channel of x.

    Args:
        x: planes [N, C, M] or rows [R, C].
        scale, bias: [C].
        epsilon: added to the variance.

    Returns:
        the result like x, and [C] each: mean, variance (biased), 1 / sqrt(variance + epsilon).

    Example:
        >>> x = np.array([[1.0, 5.0], [3.0, 5.0]])
        >>> batch_norm(x, np.ones(2), np.zeros(2), 0.0)[0][:, 0], batch_norm(x, np.ones(2), np.zeros(2), 1e-5)[1]
        (array([-1.,  1.]), array([2., 5.]))
    """
    x, y = np.ascontiguousarray(x), np.empty(x.shape, x.dtype)
    mean, variance, inverse = np.empty((3, x.shape[1]), x.dtype)
    if x.ndim == 3:
        _planes(x, scale, bias, epsilon, y, mean, variance, inverse)
    else:
        _row_moments(x, epsilon, np.zeros(x.shape[1]), mean, variance, inverse)
        _scaled_rows(x, mean, inverse * scale, bias, y)
    return y, mean, variance, inverse


def scaled(x: np.ndarray, mean: np.ndarray, factor: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """(x - mean) * factor + bias for each channel.

    Args:
        x: planes [N, C, M] or rows [R, C].
        mean, factor, bias: [C].

    Returns:
        An array like x.
    """
    y = np.empty(x.shape, x.dtype)
    (_scaled_planes if x.ndim == 3 else _scaled_rows)(np.ascontiguousarray(x), mean, factor, bias, y)
    return y


def batch_norm_grad(
    x: np.ndarray, dy: np.ndarray, scale: np.ndarray, mean: np.ndarray, inverse: np.ndarray, fixed: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The gradient of `batch_norm` with respect to x, scale and bias.

    Args:
        x: planes [N, C, M] or rows [R, C].
        dy: gradient of the result, like x.
        scale, mean, inverse: [C], as batch_norm took and returned them.
        fixed: whether the mean and the variance were given, not those of x.

    Returns:
        The gradients of x, scale and bias.
    """
    x, dy = np.ascontiguousarray(x), np.ascontiguousarray(dy)
    dx, (d_scale, d_bias) = np.empty(x.shape, x.dtype), np.empty((2, x.shape[1]), x.dtype)
    if x.ndim == 3:
        _planes_grad(x, dy, scale, mean, inverse, fixed, dx, d_scale, d_bias)
    else:
        sums = np.zeros((2, x.shape[1]))
        _rows_grad(x, dy, scale, mean, inverse, fixed, sums, dx)
        d_scale[:], d_bias[:] = sums
    return dx, d_scale, d_bias


def layer_norm(
    x: np.ndarray, scale: np.ndarray, bias: np.ndarray, epsilon: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias, with the mean and the variance of each row.

    Args:
        x: [R, D].
        scale, bias: [D].
        epsilon: added to the variance.

    Returns:
        the result like x, and [R] each: mean, variance (biased).
    """
    y, (mean, variance) = np.empty(x.shape, x.dtype), np.empty((2, len(x)), x.dtype)
    _layer_norm(np.ascontiguousarray(x), scale, bias, epsilon, y, mean, variance)
    return y, mean, variance


def layer_norm_grad(
    x: np.ndarray, dy: np.ndarray, scale: np.ndarray, mean: np.ndarray, variance: np.ndarray, epsilon: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The gradient of `layer_norm` with respect to x, scale and bias.

    Args:
        x: [R, D].
        dy: gradient of the result, [R, D].
        scale: [D].
        mean, variance: [R], as layer_norm returned them.
        epsilon: added to the variance.

    Returns:
        The gradients of x, scale and bias.
    """
    dx, sums = np.empty(x.shape, x.dtype), np.zeros((2, x.shape[1]))
    arrays = np.ascontiguousarray(x), np.ascontiguousarray(dy)
    _layer_norm_grad(*arrays, scale, mean, variance, epsilon, dx, sums)
    return dx, *sums.astype(x.dtype)


@jit(reassoc=True)
def _planes(x, scale, bias, epsilon, y, mean, variance, inverse):
    """Statistics and results, channel by channel."""
    count = x.shape[0] * x.shape[2]
    for c in range(x.shape[1]):
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


@jit
def _scaled_planes(x, mean, factor, bias, y):
    for n in range(x.shape[0]):
        for c in range(x.shape[1]):
            plane, out, middle, by, shift = x[n, c], y[n, c], mean[c], factor[c], bias[c]
            for k in range(plane.size):
                out[k] = (plane[k] - middle) * by + shift


@jit(reassoc=True)
def _planes_grad(x, dy, scale, mean, inverse, fixed, dx, d_scale, d_bias):
    """dx = factor * (dy - mean(dy) - normal * mean(dy * normal)), where normal is x normalised."""
    count = x.shape[0] * x.shape[2]
    for c in range(x.shape[1]):
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


@jit
def _row_moments(x, epsilon, sums, mean, variance, inverse):
    """Statistics of channels that are last; `sums` are zeros of float64."""
    for r in range(x.shape[0]):
        row = x[r]
        for c in range(row.size):
            sums[c] += row[c]
    for c in range(mean.size):
        mean[c] = sums[c] / x.shape[0]
        sums[c] = 0
    for r in range(x.shape[0]):
        row = x[r]
        for c in range(row.size):
            sums[c] += (row[c] - mean[c]) * (row[c] - mean[c])
    for c in range(mean.size):
        variance[c] = sums[c] / x.shape[0]
        inverse[c] = 1 / np.sqrt(sums[c] / x.shape[0] + epsilon)


@jit
def _scaled_rows(x, mean, factor, bias, y):
    for r in range(x.shape[0]):
        row, out = x[r], y[r]
        for c in range(row.size):
            out[c] = (row[c] - mean[c]) * factor[c] + bias[c]


@jit
def _rows_grad(x, dy, scale, mean, inverse, fixed, sums, dx):
    """As `_planes_grad` for channels that are last; `sums`, zeros of float64 [2, C], become those of scale and bias."""
    across, along = sums[0], sums[1]
    for r in range(x.shape[0]):
        row, gradient = x[r], dy[r]
        for c in range(row.size):
            along[c] += gradient[c]
            across[c] += gradient[c] * (row[c] - mean[c])
    level, slope, factor = np.zeros_like(mean), np.zeros_like(mean), np.empty_like(mean)
    for c in range(mean.size):
        across[c] *= inverse[c]
        factor[c] = inverse[c] * scale[c]
        if not fixed:
            level[c], slope[c] = along[c] / x.shape[0], across[c] * inverse[c] / x.shape[0]
    for r in range(x.shape[0]):
        row, gradient, out = x[r], dy[r], dx[r]
        for c in range(row.size):
            out[c] = factor[c] * (gradient[c] - level[c] - (row[c] - mean[c]) * slope[c])


@jit(reassoc=True)
def _layer_norm(x, scale, bias, epsilon, y, mean, variance):
    """y and the statistics of each row."""
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


@jit(reassoc=True)
def _layer_norm_grad(x, dy, scale, mean, variance, epsilon, dx, sums):
    """dx, and in `sums`, zeros of float64 [2, D], the gradients of scale and bias."""
    d_scale, d_bias = sums[0], sums[1]
    for r in range(x.shape[0]):
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
