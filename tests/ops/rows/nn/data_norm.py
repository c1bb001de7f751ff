"""Normalisation of columns by statistics that are learned."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

X = draw(4, 6)
GAPS = X.copy()
GAPS[1, 0] = GAPS[2] = GAPS[:, 4] = 0


def given(x=X, dtype="float32", scaled=False):
    size = x.shape[-1]
    inputs = {
        "X": x,
        "BatchSize": draw(size, low=5, high=30),
        "BatchSum": draw(size, low=1, high=4),
        "BatchSquareSum": draw(size, low=10, high=50),
    }
    if scaled:
        inputs.update(scale_w=draw(size, seed=1), bias=draw(size, seed=2))
    return {name: array.astype(dtype) for name, array in inputs.items()}


def normalised(x=X, dtype="float32", scaled=False, lods=None, **attrs):
    if scaled:
        attrs["enable_scale_and_shift"] = True
    return Sample(given(x, dtype, scaled), attrs, outputs=("Y", "Means", "Scales"), lods=lods)


ROWS = [
    Row(
        "data_norm",
        [
            normalised(),
            normalised(dtype="float64", epsilon=1e-5),
            normalised(scaled=True),
            normalised(slot_dim=6),
            normalised(GAPS, slot_dim=1),
            normalised(GAPS, slot_dim=2),
            normalised(GAPS, slot_dim=3, dtype="float64"),
            normalised(GAPS, slot_dim=6, epsilon=1e-3),
            normalised(GAPS, slot_dim=2, scaled=True),
            normalised(lods={"X": [[0, 1, 4]]}),
        ],
        [
            Bad(given(draw(4, 3, 2)), {}, "ShapeError", "2 dimensions"),
            Bad(given(), {"epsilon": 0.1}, "ArgumentValueError", "epsilon"),
            Bad(given(), {"enable_scale_and_shift": True}, "ArgumentValueError", "scale_w"),
            Bad(dict(given(), BatchSize=draw(2)), {}, "ShapeError", "Input(BatchSize)"),
            Bad(dict(given(), BatchSum=np.ones(6)), {}, "DtypeError", "Input(BatchSum)"),
        ],
        no_derivative="the statistics get sums over the batch for their gradients",
    )
]
