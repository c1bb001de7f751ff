"""Random calls of operators that measure how good predictions are."""

import numpy as np

from tests.ops.row import Sample


def accuracy(d):
    """No LoD: real Paddle gives one number that of all the rows."""
    rows, classes = d.int(1, 9), d.int(1, 5)
    k = d.int(1, classes)
    best = np.array([d.order(classes)[:k] for _ in range(rows)], "int64")
    out = d.floats((rows, k), 0, 1, d.one("float32", "float64"))
    return Sample({"Out": out, "Indices": best, "Label": d.indices((rows, 1), classes, "int64")})


def auc(d):
    """Scores of two columns, or of the positive class alone; the counts of calls before, of the last ones with their sum."""
    rows, thresholds, steps = d.int(1, 12), d.int(1, 30), d.int(0, 3)
    positive = d.floats((rows, 1), 0, 1)
    seen, counts = d.int(0, 2 * steps), {}
    for slot in ("StatPos", "StatNeg"):
        each = d.indices((max(steps, 1), thresholds + 1), 5, "int64")
        each[seen:] *= 0 if steps else 1
        each = np.concatenate([each, each.sum(0)[None]]) if steps else each
        counts[slot] = np.append(each, [seen] * (steps > 0))[None].astype("int64")
    predict = d.one(positive, np.concatenate([1 - positive, positive], 1))
    inputs = dict(counts, Predict=predict, Label=d.indices((rows, 1), 2, "int64"))
    return Sample(inputs, {"num_thresholds": thresholds, "slide_steps": steps})


def mean_iou(d):
    classes, shape, dtype = d.int(1, 6), d.shape(1, 3), d.one("int32", "int64")
    inputs = {slot: d.indices(shape, classes, dtype) for slot in ("Predictions", "Labels")}
    inputs["Labels"] = d.one(inputs["Labels"], inputs["Labels"][..., None])
    if d.int(0, 2) == 0:
        for slot in ("InWrongs", "InCorrects"):
            inputs[slot] = [d.indices((classes,), 9, "int32") for _ in range(d.int(1, 3))]
        inputs["InMeanIou"] = [d.floats((1,), 0, 1) for _ in range(d.int(1, 3))]
    return Sample(inputs, {"num_classes": classes})


CALLS = {f.__name__: f for f in (accuracy, auc, mean_iou)}
