"""The loss of YOLOv3 beside its definition for one place after the other; what is learned; wrong calls."""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError, ShapeError
from paddle_lite.imperative import to_variable
from paddle_lite.layers.detection import loss as layers

v = to_variable
ANCHORS = [10, 14, 40, 30]


def entropy(x: float, label: float) -> float:
    p = 1 / (1 + exp(-x))
    return -label * log(p) - (1 - label) * log(1 - p)


@given(st.integers(0, 99), st.booleans())
def test_one_object(seed: int, smooth: bool) -> None:
    """In a map of 2 * 2 places of 32 pixels, with a shape most like the second anchor's."""
    rng = np.random.RandomState(seed)
    x = rng.uniform(-1, 1, (1, 7, 2, 2)).astype("float64")
    box, score = np.array([0.7, 0.3, 0.6, 0.5]), 0.75
    args = v(x), v(box[None, None]), v(np.array([[1]], "int32")), ANCHORS, [1], 2, 2.0, 32, v(np.array([[score]]))
    tx, ty, tw, th, _, *classes = x[0, :, 0, 1].tolist()
    weight = (2 - 0.6 * 0.5) * score
    expected = weight * (entropy(tx, 0.4) + entropy(ty, 0.6))
    expected += weight * (abs(tw - log(0.6 * 64 / 40)) + abs(th - log(0.5 * 64 / 30)))
    low = 1 / 40 if smooth else 0.0
    expected += score * (entropy(classes[0], low) + entropy(classes[1], 1 - low))
    expected += score * entropy(x[0, 4, 0, 1], 1) + sum(entropy(x[0, 4, j, i], 0) for j, i in [(0, 0), (1, 0), (1, 1)])
    np.testing.assert_allclose(layers.yolov3_loss(*args, use_label_smooth=smooth).numpy(), [expected])


def test_places_that_see_an_object_are_not_told_otherwise() -> None:
    """All places of this map predict the true box, which belongs to an anchor of another map."""
    x = np.zeros([1, 6, 1, 1], "float32")
    x[0, 4] = 3
    box, label = v(np.array([[[0.5, 0.5, 10 / 32, 14 / 32]]], "float32")), v(np.zeros([1, 1], "int32"))
    ignored = layers.yolov3_loss(v(x), box, label, [10, 14, 11, 13], [1], 1, 0.5, 32)
    told = layers.yolov3_loss(v(x), box, label, [10, 14, 11, 13], [1], 1, 0.99, 32)
    assert ignored.numpy() == 0 and told.numpy() == pytest.approx(entropy(3, 0), rel=1e-5)


def test_two_objects_in_one_place_both_have_a_gradient() -> None:
    x = v(np.zeros([1, 6, 1, 1], "float32"))
    x.stop_gradient = False
    boxes = np.array([[[0.25, 0.5, 0.5, 0.5], [0.75, 0.5, 0.5, 0.5]]], "float32")
    layers.yolov3_loss(x, v(boxes), v(np.zeros([1, 2], "int32")), [16, 16], [0], 1, 0.7, 32).backward()
    assert x.gradient()[0, :, 0, 0].tolist() == [0, 0, 0, 0, -0.5, pytest.approx(-0.95)]


MAP, BOX, LABEL = np.zeros([1, 6, 2, 2], "float32"), np.full([1, 1, 4], 0.5, "float32"), np.zeros([1, 1], "int32")


@pytest.mark.parametrize(
    ("change", "error", "match"),
    [
        ({"x": MAP[:, :5]}, ShapeError, "6 channels"),
        ({"x": MAP[:, :, :1]}, ShapeError, "as many rows"),
        ({"gt_label": LABEL + np.int32(1)}, IndexRangeError, "GTLabel"),
        ({"gt_box": BOX * 2}, ArgumentValueError, "centre"),
        ({"anchor_mask": [2]}, ArgumentValueError, "anchor_mask"),
        ({"anchors": 3.5}, ArgumentTypeError, "anchors"),
        ({"ignore_thresh": None}, ArgumentTypeError, "ignore_thresh"),
    ],
)
def test_wrong_calls(change: dict[str, Any], error: type[Exception], match: str) -> None:
    given = {"x": MAP, "gt_box": BOX, "gt_label": LABEL, "anchors": ANCHORS, "anchor_mask": [1], **change}
    given = {name: v(value) if isinstance(value, np.ndarray) else value for name, value in given.items()}
    with pytest.raises(error, match=match):
        layers.yolov3_loss(**{"class_num": 1, "ignore_thresh": 0.7, "downsample_ratio": 32, **given})
