"""Regions of feature maps, pooled: whole bins beside slices; gradients; wrong calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, LoDError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.detection import pool as layers

v = to_variable
MAPS = np.random.RandomState(0).permutation(240).reshape(2, 2, 6, 10).astype("float32")


@given(st.integers(0, 1), st.integers(0, 2), st.integers(0, 4), st.integers(1, 2), st.integers(1, 3))
def test_bins_of_whole_places(image: int, top: int, left: int, high: int, wide: int) -> None:
    """Regions of two bins down and two across."""
    box = np.array([[left, top, left + 2 * wide - 1, top + 2 * high - 1]], "float32")
    lod = ((0, 1, 1),) if image == 0 else ((0, 0, 1),)
    got = layers.roi_pool(v(MAPS), Variable(box, lod=lod), 2, 2).numpy()[0]
    window = MAPS[image, :, top : top + 2 * high, left : left + 2 * wide]
    assert got.tolist() == window.reshape(2, 2, high, 2, wide).max((2, 4)).tolist()


def test_boxes_are_of_the_image_and_lods_may_be_arrays() -> None:
    boxes = np.array([[0, 0, 6, 10], [4, 2, 18, 10], [2, 2, 30, 30]], "float32")
    by_lod = layers.roi_pool(v(MAPS), Variable(boxes, lod=((0, 1, 3),)), 2, 3, 0.5).numpy()
    by_array = layers.roi_pool(v(MAPS), v(boxes / 2), 2, 3, rois_lod=v(np.array([0, 1, 3]))).numpy()
    assert by_lod.shape == (3, 2, 2, 3) and by_lod.tolist() == by_array.tolist()


def test_gradients_of_places_in_two_regions_add_up() -> None:
    maps = v(MAPS)
    maps.stop_gradient = False
    boxes = np.array([[0, 0, 9, 5], [0, 0, 9, 5], [50, 50, 60, 60]], "float32")
    layers.roi_pool(maps, Variable(boxes, lod=((0, 2, 3),))).backward()
    expected = np.zeros_like(MAPS)
    for channel in range(2):
        expected[0, channel].flat[MAPS[0, channel].argmax()] = 2
    assert maps.gradient().tolist() == expected.tolist()


@given(st.floats(0, 4), st.floats(0, 2), st.floats(1, 5), st.floats(1, 3), st.integers(-1, 3))
def test_aligned_bins_of_a_plane_are_its_values_in_their_middle(
    x: float, y: float, wide: float, high: float, ratio: int
) -> None:
    rows, columns = np.mgrid[:6, :10].astype("float64")
    plane = v((3 * rows + columns)[None, None])
    box = np.array([[x, y, x + wide, y + high]])
    got = layers.roi_align(plane, Variable(box, lod=((0, 1),)), 2, 3, sampling_ratio=ratio).numpy()[0, 0]
    down, across = y + high * (np.arange(2) + 0.5) / 2, x + wide * (np.arange(3) + 0.5) / 3
    np.testing.assert_allclose(got, 3 * down[:, None] + across, rtol=1e-9, atol=1e-9)


ONE = np.array([[0, 0, 1, 1]], "float32")


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: layers.roi_pool(v(MAPS), v(ONE)), LoDError, "no LoD"),
        (lambda: layers.roi_pool(v(MAPS), Variable(ONE, lod=((0, 1),))), LoDError, "2 images"),
        (lambda: layers.roi_pool(v(MAPS), v(ONE), rois_lod=v(np.array([0, 9, 1]))), LoDError, "never fall"),
        (lambda: layers.roi_pool(v(MAPS), v(ONE.astype("float64"))), DtypeError, r"Input\(ROIs\)"),
        (lambda: layers.roi_align(v(MAPS), v(ONE)), LoDError, "no LoD"),
        (lambda: layers.roi_align(v(MAPS), v(ONE), 1, 0), ArgumentValueError, "pooled_width"),
        (lambda: layers.roi_pool(v(MAPS), v(ONE), 0), ArgumentValueError, "pooled_height"),
        (lambda: layers.roi_pool(v(MAPS), v(ONE), spatial_scale="1"), ArgumentTypeError, "spatial_scale"),
    ],
)
def test_wrong_calls(call: Any, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        call()


def test_each_bin_has_its_own_channels() -> None:
    maps = np.random.RandomState(1).rand(2, 8, 4, 6).astype("float32")
    region = Variable(np.array([[0, 0, 11, 7]], "float32"), lod=((0, 0, 1),))
    got = layers.psroi_pool(v(maps), region, 2, 0.5, 2, 2).numpy()[0]
    for c, i, j in np.ndindex(2, 2, 2):
        window = maps[1, 4 * c + 2 * i + j, 2 * i : 2 * i + 2, 3 * j : 3 * j + 3]
        np.testing.assert_allclose(got[c, i, j], window.mean(), 1e-6)


def test_gradients_of_channels_are_shared_among_their_bin() -> None:
    maps = v(np.zeros([1, 4, 2, 2], "float32"))
    maps.stop_gradient = False
    region = Variable(np.array([[0, 0, 1, 1]], "float32"), lod=((0, 1),))
    layers.psroi_pool(maps, region, 4, 1.0, 1, 1).backward()
    assert maps.gradient().tolist() == np.full([1, 4, 2, 2], 0.25).tolist()


def test_regions_learn_where_to_be() -> None:
    """The gradient of a region moves it to where the map is greatest."""
    maps = np.zeros([1, 1, 9, 9], "float32")
    maps[0, 0, 5, 6] = 1
    region = np.array([[3.8, 2.9, 5.8, 4.9]], "float32")
    counts = v(np.array([1]))
    for _ in range(60):
        box = v(region)
        box.stop_gradient = False
        pooled = layers.prroi_pool(v(maps), box, 1.0, 1, 1, counts)
        pooled.backward()
        step = box.gradient()
        region = region + 3 * (step + step[:, [2, 3, 0, 1]])  # moved, not stretched
    np.testing.assert_allclose((region[0, :2] + region[0, 2:]) / 2, [6, 5], atol=0.3)


@given(st.floats(0.5, 3), st.floats(0.5, 2), st.floats(0.5, 4), st.floats(0.5, 2))
def test_all_points_of_a_plane(x: float, y: float, wide: float, high: float) -> None:
    rows, columns = np.mgrid[:6, :10].astype("float64")
    box = np.array([[x, y, x + wide, y + high]])
    got = layers.prroi_pool(v((3 * rows + columns)[None, None]), Variable(box, lod=((0, 1),)), 1.0, 2, 3).numpy()[0, 0]
    down, across = y + high * (np.arange(2) + 0.5) / 2, x + wide * (np.arange(3) + 0.5) / 3
    np.testing.assert_allclose(got, 3 * down[:, None] + across, rtol=1e-9)
