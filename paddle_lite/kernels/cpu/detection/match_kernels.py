"""CPU kernels of the operators that match boxes."""

from __future__ import annotations

import numpy as np

from ...numba_jit import jit
from ...registry import kernel

LEAST = 1e-6  # pairs with a lower similarity are not matched


@kernel("bipartite_match")
def bipartite_match(DistMat, *, lod, match_type, dist_threshold, reference):
    if DistMat.itemsize < 4 or lod is None or len(lod) != 1 or lod[0][-1] != len(DistMat):
        return reference(DistMat, lod=lod, match_type=match_type, dist_threshold=dist_threshold)
    starts = np.array(lod[0])
    row_of = np.full((len(starts) - 1, DistMat.shape[1]), -1, np.int32)
    best = np.zeros(row_of.shape, DistMat.dtype)
    at_least = DistMat.dtype.type(dist_threshold if match_type == "per_prediction" else np.inf)
    _match(np.ascontiguousarray(DistMat), starts, at_least, row_of, best)
    return row_of, best


@jit
def _match(alike, starts, at_least, row_of, best):
    columns = alike.shape[1]
    taken = np.zeros(alike.shape[0], np.bool_)
    for image in range(starts.size - 1):
        first, last = starts[image], starts[image + 1]
        for _ in range(min(columns, last - first)):
            top, at_row, at_column = alike.dtype.type(0), -1, -1
            for row in range(first, last):
                if taken[row]:
                    continue
                for column in range(columns):
                    one = alike[row, column]
                    if row_of[image, column] >= 0 or one < LEAST:
                        continue
                    if one > top or (one == top and column < at_column):
                        top, at_row, at_column = one, row, column
            if at_row < 0:
                break
            taken[at_row] = True
            row_of[image, at_column] = at_row - first
            best[image, at_column] = top
        for column in range(columns):
            if row_of[image, column] >= 0:
                continue
            for row in range(first, last):
                one = alike[row, column]
                if one >= LEAST and one >= at_least and one > best[image, column]:
                    row_of[image, column] = row - first
                    best[image, column] = one
