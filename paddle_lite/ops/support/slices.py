"""Slices of arrays along some axes: the index, what comes out, and what the attributes say."""

from __future__ import annotations

from .meta import Meta
from .shape_rules import drop_axes, level_if, sliced_shape

LAST = 2**31 - 1
"""An end behind every axis."""


def ends_of_axes(axes, starts, ends, decrease_axis):
    """Return the ends with which -1:0 of an axis in `decrease_axis` takes the last element: it was meant as -1:-1 + 1."""
    if not decrease_axis:
        return ends
    return [
        LAST if (start, end) == (-1, 0) and axis in decrease_axis else end
        for axis, start, end in zip(axes, starts, ends, strict=False)
    ]


def windows(rank, axes, starts, ends, strides=None):
    """Return an index that takes start:end:stride of each of `axes`."""
    index = [slice(None)] * rank
    for axis, *bounds in zip(axes, starts, ends, strides or [None] * len(axes), strict=True):
        index[axis] = slice(*bounds)
    return tuple(index)


def taken(where, Input, axes, bounds, decrease_axis):
    """Return the slice of an array, without the axes in `decrease_axis`; raise if it is empty."""
    starts, ends, *strides = bounds
    bounds = (starts, ends_of_axes(axes, starts, ends, decrease_axis), *strides)
    out = Input[windows(Input.ndim, axes, *bounds)]
    if not out.size:
        sliced_shape(where, Input.shape, axes, bounds)
    return out.reshape(drop_axes(where, out.shape, decrease_axis)) if decrease_axis else out


def infer_taken(where, Input, axes, bounds, infer_flags, decrease_axis):
    """Return the Meta of such a slice; where the flag of an axis is -1 its numbers are known only when it runs."""
    if all(len(each) == len(infer_flags) for each in bounds):
        bounds = [[None if flag < 0 else n for n, flag in zip(each, infer_flags)] for each in bounds]
    starts, ends, *strides = bounds
    if len(starts) == len(ends) == len(axes):
        bounds = (starts, ends_of_axes(axes, starts, ends, decrease_axis), *strides)
    dims = drop_axes(where, sliced_shape(where, Input.shape, axes, bounds), decrease_axis)
    return Meta(tuple(dims), Input.dtype, level_if(0 not in axes and 0 not in decrease_axis, Input))


def scattered(xp, Input, index, dOut):
    """Return zeros like Input with dOut where `index` points."""
    dX = xp.zeros(Input.shape, dOut.dtype)
    view = dX[index]
    view[...] = dOut.reshape(view.shape)
    return dX


def lod_of_slice(lods, ins, outs, attrs):
    """Return the LoD of the input, unless rows are cut."""
    return (None if 0 in attrs["axes"] or 0 in attrs["decrease_axis"] else lods[0],)


def bounds_of_slice(attrs):
    """Return start and end by axis, as attributes say them; None where they do not fit each other."""
    axes, starts, ends = (attrs[name] for name in ("axes", "starts", "ends"))
    known = len(axes) == len(starts) == len(ends) == len(set(axes))
    return dict(zip(axes, zip(starts, ends_of_axes(axes, starts, ends, attrs["decrease_axis"])))) if known else None


def dropped_by_slice(attrs):
    """Return the axes that the slice is without."""
    return set(attrs["decrease_axis"])
