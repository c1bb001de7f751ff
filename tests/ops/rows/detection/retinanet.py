"""RetinaNet: what its anchors should say, and what it finds."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw
from tests.ops.rows.detection.targets import ANCHORS, CROWD, INFO, OF, TRUE

LABELS = np.array([[3], [1], [2], [4], [5]], "int32")


def anchored(anchors=ANCHORS, labels=LABELS, crowd=CROWD, info=INFO):
    return {"Anchor": anchors, "GtBoxes": TRUE, "GtLabels": labels, "IsCrowd": crowd, "ImInfo": info}


def assigned(inputs, attrs, **more):
    lods = {"GtBoxes": OF, "IsCrowd": OF, "GtLabels": OF}
    return Sample(inputs, attrs, lods=lods, dynamic=True, **more)


ASSIGN = [
    assigned(anchored(), {"positive_overlap": 0.3, "negative_overlap": 0.2}),
    assigned(anchored(), {"positive_overlap": 0.6, "negative_overlap": 0.5}),
    assigned(anchored(info=INFO * 0 + 1), {}),
]
ASSIGN_ERRORS = [
    Bad(anchored(), {}, "LoDError", "no LoD"),
    Bad(anchored(draw(3, 5)), {}, "ShapeError", "Input(Anchor)"),
    Bad(anchored(labels=LABELS[:2]), {}, "ShapeError", "Input(GtLabels)"),
    Bad(anchored(labels=LABELS.astype("int64")), {}, "DtypeError", "Input(GtLabels)"),
    Bad(anchored(crowd=CROWD[:2]), {}, "ShapeError", "Input(IsCrowd)"),
]

SCORES = np.random.RandomState(6).permutation(42).astype("float32") / 42


def levels(scores=SCORES, info=INFO):
    return {
        "BBoxes": [draw(2, 4, 4, low=-0.4, high=0.4), draw(2, 3, 4, low=-0.4, high=0.4)],
        "Scores": [scores[:24].reshape(2, 4, 3), scores[24:].reshape(2, 3, 3)],
        "Anchors": [ANCHORS[:4], ANCHORS[4:7]],
        "ImInfo": info,
    }


def output(least=0.05, top=100, threshold=0.3, eta=1.0, keep=100):
    return {
        "score_threshold": least, "nms_top_k": top, "nms_threshold": threshold, "nms_eta": eta, "keep_top_k": keep,
    }  # fmt: skip


OUTPUT = [
    Sample(levels(), output(), dynamic=True),
    Sample(levels(), output(0.5, 3, keep=4), dynamic=True),
    Sample(levels(), output(0.2, threshold=0.8, eta=0.7), dynamic=True),
]
OUTPUT_ERRORS = [
    Bad(dict(levels(), Scores=[draw(2, 4, 3)]), output(), "ShapeError", "2, one for each"),
    Bad(dict(levels(), Anchors=[ANCHORS[:4], ANCHORS[:4]]), output(), "ShapeError", "Anchors[1]"),
    Bad(levels(info=INFO[:1]), output(), "ShapeError", "BBoxes[0]"),
    Bad(levels(SCORES.astype("float64")), output(), "DtypeError", "Scores[0]"),
]

ROWS = [
    Row("retinanet_target_assign", ASSIGN, ASSIGN_ERRORS),
    Row("retinanet_detection_output", OUTPUT, OUTPUT_ERRORS),
]
