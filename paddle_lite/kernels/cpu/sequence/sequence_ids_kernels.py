"""CPU kernels of operators on sequences of ids."""

from __future__ import annotations

from math import prod

import numpy as np

from ....core.ranges import require_range
from ....ops.support import sequence_rows as seq
from ...numba_jit import jit
from ...registry import kernel
from .row_copies import offsets_array


@jit
def _enumerate(x, starts, pad, out):
    for s in range(starts.size - 1):
        for t in range(starts[s], starts[s + 1]):
            for j in range(out.shape[1]):
                out[t, j] = x[t + j] if t + j < starts[s + 1] else pad


@kernel("sequence_enumerate")
def sequence_enumerate(X, *, lod, win_size, pad_value):
    starts = seq.starts_of("sequence_enumerate", "X", lod, X.shape[0])
    out = np.empty((X.shape[0], win_size), X.dtype)
    _enumerate(np.ascontiguousarray(X).reshape(-1), offsets_array(starts), X.dtype.type(pad_value), out)
    return out


@jit
def _add_at(ids, updates, starts, out):
    for s in range(starts.size - 1):
        for i in range(starts[s], starts[s + 1]):
            out[s, ids[i]] += updates[i]


@jit
def _take_at(dout, ids, starts, dupdates):
    for s in range(starts.size - 1):
        for i in range(starts[s], starts[s + 1]):
            dupdates[i] = dout[s, ids[i]]


def _flat(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(x).reshape(-1)


@kernel("sequence_scatter")
def sequence_scatter(X, Ids, Updates, *, lod):
    columns = prod(X.shape[1:])
    require_range("sequence_scatter", "Input(Ids)", Ids, columns)
    starts = seq.scatter_offsets(lod, len(Ids), X.shape[0])
    out = np.array(X, order="C")
    _add_at(_flat(Ids), _flat(Updates), offsets_array(starts), out.reshape(len(out), columns))
    return out


@kernel("sequence_scatter_grad")
def sequence_scatter_grad(Ids, Updates, dOut, *, lod, need=(True, True)):
    updates = None
    if need[1]:
        updates = np.empty(Updates.shape, dOut.dtype)
        rows = np.ascontiguousarray(dOut).reshape(len(dOut), prod(dOut.shape[1:]))
        _take_at(rows, _flat(Ids), offsets_array(lod[0][0]), updates.reshape(-1))
    return dOut if need[0] else None, updates
