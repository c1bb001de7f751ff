"""CPU kernels of the operators that pool regions of feature maps."""

from __future__ import annotations

import numpy as np

from ....ops.support.region_bins import bin_edges, bin_weights_2d
from ...numba_jit import jit
from ...registry import kernel


def _starts(ROIs, RoisLod, lod, images):
    """Return the offsets of the regions of each image; None if they are invalid, which the reference explains."""
    starts = np.array(RoisLod if RoisLod is not None else lod[0] if lod else (), np.int64).reshape(-1)
    fit = len(starts) == images + 1 and starts[0] == 0 and starts[-1] == len(ROIs) and (np.diff(starts) >= 0).all()
    return starts if fit else None


@kernel("roi_pool")
def roi_pool(X, ROIs, RoisLod, *, lod, reference, **attrs):
    starts = _starts(ROIs, RoisLod, lod, len(X))
    if starts is None or X.dtype.kind != "f":
        return reference(X, ROIs, RoisLod, lod=lod, **attrs)
    left, top, right, bottom = (ROIs * attrs["spatial_scale"]).T
    pooled_height, pooled_width = attrs["pooled_height"], attrs["pooled_width"]
    down = bin_edges(np, top, bottom, pooled_height, X.shape[2], X.dtype)
    across = bin_edges(np, left, right, pooled_width, X.shape[3], X.dtype)
    out = np.zeros((len(ROIs), X.shape[1], pooled_height, pooled_width), X.dtype)
    best = np.full(out.shape, -1, np.int64)
    _pool(np.ascontiguousarray(X), starts, *down, *across, out, best)
    return out, best


@jit
def _pool(x, starts, top, bottom, left, right, out, best):
    columns = x.shape[3]
    for image in range(starts.size - 1):
        for r in range(starts[image], starts[image + 1]):
            for c in range(x.shape[1]):
                for i in range(out.shape[2]):
                    for j in range(out.shape[3]):
                        place = -1
                        for row in range(top[r, i], bottom[r, i]):
                            for column in range(left[r, j], right[r, j]):
                                value = x[image, c, row, column]
                                if place < 0 or value > out[r, c, i, j]:
                                    place = row * columns + column
                                    out[r, c, i, j] = value
                        best[r, c, i, j] = place


# --- interpolation between positions --------------------------------------------------------------------------------------


@kernel("roi_align")
def roi_align(X, ROIs, RoisLod, *, lod, reference, **attrs):
    starts = _starts(ROIs, RoisLod, lod, len(X))
    if starts is None or X.dtype.kind != "f":
        return reference(X, ROIs, RoisLod, lod=lod, **attrs)
    down, across = bin_weights_2d(np, X, ROIs, **attrs)
    out = np.zeros((len(ROIs), X.shape[1], attrs["pooled_height"], attrs["pooled_width"]), X.dtype)
    _align(np.ascontiguousarray(X), starts, down, *_ends(down), across, *_ends(across), out)
    return out


@kernel("roi_align_grad")
def roi_align_grad(X, ROIs, RoisLod, dOut, *, lod, reference, **attrs):
    starts = _starts(ROIs, RoisLod, lod, X.shape[0])
    if starts is None or X.dtype != dOut.dtype:
        return reference(X, ROIs, RoisLod, dOut, lod=lod, **attrs)
    down, across = bin_weights_2d(np, X, ROIs, **attrs)
    dX = np.zeros(X.shape, X.dtype)
    _align_grad(np.ascontiguousarray(dOut), starts, down, *_ends(down), across, *_ends(across), dX)
    return dX


def _ends(weights):
    """Return the bounds of the non-zero weights of each bin, for weights [regions, bins, positions]."""
    some, places = weights != 0, weights.shape[2]
    found = some.any(2)
    return np.where(found, some.argmax(2), places), np.where(found, places - some[:, :, ::-1].argmax(2), 0)


@jit
def _align(x, starts, down, top, bottom, across, left, right, out):
    line = np.empty(x.shape[3], x.dtype)
    for image in range(starts.size - 1):
        for r in range(starts[image], starts[image + 1]):
            first, last = left[r].min(), right[r].max()
            for c in range(x.shape[1]):
                for i in range(out.shape[2]):
                    line[first:last] = 0
                    for row in range(top[r, i], bottom[r, i]):
                        share = down[r, i, row]
                        for column in range(first, last):
                            line[column] += share * x[image, c, row, column]
                    for j in range(out.shape[3]):
                        for column in range(left[r, j], right[r, j]):
                            out[r, c, i, j] += across[r, j, column] * line[column]


@jit
def _align_grad(dout, starts, down, top, bottom, across, left, right, dx):
    line = np.empty(dx.shape[3], dx.dtype)
    for image in range(starts.size - 1):
        for r in range(starts[image], starts[image + 1]):
            first, last = left[r].min(), right[r].max()
            for c in range(dx.shape[1]):
                for i in range(dout.shape[2]):
                    line[first:last] = 0
                    for j in range(dout.shape[3]):
                        for column in range(left[r, j], right[r, j]):
                            line[column] += across[r, j, column] * dout[r, c, i, j]
                    for row in range(top[r, i], bottom[r, i]):
                        share = down[r, i, row]
                        for column in range(first, last):
                            dx[image, c, row, column] += share * line[column]
