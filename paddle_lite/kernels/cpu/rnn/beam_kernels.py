"""CPU kernels of beam search."""

from __future__ import annotations

import numpy as np

from ....core.ranges import require_range
from ...numba_jit import jit
from ...registry import kernel


@kernel("beam_search")
def beam_search(pre_ids, pre_scores, ids, scores, *, lod, level, beam_size, end_id, is_accumulated, reference):
    starts = _sources(lod, level, len(scores))
    if starts is None:
        return reference(
            pre_ids, pre_scores, ids, scores, lod=lod, level=level, beam_size=beam_size, end_id=end_id,
            is_accumulated=is_accumulated,
        )  # fmt: skip
    totals = scores if is_accumulated else pre_scores + np.log(scores)
    offsets, rows = np.array(starts, np.int64), len(scores)
    room = (len(starts) - 1) * min(beam_size, rows * max(scores.shape[1], 1))
    parents, words, reached = np.empty(room, np.int32), np.empty(room, np.int64), np.empty(room, scores.dtype)
    counts, size = np.zeros(rows + 1, np.int64), min(beam_size, max(room, 1))
    last, before = np.ascontiguousarray(pre_ids).reshape(-1), np.ascontiguousarray(pre_scores).reshape(-1)
    named = ids is not None
    tokens = np.ascontiguousarray(ids) if named else np.empty((0, 0), np.int64)
    n = _select(
        last, before, tokens, named, np.ascontiguousarray(totals), offsets, end_id,
        (np.empty(size, scores.dtype), np.empty(size, np.int64), np.empty(size, np.int64)), parents, words, reached, counts,
    )  # fmt: skip
    levels = starts, tuple(np.cumsum(counts).tolist())
    results = words[:n].reshape(-1, 1).copy(), reached[:n].reshape(-1, 1).copy(), parents[:n].copy()
    return results, (levels, levels, None)


@kernel("gather_tree")
def gather_tree(Ids, Parents):
    require_range("gather_tree", "Input(Parents)", Parents[1:], Ids.shape[2])
    out = np.ascontiguousarray(Ids).copy()
    _follow(out, np.ascontiguousarray(Parents))
    return out


@jit
def _follow(out, parents):
    """Replace the words of each step by those on the ways to the last one."""
    steps, samples, beams = out.shape
    words = np.empty(beams, out.dtype)
    ways = np.empty(beams, np.int64)
    for n in range(samples):
        for k in range(beams):
            ways[k] = k
        for back in range(1, steps):
            t = steps - 1 - back
            for k in range(beams):
                words[k] = out[t, n, k]
            for k in range(beams):
                ways[k] = parents[t + 1, n, ways[k]]
                out[t, n, k] = words[ways[k]]


def _sources(lod, level, rows):
    """Return the offsets of each source's rows; None if the LoD is invalid, which the reference explains."""
    if lod is None or not 0 <= level < len(lod):
        return None
    starts = lod[level]
    for below in lod[level + 1 :]:
        starts = tuple(below[i] for i in starts)
    return starts if starts[-1] == rows else None


@jit
def _select(last, before, ids, named, totals, starts, end_id, best, parents, words, reached, counts):
    score, row, word = best
    size, chosen = score.size, 0
    for source in range(starts.size - 1):
        kept = 0
        for r in range(starts[source], starts[source + 1]):
            ended = last[r] == end_id
            for k in range(1 if ended else totals.shape[1]):
                value = before[r] if ended else totals[r, k]
                if kept == size:
                    if value < score[size - 1] or (value == score[size - 1] and r < row[size - 1]):
                        continue
                    kept -= 1
                place = kept
                while place > 0 and (score[place - 1] < value or (score[place - 1] == value and row[place - 1] < r)):
                    score[place], row[place], word[place] = score[place - 1], row[place - 1], word[place - 1]
                    place -= 1
                score[place], row[place] = value, r
                word[place] = end_id if ended else ids[r, k] if named else k
                kept += 1
        over = True
        for k in range(kept):
            over = over and word[k] == end_id and last[row[k]] == end_id
        if over:
            continue
        for r in range(starts[source], starts[source + 1]):
            for k in range(kept):
                if row[k] == r:
                    parents[chosen], words[chosen], reached[chosen] = r, word[k], score[k]
                    counts[r + 1] += 1
                    chosen += 1
    return chosen
