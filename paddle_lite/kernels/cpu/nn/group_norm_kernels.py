"""CPU kernels of group_norm, and of instance_norm as group_norm with one channel a group.

Images are [image, group, channel of the group, point]. The reference handles images with channels last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...numba_jit import jit
from ...registry import kernel
from ...threads import parallel_for
from ..support.kernel_applies import kernel_applies


@kernel("instance_norm")
def instance_norm(X, Scale, Bias, *, epsilon, reference):
    if not kernel_applies(X):
        return reference(X, Scale, Bias, epsilon=epsilon)
    y, mean, variance = _forward(X, Scale, Bias, X.shape[1], epsilon)
    return y, mean.reshape(-1), (1 / np.sqrt(variance + X.dtype.type(epsilon))).reshape(-1)


@kernel("instance_norm_grad")
def instance_norm_grad(X, Scale, SavedMean, SavedVariance, dY, *, reference, need=(True, True, True)):
    if not kernel_applies(X):
        return reference(X, Scale, SavedMean, SavedVariance, dY, need=need)
    c, shape = X.shape[1], X.shape[:2]
    mean, inverse = SavedMean.reshape(shape), SavedVariance.reshape(shape)
    shift, factor = np.ascontiguousarray(mean), np.ascontiguousarray(inverse)
    return _backward(X, dY, c, shift, factor, np.ascontiguousarray(Scale), factor)


@kernel("group_norm")
def group_norm(X, Scale, Bias, *, epsilon, groups, data_layout, reference):
    if data_layout == "NHWC" or not kernel_applies(X):
        return reference(X, Scale, Bias, epsilon=epsilon, groups=groups, data_layout=data_layout)
    return _forward(X, Scale, Bias, groups, epsilon)


@kernel("group_norm_grad")
def group_norm_grad(
    Scale, Bias, Variance, Y, dY, *, epsilon, groups, data_layout, reference, need=(True, True, True)
):  # fmt: skip
    if data_layout == "NHWC" or not kernel_applies(Y):
        attrs = {"epsilon": epsilon, "groups": groups, "data_layout": data_layout, "need": need}
        return reference(Scale, Bias, Variance, Y, dY, **attrs)
    n, c = Y.shape[:2]
    scale = np.ones(c, Y.dtype) if Scale is None else np.ascontiguousarray(Scale)
    bias = np.zeros(c, Y.dtype) if Bias is None else Bias
    shift = np.ascontiguousarray(np.broadcast_to(bias, (n, c)))
    factor = np.divide(1, scale, out=np.zeros(c, Y.dtype), where=scale != 0)  # normalised values are lost if Scale is 0
    inverse = np.ascontiguousarray(1 / np.sqrt(Variance + Y.dtype.type(epsilon)))
    factors = np.ascontiguousarray(np.broadcast_to(factor, (n, c)))
    dx, d_scale, d_bias = _backward(Y, dY, groups, shift, factors, scale, inverse)
    return dx, None if Scale is None else d_scale, None if Bias is None else d_bias


def _forward(X: Any, Scale: Any, Bias: Any, groups: int, epsilon: float) -> tuple:
    """Return the result, and the mean and the variance of each group [N, groups]."""
    n, c = X.shape[:2]
    x = np.ascontiguousarray(X).reshape(n, groups, c // groups, -1)
    y, (mean, variance) = np.empty(x.shape, x.dtype), np.empty((2, n, groups), x.dtype)
    scale = np.ones(c, x.dtype) if Scale is None else np.ascontiguousarray(Scale)
    bias = np.zeros(c, x.dtype) if Bias is None else np.ascontiguousarray(Bias)
    parallel_for(_normalise, n * groups, 2 * x.size, (x, scale, bias, epsilon, y, mean, variance))
    return y.reshape(X.shape), mean, variance


def _backward(X: Any, dY: Any, groups: int, shift: Any, factor: Any, scale: Any, inverse: Any) -> tuple:
    """Return the gradients of input, scale and bias; the normalised values are (X - shift) * factor, [N, C] each."""
    n, c = X.shape[:2]
    shape = (n, groups, c // groups, -1)
    x, dy = np.ascontiguousarray(X).reshape(shape), np.ascontiguousarray(dY).reshape(shape)
    dx, sums = np.empty(x.shape, x.dtype), np.zeros((2, c))
    parallel_for(_through, groups, 2 * x.size, (x, dy, shift, factor, scale, inverse, dx, sums))
    return dx.reshape(X.shape), *sums.astype(X.dtype)


@jit(reassoc=True, shared=True)
def _normalise(first, last, x, scale, bias, epsilon, y, mean, variance):
    """Normalise the groups from `first` to `last`, counted over all images."""
    count = x.shape[2] * x.shape[3]
    for i in range(first, last):
        n, g = i // x.shape[1], i % x.shape[1]
        total = 0.0
        for c in range(x.shape[2]):
            part, plane = x.dtype.type(0), x[n, g, c]
            for k in range(plane.size):
                part += plane[k]
            total += part
        middle = x.dtype.type(total / count)
        total = 0.0
        for c in range(x.shape[2]):
            part, plane = x.dtype.type(0), x[n, g, c]
            for k in range(plane.size):
                part += (plane[k] - middle) * (plane[k] - middle)
            total += part
        mean[n, g], variance[n, g] = middle, total / count
        inverse = x.dtype.type(1 / np.sqrt(total / count + epsilon))
        for c in range(x.shape[2]):
            channel = g * x.shape[2] + c
            plane, out, by, add = x[n, g, c], y[n, g, c], inverse * scale[channel], bias[channel]
            for k in range(plane.size):
                out[k] = (plane[k] - middle) * by + add


@jit(reassoc=True, shared=True)
def _through(first, last, x, dy, shift, factor, scale, inverse, dx, sums):
    """Compute dx = inverse * (g - mean(g) - normal * mean(g * normal)) with g = dy * scale and means over each group."""
    count = x.shape[2] * x.shape[3]
    for n in range(x.shape[0]):
        for g in range(first, last):
            along, across = 0.0, 0.0
            for c in range(x.shape[2]):
                channel = g * x.shape[2] + c
                plane, gradient = x[n, g, c], dy[n, g, c]
                middle, by = shift[n, channel], factor[n, channel]
                one, other = x.dtype.type(0), x.dtype.type(0)
                for k in range(plane.size):
                    one += gradient[k]
                    other += gradient[k] * ((plane[k] - middle) * by)
                sums[0, channel] += other
                sums[1, channel] += one
                along += one * scale[channel]
                across += other * scale[channel]
            level, slope = x.dtype.type(along / count), x.dtype.type(across / count)
            for c in range(x.shape[2]):
                channel = g * x.shape[2] + c
                plane, gradient, out = x[n, g, c], dy[n, g, c], dx[n, g, c]
                middle, by, times, whole = shift[n, channel], factor[n, channel], scale[channel], inverse[n, g]
                for k in range(plane.size):
                    out[k] = whole * (gradient[k] * times - level - (plane[k] - middle) * by * slope)
