"""The CPU kernels of the operators that pool regions of feature maps."""

from __future__ import annotations

import numpy as np

from ..numba_jit import jit
from ..regions import bin_edges
from ..registry import kernel


@kernel("roi_pool")
def roi_pool(X, ROIs, RoisLod, *, lod, spatial_scale, pooled_height, pooled_width, reference):
    starts = np.array(RoisLod if RoisLod is not None else lod[0] if lod else (), np.int64).reshape(-1)
    fit = len(starts) == len(X) + 1 and starts[0] == 0 and starts[-1] == len(ROIs) and (np.diff(starts) >= 0).all()
    if not fit or X.dtype.kind != "f":
        return reference(
            X,
            ROIs,
            RoisLod,
            lod=lod,
            spatial_scale=spatial_scale,
            pooled_height=pooled_height,
            pooled_width=pooled_width,
        )
    left, top, right, bottom = (ROIs * spatial_scale).T
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
