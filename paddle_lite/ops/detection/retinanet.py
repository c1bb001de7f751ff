"""RetinaNet (Lin et al. 2017, "Focal loss"): the targets of its anchors, and its detections."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...core.errors import ShapeError, message
from ..framework.spec import Declaration, Required, op
from ..support.box_codes import detect_on_levels
from ..support.meta import Meta
from ..support.require import require_dtype, require_elements, require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from .select import suppressed
from .targets import best_of, deltas, images_match, joined, overlaps, per_image, require_true, sorted_out
from .targets import true_boxes as scaled_boxes

EVERY = 2**31 - 1  # as many as there are


@op(
    "retinanet_target_assign",
    inputs="Anchor GtBoxes GtLabels IsCrowd ImInfo",
    outputs="LocationIndex ScoreIndex TargetBBox TargetLabel BBoxInsideWeight ForegroundNumber",
    attrs={"positive_overlap": 0.5, "negative_overlap": 0.40000001},
    lod="made",
    needs_lod="GtBoxes GtLabels IsCrowd",
    stopped="LocationIndex ScoreIndex TargetBBox TargetLabel BBoxInsideWeight ForegroundNumber",
    any_sizes=True,
)
class retinanet_target_assign(Declaration):
    """Compute the targets of RetinaNet: as rpn_target_assign, but for all anchors, and with classes.

    Positive are the anchors with the highest overlap with a true box, and those with an overlap of at least
    positive_overlap; TargetLabel holds the class of their box in GtLabels [T, 1], from 1 on. Negative, with label 0,
    are those with an overlap below negative_overlap with every true box. ForegroundNumber [N, 1] is the number of
    positive anchors of each image, plus one.
    """

    def infer(Anchor, GtBoxes, GtLabels, IsCrowd, ImInfo, **_):
        where = "retinanet_target_assign"
        require_floats(where, Anchor=Anchor, GtBoxes=GtBoxes, ImInfo=ImInfo)
        require_true(where, GtBoxes, IsCrowd, ImInfo)
        require_shape(where, "Anchor", Anchor, (UNKNOWN, 4))
        require_dtype(where, "GtLabels", GtLabels, "int32")
        require_shape(where, "GtLabels", GtLabels, (GtBoxes.shape[0], 1), (GtBoxes.shape[0],))
        whole = np.dtype("int32")
        index, column, rows = (
            Meta((UNKNOWN,), whole, 1),
            Meta((UNKNOWN, 1), whole, 1),
            Meta((UNKNOWN, 4), Anchor.dtype, 1),
        )
        return index, index, rows, column, rows, column

    def reference(xp, Anchor, GtBoxes, GtLabels, IsCrowd, ImInfo, *, lod, positive_overlap, negative_overlap):
        where = "retinanet_target_assign"
        starts, *_ = per_image(where, lod, GtBoxes=GtBoxes, GtLabels=GtLabels, IsCrowd=IsCrowd)
        images_match(where, starts, ImInfo)
        made = [[] for _ in range(6)]
        for image, (first, last) in enumerate(pairwise(starts)):
            crowd = IsCrowd[first:last].reshape(-1)
            true = scaled_boxes(xp, GtBoxes[first:last], crowd, ImInfo[image, 2])
            alike = overlaps(xp, Anchor, true)
            places, count, objects, others = sorted_out(
                xp, alike, EVERY, 1.0, positive_overlap, negative_overlap, False
            )
            nearest = best_of(xp, alike)[1]
            of_object = GtLabels[first:last].reshape(-1)[crowd == 0][nearest[objects]]
            label = xp.concatenate([of_object, xp.zeros(len(others), "int32")]).reshape(-1, 1)
            weight = xp.concatenate([xp.zeros((len(places) - count, 4)), xp.ones((count, 4))]).astype(Anchor.dtype)
            offset = image * len(Anchor)
            indices = places + offset, xp.concatenate([objects, others]) + offset
            parts = (
                *(i.astype("int32") for i in indices),
                deltas(xp, Anchor[places], true[nearest[places]]).astype(Anchor.dtype),
                label,
                weight,
                xp.full((1, 1), len(places) + 1, "int32"),
            )
            for store, part in zip(made, parts, strict=True):
                store.append(part)
        arrays, lods = zip(*(joined(xp, parts) for parts in made), strict=True)
        return arrays, lods


@op(
    "retinanet_detection_output",
    inputs="BBoxes* Scores* Anchors* ImInfo",
    outputs="Out",
    attrs={
        "score_threshold": Required("FLOAT"),
        "nms_top_k": Required("INT"),
        "nms_threshold": Required("FLOAT"),
        "nms_eta": Required("FLOAT"),
        "keep_top_k": Required("INT"),
    },
    lod="made",
    stopped="Out",
)
class retinanet_detection_output(Declaration):
    """Decode the detections of RetinaNet: the best boxes of each level, after non-maximum suppression.

    Each level has BBoxes [N, A, 4] (codes as in box_coder, in pixels), Scores [N, A, classes] and Anchors [A, 4];
    ImInfo [N, 3] holds height, width and scale, by which boxes are divided. Of each level the nms_top_k best above
    score_threshold are used; the last level has no threshold. Out has a row (class from 1 on, score, box) for each that
    is kept, the best of each image first.
    """

    def infer(BBoxes, Scores, Anchors, ImInfo, **_):
        where = "retinanet_detection_output"
        require_elements(where, "ImInfo", ImInfo)
        for slot, metas in (("Scores", Scores), ("Anchors", Anchors)):
            if len(metas) != len(BBoxes):
                got, needs = f"{len(metas)} arrays", f"{len(BBoxes)}, one for each of BBoxes"
                raise ShapeError(message(where, f"Input({slot})", got, needs))
        for i, (boxes, scores, anchors) in enumerate(zip(BBoxes, Scores, Anchors, strict=True)):
            given = {f"BBoxes[{i}]": boxes, f"Scores[{i}]": scores, f"Anchors[{i}]": anchors}
            require_floats(where, **given, ImInfo=ImInfo)
            require_shape(where, f"BBoxes[{i}]", boxes, (ImInfo.shape[0], UNKNOWN, 4))
            require_shape(where, f"Scores[{i}]", scores, (*boxes.shape[:2], UNKNOWN))
            require_shape(where, f"Anchors[{i}]", anchors, (boxes.shape[1], 4))
        require_shape(where, "ImInfo", ImInfo, (UNKNOWN, 3))
        return Meta((UNKNOWN, 6), BBoxes[0].dtype, 1)

    def reference(
        xp, BBoxes, Scores, Anchors, ImInfo, *, score_threshold, nms_top_k, nms_threshold, nms_eta, keep_top_k
    ):
        number = BBoxes[0].dtype.type

        def kept(boxes: Any, scores: Any) -> Any:
            return suppressed(xp, boxes, scores, -np.inf, -1, number(nms_threshold), number(nms_eta), 1)

        return detect_on_levels(xp, BBoxes, Scores, Anchors, ImInfo, score_threshold, nms_top_k, keep_top_k, kept)
