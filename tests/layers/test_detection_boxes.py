"""Boxes over feature maps, measured, coded and clipped: properties, and wrong calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, LoDError, ShapeError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.detection import boxes as layers

v = to_variable


def boxes(count: int, seed: int, size: float = 1.0) -> np.ndarray:
    """Boxes inside of a square."""
    rng = np.random.RandomState(seed)
    corner, extent = rng.uniform(0, 0.5, (count, 2)), rng.uniform(0.1, 0.5, (count, 2))
    return (np.concatenate([corner, corner + extent], 1) * size).astype("float32")


def area(box: Any) -> float:
    return max(box[2] - box[0], 0) * max(box[3] - box[1], 0)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 99))
def test_iou_is_shared_area_over_covered_area(n: int, m: int, seed: int) -> None:
    x, y = boxes(n, seed), boxes(m, seed + 1)
    got = layers.iou_similarity(v(x), v(y)).numpy()
    for i, a in enumerate(x):
        for j, b in enumerate(y):
            shared = area([*np.maximum(a[:2], b[:2]), *np.minimum(a[2:], b[2:])])
            np.testing.assert_allclose(got[i, j], shared / (area(a) + area(b) - shared), rtol=1e-4)


@given(
    st.integers(1, 4), st.integers(1, 4), st.integers(0, 99), st.booleans(), st.sampled_from(["none", "list", "each"])
)
def test_decoding_undoes_encoding(n: int, m: int, seed: int, normalized: bool, variance: str) -> None:
    size = 1.0 if normalized else 40.0
    priors, targets = boxes(m, seed, size), boxes(n, seed + 1, size)
    spread = {"none": None, "list": [0.1, 0.1, 0.2, 0.3], "each": v(boxes(m, seed + 2) + 0.1)}[variance]
    codes = layers.box_coder(v(priors), spread, v(targets), box_normalized=normalized)
    for axis, given_codes in ((0, codes), (1, v(codes.numpy().transpose(1, 0, 2).copy()))):
        back = layers.box_coder(v(priors), spread, given_codes, "decode_center_size", normalized, axis=axis).numpy()
        back = back if axis == 0 else back.transpose(1, 0, 2)
        lower = 0 if normalized else 0.5  # of pixels, the centre of a target is taken without its last one
        np.testing.assert_allclose(back, np.repeat(targets[:, None] - lower, m, 1), rtol=1e-3, atol=1e-3 * size)


def test_prior_boxes_have_the_sizes_asked_for() -> None:
    features, image = v(np.zeros([1, 1, 2, 3], "float32")), v(np.zeros([1, 3, 100, 200], "float32"))
    made, spread = layers.prior_box(features, image, 10.0, 40.0, [2.0], flip=True, steps=[20.0, 30.0])
    assert made.shape == spread.shape == [2, 3, 4, 4]
    corners = made.numpy()[1, 2] * [200, 100, 200, 100]
    np.testing.assert_allclose((corners[:, 0] + corners[:, 2]) / 2, 50, rtol=1e-5)
    np.testing.assert_allclose((corners[:, 1] + corners[:, 3]) / 2, 45, rtol=1e-5)
    wide, high = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    np.testing.assert_allclose(wide / high, [1, 2, 0.5, 1], rtol=1e-4)
    np.testing.assert_allclose(wide * high, [100, 100, 100, 400], rtol=1e-4)


def test_each_box_is_clipped_at_its_own_image() -> None:
    wide = np.full([3, 4], 99, "float32")
    made = layers.box_clip(
        Variable(wide, lod=((0, 2, 2, 3),)), v(np.array([[9, 7, 1], [3, 3, 1], [20, 30, 2]], "float32"))
    )
    assert made.numpy().tolist() == [[6, 8, 6, 8], [6, 8, 6, 8], [14, 9, 14, 9]]
    assert made.lod() == [[0, 2, 2, 3]]


MAP = np.zeros([1, 3, 4, 4], "float32")


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda x: layers.prior_box(x, x, ["a"]), ArgumentTypeError, r"min_sizes\[0\]"),
        (lambda x: layers.prior_box(x, x, [1.0], steps=[1.0]), ArgumentValueError, "two numbers"),
        (lambda x: layers.prior_box(x, x, [4.0], [2.0]), ArgumentValueError, "larger"),
        (lambda x: layers.density_prior_box(x, x, [1, 2], [4.0], [1.0]), ArgumentValueError, "densities"),
        (lambda x: layers.density_prior_box(x, x, None, [4.0], [1.0]), ArgumentTypeError, "densities"),
        (lambda x: layers.anchor_generator(x, [4.0], [1.0]), ArgumentTypeError, "stride"),
        (lambda x: layers.box_coder(x, [0.1], x), ShapeError, "PriorBox"),
        (lambda x: layers.iou_similarity(x, x), ShapeError, r"Input\(X\)"),
        (lambda x: layers.polygon_box_transform(x), ShapeError, "even"),
        (lambda x: layers.box_clip(x, x[0, 0, :, :3]), LoDError, "no LoD"),
        (
            lambda x: layers.box_clip(Variable(MAP, lod=((0, 1), (0, 1))), v(np.ones([1, 3], "float32"))),
            LoDError,
            "2 LoD",
        ),
        (lambda x: layers.box_clip(Variable(MAP, lod=((0, 1),)), v(np.ones([2, 3], "float32"))), LoDError, "2 images"),
    ],
)
def test_wrong_calls(call: Any, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        call(v(MAP))


def test_the_box_of_the_best_class_is_assigned() -> None:
    rng = np.random.RandomState(2)
    corner = rng.uniform(0, 20, (5, 2))
    priors = np.concatenate([corner, corner + rng.uniform(3, 20, (5, 2))], 1)
    spread, codes, scores = np.array([0.1, 0.1, 0.2, 0.2]), rng.uniform(-1, 1, (5, 3, 4)), rng.rand(5, 3)
    boxes, best = layers.box_decoder_and_assign(v(priors), v(spread), v(codes.reshape(5, 12)), v(scores), 4.0)
    decoded = layers.box_coder(
        v(priors), v(np.tile(spread, (5, 1))), v(codes), "decode_center_size", box_normalized=False, axis=1
    ).numpy()
    np.testing.assert_allclose(boxes.numpy().reshape(5, 3, 4), decoded)
    np.testing.assert_allclose(best.numpy(), decoded[np.arange(5), 1 + scores[:, 1:].argmax(1)])
