"""What a detector says as boxes, beside the formula of one place; wrong calls."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.imperative import to_variable
from paddle_lite.layers import detection_select as layers

v = to_variable


def sigmoid(x: float) -> float:
    return 1 / (1 + exp(-x))


@given(st.integers(1, 3), st.integers(1, 3), st.integers(0, 99))
def test_yolo_box(rows: int, columns: int, seed: int) -> None:
    x = np.random.RandomState(seed).randn(2, 14, rows, columns).astype("float32")
    size, anchors = np.array([[60, 90], [33, 44]], "int32"), [12, 7, 30, 25]
    boxes, scores = (r.numpy() for r in layers.yolo_box(v(x), v(size), anchors, 2, 0.3, 8, clip_bbox=False))
    place = iter(range(2 * rows * columns))
    for a, j, i in np.ndindex(2, rows, columns):
        at = next(place)
        for n, (high, wide) in enumerate(size):
            tx, ty, tw, th, sure, *classes = (float(number) for number in x[n, 7 * a : 7 * a + 7, j, i])
            if sigmoid(sure) < 0.3:
                assert not boxes[n, at].any() and not scores[n, at].any()
                continue
            centre = np.array([(i + sigmoid(tx)) * wide / columns, (j + sigmoid(ty)) * high / rows])
            extent = np.array(
                [exp(tw) * anchors[2 * a] * wide / (8 * columns), exp(th) * anchors[2 * a + 1] * high / (8 * rows)]
            )
            np.testing.assert_allclose(boxes[n, at], [*(centre - extent / 2), *(centre + extent / 2)], 1e-4, 1e-3)
            np.testing.assert_allclose(scores[n, at], [sigmoid(sure) * sigmoid(c) for c in classes], 1e-4)


def test_yolo_boxes_are_cut_at_their_image() -> None:
    x = np.full([1, 6, 2, 2], 3, "float32")
    boxes = layers.yolo_box(v(x), v(np.array([[20, 30]], "int32")), [90, 90], 1, 0.1, 2)[0].numpy()
    assert boxes.tolist() == [[[0, 0, 29, 19]] * 4]


@pytest.mark.parametrize(
    ("anchors", "classes", "threshold", "error", "match"),
    [
        ([1, 2], 2, 0.1, ShapeError, "7 channels"),
        ([1, 2, 3], 1, 0.1, ArgumentValueError, "pairs"),
        ([0.5, 2], 1, 0.1, ArgumentTypeError, "anchors"),
        ([1, 2], 1, None, ArgumentTypeError, "conf_thresh"),
    ],
)
def test_wrong_calls(anchors: Any, classes: int, threshold: Any, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        layers.yolo_box(
            v(np.zeros([1, 6, 2, 2], "float32")), v(np.array([[4, 4]], "int32")), anchors, classes, threshold, 32
        )
