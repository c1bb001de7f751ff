"""Operators that say what a detector of two stages should learn."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw


def boxes(count, size=30.0, seed=0):
    corner = draw(count, 2, low=0, high=size, seed=seed)
    return np.concatenate([corner, corner + draw(count, 2, low=size / 4, high=size / 2, seed=seed + 1)], 1)


ANCHORS = np.concatenate([boxes(12), [[-5, -5, 10, 10]]]).astype("float32")
TRUE = np.array(
    [[5, 5, 20, 20], [15, 10, 35, 30], [0, 0, 12, 12], [8, 8, 23, 23], [18, 13, 33, 33]], "float32"
)  # fmt: skip
CROWD = np.array([[0], [0], [1], [0], [0]], "int32")
INFO = np.array([[50, 50, 1], [40, 45, 2]], "float32")
OF = [[0, 3, 5]]


def anchored(anchors=ANCHORS, true=TRUE, crowd=CROWD, info=INFO):
    return {"Anchor": anchors, "GtBoxes": true, "IsCrowd": crowd, "ImInfo": info}


def assign(**attrs):
    given = {"rpn_straddle_thresh": 0.0, "rpn_positive_overlap": 0.5, "use_random": False}
    return dict(given, **attrs)


def assigned(inputs, attrs, lod=OF, **more):
    return Sample(inputs, attrs, lods={"GtBoxes": lod, "IsCrowd": lod}, dynamic=True, **more)


RPN = [
    assigned(anchored(), assign()),
    assigned(anchored(), assign(rpn_straddle_thresh=-1.0)),
    assigned(anchored(), assign(rpn_batch_size_per_im=4, rpn_straddle_thresh=8.0)),
    assigned(anchored(), assign(rpn_batch_size_per_im=4, rpn_fg_fraction=0.5, rpn_positive_overlap=0.2)),
    assigned(anchored(), assign(rpn_negative_overlap=0.05)),
    assigned(anchored(crowd=CROWD * 0 + 1), assign(), excluded="real Paddle dies where there are only crowds"),
]
RPN_ERRORS = [
    Bad(anchored(), assign(), "LoDError", "no LoD"),
    Bad(anchored(boxes(3)[:, :3]), assign(), "ShapeError", "Input(Anchor)"),
    Bad(anchored(true=TRUE[:, :3]), assign(), "ShapeError", "Input(GtBoxes)"),
    Bad(anchored(crowd=CROWD[:2]), assign(), "ShapeError", "Input(IsCrowd)"),
    Bad(anchored(crowd=CROWD.astype("int64")), assign(), "DtypeError", "int32"),
    Bad(anchored(info=INFO[:, :2]), assign(), "ShapeError", "Input(ImInfo)"),
    Bad(anchored(), assign(rpn_batch_size_per_im=0), "ArgumentValueError", "rpn_batch_size_per_im"),
]

CLASSES = np.array([[1], [2], [1], [2], [1]], "int32")


def regions(rois=None, classes=CLASSES, true=TRUE, crowd=CROWD, info=INFO):
    rois = boxes(9, seed=4) if rois is None else rois
    return {"RpnRois": rois, "GtClasses": classes, "IsCrowd": crowd, "GtBoxes": true, "ImInfo": info}


def label(**attrs):
    given = {"batch_size_per_im": 16, "fg_fraction": 0.25, "fg_thresh": 0.4, "bg_thresh_hi": 0.4, "bg_thresh_lo": 0.0}
    given.update(bbox_reg_weights=[0.1, 0.1, 0.2, 0.2], class_nums=3, use_random=False)
    return dict(given, **attrs)


def labelled(inputs, attrs, lod=([0, 4, 9],), **more):
    lods = {"RpnRois": list(lod), "GtClasses": OF, "IsCrowd": OF, "GtBoxes": OF}
    return Sample(inputs, attrs, lods=lods, dynamic=True, **more)


LABEL = [
    labelled(regions(), label()),
    labelled(regions(), label(batch_size_per_im=4, fg_fraction=0.5)),
    labelled(regions(crowd=CROWD * 0, info=INFO * 0 + 1), label(is_cascade_rcnn=True)),
    labelled(regions(), label(is_cascade_rcnn=True)),
    labelled(regions(), label(is_cls_agnostic=True, class_nums=2)),
    labelled(regions(), label(bg_thresh_lo=0.1, fg_thresh=0.2)),
    labelled(regions(), label(fg_thresh=2.0), note="no objects"),
]
LABEL_ERRORS = [
    Bad(regions(), label(), "LoDError", "no LoD"),
    Bad(regions(boxes(9)[:, :3]), label(), "ShapeError", "Input(RpnRois)"),
    Bad(regions(classes=CLASSES.astype("int64")), label(), "DtypeError", "Input(GtClasses)"),
    Bad(regions(classes=CLASSES[:3]), label(), "ShapeError", "Input(GtClasses)"),
    Bad(regions(true=TRUE.astype("float64")), label(), "DtypeError", "Input(GtBoxes)"),
    Bad(regions(), label(bbox_reg_weights=[0.1]), "ArgumentValueError", "4 positive numbers"),
    Bad(regions(), label(class_nums=0), "ArgumentValueError", "class_nums"),
]

ROWS = [Row("rpn_target_assign", RPN, RPN_ERRORS), Row("generate_proposal_labels", LABEL, LABEL_ERRORS)]
