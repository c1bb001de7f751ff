"""Losses."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

GIVEN = "Paddle's gradient does not pass over the rows that its loss ignores"
Y = ("Y", "MatchX")  # XShape has no elements


def probabilities(*shape, dtype="float32", seed=1):
    """Rows that add up to 1, none near 0."""
    p = draw(*shape, low=0.2, high=1.0, dtype="float64", seed=seed)
    return (p / p.sum(axis=-1, keepdims=True)).astype(dtype)


def classes(*shape, below=4):
    return draw(*shape, low=0, high=below - 1, dtype="int64", seed=3)


def with_classes(
    slot, shape, label_shape, x=probabilities, dtype="float32", lods=None, note="", outputs=None, grads=None, **attrs
):
    axis = attrs.get("axis", -1)
    inputs = {slot: x(*shape, dtype=dtype), "Label": classes(*label_shape, below=shape[axis])}
    return Sample(inputs, attrs, lods=lods, note=note, outputs=outputs, grads=grads)


def hard(slot="X", x=probabilities, **more):
    """Calls with class numbers, over the last axis."""
    return [
        with_classes(slot, (5, 4), (5, 1), x, **more),
        with_classes(slot, (5, 4), (5, 1), x, dtype="float64", **more),
        with_classes(slot, (2, 3, 4), (2, 3, 1), x, **more),
        with_classes(slot, (2, 2, 1, 3), (2, 2, 1, 1), x, **more),
        with_classes(slot, (1, 4), (1, 1), x, **more),
        with_classes(slot, (3, 1), (3, 1), x, note="one class", **more),
        with_classes(slot, (4, 3), (4, 1), x, lods={slot: [[0, 1, 4]]}, **more),
    ]


def ignoring(slot="X", x=probabilities, dtype="float32", **more):
    """Calls in which a class number is ignored."""

    def sample(index, attrs):
        return Sample({slot: x(4, 4, dtype=dtype), "Label": np.array([[0], [3], [index], [2]], "int64")}, attrs, **more)

    return [
        sample(-100, {}),
        sample(-1, {"ignore_index": -1}),
        sample(7, {"ignore_index": 7}),
        sample(3, {"ignore_index": 3}),
    ]


def large(slot="X", x=probabilities, **more):
    """As many elements as compiled kernels take."""
    labels = classes(70, 1, below=9)
    labels[[0, 5]] = -100
    excluded = GIVEN if slot == "Logits" else ""
    return [
        with_classes(slot, (64, 9), (64, 1), x, **more),
        with_classes(slot, (4, 8, 17), (4, 8, 1), x, **more),
        Sample({slot: x(70, 9), "Label": labels}, note="two rows are ignored", excluded=excluded, **more),
    ]


def bare(**more):
    """Class numbers without a dimension of their own."""
    return [with_classes("X", (5, 4), (5,), **more), with_classes("X", (2, 3, 4), (2, 3), **more)]


def soft(slot="X", x=probabilities, shape=(5, 4), dtype="float32", **attrs):
    axis = attrs.get("axis", -1)
    rows = probabilities(*np.delete(shape, axis).tolist(), shape[axis], dtype=dtype, seed=2)
    inputs = {slot: x(*shape, dtype=dtype), "Label": np.ascontiguousarray(np.moveaxis(rows, -1, axis))}
    return Sample(inputs, dict(attrs, soft_label=True))


def zero(soft_label, dtype="float64"):
    """Probability 0 where the label is."""
    x = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]], dtype)
    label = np.array([[0, 1, 0], [1, 0, 0]], dtype) if soft_label else np.array([[1], [0]], "int64")
    return {"X": x, "Label": label}


def errors(slot, hard_attrs, soft_label=True):
    x, label = probabilities(3, 4), classes(3, 1)
    made = [
        Bad({slot: x, "Label": np.array([[0], [4], [1]], "int64")}, hard_attrs, "IndexRangeError", "label 4"),
        Bad({slot: x, "Label": np.array([[0], [-1], [1]], "int64")}, hard_attrs, "IndexRangeError", "0 to 3"),
        Bad({slot: x, "Label": np.array([[9], [0], [1]], "int64")}, {"ignore_index": 4}, "IndexRangeError", "label 9"),
        Bad({slot: x, "Label": label.astype("int32")}, hard_attrs, "DtypeError", "int32"),
        Bad({slot: x, "Label": x}, hard_attrs, "DtypeError", "soft_label"),
        Bad({slot: x, "Label": label.reshape(1, 3)}, hard_attrs, "ShapeError", "[3, 1]"),
        Bad({slot: x, "Label": label[:2]}, hard_attrs, "ShapeError", "[3, 1]"),
        Bad({slot: x[:, :0], "Label": label}, hard_attrs, "ShapeError", "one class"),
        Bad({slot: x, "Label": label.reshape(3, 1, 1)}, hard_attrs, "ShapeError", "[3, 1]"),
        Bad({slot: label.repeat(4, 1), "Label": label}, hard_attrs, "DtypeError", slot),
    ]
    if soft_label:
        made += [
            Bad({slot: x, "Label": label}, {"soft_label": True}, "DtypeError", "int64"),
            Bad({slot: x, "Label": x[:, :3]}, {"soft_label": True}, "ShapeError", "[3, 4]"),
            Bad({slot: x, "Label": x[:1]}, {"soft_label": True}, "ShapeError", "[3, 4]"),
            Bad({slot: x, "Label": x.astype("float64")}, {"soft_label": True}, "DtypeError", "float64"),
        ]
    return made


def logits(*shape, dtype="float32"):
    return draw(*shape, low=-3, high=3, dtype=dtype, seed=4)


FAR = np.array([[0.0, -1000.0], [0.0, -64.0], [0.0, -65.0], [0.0, -63.5], [1e30, -1e30]], "float64")
UNEVEN = Sample(
    {"Logits": logits(2, 3), "Label": np.array([[1, 2, 0], [0.1, 0.2, 0.3]], "float32")},
    {"soft_label": True},
    excluded="Paddle takes for granted that labels add up to 1, and its gradient is not that of its loss where they do not",
)

ROWS = [
    Row(
        "cross_entropy",
        [
            *hard(),
            *bare(),
            *ignoring(),
            soft(),
            soft(dtype="float64"),
            soft(shape=(2, 3, 4)),
            soft(ignore_index=1),
            Sample(zero(False)),
            Sample(zero(True), {"soft_label": True}, grads=(), note="Paddle's gradient has 0 / 0"),
        ],
        errors("X", {}),
        double=True,
    ),
    Row(
        "cross_entropy2",
        [
            *hard(outputs=Y),
            *large(outputs=Y),
            *bare(outputs=Y),
            *ignoring(outputs=Y),
            with_classes("X", (4,), (1,), outputs=Y),
            Sample(zero(False), outputs=Y),
        ],
        [
            *errors("X", {}, soft_label=False),
            Bad({"X": probabilities(64, 9), "Label": np.full((64, 1), 9)}, {}, "IndexRangeError", "label 9"),
            Bad({"X": probabilities(64, 9), "Label": np.full((1, 64), 1)}, {}, "ShapeError", "[64, 1]"),
        ],
    ),
    Row(
        "softmax_with_cross_entropy",
        [
            *hard("Logits", logits),
            *large("Logits", logits),
            soft("Logits", logits, shape=(6, 3, 33)),
            *ignoring("Logits", logits, dtype="float64", grads=()),
            *ignoring("Logits", logits, excluded=GIVEN),
            with_classes("Logits", (4,), (1,), logits),
            with_classes("Logits", (4, 3), (1, 3), logits, axis=0),
            with_classes("Logits", (2, 4, 3), (2, 1, 3), logits, axis=1),
            with_classes("Logits", (2, 4, 3), (2, 1, 3), logits, axis=-2),
            with_classes("Logits", (2, 4, 3), (2, 1, 3), logits, axis=-2, ignore_index=2, grads=()),
            with_classes("Logits", (2, 4, 3), (2, 4, 1), logits, axis=2),
            with_classes("Logits", (5, 4), (5, 1), logits, numeric_stable_mode=False),
            soft("Logits", logits),
            soft("Logits", logits, dtype="float64"),
            soft("Logits", logits, shape=(2, 3, 4), axis=1),
            soft("Logits", logits, shape=(3, 4), axis=0),
            soft("Logits", logits, ignore_index=0),
            Sample({"Logits": FAR, "Label": np.ones((5, 1), "int64")}, note="far apart"),
            Sample({"Logits": FAR, "Label": np.tile([[0.0, 1.0]], (5, 1))}, {"soft_label": True}, note="far apart"),
            UNEVEN,
        ],
        [
            *errors("Logits", {}),
            Bad({"Logits": logits(64, 9), "Label": np.full((64, 1), 9)}, {}, "IndexRangeError", "label 9"),
            Bad({"Logits": logits(64, 9), "Label": np.full((1, 64), 1)}, {}, "ShapeError", "[64, 1]"),
            Bad({"Logits": logits(3, 4), "Label": classes(3)}, {}, "ShapeError", "[3, 1]"),
            Bad({"Logits": logits(3, 4), "Label": classes(3, 1)}, {"axis": 2}, "ArgumentValueError", "axis"),
            Bad({"Logits": logits(3, 4), "Label": classes(3, 1)}, {"axis": -3}, "ArgumentValueError", "axis"),
            Bad({"Logits": logits(3, 4), "Label": classes(3, 1)}, {"axis": 0}, "ShapeError", "[1, 4]"),
            Bad({"Logits": logits(3, 4), "Label": classes(1, 4) + 3}, {"axis": 0}, "IndexRangeError", "0 to 2"),
        ],
    ),
]
