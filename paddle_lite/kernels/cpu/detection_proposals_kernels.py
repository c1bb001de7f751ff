"""The CPU kernels of the operators that propose regions."""

from __future__ import annotations

import numpy as np

from ..boxes import propose
from ..numba_jit import jit
from ..registry import kernel
from .overlap import shared


@kernel("generate_proposals")
def generate_proposals(
    Scores, BboxDeltas, ImInfo, Anchors, Variances, *, pre_nms_topN, post_nms_topN, nms_thresh, min_size, eta, reference
):
    number = Scores.dtype.type

    def kept(boxes, scores):
        most = post_nms_topN if post_nms_topN > 0 else len(boxes)
        places = np.empty(min(most, len(boxes)), np.int64)
        return places[: _best(np.ascontiguousarray(boxes), number(nms_thresh), number(eta), number(1), places)]

    suppress = kept if nms_thresh > 0 else None
    return propose(np, Scores, BboxDeltas, ImInfo, Anchors, Variances, pre_nms_topN, min_size, suppress)


@jit
def _best(boxes, limit, eta, extra, places):
    count = 0
    for i in range(boxes.shape[0]):
        if count == places.size:
            break
        covered = False
        for k in range(count):
            if shared(boxes[i], boxes[places[k]], extra) > limit:
                covered = True
                break
        if covered:
            continue
        places[count] = i
        count += 1
        if eta < 1 and limit > 0.5:
            limit = limit * eta
    return count
