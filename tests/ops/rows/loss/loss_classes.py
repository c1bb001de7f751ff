"""Losses over classes."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

LOD = [[0, 1, 3]]
X = draw(3, 4, low=-2, high=2)
IMAGE = draw(2, 3, 2, 2, low=-2, high=0)


def labels(*values, dtype="int64"):
    return np.array(values, dtype)


PIXELS = labels([[0, 1], [2, 0]], [[1, 1], [2, 2]])
FOLDED = "the layer of real Paddle folds the dimensions of ranks other than 2 and 4 into one for its operator"
NLL = [
    *[Sample({"X": X, "Label": labels(2, 0, 3)}, {"reduction": r}) for r in ("none", "sum", "mean")],
    *[
        Sample({"X": X, "Label": labels(2, 0, 3), "Weight": draw(4, low=0.1)}, {"reduction": r})
        for r in ("none", "sum", "mean")
    ],
    *[
        Sample({"X": IMAGE, "Label": PIXELS, "Weight": draw(3, low=0.1)}, {"reduction": r, "ignore_index": 1})
        for r in ("none", "sum", "mean")
    ],
    Sample({"X": IMAGE, "Label": PIXELS}),
    *[
        Sample({"X": x, "Label": y, "Weight": draw(3, low=0.1)}, excluded=FOLDED, note=f"rank {x.ndim}")
        for x, y in ((IMAGE[:, :, 0], PIXELS[:, 0]), (IMAGE[..., None], PIXELS[..., None]))
    ],
    Sample({"X": X, "Label": labels(-100, 0, 3)}, note="an ignored label need be no class"),
    Sample({"X": X, "Label": labels(-1, 9, 3)[[0, 0, 2]]}, {"ignore_index": -1, "reduction": "none"}),
    Sample({"X": X, "Label": labels(1, 1, 1)}, {"ignore_index": 1}, note="all ignored"),
    Sample({"X": X, "Label": labels([2], [0], [3])}, note="labels [N, 1]"),
    Sample({"X": X, "Label": labels(2, 0, 3)}, {"reduction": "none"}, lods={"X": LOD}),
]
NLL_ERRORS = [
    Bad({"X": X, "Label": labels(2, 0, 4)}, {}, "IndexRangeError", "0 to 3"),
    Bad({"X": X, "Label": labels(2, 0, -1)}, {}, "IndexRangeError", "label -1"),
    Bad({"X": X, "Label": labels(2, 0)}, {}, "ShapeError", "[3]"),
    Bad({"X": X, "Label": labels(2, 0, 1, dtype="int32")}, {}, "DtypeError", "int64"),
    Bad({"X": X[0], "Label": labels(2)}, {}, "ShapeError", "[N, C, ...]"),
    Bad({"X": X, "Label": labels(2, 0, 1), "Weight": draw(3)}, {}, "ShapeError", "Weight"),
    Bad({"X": X, "Label": labels(2, 0, 1)}, {"reduction": "max"}, "ArgumentValueError", "mean"),
]

RANK = "real Paddle takes the second dimension for the number of classes in the gradient"
BPR = [
    Sample({"X": X, "Label": labels([0], [2], [3])}),
    Sample({"X": X * 20, "Label": labels([0], [2], [3])}, note="no overflow"),
    Sample({"X": X, "Label": labels([0], [2], [3])}, lods={"X": LOD}),
    Sample({"X": draw(2, 3, 4), "Label": labels([[0], [1], [2]], [[3], [2], [1]])}, grads=(), note="rank 3"),
    Sample({"X": draw(2, 3, 4, seed=1), "Label": labels([[0], [1], [2]], [[3], [2], [1]])}, excluded=RANK),
]
BPR_ERRORS = [
    Bad({"X": X, "Label": labels([0], [2], [4])}, {}, "IndexRangeError", "0 to 3"),
    Bad({"X": X, "Label": labels([0], [2], [-1])}, {}, "IndexRangeError", "got -1"),
    Bad({"X": X, "Label": labels(0, 2, 1)}, {}, "ShapeError", "[3, 1]"),
    Bad({"X": X, "Label": labels([0], [2], [1], dtype="int32")}, {}, "DtypeError", "int64"),
    Bad({"X": X[:, :1], "Label": labels([0], [0], [0])}, {}, "ShapeError", "two classes"),
]

FLAT = "real Paddle takes the second dimension for the number of features"
CENTERS, RATE = draw(5, 4, seed=1), np.array([0.1], "float32")
UPDATE = {"cluster_num": 5, "need_update": True}


def center(label, attrs=None, x=X, centers=CENTERS, lods=None, excluded=""):
    inputs = {"X": x, "Label": label, "Centers": centers, "CenterUpdateRate": RATE}
    return Sample(inputs, attrs or UPDATE, grads=("X",), lods=lods, excluded=excluded)


CENTER = [
    center(labels([1], [3], [1])),
    center(labels([1], [3], [1]), {"cluster_num": 5, "need_update": False}),
    center(labels(0, 4, 2)),
    center(PIXELS[:, 0, :1], {"cluster_num": 3, "need_update": True}, IMAGE, draw(3, 12), excluded=FLAT),
    center(labels([1], [3], [1]), lods={"X": LOD}),
]


def bad_center(error, match, **changes):
    inputs = {"X": X, "Label": labels([1], [3], [1]), "Centers": CENTERS, "CenterUpdateRate": RATE}
    inputs.update(changes)
    return Bad(inputs, UPDATE, error, match)


CENTER_ERRORS = [
    bad_center("IndexRangeError", "0 to 4", Label=labels([1], [5], [1])),
    bad_center("ShapeError", "[5, 4]", Centers=CENTERS[:, :3]),
    bad_center("ShapeError", "[5, 4]", Centers=CENTERS[:4]),
    bad_center("ShapeError", "[3, 1]", Label=labels([1], [5])),
    bad_center("ShapeError", "CenterUpdateRate", CenterUpdateRate=draw(2)),
    bad_center("DtypeError", "int64", Label=labels([1], [3], [1], dtype="int32")),
    bad_center("DtypeError", "Centers", Centers=CENTERS.astype("float64")),
]


def focal(label, count, attrs=None, x=X, lods=None, note=""):
    inputs = {"X": x, "Label": labels(*label, dtype="int32"), "FgNum": labels(count, dtype="int32")}
    return Sample(inputs, attrs, lods=lods, note=note)


FOCAL = [
    focal(([0], [2], [4]), 2),
    focal(([1], [-1], [9]), 1, {"gamma": 1.0, "alpha": 0.5}),
    focal(([1], [0], [3]), 0, {"gamma": 3.0}, note="no foreground counts as 1"),
    focal(([1], [0], [3]), 3, x=X * 20, note="no overflow"),
    focal(([1], [0], [3]), 3, lods={"X": LOD}),
]
FG = labels(1, dtype="int32")
FOCAL_ERRORS = [
    Bad({"X": X, "Label": labels([0], [2], [1]), "FgNum": FG}, {}, "DtypeError", "int32"),
    Bad({"X": X, "Label": labels(0, 2, 1, dtype="int32"), "FgNum": FG}, {}, "ShapeError", "[3, 1]"),
    Bad({"X": X[0], "Label": labels(0, dtype="int32"), "FgNum": FG}, {}, "ShapeError", "[N, C]"),
    Bad({"X": X, "Label": labels([0], [2], [1], dtype="int32"), "FgNum": FG[:0]}, {}, "ShapeError", "[1]"),
]

SMOOTH = [
    Sample({"X": X}),
    Sample({"X": X}, {"epsilon": 0.125}),
    Sample({"X": X, "PriorDist": draw(1, 4, low=0)}, {"epsilon": 0.1}, grads=("X",)),
    Sample({"X": X, "PriorDist": draw(4, low=0)}, {"epsilon": 0.1}, grads=("X",)),
    Sample({"X": IMAGE}, {"epsilon": 0.5}),
    Sample({"X": draw(5)}, {"epsilon": 0.5}),
    Sample({"X": X}, {"epsilon": 0.1}, lods={"X": LOD}),
]
SMOOTH_ERRORS = [
    Bad({"X": X, "PriorDist": draw(1, 3)}, {}, "ShapeError", "[1, 4]"),
    Bad({"X": X.astype("int64")}, {}, "DtypeError", "int64"),
    Bad({"X": X, "PriorDist": draw(4, dtype="float64")}, {}, "DtypeError", "PriorDist"),
]

ROWS = [
    Row("nll_loss", NLL, NLL_ERRORS),
    Row("bpr_loss", BPR, BPR_ERRORS),
    Row("center_loss", CENTER, CENTER_ERRORS),
    Row("sigmoid_focal_loss", FOCAL, FOCAL_ERRORS),
    Row("label_smooth", SMOOTH, SMOOTH_ERRORS),
]
