"""Beam search: the best continuations of sequences, and backtracking to the final sequences.

A step of a search has a LoD of two levels: which of the rows of the step before belong to each source, and which of its
own rows continue each of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, LoDError, ShapeError, message
from ...core.ranges import require_integers, require_range
from ..framework.spec import Declaration, Required, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_one_shape, require_shape
from ..support.shape_rules import UNKNOWN

Item = tuple[float, int, int]  # score, row that it continues, word


def sources_of(lod: Any, level: int, rows: int) -> tuple[int, ...]:
    """Return the offsets of the rows of each source."""
    where, slot = "beam_search", "Input(scores)"
    if lod is None:
        fix = "Start with create_lod_tensor(..., [[1] * sources, [1] * sources])."
        raise LoDError(message(where, slot, "no LoD", "a LoD that tells the sources apart", fix))
    if not 0 <= level < len(lod):
        needs = f"a level from 0 to {len(lod) - 1}, as the LoD of scores has"
        raise ArgumentValueError(message(where, "attribute 'level'", level, needs))
    starts = lod[level]
    for below in lod[level + 1 :]:
        starts = tuple(below[i] for i in starts)
    if starts[-1] != rows:
        raise LoDError(message(where, slot, f"LoD {[list(x) for x in lod]}", f"{rows} rows"))
    return starts


def best_of(items: Iterable[Item], size: int) -> list[Item]:
    """Return the `size` items with the highest scores, the best first.

    Of equal scores the later row is better, and of one row the item that comes last takes the last place.
    """
    best: list[Item] = []
    for item in items:
        if len(best) == size:
            if item[:2] < best[-1][:2]:
                continue
            best.pop()
        place = len(best)
        while place and best[place - 1][:2] < item[:2]:
            place -= 1
        best.insert(place, item)
    return best


@op(
    "beam_search",
    inputs="pre_ids pre_scores ids? scores",
    outputs="selected_ids selected_scores parent_idx?",
    attrs={"level": Required("INT"), "beam_size": Required("INT"), "end_id": Required("INT"), "is_accumulated": True},
    lod="made",
    needs_lod="scores",
)
class beam_search(Declaration):
    """Select the `beam_size` best continuations of the hypotheses of each source: one step of a beam search.

    Row r is a hypothesis that ends with the word pre_ids [rows, 1] and has the score pre_scores [rows, 1]. Its
    candidates are the words ids [rows, K] (0 ... K - 1 if not given) with the total scores scores [rows, K], or
    pre_scores + log(scores) unless `is_accumulated`. A hypothesis that ends with `end_id` is kept unchanged; a source
    is finished, and has no more rows, if all of its best hypotheses are. selected_ids and selected_scores [selected, 1]
    have a LoD of two levels; parent_idx [selected] holds the rows that they continue.
    """

    def infer(pre_ids, pre_scores, ids, scores, *, beam_size, **_):
        where = "beam_search"
        if beam_size < 1:
            raise ArgumentValueError(message(where, "attribute 'beam_size'", beam_size, "1 or more"))
        require_floats(where, scores=scores, pre_scores=pre_scores)
        if len(scores.shape) != 2:
            raise ShapeError(message(where, "Input(scores)", f"shape {list(scores.shape)}", "shape [rows, words]"))
        for slot, array in (("pre_ids", pre_ids), ("pre_scores", pre_scores)):
            if array.shape[:1] != (1,):  # [1, rows] is read as [rows, 1]
                require_shape(where, slot, array, (scores.shape[0], 1))
        require_dtype(where, "pre_ids", pre_ids, "int64")
        if ids is not None:
            require_dtype(where, "ids", ids, "int64")
            require_one_shape(where, scores=scores, ids=ids)
        rows = (UNKNOWN, 1)
        return Meta(rows, pre_ids.dtype, 2), Meta(rows, scores.dtype, 2), Meta((UNKNOWN,), np.dtype("int32"))

    def reference(xp, pre_ids, pre_scores, ids, scores, *, lod, level, beam_size, end_id, is_accumulated):
        starts = sources_of(lod, level, len(scores))
        totals = (scores if is_accumulated else pre_scores + xp.log(scores)).tolist()
        words = None if ids is None else ids.tolist()
        last, before = pre_ids.reshape(-1).tolist(), pre_scores.reshape(-1).tolist()

        def continued(row):
            if last[row] == end_id:
                return [(before[row], row, end_id)]
            return ((s, row, k if words is None else words[row][k]) for k, s in enumerate(totals[row]))

        chosen: list[Item] = []
        for start, end in pairwise(starts):
            best = best_of((item for row in range(start, end) for item in continued(row)), beam_size)
            if not all(word == end_id == last[row] for _, row, word in best):
                chosen += sorted(best, key=lambda item: item[1])
        counts = [0] * len(scores)
        for _, row, _ in chosen:
            counts[row] += 1
        levels = starts, tuple(accumulate(counts, initial=0))
        scores, parents, words = ([item[i] for item in chosen] for i in range(3))
        return (
            xp.asarray(words, pre_ids.dtype).reshape(-1, 1),
            xp.asarray(scores, pre_scores.dtype).reshape(-1, 1),
            xp.asarray(parents, "int32"),
        ), (levels, levels, None)


@op("gather_tree", inputs="Ids Parents", outputs="Out", lod=None, flops=0)
class gather_tree(Declaration):
    """Return the full sequences Out [steps, N, beams] that end in each beam; Parents holds the beams before each."""

    def infer(Ids, Parents):
        require_integers("gather_tree", "Input(Ids)", Ids)
        require_dtype("gather_tree", "Parents", Parents, Ids.dtype)
        require_shape("gather_tree", "Ids", Ids, (UNKNOWN,) * 3)
        require_one_shape("gather_tree", Ids=Ids, Parents=Parents)
        return Meta(Ids.shape, Ids.dtype)

    def reference(xp, Ids, Parents):
        require_range("gather_tree", "Input(Parents)", Parents[1:], Ids.shape[2])
        out, beam = Ids.copy(), None
        for t in range(len(Ids) - 2, -1, -1):
            beam = Parents[t + 1] if beam is None else xp.take_along_axis(Parents[t + 1], beam, axis=1)
            out[t] = xp.take_along_axis(Ids[t], beam, axis=1)
        return out


# --- the sequences of all steps ---------------------------------------------------------------------------------------------


def sequences(
    words: Sequence[list[int]], scores: Sequence[list[float]], lods: Sequence[Any], end_id: int
) -> list[list[tuple[list[int], list[float]]]]:
    """Return the sequences of each source, the best first: their words, and the scores after each word.

    Arguments:
        words, scores: of each row of each step.
        lods: the LoD of each step.
        end_id: ends a sequence; behind the first one there are no words.
    """
    found: list[list[tuple[list[int], list[float]]]] = []
    for source in range(len(lods[-1][0]) - 1):
        ways: list[tuple[int, list[int], list[float]]] = []
        for step in range(len(lods) - 1, -1, -1):
            rows_before, starts = lods[step]
            parent_of = [row for row, (a, b) in enumerate(pairwise(starts)) for _ in range(b - a)]
            if not ways:  # the search for this source ended at this step
                first, last = starts[rows_before[source]], starts[rows_before[source + 1]]
                ways = [(row, [], []) for row in range(first, last)]
            for i, (row, ids, totals) in enumerate(ways):
                if words[step][row] != end_id or not ids:
                    ids.append(words[step][row])
                    totals.append(scores[step][row])
                ways[i] = parent_of[row], ids, totals
        ways.sort(key=lambda way: -way[2][0])
        found.append([(ids[::-1], totals[::-1]) for _, ids, totals in ways])
    return found


def decoded(steps: Sequence[tuple[Any, Any, Any]], end_id: int, xp: Any) -> tuple[Any, Any, Any]:
    """Return (words, scores, their LoD) from (ids, scores, LoD) of each step of a beam search."""
    where = "beam_search_decode"
    if not steps:
        raise ArgumentValueError(
            message(where, "Input(Ids)", "an empty array", "what beam_search selected at each step")
        )
    for i, (ids, _, lod) in enumerate(steps):
        if lod is None or len(lod) != 2 or len(lod[0]) != len(steps[0][2][0]) or lod[1][-1] != ids.size:
            got = "no LoD" if lod is None else f"LoD {[list(level) for level in lod]}"
            needs = f"two levels, of the same sources and of {ids.size} rows"
            raise LoDError(message(where, f"Input(Ids)[{i}]", got, needs, "Take what beam_search gives."))
    lods = [lod for _, _, lod in steps]
    found = sequences(
        [ids.reshape(-1).tolist() for ids, _, _ in steps], [x.reshape(-1).tolist() for _, x, _ in steps], lods, end_id
    )
    flat = [sequence for source in found for sequence in source]
    lod = (
        tuple(accumulate((len(source) for source in found), initial=0)),
        tuple(accumulate((len(ids) for ids, _ in flat), initial=0)),
    )
    words, scores = ([value for sequence in flat for value in sequence[k]] for k in range(2))
    return xp.asarray(words, steps[0][0].dtype), xp.asarray(scores, steps[0][1].dtype), lod
