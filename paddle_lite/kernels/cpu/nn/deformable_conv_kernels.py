"""CPU kernels of deformable convolutions: windows are sampled into columns for matrix products."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...numba_jit import inline, jit
from ...registry import kernel


@kernel("deformable_conv")
def deformable_conv(Input, Offset, Mask, Filter, *, reference, **attrs):
    if Input.size < _FEW:
        return reference(Input, Offset, Mask, Filter, **attrs)
    return _forward(Input, Offset, Mask, Filter, **attrs)


@kernel("deformable_conv_v1")
def deformable_conv_v1(Input, Offset, Filter, *, reference, **attrs):
    if Input.size < _FEW:
        return reference(Input, Offset, Filter, **attrs)
    return _forward(Input, Offset, None, Filter, **attrs)


@kernel("deformable_conv_grad")
def deformable_conv_grad(Input, Offset, Mask, Filter, dOutput, *, reference, **attrs):
    if Input.size < _FEW:
        return reference(Input, Offset, Mask, Filter, dOutput, **attrs)
    return _backward(Input, Offset, Mask, Filter, dOutput, **attrs)


@kernel("deformable_conv_v1_grad")
def deformable_conv_v1_grad(Input, Offset, Filter, dOutput, *, reference, **attrs):
    if Input.size < _FEW:
        return reference(Input, Offset, Filter, dOutput, **attrs)
    d_input, d_offset, _, d_filter = _backward(Input, Offset, None, Filter, dOutput, **attrs)
    return d_input, d_offset, d_filter


_FEW = 256  # elements below which compilation is not worthwhile


def _prepared(Input: Any, Offset: Any, Mask: Any, window: Any, deformable_groups: int) -> tuple:
    """Return the image, the offsets [N, group, point, 2, places] and the mask [N, group, point, places], all contiguous."""
    n, places = len(Input), math.prod(Offset.shape[2:])
    points = math.prod(window)
    offset = np.ascontiguousarray(Offset).reshape(n, deformable_groups, points, 2, places)
    shape = (n, deformable_groups, points, places)
    mask = np.ones(shape, Input.dtype) if Mask is None else np.ascontiguousarray(Mask).reshape(shape)
    return np.ascontiguousarray(Input), offset, mask


def _steps(Offset: Any, Filter: Any, strides: Any, paddings: Any, dilations: Any) -> np.ndarray:
    """Return the parameters of the window positions as one array."""
    return np.array([Offset.shape[3], Filter.shape[3], *strides, *paddings, *dilations], np.int64)


def _scratch(x: np.ndarray, offset: np.ndarray) -> tuple:
    """Return arrays for what `_place` finds of one image, and a plane of zeros with margins."""
    _, groups, points, _, places = offset.shape
    height, width = x.shape[2:]
    at, weights = (np.empty((groups, points * places), dtype) for dtype in (np.int64, x.dtype))
    return at, np.empty((groups, 2, points * places), x.dtype), weights, np.zeros((height + 4, width + 2), x.dtype)


def _forward(Input, Offset, Mask, Filter, *, strides, paddings, dilations, groups, deformable_groups):
    x, offset, mask = _prepared(Input, Offset, Mask, Filter.shape[2:], deformable_groups)
    steps = _steps(Offset, Filter, strides, paddings, dilations)
    filters = np.ascontiguousarray(Filter).reshape(groups, len(Filter) // groups, -1)
    at, fine, weights, plane = _scratch(x, offset)
    columns = np.empty((x.shape[1], at.shape[1]), x.dtype)
    out = np.empty((len(x), groups, filters.shape[1], offset.shape[4]), x.dtype)
    for n in range(len(x)):
        _place(offset[n], mask[n], steps, *x.shape[2:], at, fine, weights)
        _sample(x[n], at, fine, weights, plane, columns)
        np.matmul(filters, columns.reshape(groups, filters.shape[2], -1), out=out[n])
    return out.reshape(len(x), len(Filter), *Offset.shape[2:])


def _backward(Input, Offset, Mask, Filter, dOutput, *, strides, paddings, dilations, groups, deformable_groups):
    x, offset, mask = _prepared(Input, Offset, Mask, Filter.shape[2:], deformable_groups)
    steps = _steps(Offset, Filter, strides, paddings, dilations)
    filters = np.ascontiguousarray(Filter).reshape(groups, len(Filter) // groups, -1)
    dy = np.ascontiguousarray(dOutput).reshape(len(x), groups, filters.shape[1], -1)
    at, fine, weights, plane = _scratch(x, offset)
    columns = np.empty((x.shape[1], at.shape[1]), x.dtype)
    by_group = columns.reshape(groups, filters.shape[2], -1)
    slopes = np.empty_like(plane)
    dx, d_filter = np.zeros_like(x), np.zeros_like(filters)
    d_fine, d_weights = (np.zeros((len(x), *each.shape), x.dtype) for each in (fine, weights))
    for n in range(len(x)):
        _place(offset[n], mask[n], steps, *x.shape[2:], at, fine, weights)
        _sample(x[n], at, fine, weights, plane, columns)
        d_filter += dy[n] @ by_group.swapaxes(1, 2)
        np.matmul(filters.swapaxes(1, 2), dy[n], out=by_group)
        _sample_grad(x[n], at, fine, weights, plane, slopes, columns, dx[n], d_fine[n], d_weights[n])
    d_mask = None if Mask is None else d_weights.reshape(Mask.shape)
    d_offset = d_fine.reshape(*d_fine.shape[:3], *mask.shape[2:]).swapaxes(2, 3).reshape(Offset.shape)
    return dx, d_offset, d_mask, d_filter.reshape(Filter.shape)


@jit
def _place(offset, mask, steps, height, width, at, fine, weights):
    """Find where in a plane with margins each point of each window is sampled.

    A plane has a row and a column of zeros before it and behind it, and two more rows of zeros at the end: points beyond the image are
    sampled there.

    A sample is a point of a window at one of its places; `steps` is what `_steps` returns.

    Arguments:
        at: [group, sample], is set to the element of the plane above and left of the sample.
        fine: [group, 2, sample], is set to how far below and right of that element the sample lies.
        weights: [group, sample], is set to the mask, and to 0 for a point beyond the image.
    """
    across, wide, down_step, right_step, top, left, down_apart, right_apart = steps
    number = fine.dtype.type
    for group in range(offset.shape[0]):
        for k in range(offset.shape[1]):
            for p in range(offset.shape[3]):
                y0 = p // across * down_step - top + k // wide * down_apart
                x0 = p % across * right_step - left + k % wide * right_apart
                y, z = offset[group, k, 0, p] + number(y0), offset[group, k, 1, p] + number(x0)
                q = k * offset.shape[3] + p
                if y > -1 and z > -1 and y < height and z < width:
                    row, column = int(np.floor(y)), int(np.floor(z))
                    at[group, q] = (row + 1) * (width + 2) + column + 1
                    fine[group, 0, q] = y - number(row)
                    fine[group, 1, q] = z - number(column)
                    weights[group, q] = mask[group, k, p]
                else:
                    at[group, q] = (height + 2) * (width + 2)
                    fine[group, 0, q] = 0
                    fine[group, 1, q] = 0
                    weights[group, q] = 0


@inline
def _copy(channel, plane):
    """Copy a channel into a plane with margins."""
    for row in range(channel.shape[0]):
        for column in range(channel.shape[1]):
            plane[row + 1, column + 1] = channel[row, column]


@jit
def _sample(x, at, fine, weights, plane, columns):
    """Compute columns[c, sample]: the samples of each channel, times their weights.

    plane: scratch for a channel with margins, as `_place` tells; zeros.
    """
    below, channels = x.shape[2] + 2, x.shape[0] // at.shape[0]
    for c in range(x.shape[0]):
        group = c // channels
        _copy(x[c], plane)
        _sample_plane(plane.reshape(-1), below, at[group], fine[group, 0], fine[group, 1], weights[group], columns[c])


@inline
def _sample_plane(plane, below, at, down, right, weights, out):
    """Sample one channel; `below` is the step from a row of the plane to the next."""
    for q in range(at.size):
        i, y, z = at[q], down[q], right[q]
        upper = plane[i] * (1 - z) + plane[i + 1] * z
        lower = plane[i + below] * (1 - z) + plane[i + below + 1] * z
        out[q] = (upper * (1 - y) + lower * y) * weights[q]


@jit
def _sample_grad(x, at, fine, weights, plane, slopes, columns, dx, d_fine, d_weights):
    """Add the gradients of the inputs of `_sample`, given those of the columns, to dx, d_fine and d_weights.

    plane, slopes: scratch for a channel, and for its gradient, with margins; plane is zeros.
    """
    height, width = x.shape[1], x.shape[2]
    channels = x.shape[0] // at.shape[0]
    for c in range(x.shape[0]):
        group = c // channels
        _copy(x[c], plane)
        slopes[:] = 0
        _sample_plane_grad(
            plane.reshape(-1), width + 2, at[group], fine[group, 0], fine[group, 1], weights[group], columns[c],
            slopes.reshape(-1), d_fine[group, 0], d_fine[group, 1], d_weights[group],
        )  # fmt: skip
        for row in range(height):
            for column in range(width):
                dx[c, row, column] += slopes[row + 1, column + 1]


@inline
def _sample_plane_grad(plane, below, at, down, right, weights, columns, slopes, d_down, d_right, d_weights):
    """Add the gradients of one channel."""
    for q in range(at.size):
        i, y, z, slope = at[q], down[q], right[q], columns[q]
        a, b, d, e = plane[i], plane[i + 1], plane[i + below], plane[i + below + 1]
        upper, lower = a * (1 - z) + b * z, d * (1 - z) + e * z
        d_weights[q] += slope * (upper * (1 - y) + lower * y)
        slope *= weights[q]
        d_down[q] += slope * (lower - upper)
        d_right[q] += slope * ((b - a) * (1 - y) + (e - d) * y)
        slopes[i] += slope * (1 - y) * (1 - z)
        slopes[i + 1] += slope * (1 - y) * z
        slopes[i + below] += slope * y * (1 - z)
        slopes[i + below + 1] += slope * y * z
