"""Quadrilaterals of a plane, turned into rectangles: each point is the plane's value where the matrix says that it lies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, LoDError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.detection import perspective as layers

v = to_variable
ROWS, COLUMNS = np.mgrid[:9, :12].astype("float64")
PLANE = (3 * ROWS + COLUMNS)[None, None]


@given(st.integers(0, 99), st.integers(1, 5), st.integers(1, 6))
def test_points_of_a_plane(seed: int, height: int, width: int) -> None:
    corners = np.array([2, 1, 9, 2, 8.5, 7, 1, 6]) + np.random.RandomState(seed).uniform(-0.9, 0.9, 8)
    region = Variable(corners[None], lod=((0, 1),))
    out, mask, matrix = (m.numpy()[0] for m in layers.roi_perspective_transform(v(PLANE), region, height, width))
    for i, j in np.ndindex(height, width):
        x, y, w = matrix.reshape(3, 3) @ [j, i, 1]
        np.testing.assert_allclose(out[0, i, j], (3 * y + x) / w * mask[0, i, j], 1e-9)
    assert mask[0, 0, 0] == 1
    np.testing.assert_allclose(out[0, 0, 0], 3 * corners[1] + corners[0], 1e-9)


def test_corners_go_to_corners() -> None:
    corners = np.array([[1, 1, 10, 2, 9, 7, 2, 6]], "float64")
    matrix = (
        layers.roi_perspective_transform(v(PLANE), Variable(corners, lod=((0, 1),)), 3, 99)[2].numpy().reshape(3, 3)
    )
    columns = round((np.hypot(9, 1) + np.hypot(7, 1)) / (np.hypot(1, 5) + np.hypot(1, 5)) * 2)
    for place, corner in zip([(0, 0), (columns, 0), (columns, 2), (0, 2)], corners.reshape(4, 2), strict=True):
        x, y, w = matrix @ [*place, 1]
        np.testing.assert_allclose([x / w, y / w], corner, atol=1e-4)


def test_wrong_calls() -> None:
    corners = v(np.zeros([1, 8]))
    with pytest.raises(LoDError, match="no LoD"):
        layers.roi_perspective_transform(v(PLANE), corners, 2, 2)
    with pytest.raises(ArgumentTypeError, match="spatial_scale"):
        layers.roi_perspective_transform(v(PLANE), corners, 2, 2, None)
