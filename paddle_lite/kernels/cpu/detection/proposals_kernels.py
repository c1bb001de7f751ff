"""CPU kernels of the operators that propose regions."""

from __future__ import annotations

import numpy as np

from ....ops.support.box_codes import propose
from ...registry import kernel
from .box_overlap import non_maximum_suppression


@kernel("generate_proposals")
def generate_proposals(
    Scores, BboxDeltas, ImInfo, Anchors, Variances, *, pre_nms_topN, post_nms_topN, nms_thresh, min_size, eta, reference
):
    def kept(boxes, scores):
        return non_maximum_suppression(boxes, nms_thresh, eta, post_nms_topN if post_nms_topN > 0 else len(boxes))

    suppress = kept if nms_thresh > 0 else None
    return propose(np, Scores, BboxDeltas, ImInfo, Anchors, Variances, pre_nms_topN, min_size, suppress)
