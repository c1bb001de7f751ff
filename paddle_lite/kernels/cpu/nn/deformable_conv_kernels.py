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


def _forward(Input, Offset, Mask, Filter, *, strides, paddings, dilations, groups, deformable_groups):
    x, offset, mask = _prepared(Input, Offset, Mask, Filter.shape[2:], deformable_groups)
    steps = _steps(Offset, Filter, strides, paddings, dilations)
    filters = np.ascontiguousarray(Filter).reshape(groups, len(Filter) // groups, -1)
    columns = np.empty((x.shape[1], *mask.shape[2:]), x.dtype)
    out = np.empty((len(x), groups, filters.shape[1], columns.shape[2]), x.dtype)
    for n in range(len(x)):
        _sample(x[n], offset[n], mask[n], steps, columns)
        np.matmul(filters, columns.reshape(groups, filters.shape[2], -1), out=out[n])
    return out.reshape(len(x), len(Filter), *Offset.shape[2:])


def _backward(Input, Offset, Mask, Filter, dOutput, *, strides, paddings, dilations, groups, deformable_groups):
    x, offset, mask = _prepared(Input, Offset, Mask, Filter.shape[2:], deformable_groups)
    steps = _steps(Offset, Filter, strides, paddings, dilations)
    filters = np.ascontiguousarray(Filter).reshape(groups, len(Filter) // groups, -1)
    dy = np.ascontiguousarray(dOutput).reshape(len(x), groups, filters.shape[1], -1)
    columns = np.empty((x.shape[1], *mask.shape[2:]), x.dtype)
    by_group = columns.reshape(groups, filters.shape[2], -1)
    dx, d_offset, d_mask = np.zeros_like(x), np.zeros_like(offset), np.zeros_like(mask)
    d_filter = np.zeros_like(filters)
    for n in range(len(x)):
        _sample(x[n], offset[n], mask[n], steps, columns)
        d_filter += dy[n] @ by_group.swapaxes(1, 2)
        np.matmul(filters.swapaxes(1, 2), dy[n], out=by_group)
        _sample_grad(x[n], offset[n], mask[n], steps, columns, dx[n], d_offset[n], d_mask[n])
    masked = None if Mask is None else d_mask.reshape(Mask.shape)
    return dx, d_offset.reshape(Offset.shape), masked, d_filter.reshape(Filter.shape)


@inline
def _value(plane, row, column):
    """Return the value at a position; 0 outside the plane."""
    if row < 0 or column < 0 or row >= plane.shape[0] or column >= plane.shape[1]:
        return plane.dtype.type(0)
    return plane[row, column]


@jit
def _sample(x, offset, mask, steps, columns):
    """Compute columns[c, point, position], the sample of channel c at a point of a window times its mask."""
    across, wide, down_step, right_step, top, left, down_apart, right_apart = steps
    height, width = x.shape[1], x.shape[2]
    channels = x.shape[0] // offset.shape[0]
    for c in range(x.shape[0]):
        plane, group = x[c], c // channels
        for k in range(offset.shape[1]):
            for p in range(offset.shape[3]):
                y0 = p // across * down_step - top + k // wide * down_apart
                x0 = p % across * right_step - left + k % wide * right_apart
                y, z = offset[group, k, 0, p] + x.dtype.type(y0), offset[group, k, 1, p] + x.dtype.type(x0)
                if not (y > -1 and z > -1 and y < height and z < width):
                    columns[c, k, p] = 0
                    continue
                row, column = int(np.floor(y)), int(np.floor(z))
                y -= x.dtype.type(row)
                z -= x.dtype.type(column)
                upper = _value(plane, row, column) * (1 - z) + _value(plane, row, column + 1) * z
                lower = _value(plane, row + 1, column) * (1 - z) + _value(plane, row + 1, column + 1) * z
                columns[c, k, p] = (upper * (1 - y) + lower * y) * mask[group, k, p]


@inline
def _add(plane, row, column, value):
    """Add to the value at a position; do nothing outside the plane."""
    if row >= 0 and column >= 0 and row < plane.shape[0] and column < plane.shape[1]:
        plane[row, column] += value


@jit
def _sample_grad(x, offset, mask, steps, columns, dx, d_offset, d_mask):
    """Add the gradients of the inputs of `_sample`, given those of the columns, to dx, d_offset and d_mask."""
    across, wide, down_step, right_step, top, left, down_apart, right_apart = steps
    height, width = x.shape[1], x.shape[2]
    channels = x.shape[0] // offset.shape[0]
    for c in range(x.shape[0]):
        plane, group = x[c], c // channels
        for k in range(offset.shape[1]):
            for p in range(offset.shape[3]):
                y0 = p // across * down_step - top + k // wide * down_apart
                x0 = p % across * right_step - left + k % wide * right_apart
                y, z = offset[group, k, 0, p] + x.dtype.type(y0), offset[group, k, 1, p] + x.dtype.type(x0)
                if not (y > -1 and z > -1 and y < height and z < width):
                    continue
                row, column = int(np.floor(y)), int(np.floor(z))
                y -= x.dtype.type(row)
                z -= x.dtype.type(column)
                a, b = _value(plane, row, column), _value(plane, row, column + 1)
                d, e = _value(plane, row + 1, column), _value(plane, row + 1, column + 1)
                upper, lower = a * (1 - z) + b * z, d * (1 - z) + e * z
                slope = columns[c, k, p]
                d_mask[group, k, p] += slope * (upper * (1 - y) + lower * y)
                slope *= mask[group, k, p]
                d_offset[group, k, 0, p] += slope * (lower - upper)
                d_offset[group, k, 1, p] += slope * ((b - a) * (1 - y) + (e - d) * y)
                _add(dx[c], row, column, slope * (1 - y) * (1 - z))
                _add(dx[c], row, column + 1, slope * (1 - y) * z)
                _add(dx[c], row + 1, column, slope * y * (1 - z))
                _add(dx[c], row + 1, column + 1, slope * y * z)
