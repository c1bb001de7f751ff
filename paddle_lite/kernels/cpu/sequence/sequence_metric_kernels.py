"""CPU kernels of edit_distance and chunk_eval."""

from __future__ import annotations

import numpy as np

from ....core.ranges import require_range
from ....ops.support.sequence_spans import inside
from ...numba_jit import jit
from ...registry import kernel
from .sequence_bounds import sequence_bounds


@kernel("edit_distance")
def edit_distance(Hyps, Refs, HypsLength, RefsLength, *, lod, normalized, reference):
    hyps = sequence_bounds(Hyps.size, Hyps.shape[1], lod[0], HypsLength)
    refs = sequence_bounds(Refs.size, Refs.shape[1], lod[1], RefsLength)
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
        for k in range(count + 1):
            row[k] = k
        for t in range(starts[i], ends[i]):
            before = row[0]
            row[0] += 1
            for k in range(count):
                cost = min(min(row[k + 1], row[k]) + 1, before + (1 if refs[first + k] != hyps[t] else 0))
                before = row[k + 1]
                row[k + 1] = cost
        out[i, 0] = row[count] / count if normalized else row[count]


KINDS = {"IOB": (0, 1), "IOE": (1, 2), "IOBES": (0, 1, 2, 3), "plain": (1,)}  # begin, inside, end, single


@kernel("chunk_eval")
def chunk_eval(Inference, Label, SeqLength, *, lod, num_chunk_types, chunk_scheme, excluded_chunk_types, reference):
    kinds, steps = np.array(KINDS[chunk_scheme]), 0 if SeqLength is None else Inference.shape[1]
    found = sequence_bounds(Inference.size, steps, lod[0] or lod[1], SeqLength)
    meant = sequence_bounds(Label.size, steps, lod[1] or lod[0], SeqLength)
    if found is None or meant is None or len(found[0]) != len(meant[0]):
        return reference(
            Inference, Label, SeqLength, lod=lod, num_chunk_types=num_chunk_types, chunk_scheme=chunk_scheme,
            excluded_chunk_types=excluded_chunk_types,
        )  # fmt: skip
    for slot, tags in (("Inference", Inference), ("Label", Label)):
        require_range("chunk_eval", f"Input({slot})", inside(np, tags, SeqLength), num_chunk_types * len(kinds) + 1)
    excluded = np.array(excluded_chunk_types, np.int64)
    tags = [np.ascontiguousarray(x).reshape(-1) for x in (Inference, Label)]
    ends = [np.full(x.size, -1) for x in tags]
    counts = np.zeros(3, np.int64)
    for k, (x, (starts, stops)) in enumerate(zip(tags, (found, meant), strict=True)):
        counts[k] = _mark(x, starts, stops, kinds, num_chunk_types, excluded, ends[k])
    counts[2] = _both(*tags, *ends, found[0], meant[0], found[1], meant[1], len(kinds))
    precision, recall = (counts[2] / n if n else 0.0 for n in counts[:2])
    f1 = 2 * precision * recall / (precision + recall) if counts[2] else 0.0
    scores = (np.array([score], np.float32) for score in (precision, recall, f1))
    return *scores, *(counts[k : k + 1].copy() for k in range(3))


@jit
def _mark(tags, starts, stops, kinds, types, excluded, ends):
    """Write the end of each chunk, relative to its sequence, to the position of its start; return the number of chunks."""
    count = 0
    for i in range(starts.size):
        start, last_kind, last_type = -1, 1, types
        for t in range(starts[i], stops[i] + 1):
            kind, type = 1, types
            if t < stops[i] and tags[t] < types * kinds.size:
                kind, type = kinds[tags[t] % kinds.size], tags[t] // kinds.size
            if start >= 0 and (type != last_type or kind == 0 or kind == 3 or last_kind >= 2):
                counted = True
                for k in range(excluded.size):
                    counted = counted and excluded[k] != last_type
                if counted:
                    ends[start] = t - starts[i]
                    count += 1
                start = -1
            if start < 0 and type != types:
                start = t
            last_kind, last_type = kind, type
    return count


@jit
def _both(found, meant, found_ends, meant_ends, starts, others, stops, other_stops, places):
    count = 0
    for i in range(starts.size):
        for t in range(min(stops[i] - starts[i], other_stops[i] - others[i])):
            a, b = starts[i] + t, others[i] + t
            if found_ends[a] >= 0 and found_ends[a] == meant_ends[b] and found[a] // places == meant[b] // places:
                count += 1
    return count
