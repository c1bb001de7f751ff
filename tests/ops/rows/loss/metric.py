"""Operators that measure how good predictions are."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

BEST = np.array([[1, 4], [0, 2], [3, 1]], "int64")


def judged(indices, *labels, dtype="int64", out="float32"):
    label = np.array(labels, dtype).reshape(-1, 1)
    return {"Out": draw(*indices.shape, dtype=out), "Indices": indices, "Label": label}


ACCURACY = [
    Sample(judged(BEST, 1, 2, 3)),
    Sample(judged(BEST, 1, 1, 1)),
    Sample(judged(BEST, 0, 4, 4)),
    Sample(judged(BEST[:, :1], 1, 2, 3)),
    Sample(judged(BEST[:, :1], 1, 0, 3, out="float64")),
    Sample(
        judged(BEST, 4, 0, 1), lods={"Out": [[0, 1, 3]]}, excluded="real Paddle gives one number the LoD of three rows"
    ),
]
ACCURACY_ERRORS = [
    Bad(judged(BEST, 1, 2), {}, "ShapeError", "[3, 1]"),
    Bad({**judged(BEST, 1, 2, 3), "Label": np.array([1, 2, 3])}, {}, "ShapeError", "[N, 1]"),
    Bad({**judged(BEST, 1, 2, 3), "Label": BEST}, {}, "ShapeError", "[3, 2]"),
    Bad(judged(BEST, 1, 2, 3, dtype="int32"), {}, "DtypeError", "Input(Label)"),
    Bad(judged(BEST.astype("int32"), 1, 2, 3), {}, "DtypeError", "Input(Indices)"),
    Bad({**judged(BEST, 1, 2, 3), "Out": draw(2, 2)}, {}, "ShapeError", "Input(Out)"),
]

SCORES = np.array([0.1, 0.4, 0.35, 0.8, 0.8, 1.0, 0.0], "float32")
KINDS = np.array([[0], [0], [1], [1], [0], [1], [0]], "int64")


def curve(scores=SCORES, kinds=KINDS, thresholds=3, steps=0, seen=None, columns=2, shape=None):
    """A call of auc; `seen` is what was counted before, by bucket."""
    size = (1 + steps) * (thresholds + 1) + (1 if steps else 0)
    counts = np.zeros(size, "int64") if seen is None else np.array(seen, "int64")
    predicted = np.stack([1 - scores, scores], 1)[:, 2 - columns :]
    shape = shape or ((size,) if steps else (1, size))
    statistics = {"StatPos": counts.reshape(shape), "StatNeg": counts.reshape(shape)}
    return dict(statistics, Predict=predicted.astype("float32"), Label=kinds)


def areas(thresholds=3, steps=0, **call):
    return Sample(
        curve(thresholds=thresholds, steps=steps, **call), {"num_thresholds": thresholds, "slide_steps": steps}
    )


SLID = [1, 2, 0, 1, 0, 1, 1, 0, 1, 3, 1, 1]
AUC = [
    areas(),
    areas(columns=1),
    areas(thresholds=20),
    areas(seen=[1, 2, 3, 4]),
    areas(kinds=KINDS * 0),
    areas(kinds=KINDS * 0 + 1),
    areas(kinds=KINDS * 2),
    areas(kinds=KINDS.reshape(-1)),
    areas(shape=(4,)),
    areas(steps=1),
    areas(steps=2),
    areas(steps=2, seen=[*SLID, 1]),
    areas(steps=2, seen=[*SLID, 2]),
    Sample(curve(), {"num_thresholds": 3, "slide_steps": 0, "curve": "PR"}),
]
AUC_ERRORS = [
    Bad(curve(), {"num_thresholds": 4, "slide_steps": 0}, "ShapeError", "Input(StatPos)"),
    Bad(curve(), {"num_thresholds": 0, "slide_steps": 0}, "ArgumentValueError", "num_thresholds"),
    Bad(curve(), {"num_thresholds": 3, "slide_steps": -1}, "ArgumentValueError", "slide_steps"),
    Bad(curve(SCORES + 0.5), {"num_thresholds": 3, "slide_steps": 0}, "ArgumentValueError", "probabilities"),
    Bad(curve(kinds=KINDS[:3]), {"num_thresholds": 3, "slide_steps": 0}, "ShapeError", "Input(Label)"),
    Bad(curve(kinds=KINDS.astype("int32")), {"num_thresholds": 3, "slide_steps": 0}, "DtypeError", "Input(Label)"),
    Bad(dict(curve(), Predict=draw(7, 3, low=0)), {"num_thresholds": 3, "slide_steps": 0}, "ShapeError", "Predict"),
]

GUESSES, CLASSES = np.array([0, 1, 2, 2, 1]), np.array([0, 1, 1, 2, 1])
THREE = {"num_classes": 3}
BEFORE = {
    "InWrongs": [np.array([1, 2, 3], "int32"), np.array([0, 1, 0], "int32")],
    "InCorrects": [np.array([1, 0, 3], "int32")],
    "InMeanIou": [np.array([0.25], "float32")],
}


def compared(guesses=GUESSES, classes=CLASSES, dtype="int64", **more):
    return dict(more, Predictions=guesses.astype(dtype), Labels=classes.astype(dtype))


MEAN_IOU = [
    Sample(compared(), THREE),
    Sample(compared(), {"num_classes": 5}),
    Sample(compared(GUESSES.reshape(5, 1), CLASSES.reshape(5, 1), "int32"), THREE),
    Sample(compared(np.tile(GUESSES, (2, 3, 1)), np.tile(CLASSES, (2, 3, 1))), THREE),
    Sample(compared(classes=CLASSES.reshape(1, 5, 1)), THREE),
    Sample(compared(**BEFORE), THREE),
    Sample(compared(GUESSES[:0], CLASSES[:0]), THREE),
]
MEAN_IOU_ERRORS = [
    Bad(compared(), {"num_classes": 2}, "IndexRangeError", "Input(Predictions)"),
    Bad(compared(classes=CLASSES - 1), THREE, "IndexRangeError", "Input(Labels)"),
    Bad(compared(), {"num_classes": 0}, "ArgumentValueError", "num_classes"),
    Bad(compared(classes=CLASSES[:4]), THREE, "ShapeError", "Input(Labels)"),
    Bad(dict(compared(), Labels=CLASSES.astype("int32")), THREE, "DtypeError", "Input(Labels)"),
    Bad(compared(dtype="float32"), THREE, "DtypeError", "Input(Predictions)"),
    Bad(compared(InWrongs=[np.zeros(2, "int32")]), THREE, "ShapeError", "Input(InWrongs)"),
]

ROWS = [
    Row("accuracy", ACCURACY, ACCURACY_ERRORS),
    Row("auc", AUC, AUC_ERRORS),
    Row("mean_iou", MEAN_IOU, MEAN_IOU_ERRORS),
]
