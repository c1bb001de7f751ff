"""Random calls of the losses over classes."""

import numpy as np

from tests.ops.row import Sample


def nll_loss(d):
    classes = d.int(1, 5)
    s = (d.int(1, 4), classes) + d.one((), (d.int(1, 3), d.int(1, 3)))
    inputs = {"X": d.floats(s), "Label": d.indices(s[:1] + s[2:], classes, "int64")}
    if d.int(0, 1):
        inputs["Weight"] = d.floats((classes,), 0.1, 2)
    return Sample(inputs, {"reduction": d.one("none", "sum", "mean"), "ignore_index": d.int(-1, 2)})


def bpr_loss(d):
    rows, classes = d.int(1, 6), d.int(2, 7)
    return Sample({"X": d.floats((rows, classes), -9, 9), "Label": d.indices((rows, 1), classes, "int64")})


def center_loss(d):
    rows, width, classes = d.int(1, 6), d.int(1, 5), d.int(1, 5)
    inputs = {
        "X": d.floats((rows, width)),
        "Label": d.indices((rows, 1), classes, "int64"),
        "Centers": d.floats((classes, width)),
        "CenterUpdateRate": d.floats((1,), 0, 1),
    }
    return Sample(inputs, {"cluster_num": classes, "need_update": d.one(True, False)}, grads=("X",))


def sigmoid_focal_loss(d):
    rows, classes = d.int(1, 6), d.int(1, 6)
    inputs = {
        "X": d.floats((rows, classes), -9, 9),
        "Label": d.indices((rows, 1), classes + 2, "int32") - 1,
        "FgNum": np.array([d.int(0, 9)], "int32"),
    }
    return Sample(inputs, {"gamma": float(d.int(0, 3)), "alpha": d.number(0, 1)})


def label_smooth(d):
    s = d.shape()
    inputs = {"X": d.floats(s)}
    if d.int(0, 1):
        inputs["PriorDist"] = d.floats((1, s[-1]), 0, 1)
    return Sample(inputs, {"epsilon": d.number(0, 1)}, grads=("X",))


CALLS = {f.__name__: f for f in (nll_loss, bpr_loss, center_loss, sigmoid_focal_loss, label_smooth)}
