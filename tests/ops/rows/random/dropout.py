"""Dropout: with a seed Paddle's very elements."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, away, draw

SEED = 90


def dropout(*shape, dtype="float32", lods=None, tensor=None, excluded="", grads=None, **attrs):
    inputs = {"X": away(draw(*shape, dtype=dtype), 0.0)}
    if tensor is not None:
        inputs["Seed"] = np.array([tensor], "int32")
    if not attrs.get("is_test") and "fix_seed" not in attrs:
        attrs.update(seed=SEED, fix_seed=True)
    return Sample(inputs, attrs, lods=lods, excluded=excluded, grads=grads)


def without_gradient(*shape, why, **attrs):
    """Calls of which Paddle has no gradient: its outputs, then our own gradient."""
    return [dropout(*shape, dtype="float64", grads=(), **attrs), dropout(*shape, excluded=why, **attrs)]


IN_TESTS = "Paddle has no gradient of dropout in tests"
OF_VECTORS = "Paddle has no gradient of dropout of a vector"


ROWS = [
    Row(
        "dropout",
        [
            dropout(5, 4),
            dropout(5, 4, dtype="float64"),
            *without_gradient(20, why=OF_VECTORS),
            dropout(2, 3, 4, dropout_prob=0.2),
            dropout(5, 4, dropout_prob=0.0),
            dropout(5, 4, dropout_prob=1.0),
            dropout(5, 4, dropout_implementation="upscale_in_train"),
            dropout(5, 4, dropout_prob=0.3, dropout_implementation="upscale_in_train"),
            dropout(5, 4, dropout_prob=1.0, dropout_implementation="upscale_in_train"),
            *without_gradient(5, 4, dropout_prob=0.3, is_test=True, why=IN_TESTS),
            *without_gradient(
                5, 4, dropout_prob=0.3, is_test=True, dropout_implementation="upscale_in_train", why=IN_TESTS
            ),
            dropout(5, 4, lods={"X": [[0, 2, 5]]}),
            dropout(5, 4, tensor=7),
            dropout(5, 4, tensor=0),
            dropout(5, 4, fix_seed=False),
            dropout(5, 7, 19),
            dropout(5, 7, 19, fix_seed=False),
            dropout(5, 7, 19, fix_seed=False, dropout_prob=1.0),
            dropout(5, 7, 19, fix_seed=False, dropout_implementation="upscale_in_train"),
        ],
        [
            Bad({"X": draw(2, 3)}, {"dropout_prob": 1.5}, "ArgumentValueError", "dropout_prob"),
            Bad({"X": draw(2, 3)}, {"dropout_prob": -0.1}, "ArgumentValueError", "dropout_prob"),
            Bad({"X": draw(2, 3)}, {"dropout_implementation": "half"}, "ArgumentValueError", "dropout_implementation"),
            Bad({"X": draw(2, 3, low=0, high=4, dtype="int64")}, {}, "DtypeError", "int64"),
        ],
        random=True,
        tolerance=(0, 0),
    ),
]
