"""Noise-contrastive estimation."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

N, WIDTH, CLASSES = 3, 4, 7
ALIAS = {
    "CustomDistProbs": np.array([0.05, 0.3, 0.1, 0.15, 0.2, 0.1, 0.1], "float32"),
    "CustomDistAlias": np.array([1, 4, 1, -1, -1, 3, 4], "int32"),
    "CustomDistAliasProbs": np.array([0.35, 0.8, 0.7, 1.0, 1.0, 0.7, 0.7], "float32"),
}


def call(
    labels=((1,), (0,), (6,)), bias=True, weights=False, dtype="float32", note="", excluded="", lods=None, **attrs
):
    inputs = {
        "Input": draw(N, WIDTH, dtype=dtype),
        "Label": np.array(labels, "int64"),
        "Weight": draw(CLASSES, WIDTH, dtype=dtype),
        "Bias": draw(CLASSES, 1, dtype=dtype) if bias else None,
        "SampleWeight": draw(N, 1, low=0.5, high=2.0, dtype=dtype) if weights else None,
    }
    if attrs.get("sampler") == 2:
        inputs.update({k: v.astype(dtype) if v.dtype.kind == "f" else v for k, v in ALIAS.items()})
    attrs = {"num_total_classes": CLASSES, "num_neg_samples": 5, "seed": 3, **attrs}
    return Sample(inputs, attrs, note=note, excluded=excluded, lods=lods)


def bad(error, match, attrs=None, **inputs):
    sample = call()
    return Bad({**sample.inputs, **inputs}, {**sample.attrs, **(attrs or {})}, error, match)


ROWS = [
    Row(
        "nce",
        [
            call(),
            call(bias=False, seed=1),
            call(weights=True, labels=((3,), (4,), (3,))),
            call(labels=((1, 2), (3, 4), (5, 5)), weights=True),
            call(sampler=1),
            call(sampler=1, seed=12345, dtype="float64", num_neg_samples=300),
            call(sampler=2),
            call(sampler=2, seed=77, num_neg_samples=300),
            call(num_neg_samples=300, seed=99),
            call(custom_neg_classes=[1, 2, 2, 0, 6]),
            call(is_sparse=True),
            call(is_sparse=True, bias=False, sampler=1),
            call(num_neg_samples=1, seed=-5),
            call(lods={"Input": [[0, 1, 3]]}),
        ],
        [
            bad("ShapeError", "[N, features]", Input=draw(12)),
            bad("ShapeError", "[7, 4]", Weight=draw(6, 4)),
            bad("ShapeError", "[3, -1]", Label=np.array([[1], [2]])),
            bad("ShapeError", "true classes", Label=np.array([1, 2, 3])),
            bad("ShapeError", "[7, 1]", Bias=draw(6, 1)),
            bad("ShapeError", "3 weights", SampleWeight=draw(2, 1)),
            bad("DtypeError", "int64", Label=np.array([[1], [2], [3]], "int32")),
            bad("DtypeError", "float64", Weight=draw(7, 4, dtype="float64")),
            bad("IndexRangeError", "0 to 6", Label=np.array([[1], [2], [7]])),
            bad("ArgumentValueError", "sampler", {"sampler": 3}),
            bad("ArgumentValueError", "num_neg_samples", {"num_neg_samples": 0}),
            bad("ArgumentValueError", "5 classes", {"custom_neg_classes": [1, 2]}),
            bad("ArgumentValueError", "0 to 6", {"custom_neg_classes": [1, 2, 3, 4, 7]}),
            bad("ArgumentTypeError", "CustomDistProbs", {"sampler": 2}),
        ],
        random=True,
    )
]
