"""Precision and recall, pairs in the right order."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

FOUND, TRUE = (np.array(ids, "int32").reshape(-1, 1) for ids in ([0, 1, 2, 1], [0, 1, 1, 2]))
THREE = {"class_number": 3}


def classified(dtype="float32", **more):
    return dict({"MaxProbs": draw(4, 1, low=0, dtype=dtype), "Indices": FOUND, "Labels": TRUE}, **more)


WEIGHTS = np.array([[0.5], [1], [2], [0.25]], "float32")
STATES = np.arange(12, dtype="float32").reshape(3, 4)

SCORES = np.array([[0.1, 0.9], [0.5, 0.2], [0.5, 0.3], [0.7, 0.3], [0.2, 0.1]], "float32")
LABELS = np.array([[1], [0], [1], [0], [1]], "float32")
QUERIES = np.array([[1], [1], [1], [2], [2]])
SUMS = {
    "Accumulate" + kind + "Pair": np.array([i], "float32") for i, kind in enumerate(("Positive", "Negative", "Neutral"))
}


def ranked(**more):
    return dict({"Score": SCORES, "Label": LABELS, "QueryID": QUERIES}, **more)


def pairs(column=0, **more):
    return Sample(ranked(**more), {"column": column}, outputs=("PositivePair", "NegativePair", "NeutralPair"))


ROWS = [
    Row(
        "precision_recall",
        [
            Sample(classified(), THREE),
            Sample(classified("float64"), {"class_number": 4}),
            Sample(classified(Weights=WEIGHTS), THREE),
            Sample(classified(Weights=WEIGHTS, StatesInfo=STATES), THREE),
            Sample(classified(StatesInfo=STATES * 0), {"class_number": 3}),
        ],
        [
            Bad(classified(), {"class_number": 2}, "IndexRangeError", "Input(Indices)"),
            Bad(classified(Labels=-TRUE), THREE, "IndexRangeError", "Input(Labels)"),
            Bad(classified(), {"class_number": 0}, "ArgumentValueError", "class_number"),
            Bad(classified(Indices=FOUND.astype("int64")), THREE, "DtypeError", "Input(Indices)"),
            Bad(classified(StatesInfo=STATES[:2]), THREE, "ShapeError", "Input(StatesInfo)"),
            Bad(classified(Weights=WEIGHTS[:2]), THREE, "ShapeError", "Input(Weights)"),
            Bad(classified(Labels=TRUE.reshape(-1)), THREE, "ShapeError", "Input(Labels)"),
        ],
    ),
    Row(
        "positive_negative_pair",
        [
            pairs(),
            pairs(1),
            pairs(-1, Weight=np.array([[1], [2], [4], [8], [16]], "float32")),
            pairs(Weight=LABELS, **SUMS),
            pairs(1, QueryID=QUERIES * 0),
        ],
        [
            Bad(ranked(), {"column": 2}, "ShapeError", "column"),
            Bad(ranked(QueryID=QUERIES[:, 0]), {}, "ShapeError", "Input(QueryID)"),
            Bad(ranked(QueryID=QUERIES.astype("int32")), {}, "DtypeError", "Input(QueryID)"),
            Bad(ranked(AccumulatePositivePair=draw(1)), {}, "ArgumentTypeError", "AccumulateNegativePair"),
            Bad(ranked(Label=LABELS[:3]), {}, "ShapeError", "Input(Label)"),
        ],
    ),
]
