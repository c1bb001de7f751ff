"""Regions proposed by hand; a pyramid's levels and back; wrong calls."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, LoDError, ShapeError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.detection import boxes as detection_boxes
from paddle_lite.layers.detection import proposals as layers

v = to_variable


def network(seed: int) -> list[Any]:
    """What a network says of 2 anchors at 3 * 4 places of two images of 40 * 50."""
    rng = np.random.RandomState(seed)
    scores, deltas = rng.rand(2, 2, 3, 4), rng.uniform(-0.5, 0.5, (2, 8, 3, 4))
    anchors, spread = detection_boxes.anchor_generator(v(scores), [8.0, 20.0], [1.0], stride=[12.0, 12.0])
    return [v(scores), v(deltas), v(np.array([[40.0, 50, 1], [40, 50, 1]])), anchors, spread]


@given(st.integers(0, 99), st.sampled_from([0.3, 0.7]))
def test_regions_lie_in_their_image_and_do_not_cover_each_other(seed: int, threshold: float) -> None:
    regions, probabilities, ends = layers.generate_proposals(*network(seed), nms_thresh=threshold, return_rois_num=True)
    boxes, starts = regions.numpy(), regions.lod()[0]
    assert probabilities.lod() == regions.lod() and ends.numpy().tolist() == starts[1:]
    assert (boxes >= 0).all() and (boxes <= [49, 39, 49, 39]).all()
    for a, b in pairwise(starts):
        best = probabilities.numpy()[a:b, 0].tolist()
        assert best == sorted(best, reverse=True)
        alike = detection_boxes.iou_similarity(v(boxes[a:b]), v(boxes[a:b]), box_normalized=False).numpy()
        assert not (np.triu(alike, 1) > threshold).any()


def test_without_suppression_every_anchor_is_a_region() -> None:
    scores, deltas, info, anchors, spread = network(0)
    args = scores, v(np.zeros_like(deltas.numpy())), info, anchors, spread
    regions, probabilities = layers.generate_proposals(*args, nms_thresh=0.0)
    limits = np.clip(anchors.numpy().reshape(-1, 4), 0, [49, 39, 49, 39])
    order = np.argsort(-scores.numpy()[0].transpose(1, 2, 0).reshape(-1))
    assert regions.lod() == [[0, 24, 48]]
    np.testing.assert_allclose(regions.numpy()[:24], limits[order])
    assert probabilities.numpy()[:24, 0].tolist() == sorted(scores.numpy()[0].flat, reverse=True)


def rois(count: int, seed: int) -> np.ndarray:
    rng = np.random.RandomState(seed)
    corner = rng.uniform(0, 50, (count, 2))
    return np.concatenate([corner, corner + 2 ** rng.uniform(3, 10, (count, 1)) * [1, 1.2]], 1).astype("float32")


@given(st.integers(1, 20), st.integers(0, 99))
def test_levels_put_together_are_what_was_shared_out(count: int, seed: int) -> None:
    boxes = rois(count, seed)
    first = count // 2
    levels, places = layers.distribute_fpn_proposals(Variable(boxes, lod=((0, first, count),)), 2, 5, 4, 224)
    together = np.concatenate([level.numpy() for level in levels])
    assert together[places.numpy()[:, 0]].tolist() == boxes.tolist()
    side = np.sqrt(((boxes[:, 2:] - boxes[:, :2]) + 1).prod(1))
    expected = np.clip(np.floor(4 + np.log2(side / 224)), 2, 5)
    for number, level in zip(range(2, 6), levels, strict=True):
        here = expected == number
        assert level.numpy().tolist() == boxes[here].tolist()
        assert level.lod() == [[0, int(here[:first].sum()), int(here.sum())]]


@given(st.integers(2, 9), st.integers(2, 9), st.integers(1, 20), st.integers(0, 99))
def test_the_best_of_all_levels(one: int, other: int, keep: int, seed: int) -> None:
    rng = np.random.RandomState(seed)
    scores = rng.permutation(one + other).astype("float32").reshape(-1, 1)
    boxes, lods = rois(one + other, seed), [((0, 1, one),), ((0, 2, other),)]
    regions = [Variable(b, lod=lod) for b, lod in zip((boxes[:one], boxes[one:]), lods, strict=True)]
    values = [Variable(s, lod=lod) for s, lod in zip((scores[:one], scores[one:]), lods, strict=True)]
    got = layers.collect_fpn_proposals(regions, values, 2, 3, keep)
    order = np.argsort(-scores[:, 0])[:keep]
    image = np.array([0] + [1] * (one - 1) + [0, 0] + [1] * (other - 2))[order]
    assert got.numpy().tolist() == boxes[np.concatenate([order[image == 0], order[image == 1]])].tolist()
    assert got.lod() == [[0, int((image == 0).sum()), len(order)]]


def three() -> tuple[Any, Any]:
    """Regions and scores without a LoD."""
    return v(rois(3, 0)), v(np.ones([3, 1], "float32"))


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda b, s: layers.distribute_fpn_proposals(b, 2, 5, 4, 224), LoDError, "no LoD"),
        (lambda b, s: layers.distribute_fpn_proposals(b, 5, 2, 4, 224), ArgumentValueError, "max_level"),
        (lambda b, s: layers.collect_fpn_proposals([b], [s], 2, 2, 5), LoDError, "no LoD"),
        (lambda b, s: layers.collect_fpn_proposals([b], [s], 3, 2, 5), ArgumentValueError, "max_level"),
        (lambda b, s: layers.collect_fpn_proposals([b, b], [s], 2, 3, 5), ShapeError, "MultiLevelScores"),
        (lambda b, s: layers.collect_fpn_proposals(b, "scores", 2, 2, 5), ArgumentTypeError, "multi_scores"),
        (lambda b, s: layers.generate_proposals(*network(0), eta=None), ArgumentTypeError, "eta"),
        (lambda b, s: layers.generate_proposals(*network(0)[:4], network(0)[0]), ShapeError, "Variances"),
    ],
)
def test_wrong_calls(call: Any, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        call(*three())
