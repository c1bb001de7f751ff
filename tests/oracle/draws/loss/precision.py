"""Random calls of precision and recall, and of pairs in the right order."""

import numpy as np

from tests.ops.row import Sample

REAL = ("float32", "float64")


def precision_recall(d):
    rows, classes, dtype = d.int(1, 8), d.int(1, 5), d.one(*REAL)
    found, true = (d.indices((rows, 1), classes, "int32") for _ in range(2))
    inputs = {"MaxProbs": d.floats((rows, 1), 0, 1, dtype), "Indices": found, "Labels": true}
    if d.int(0, 1):
        inputs["Weights"] = d.floats((rows, 1), 0, 2, dtype)
    if d.int(0, 1):
        inputs["StatesInfo"] = d.floats((classes, 4), 0, 5, dtype)
    return Sample(inputs, {"class_number": classes})


def positive_negative_pair(d):
    rows, columns, dtype = d.int(1, 8), d.int(1, 3), d.one(*REAL)
    score, label = (np.round(d.floats(shape, 0, 3, dtype)) for shape in ((rows, columns), (rows, 1)))
    inputs = {"Score": score, "Label": label, "QueryID": d.indices((rows, 1), 3, "int64")}
    if d.int(0, 1):
        inputs["Weight"] = d.floats((rows, 1), 0, 2, dtype)
    if d.int(0, 1):
        for kind in ("Positive", "Negative", "Neutral"):
            inputs["Accumulate" + kind + "Pair"] = d.floats((1,), 0, 5, dtype)
    outputs = ("PositivePair", "NegativePair", "NeutralPair")
    return Sample(inputs, {"column": d.int(-columns, columns - 1)}, outputs=outputs)


CALLS = {"precision_recall": precision_recall, "positive_negative_pair": positive_negative_pair}
