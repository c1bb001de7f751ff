"""detection_map: how well boxes were found, over all batches that were counted."""

import numpy as np

from tests.ops.row import Bad, Row, Sample

LODS = {"DetectRes": [[0, 3, 4, 6]], "Label": [[0, 2, 4, 5]]}
FOUND = np.array(
    [
        [1, 0.9, 0.1, 0.1, 0.5, 0.5],
        [1, 0.8, 0.5, 0.5, 0.9, 0.9],
        [2, 0.7, 0, 0, 0.375, 0.3],
        [1, 0.3, 0.1, 0.1, 0.5, 0.52],
        [2, 0.6, -0.5, 0.25, 0.5, 1.5],
        [2, 0.65, 0, 0.25, 0.5, 0.75],
    ],
    "float32",
)
TRUE = np.array(
    [
        [1, 0, 0.1, 0.1, 0.5, 0.5],
        [2, 1, 0, 0, 0.4, 0.3],
        [1, 1, 0.1, 0.1, 0.5, 0.5],
        [3, 0, 0.5, 0.5, 0.6, 0.6],
        [2, 0, 0, 0.25, 0.5, 1],
    ],
    "float32",
)
PLAIN = TRUE[:, [0, 2, 3, 4, 5]]
BASE = {"class_num": 4}


def counted(found=FOUND, true=TRUE, state=None):
    inputs = {"DetectRes": found, "Label": true, "HasState": None, "PosCount": None, "TruePos": None, "FalsePos": None}
    if state is not None:
        inputs.update(
            HasState=np.array([state], "int32"),
            PosCount=np.array([[0], [2], [0], [3]], "int32"),
            TruePos=np.array([[0.5, 1], [0.75, 0], [0.25, 1]], "float32"),
            FalsePos=np.array([[0.5, 0], [0.75, 1], [0.25, 0]], "float32"),
        )
    return inputs


BEFORE = dict(LODS, TruePos=[[0, 0, 2, 2, 3]], FalsePos=[[0, 0, 2, 2, 3]])


def sample(inputs, lods=LODS, note="", **attrs):
    return Sample(inputs, dict(BASE, **attrs), lods=lods, dynamic=True, note=note)


SAMPLES = [
    sample(counted()),
    sample(counted(true=PLAIN)),
    sample(counted(), evaluate_difficult=False),
    sample(counted(), ap_type="11point", overlap_threshold=0.3),
    sample(counted(), background_label=-1, overlap_threshold=0.3),
    sample(counted(), background_label=1, note="a class with one true box is left out"),
    sample(counted(true=PLAIN, state=1), BEFORE),
    sample(counted(state=1), BEFORE, background_label=-1, ap_type="11point", note="a class without true boxes"),
    sample(counted(state=0), BEFORE, note="what was counted before is forgotten"),
    sample(
        counted(FOUND[::-1]), dict(LODS, DetectRes=[[0, 2, 3, 6]]), note="a class that no true box of the image has"
    ),
    sample(counted(FOUND[:0]), dict(LODS, DetectRes=[[0, 0, 0, 0]]), note="nothing found"),
    sample(counted(*(a.astype("float64") for a in (FOUND, TRUE)))),
]
ERRORS = [
    Bad(counted(), BASE, "LoDError", "no LoD"),
    Bad(counted(), dict(BASE, class_num=0), "ArgumentValueError", "class_num"),
    Bad(counted(), dict(BASE, ap_type="mean"), "ArgumentValueError", "11point"),
    Bad(counted(), {"class_num": 3}, "IndexRangeError", "Input(Label) got class 3"),
    Bad(counted(-FOUND), BASE, "IndexRangeError", "Input(DetectRes) got class -2"),
    Bad(counted(FOUND[:, :5]), BASE, "ShapeError", "Input(DetectRes)"),
    Bad(counted(true=TRUE[:, :4]), BASE, "ShapeError", "Input(Label)"),
    Bad(counted(true=TRUE.astype("int64")), BASE, "DtypeError", "Label"),
    Bad(dict(counted(state=1), TruePos=None), BASE, "ShapeError", "Input(TruePos)"),
    Bad(dict(counted(state=1), HasState=np.array([1])), BASE, "DtypeError", "HasState"),
]

ROWS = [Row("detection_map", SAMPLES, ERRORS)]
