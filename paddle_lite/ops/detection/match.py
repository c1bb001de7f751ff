"""Operators that match boxes with boxes, and that gather targets by the matches."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, DtypeError, IndexRangeError, ShapeError, message
from ...core.ranges import require_range
from ..framework.spec import Declaration, op
from ..support.image_rows import image_of_rows, starts_of
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.shape_rules import UNKNOWN

LEAST = 1e-6  # pairs that are less alike are not matched


def matched(xp: Any, alike: Any, at_least: float | None) -> tuple[Any, Any]:
    """Return, for each column of a matrix, the row that is matched with it (-1: none), and their similarity."""
    rows, columns = alike.shape
    row_of, best = xp.full(columns, -1, "int32"), xp.zeros(columns, alike.dtype)
    if not rows:
        return row_of, best
    alike = xp.where(
        alike >= LEAST, alike, 0
    ).T  # by columns: of equally good pairs that of the first column comes first
    free = alike.copy()
    for _ in range(min(rows, columns)):
        column, row = divmod(int(free.argmax()), rows)
        if not free[column, row] > 0:
            break
        row_of[column], best[column] = row, free[column, row]
        free[column], free[:, row] = 0, 0
    if at_least is None:
        return row_of, best
    top = alike.max(1)
    more = (row_of < 0) & (top > 0) & (top >= at_least)
    return xp.where(more, alike.argmax(1).astype("int32"), row_of), xp.where(more, top, best)


def images_matched(lod: Any, rows: int) -> Any:
    """Return the offsets of the rows of each image; without a LoD all rows belong to one image."""
    return (0, rows) if lod is None else starts_of("bipartite_match", "DistMat", lod, rows)


@op(
    "bipartite_match",
    inputs="DistMat",
    outputs="ColToRowMatchIndices ColToRowMatchDist",
    attrs={"match_type": "bipartite", "dist_threshold": 0.5},
    lod=None,
    needs_lod="DistMat",
)
class bipartite_match(Declaration):
    """Match columns of DistMat with rows of each image greedily: the pair with the highest similarity first.

    Each row and column is matched once. With match_type "per_prediction", each unmatched column is then matched with
    its most similar row, if the similarity is at least `dist_threshold`. ColToRowMatchIndices [images, columns] holds
    row indices within an image; -1 is no match.
    """

    def infer(DistMat, *, match_type, **_):
        require_floats("bipartite_match", DistMat=DistMat)
        require_shape("bipartite_match", "DistMat", DistMat, (UNKNOWN, UNKNOWN))
        if match_type not in ("bipartite", "per_prediction"):
            needs = "'bipartite' or 'per_prediction'"
            raise ArgumentValueError(message("bipartite_match", "attribute 'match_type'", repr(match_type), needs))
        shape = (UNKNOWN if DistMat.lod_level else 1, DistMat.shape[1])
        return Meta(shape, np.dtype("int32")), Meta(shape, DistMat.dtype)

    def reference(xp, DistMat, *, lod, match_type, dist_threshold):
        starts = images_matched(lod, len(DistMat))
        at_least = dist_threshold if match_type == "per_prediction" else None
        made = [matched(xp, DistMat[a:b], at_least) for a, b in pairwise(starts)]
        return xp.stack([rows for rows, _ in made]), xp.stack([best for _, best in made])


@op(
    "target_assign",
    inputs="X MatchIndices NegIndices?",
    outputs="Out OutWeight",
    attrs={"mismatch_value": 0},
    lod=None,
    needs_lod="X NegIndices",
)
class target_assign(Declaration):
    """Gather the rows of X [rows, P, K] at MatchIndices [N, M]: Out[i, j] = X[first row of image i + index, j % P].

    If the index is negative, Out is `mismatch_value` and OutWeight 0; else OutWeight is 1. NegIndices [rows, 1], with a
    LoD, holds columns of each image that get `mismatch_value` and weight 1.
    """

    def infer(X, MatchIndices, NegIndices, **_):
        where = "target_assign"
        if X.dtype.kind not in "fi":
            raise DtypeError(message(where, "Input(X)", f"dtype {X.dtype}", "float32 or int32"))
        if len(X.shape) != 3:
            raise ShapeError(message(where, "Input(X)", f"shape {list(X.shape)}", "shape [rows, P, K]"))
        require_dtype(where, "MatchIndices", MatchIndices, "int32")
        require_shape(where, "MatchIndices", MatchIndices, (UNKNOWN, UNKNOWN))
        if NegIndices is not None:
            require_dtype(where, "NegIndices", NegIndices, "int32")
            require_shape(where, "NegIndices", NegIndices, (UNKNOWN, 1))
        shape = MatchIndices.shape
        return Meta((*shape, X.shape[2]), X.dtype), Meta((*shape, 1), np.dtype("float32"))

    def reference(xp, X, MatchIndices, NegIndices, *, lod, mismatch_value):
        images, columns = MatchIndices.shape
        starts = xp.asarray(starts_of("target_assign", "X", lod[0], len(X), images), "int64")[:, None]
        require_rows(MatchIndices, starts[1:] - starts[:-1])
        found = (MatchIndices >= 0)[..., None]
        nothing = xp.asarray(mismatch_value, X.dtype)
        out, weight = xp.full((images, columns, X.shape[2]), nothing, X.dtype), found.astype("float32")
        if len(X):
            rows = xp.where(MatchIndices >= 0, MatchIndices + starts[:-1], 0)
            out = xp.where(found, X[rows, xp.arange(columns) % X.shape[1]], nothing)
        if NegIndices is not None:
            starts = starts_of("target_assign", "NegIndices", lod[1], len(NegIndices), images)
            require_range("target_assign", "Input(NegIndices)", NegIndices, columns)
            place = xp.asarray(image_of_rows(starts), "int64"), NegIndices[:, 0]
            out[place], weight[place] = nothing, 1
        return out, weight


def require_rows(MatchIndices, counts):
    """Raise unless every match is a row of its image."""
    wrong = MatchIndices >= counts
    if wrong.any():
        image = int(wrong.any(1).argmax())
        got, needs = int(MatchIndices[image].max()), f"below {int(counts[image, 0])}, the rows of image {image}"
        raise IndexRangeError(message("target_assign", "Input(MatchIndices)", got, needs))


# --- what is hardest ----------------------------------------------------------------------------------------------------------


def hardest(xp: Any, loss: Any, allowed: Any, count: int) -> Any:
    """Return the allowed columns with the `count` largest losses; of equal losses the first."""
    order = xp.argsort(xp.where(allowed, -loss, np.inf), kind="stable")[: min(count, int(allowed.sum()))]
    chosen = xp.zeros(loss.shape, "bool")
    chosen[order] = True
    return chosen


@op(
    "mine_hard_examples",
    inputs="ClsLoss LocLoss? MatchIndices MatchDist",
    outputs="NegIndices UpdatedMatchIndices",
    attrs={"neg_pos_ratio": 1.0, "neg_dist_threshold": 0.5, "sample_size": 0, "mining_type": "max_negative"},
    lod="made",
)
class mine_hard_examples(Declaration):
    """Select the columns (prior boxes) of each image with the highest losses as negative examples.

    max_negative: of the unmatched columns (-1) with MatchDist below neg_dist_threshold, those with the highest ClsLoss,
    neg_pos_ratio times as many as are matched. hard_example: the sample_size columns with the highest ClsLoss +
    LocLoss; the unmatched ones of them are the negatives, and the matches of all other columns are removed in
    UpdatedMatchIndices. NegIndices [found, 1] is in ascending order, with a LoD of images.
    """

    def infer(
        ClsLoss, LocLoss, MatchIndices, MatchDist, *, neg_pos_ratio, neg_dist_threshold, sample_size, mining_type
    ):
        where = "mine_hard_examples"
        floats = {"ClsLoss": ClsLoss, "MatchDist": MatchDist} | ({} if LocLoss is None else {"LocLoss": LocLoss})
        require_floats(where, **floats)
        require_dtype(where, "MatchIndices", MatchIndices, "int32")
        require_shape(where, "ClsLoss", ClsLoss, (UNKNOWN, UNKNOWN))
        for slot, meta in {**floats, "MatchIndices": MatchIndices}.items():
            require_shape(where, slot, meta, ClsLoss.shape)
        if mining_type not in ("max_negative", "hard_example"):
            needs = "'max_negative' or 'hard_example'"
            raise ArgumentValueError(message(where, "attribute 'mining_type'", repr(mining_type), needs))
        by_ratio = {"neg_pos_ratio": neg_pos_ratio, "neg_dist_threshold": neg_dist_threshold}
        for name, value in (by_ratio if mining_type == "max_negative" else {"sample_size": sample_size}).items():
            if not value > 0:
                raise ArgumentValueError(message(where, f"attribute {name!r}", value, "a positive number"))
        return Meta((UNKNOWN, 1), np.dtype("int32"), 1), MatchIndices

    def reference(
        xp, ClsLoss, LocLoss, MatchIndices, MatchDist, *, neg_pos_ratio, neg_dist_threshold, sample_size, mining_type
    ):
        negatives, starts, updated = [], [0], MatchIndices.copy()
        total = ClsLoss if LocLoss is None else ClsLoss + LocLoss
        for i, rows in enumerate(MatchIndices):
            if mining_type == "max_negative":
                count = int(np.float32(neg_pos_ratio) * int((rows >= 0).sum()))
                chosen = hardest(xp, ClsLoss[i], (rows < 0) & (MatchDist[i] < neg_dist_threshold), count)
            else:
                chosen = hardest(xp, total[i], xp.ones(rows.shape, "bool"), sample_size)
                updated[i] = xp.where(chosen, rows, -1)
            negatives.append(xp.nonzero(chosen & (rows < 0))[0].astype("int32"))
            starts.append(starts[-1] + len(negatives[-1]))
        found = xp.concatenate(negatives) if negatives else xp.zeros(0, "int32")
        return (found.reshape(-1, 1), updated), ((tuple(starts),), None)
