"""The CPU kernel of edit_distance."""

from __future__ import annotations

import numpy as np

from ..numba_jit import jit
from ..registry import kernel
from .bounds import bounds


@kernel("edit_distance")
def edit_distance(Hyps, Refs, HypsLength, RefsLength, *, lod, normalized, reference):
    hyps = bounds(Hyps.size, Hyps.shape[1], lod[0], HypsLength)
    refs = bounds(Refs.size, Refs.shape[1], lod[1], RefsLength)
    if hyps is None or refs is None or len(hyps[0]) != len(refs[0]) or (normalized and (refs[0] == refs[1]).any()):
        return reference(Hyps, Refs, HypsLength, RefsLength, lod=lod, normalized=normalized)
    out = np.empty((len(hyps[0]), 1), np.float32)
    tokens = (np.ascontiguousarray(x).reshape(-1) for x in (Hyps, Refs))
    _distances(*tokens, *hyps, *refs, normalized, np.empty(Refs.size + 1, np.int64), out)
    return np.array([len(out)], np.int64), out


@jit
def _distances(hyps, refs, starts, ends, firsts, lasts, normalized, row, out):
    for i in range(starts.size):
        first, count = firsts[i], lasts[i] - firsts[i]
        row[: count + 1] = np.arange(count + 1)
        for t in range(starts[i], ends[i]):
            before = row[0]
            row[0] += 1
            for k in range(count):
                cost = min(min(row[k + 1], row[k]) + 1, before + (1 if refs[first + k] != hyps[t] else 0))
                before = row[k + 1]
                row[k + 1] = cost
        out[i, 0] = row[count] / count if normalized else row[count]
