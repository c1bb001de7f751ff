"""CPU kernels of RetinaNet's operators."""

from __future__ import annotations

import numpy as np

from ....ops.support.box_codes import detect_on_levels
from ...registry import kernel
from .box_overlap import non_maximum_suppression


@kernel("retinanet_detection_output")
def retinanet_detection_output(
    BBoxes, Scores, Anchors, ImInfo, *, score_threshold, nms_top_k, nms_threshold, nms_eta, keep_top_k, reference
):
    def kept(boxes, scores):
        return non_maximum_suppression(boxes, nms_threshold, nms_eta, len(boxes))

    return detect_on_levels(np, BBoxes, Scores, Anchors, ImInfo, score_threshold, nms_top_k, keep_top_k, kept)
