"""CPU kernels of the operators that select boxes."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from ....ops.support.box_codes import best_of_decayed
from ...numba_jit import inline, jit
from ...registry import kernel
from ..support.sorting import stable_order
from .box_overlap import intersection_over_union


@kernel("multiclass_nms")
def multiclass_nms(BBoxes, Scores, *, lod, reference, **attrs):
    if not _known(BBoxes, Scores, lod):
        return reference(BBoxes, Scores, lod=lod, **attrs)
    rows, _, starts = _chosen(BBoxes, Scores, lod, **attrs)
    return (rows, (starts,)) if starts[-1] else (np.full((1, 1), -1, BBoxes.dtype), ((0, 1),))


@kernel("multiclass_nms2")
def multiclass_nms2(BBoxes, Scores, *, lod, reference, **attrs):
    if not _known(BBoxes, Scores, lod):
        return reference(BBoxes, Scores, lod=lod, **attrs)
    rows, indices, starts = _chosen(BBoxes, Scores, lod, **attrs)
    return (rows, indices.astype(np.int32).reshape(-1, 1)), ((starts,), (starts,))


@kernel("matrix_nms")
def matrix_nms(
    BBoxes, Scores, *, background_label, score_threshold, post_threshold, nms_top_k, keep_top_k, normalized, use_gaussian,
    gaussian_sigma, reference,
):  # fmt: skip
    number = Scores.dtype.type
    how = number(0 if normalized else 1), number(gaussian_sigma), use_gaussian

    def decayed(boxes, scores):
        less = np.empty_like(scores)
        _decay(boxes, scores, *how, np.empty_like(scores), less)
        return less

    lowest = score_threshold, post_threshold
    return best_of_decayed(np, BBoxes, Scores, background_label, lowest, nms_top_k, keep_top_k, decayed)


@jit
def _decay(boxes, scores, extra, sigma, gaussian, most, less):
    """Write to `less` the scores of boxes, the best first, decayed by the overlap with better boxes; `most` is scratch.

    most: how much of each box any better one shares.
    """
    zero = extra - extra
    one = zero + 1
    for j in range(scores.size):
        least, peak = one, zero
        for i in range(j):
            share = intersection_over_union(boxes[j], boxes[i], extra)
            peak = max(peak, share)
            if gaussian:
                least = min(least, math.exp((most[i] * most[i] - share * share) * sigma))
            elif most[i] < 1:
                least = min(least, (one - share) / (one - most[i]))
        most[j] = peak
        less[j] = least * scores[j]


def _known(BBoxes, Scores, lod):
    """Return whether the inputs are boxes with valid image offsets; the reference handles polygons and errors."""
    return BBoxes.shape[-1] == 4 and (
        Scores.ndim == 3 or (lod is not None and len(lod) == 1 and lod[0][-1] == len(BBoxes))
    )


def _chosen(
    BBoxes, Scores, lod, *, background_label, score_threshold, nms_top_k, nms_threshold, nms_eta, keep_top_k, normalized
):
    """Return the selected rows, the indices of their boxes, and the offsets of each image's rows."""
    number, starts, rows, indices, first = BBoxes.dtype.type, [0], [], [], 0
    how = number(score_threshold), nms_top_k, number(nms_threshold), number(nms_eta), number(0 if normalized else 1)
    for boxes, scores in _images(BBoxes, Scores, lod):
        classes, count = scores.shape
        found = np.empty((classes * (count if nms_top_k < 0 else min(count, nms_top_k)), 6), BBoxes.dtype)
        place = np.empty(len(found), np.int64)
        kept = _choose(boxes, scores, background_label, *how, keep_top_k, Scores.ndim == 3, found, place)
        rows.append(found[:kept].copy())
        place = first + place[:kept]
        indices.append(place if Scores.ndim == 3 else place * classes + found[:kept, 0].astype(np.int64))
        starts.append(starts[-1] + kept)
        first += count
    return np.concatenate(rows), np.concatenate(indices), tuple(starts)


def _images(BBoxes, Scores, lod):
    """Yield boxes [classes or 1, boxes, 4] and scores [classes, boxes] of each image, contiguous."""
    if Scores.ndim == 3:
        BBoxes, Scores = np.ascontiguousarray(BBoxes), np.ascontiguousarray(Scores)
        yield from ((boxes[None], scores) for boxes, scores in zip(BBoxes, Scores, strict=True))
        return
    for first, last in pairwise(lod[0]):
        boxes, scores = BBoxes[first:last].swapaxes(0, 1), Scores[first:last].T
        yield np.ascontiguousarray(boxes), np.ascontiguousarray(scores)


@jit
def _choose(boxes, scores, background, lowest, top_k, iou, eta, extra, keep, best_first, found, place):
    """Write the rows of the kept boxes to `found` and their indices to `place`; return their number."""
    count, boxes_of_class = 0, scores.shape[1]
    most = max(boxes_of_class, place.size)
    order, scratch, keys = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, scores.dtype)
    rows, places = np.empty((place.size, 6), found.dtype), np.empty(place.size, np.int64)
    for label in range(scores.shape[0]):
        if label == background:
            continue
        of_class, first, limit, tried = boxes[min(label, boxes.shape[0] - 1)], count, iou, 0
        for k in range(boxes_of_class):
            keys[k] = -scores[label, k]
        stable_order(keys[:boxes_of_class], order, scratch)
        for best in range(boxes_of_class):
            i = order[best]
            if tried == top_k or not scores[label, i] > lowest:
                break
            tried += 1
            covered = False
            for k in range(first, count):
                if intersection_over_union(of_class[i], found[k, 2:], extra) > limit:
                    covered = True
                    break
            if covered:
                continue
            found[count, 0] = label
            found[count, 1] = scores[label, i]
            found[count, 2:] = of_class[i]
            place[count] = i
            count += 1
            if eta < 1 and limit > 0.5:
                limit = limit * eta
        if not best_first:
            stable_order(place[first:count], order, scratch)
            _permute(found, place, first, count - first, order, rows, places)
    if keep < 0 or count <= keep:
        return count
    for k in range(count):
        keys[k] = -found[k, 1]
    stable_order(keys[:count], order, scratch)
    stable_order(order[:keep], scratch, places)  # back to the order of the classes
    for k in range(keep):
        places[k] = order[scratch[k]]
    _permute(found, place, 0, keep, places, rows, scratch)
    return keep


@inline
def _permute(found, place, first, count, order, rows, places):
    """Move `count` rows and indices from `first` on into another order; `rows` and `places` are scratch."""
    for k in range(count):
        rows[k] = found[first + order[k]]
        places[k] = place[first + order[k]]
    for k in range(count):
        found[first + k] = rows[k]
        place[first + k] = places[k]
