"""What a detector says as boxes, beside the formula of one place; the best of them; wrong calls."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, LoDError, ShapeError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.detection import boxes as detection_boxes
from paddle_lite.layers.detection import select as layers

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


def boxes_and_scores(classes: int, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Of two images."""
    rng = np.random.RandomState(seed)
    corner, extent = rng.uniform(0, 0.4, (2, count, 2)), rng.uniform(0.1, 0.6, (2, count, 2))
    boxes = np.concatenate([corner, corner + extent], 2).astype("float32")
    return boxes, rng.rand(2, classes, count).astype("float32")


@given(st.integers(1, 3), st.integers(1, 8), st.integers(0, 99), st.sampled_from([0.2, 0.5, 0.8]))
def test_no_two_boxes_kept_cover_each_other_and_none_is_left_out_without_reason(
    classes: int, count: int, seed: int, threshold: float
) -> None:
    boxes, scores = boxes_and_scores(classes, count, seed)
    made = layers.multiclass_nms(v(boxes), v(scores), 0.1, -1, -1, threshold, background_label=-1)
    starts = made.lod()[0]
    if made.shape == [1, 1]:
        assert (scores <= 0.1).all()
        return
    for image in range(2):
        rows = made.numpy()[starts[image] : starts[image + 1]]
        alike = detection_boxes.iou_similarity(v(boxes[image]), v(boxes[image])).numpy()
        assert rows[:, 0].tolist() == sorted(rows[:, 0])
        for label in range(classes):
            of_class = rows[rows[:, 0] == label]
            kept = [scores[image, label].tolist().index(s) for s in of_class[:, 1].tolist()]
            assert of_class[:, 2:].tolist() == boxes[image][kept].tolist()
            assert of_class[:, 1].tolist() == sorted(of_class[:, 1], reverse=True)
            assert not (np.triu(alike[np.ix_(kept, kept)], 1) > threshold).any()
            for i, score in enumerate(scores[image, label]):
                better = [k for k in kept if scores[image, label, k] > score]
                assert i in kept or score <= 0.1 or (alike[i, better] > threshold).any()


def test_the_best_of_an_image_are_kept() -> None:
    boxes, scores = boxes_and_scores(3, 6, 4)
    everything = layers.multiclass_nms(v(boxes), v(scores), 0.1, -1, -1)
    few = layers.multiclass_nms(v(boxes), v(scores), 0.1, -1, 2)
    assert few.lod() == [[0, 2, 4]]
    for image, (a, b) in enumerate(zip(everything.lod()[0], everything.lod()[0][1:], strict=False)):
        best = sorted(everything.numpy()[a:b, 1])[-2:]
        assert sorted(few.numpy()[2 * image : 2 * image + 2, 1]) == best


def test_a_box_for_each_class() -> None:
    boxes, scores = boxes_and_scores(3, 4, 7)
    rows, each = np.repeat(boxes.reshape(8, 1, 4), 3, 1), scores.transpose(0, 2, 1).reshape(8, 3).copy()
    made = layers.multiclass_nms(Variable(rows, lod=((0, 4, 8),)), v(each), 0.1, -1, -1)
    expected = layers.multiclass_nms(v(boxes), v(scores), 0.1, -1, -1)
    assert made.lod() == expected.lod()
    for a, b in zip(made.lod()[0], made.lod()[0][1:], strict=False):
        assert sorted(made.numpy()[a:b].tolist()) == sorted(expected.numpy()[a:b].tolist())
    with pytest.raises(LoDError, match="no LoD"):
        layers.multiclass_nms(v(rows), v(each), 0.1, -1, -1)


@given(st.integers(1, 3), st.integers(1, 8), st.integers(0, 99))
def test_scores_fade_by_what_better_boxes_cover(classes: int, count: int, seed: int) -> None:
    boxes, scores = boxes_and_scores(classes, count, seed)
    kept, index = layers.matrix_nms(v(boxes), v(scores), -1, -1, -1, -1, background_label=-1, return_index=True)
    assert kept.lod() == index.lod() == [[0, classes * count, 2 * classes * count]]
    alike = [detection_boxes.iou_similarity(v(b), v(b)).numpy() for b in boxes]
    for (label, score, *box), place in zip(kept.numpy().tolist(), index.numpy()[:, 0].tolist(), strict=True):
        image, i = divmod(place, count)
        assert box == boxes[image, i].tolist()
        own = scores[image, int(label)]
        factors = [1.0]
        for j in (own > own[i]).nonzero()[0]:
            most = max((alike[image][j, k] for k in (own > own[j]).nonzero()[0]), default=0)
            factors.append((1 - alike[image][i, j]) / (1 - most))
        np.testing.assert_allclose(score, own[i] * min(factors), 1e-3, 1e-5)


def test_squares_as_polygons_are_chosen_as_boxes_are() -> None:
    boxes, scores = boxes_and_scores(2, 8, 5)
    corners = boxes[..., [0, 1, 2, 1, 2, 3, 0, 3]].copy()
    as_boxes = layers.multiclass_nms(v(boxes), v(scores), 0.1, -1, -1, 0.4).numpy()
    as_polygons = layers.multiclass_nms(v(corners), v(scores), 0.1, -1, -1, 0.4).numpy()
    assert as_polygons[:, [0, 1, 2, 3, 6, 7]].tolist() == as_boxes.tolist()


def test_neighbours_are_merged_before_the_best_are_chosen() -> None:
    boxes = np.array([[[0, 0, 1, 1], [0, 0, 1, 0.5], [5, 5, 6, 6], [0, 0, 1, 0.75]]], "float32")
    scores = np.array([[[0.25, 0.75, 0.5, 0.5]]], "float32")
    got = layers.locality_aware_nms(v(boxes), v(scores), 0.1, -1, -1, 0.4)
    assert got.numpy().tolist() == [[0, 1, 0, 0, 1, 0.625], [0, 0.5, 5, 5, 6, 6]]
    assert got.lod() == [[0, 2]]
    with pytest.raises(ShapeError, match="Scores"):
        layers.locality_aware_nms(v(boxes), v(np.tile(scores, (1, 2, 1))), 0.1, -1, -1)
