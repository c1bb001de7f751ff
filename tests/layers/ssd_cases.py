"""Calls of ssd_loss and detection_output; runs on Python 3.7 too (record_ssd.py)."""

import numpy as np

from tests.ops.row import draw

LODS = {"boxes": [[0, 2, 3]], "labels": [[0, 2, 3]]}


def inputs():
    """Nine prior boxes, three true boxes in two images, three classes."""
    corner = np.stack(np.meshgrid([0.0, 0.3, 0.6], [0.0, 0.3, 0.6]), -1).reshape(9, 2)
    priors = np.concatenate([corner, corner + 0.4], 1)
    true = np.array([[0.05, 0.0, 0.4, 0.45], [0.5, 0.55, 0.95, 1.0], [0.35, 0.3, 0.75, 0.65]])
    return {
        "location": draw(2, 9, 4),
        "confidence": draw(2, 9, 3, low=-2, high=2),
        "boxes": true.astype("float32"),
        "labels": np.array([[1], [2], [1]], "int32"),
        "priors": priors.astype("float32"),
        "spread": np.tile(np.array([0.1, 0.1, 0.2, 0.2], "float32"), (9, 1)),
    }


def loss(**more):
    def build(layers, v):
        names = ("location", "confidence", "boxes", "labels", "priors", "spread")
        return {"loss": layers.ssd_loss(*[v[name] for name in names], **more)}

    return build


def detections(**more):
    def build(layers, v):
        names = ("location", "confidence", "priors", "spread")
        found = layers.detection_output(*[v[name] for name in names], **more)
        return dict(zip(("found", "index"), found)) if more.get("return_index") else {"found": found}

    return build


LOSSES = [
    loss(),
    loss(match_type="bipartite", normalize=False),
    loss(neg_pos_ratio=1.0, overlap_threshold=0.3, neg_overlap=0.2, loc_loss_weight=2.0, conf_loss_weight=0.5),
    loss(background_label=2),
]
DETECTIONS = [
    detections(),
    detections(score_threshold=0.3, keep_top_k=4, nms_threshold=0.5),
    detections(return_index=True, nms_top_k=3),
    detections(score_threshold=0.99),
]
