"""Losses that compare two arrays element by element."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, away, draw

LOD = [[0, 1, 3]]
X, Y = draw(3, 4, low=-3, high=3), draw(3, 4, low=-2, high=2, seed=1)


def column(*values, dtype="float32"):
    return np.array(values, dtype)[:, None]


def bits(*shape, seed=2):
    return draw(*shape, dtype="bool", seed=seed).astype("float32")


def shapes_and_kinds(first, second, attrs=None):
    """Calls that every operator of two arrays of one shape must refuse."""
    return [
        Bad({first: X, second: X[:2]}, attrs, "ShapeError", "[3, 4]"),
        Bad({first: X, second: X[..., None]}, attrs, "ShapeError", "[3, 4, 1]"),
        Bad({first: X, second: X.astype("float64")}, attrs, "DtypeError", "float64"),
        Bad({first: X.astype("int64"), second: X.astype("int64")}, attrs, "DtypeError", "float32 or float64"),
    ]


def of_columns(first, second, attrs=None):
    """The same for operators that take one number a row."""
    c = draw(3, 1)
    return [
        Bad({first: X, second: X}, attrs, "ShapeError", "[N, 1]"),
        Bad({first: c[:, 0], second: c[:, 0]}, attrs, "ShapeError", "[N, 1]"),
        Bad({first: c, second: c[:2]}, attrs, "ShapeError", "[3, 1]"),
        Bad({first: c, second: c.astype("float64")}, attrs, "DtypeError", "float64"),
        Bad({first: c.astype("int32"), second: c}, attrs, "DtypeError", "int32"),
    ]


HUBER = [
    Sample({"X": X, "Y": Y}, {"delta": 0.5}),
    Sample({"X": X, "Y": Y}, {"delta": 2.0}),
    Sample({"X": draw(5, 1), "Y": draw(5, 1, seed=3)}, {"delta": 1.0}),
    Sample({"X": draw(5), "Y": draw(5, seed=3)}, {"delta": 1.0}),
    Sample({"X": X, "Y": Y}, {"delta": 1.0}, lods={"X": LOD}),
    Sample({"X": draw(40, 30), "Y": draw(40, 30, seed=3)}, {"delta": 0.25}, note="large"),
]

ONES = np.ones((3, 4), "float32")
SMOOTH = [
    Sample({"X": X, "Y": Y}),
    Sample({"X": X, "Y": Y}, {"sigma": 2.0}),
    Sample({"X": X, "Y": Y, "InsideWeight": draw(3, 4, seed=4), "OutsideWeight": draw(3, 4, low=0, seed=5)}),
    Sample({"X": draw(2, 3, 2), "Y": draw(2, 3, 2, seed=1)}, {"sigma": 3.0}),
    Sample(
        {"X": draw(2, 3, 2), "Y": draw(2, 3, 2, seed=1), "InsideWeight": draw(2, 3, 2, seed=2),
         "OutsideWeight": draw(2, 3, 2, seed=3)}, {"sigma": 0.5}),
    Sample({"X": X, "Y": Y, "OutsideWeight": ONES * 3}, note="one weight alone is not looked at"),
    Sample({"X": X, "Y": Y}, lods={"X": LOD}),
]  # fmt: skip
SMOOTH_ERRORS = [
    *shapes_and_kinds("X", "Y"),
    Bad({"X": X[0], "Y": Y[0]}, {}, "ShapeError", "rank 2"),
    Bad({"X": X, "Y": Y, "InsideWeight": ONES}, {}, "ArgumentValueError", "both weights"),
    Bad({"X": X, "Y": Y, "InsideWeight": ONES, "OutsideWeight": ONES[:, :1]}, {}, "ShapeError", "OutsideWeight"),
]

P = draw(5, 1, low=0.05, high=0.95)
LOG = [
    Sample({"Predicted": P, "Labels": bits(5, 1)}, {"epsilon": 1e-4}),
    Sample({"Predicted": P, "Labels": draw(5, 1, low=0)}, {"epsilon": 0.5}),
    Sample({"Predicted": column(0, 1, 0, 1), "Labels": column(0, 0, 1, 1)}, {"epsilon": 1e-4}, grads=()),
    Sample({"Predicted": P[:3], "Labels": bits(3, 1)}, {"epsilon": 1e-4}, lods={"Predicted": LOD}),
]

Q = draw(3, 4, low=0.05, high=0.95)
BCE = [
    Sample({"X": Q, "Label": bits(3, 4)}),
    Sample({"X": Q, "Label": draw(3, 4, low=0)}),
    Sample({"X": draw(2, 1, 3, low=0.1, high=0.9), "Label": bits(2, 1, 3)}),
    Sample({"X": draw(6, low=0.1, high=0.9), "Label": bits(6)}),
    Sample({"X": np.array([0, 1, 0, 1], "float32"), "Label": np.array([0, 0, 1, 1], "float32")}, grads=(), note="ends"),
    Sample({"X": Q, "Label": bits(3, 4)}, lods={"X": LOD}),
]
BCE_ERRORS = [
    *shapes_and_kinds("X", "Label"),
    Bad({"X": Q + 1, "Label": Q}, {}, "ArgumentValueError", "0 to 1"),
    Bad({"X": -Q, "Label": Q}, {}, "ArgumentValueError", "got -0."),
]

SIGMOID = [
    Sample({"X": X, "Label": bits(3, 4)}),
    Sample({"X": X * 30, "Label": draw(3, 4, low=0)}, note="no overflow"),
    Sample({"X": X, "Label": bits(3, 4) - 1}, {"ignore_index": -1}),
    Sample({"X": X, "Label": bits(3, 4) - 1}, {"ignore_index": -1, "normalize": True}),
    Sample({"X": X, "Label": bits(3, 4)}, {"normalize": True}),
    Sample({"X": X, "Label": away(draw(3, 4, low=0, high=2), 0, 1, 2)}, {"ignore_index": 1}, note="fractions are cut"),
    Sample({"X": X, "Label": -ONES}, {"ignore_index": -1, "normalize": True}, grads=(), note="all ignored"),
    Sample({"X": draw(5), "Label": bits(5)}),
    Sample({"X": X, "Label": bits(3, 4)}, lods={"X": LOD}),
    Sample({"X": draw(40, 30, low=-4, high=4), "Label": bits(40, 30)}, note="large"),
]

SCORES = column(1, 2, -0.3, 4, -4, 0.5, -0.5)
TEACHER = [
    Sample({"X": SCORES, "Label": column(-2, -1, 0.3, 1.4, -1.5, -0.5, 0)}),
    Sample({"X": SCORES, "Label": column(-2, -1, 0.3, 1.4, -1.5, -0.5, 1)}, {"soft_max_up_bound": 5.0}),
    Sample(
        {"X": SCORES, "Label": column(-2, -1, 0.3, 1.4, -1.5, -0.5, 1)},
        {"soft_max_up_bound": 0.75, "soft_max_lower_bound": -0.25},
        grads=(),
        note="beyond the bounds there is no gradient",
    ),
    Sample({"X": SCORES[:3], "Label": SCORES[:3]}, lods={"X": LOD}),
]

TARGET = away(draw(3, 4, low=-0.3, high=1), 0)
KLDIV = [
    *[Sample({"X": X, "Target": TARGET}, {"reduction": r}) for r in ("none", "sum", "mean", "batchmean")],
    Sample({"X": X, "Target": TARGET}),
    Sample({"X": draw(2, 3, 2), "Target": draw(2, 3, 2, low=0.1)}, {"reduction": "batchmean"}),
    Sample({"X": draw(4), "Target": draw(4, low=0.1)}, {"reduction": "batchmean"}),
    Sample({"X": X, "Target": np.zeros((3, 4), "float32")}, {"reduction": "none"}, note="log 0 is not taken"),
    Sample({"X": X, "Target": TARGET}, {"reduction": "none"}, lods={"X": LOD}),
]
KLDIV_ERRORS = [*shapes_and_kinds("X", "Target"), Bad({"X": X, "Target": Y}, {"reduction": "max"}, "ArgumentValueError", "batchmean")]  # fmt: skip

HINGE = [
    Sample({"Logits": column(1.2, 2, -0.3, -2, 0.4), "Labels": column(0, 1, 1, 0, 0)}),
    Sample({"Logits": draw(3, 1, low=-3, high=3), "Labels": bits(3, 1)}, lods={"Logits": LOD}),
    Sample({"Logits": column(1, -1), "Labels": column(1, 0)}, grads=(), note="on the margin"),
]

MARGIN = [
    Sample({"X1": draw(5, 1, seed=1), "X2": draw(5, 1, seed=2), "Label": 2 * bits(5, 1) - 1}),
    Sample({"X1": draw(5, 1, seed=1), "X2": draw(5, 1, seed=2), "Label": 2 * bits(5, 1) - 1}, {"margin": 0.5}),
    Sample({"X1": draw(3, 1, seed=1), "X2": draw(3, 1, seed=2), "Label": 2 * bits(3, 1) - 1}, lods={"X1": LOD}),
]
MARGIN.append(Sample(MARGIN[2].inputs, {"margin": 0.25}, lods={"Label": LOD}))
MARGIN_ERRORS = [
    Bad({"X1": X, "X2": X, "Label": X}, {}, "ShapeError", "[N, 1]"),
    Bad({"X1": draw(3, 1), "X2": draw(3, 1), "Label": draw(2, 1)}, {}, "ShapeError", "Label"),
    Bad({"X1": draw(3, 1), "X2": draw(2, 1), "Label": draw(3, 1)}, {}, "ShapeError", "X2"),
    Bad({"X1": draw(3, 1), "X2": draw(3, 1), "Label": draw(3, 1).astype("int64")}, {}, "DtypeError", "int64"),
]

RANK = [
    Sample({"Label": bits(5, 1), "Left": draw(5, 1, low=-3, high=3, seed=1), "Right": draw(5, 1, seed=2)}),
    Sample({"Label": draw(5, 1, low=0), "Left": draw(5, 1, seed=1), "Right": draw(5, 1, low=-40, high=40, seed=2)}),
    Sample({"Label": bits(5), "Left": draw(5, seed=1), "Right": draw(5, seed=2)}),
    Sample(
        {"Label": bits(3, 1), "Left": draw(3, 1, seed=1), "Right": draw(3, 1, seed=2)},
        lods={"Left": LOD},
        note="no LoD comes out",
    ),
    Sample({"Label": bits(3, 1), "Left": draw(3, 1, seed=1), "Right": draw(3, 1, seed=2)}, lods={"Label": LOD}),
]
RANK_ERRORS = [
    Bad({"Label": bits(3, 1), "Left": draw(2, 1), "Right": draw(3, 1)}, {}, "ShapeError", "Left"),
    Bad({"Label": bits(3, 1), "Left": draw(3, 1), "Right": draw(3, 2)}, {}, "ShapeError", "Right"),
    Bad({"Label": bits(3, 1).astype("int64"), "Left": draw(3, 1), "Right": draw(3, 1)}, {}, "DtypeError", "int64"),
]

MODIFIED = [
    Sample({"X": column(1.25, 2, -0.3, -2, 0.4), "Y": column(0, 1, 1, 1, 0)}),
    Sample({"X": away(draw(3, 1, low=-3, high=3), 1, -1), "Y": bits(3, 1)}, lods={"X": LOD}),
]

SQUARED = [
    Sample({"X": X, "Y": Y}),
    Sample({"X": X, "Y": Y[:1]}, note="one row for all"),
    Sample({"X": draw(2, 3, 2), "Y": draw(2, 3, 2, seed=1)}),
    Sample({"X": draw(2, 3, 2), "Y": draw(1, 3, 2, seed=1)}),
    Sample({"X": X, "Y": Y}, lods={"X": LOD}),
]
SQUARED_ERRORS = [
    Bad({"X": X, "Y": X[:2]}, {}, "ShapeError", "in place of the first"),
    Bad({"X": X, "Y": X[:, :1]}, {}, "ShapeError", "[3, 1]"),
    Bad({"X": X[0], "Y": X[0]}, {}, "ShapeError", "rank 2"),
    Bad({"X": X, "Y": X.astype("float64")}, {}, "DtypeError", "float64"),
]

ROWS = [
    Row("huber_loss", HUBER, shapes_and_kinds("X", "Y", {"delta": 1.0})),
    Row("smooth_l1_loss", SMOOTH, SMOOTH_ERRORS),
    Row("log_loss", LOG, of_columns("Predicted", "Labels", {"epsilon": 1e-4})),
    Row("bce_loss", BCE, BCE_ERRORS),
    Row("sigmoid_cross_entropy_with_logits", SIGMOID, shapes_and_kinds("X", "Label")),
    Row("teacher_student_sigmoid_loss", TEACHER, of_columns("X", "Label")),
    Row("kldiv_loss", KLDIV, KLDIV_ERRORS),
    Row("hinge_loss", HINGE, of_columns("Logits", "Labels")),
    Row("margin_rank_loss", MARGIN, MARGIN_ERRORS),
    Row("rank_loss", RANK, RANK_ERRORS),
    Row("modified_huber_loss", MODIFIED, of_columns("X", "Y")),
    Row("squared_l2_distance", SQUARED, SQUARED_ERRORS),
]
