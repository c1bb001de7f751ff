"""CPU kernel of fused_embedding_seq_pool, which adds rows directly to their sums."""

from __future__ import annotations

import numpy as np

from ....core.ranges import require_range
from ...numba_jit import jit
from ...registry import kernel
from ..sequence.sequence_bounds import sequence_bounds


@kernel("fused_embedding_seq_pool")
def fused_embedding_seq_pool(W, Ids, *, lod, combiner, is_sparse, padding_idx, reference):
    where, ids = sequence_bounds(len(Ids), 0, lod, None), np.ascontiguousarray(Ids).reshape(len(Ids), -1)
    if where is None:
        return reference(W, Ids, lod=lod, combiner=combiner, is_sparse=is_sparse, padding_idx=padding_idx)
    checked = ids if padding_idx == -1 else ids[ids != padding_idx]
    require_range("fused_embedding_seq_pool", "Input(Ids)", checked, len(W))
    out = np.zeros((len(where[0]), ids.shape[1], W.shape[1]), W.dtype)
    _add(W, ids, *where, padding_idx, out)
    return out.reshape(len(out), -1)


@jit
def _add(table, ids, starts, ends, padding, out):
    for i in range(starts.size):
        for t in range(starts[i], ends[i]):
            for s in range(ids.shape[1]):
                if ids[t, s] != padding:
                    for j in range(table.shape[1]):
                        out[i, s, j] += table[ids[t, s], j]
