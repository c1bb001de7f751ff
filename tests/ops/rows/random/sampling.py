"""Numbers drawn with probabilities of an input."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

SEED = 90
NEWER = "PaddlePaddle 1.8.5 has no such operator"


def sampled(*shape, dtype="float32", **attrs):
    p = draw(*shape, low=0.1, high=1.0, dtype="float64")
    return Sample({"X": (p / p.sum(axis=1, keepdims=True)).astype(dtype)}, dict(attrs, seed=SEED))


ROWS = [
    Row(
        "sampling_id",
        [
            sampled(20, 5),
            sampled(20, 5, dtype="float64"),
            sampled(20, 5, min=0.2, max=0.6),
            sampled(4, 1),
            Sample(
                {"X": np.full((4, 2), 0.5, "float32")}, {"seed": SEED}, lods={"X": [[0, 1, 1, 4]]}, note="sequences"
            ),
            Sample({"X": np.full((9, 3), 0.1, "float32")}, {"seed": SEED}, note="rows that do not add up to 1"),
            Sample({"X": np.full((4, 3), 1 / 3, "float32")}, note="no seed"),
        ],
        [
            Bad({"X": draw(3)}, {}, "ShapeError", "Input(X)"),
            Bad({"X": draw(3, 0)}, {}, "ShapeError", "Input(X)"),
            Bad({"X": draw(2, 3)}, {"min": 0.5, "max": 0.5}, "ArgumentValueError", "min"),
            Bad({"X": draw(2, 3, low=0, high=4, dtype="int64")}, {}, "DtypeError", "int64"),
        ],
        random=True,
    ),
    Row(
        "bernoulli",
        [
            Sample({"X": draw(4, 5, low=0.0, high=1.0, dtype=d)}, {"seed": SEED}, excluded=NEWER)
            for d in ("float32", "float64")
        ],
        [
            Bad({"X": np.array([0.5, 1.5], "float32")}, {}, "ArgumentValueError", "probabilities"),
            Bad({"X": draw(3, low=0, high=1, dtype="int64")}, {}, "DtypeError", "int64"),
        ],
        random=True,
    ),
    Row(
        "multinomial",
        [
            Sample({"X": draw(3, 6, low=0.1, high=2.0)}, {"seed": SEED, "num_samples": 4}, excluded=NEWER),
            Sample(
                {"X": np.array([0.0, 2.0, 0.0, 1.0], "float64")},
                {"seed": SEED, "num_samples": 9, "replacement": True},
                excluded=NEWER,
            ),
        ],
        [
            Bad({"X": draw(2, 3, 4)}, {}, "ShapeError", "Input(X)"),
            Bad({"X": np.array([1.0, -1.0], "float32")}, {}, "ArgumentValueError", "0 or more"),
            Bad({"X": np.array([1.0, 0.0], "float32")}, {"num_samples": 2}, "ArgumentValueError", "replacement=True"),
            Bad({"X": np.array([1.0, 0.5], "float32")}, {"num_samples": 0}, "ArgumentValueError", "num_samples"),
            Bad({"X": draw(3, low=0, high=1, dtype="int64")}, {}, "DtypeError", "int64"),
        ],
        random=True,
    ),
]
