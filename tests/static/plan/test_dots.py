"""Small products as calls of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.static import default_main_program
from tests.static.passes import passes

L = fluid.layers
X, Y = (np.random.RandomState(k).rand(4, 4).astype("float32") for k in (0, 1))


def ran(make: Any, y_shape: list, feed: dict) -> tuple[np.ndarray, str]:
    x, y = fluid.data("x", [None, 4], "float32"), fluid.data("y", y_shape, "float32")
    exe, fetch = fluid.Executor(fluid.CPUPlace()), [make(x, y)]
    with passes("none"):
        plain = exe.run(feed=feed, fetch_list=fetch)[0]
    default_main_program()._plans.clear()
    with passes("dots"):
        for _ in range(3):
            found = exe.run(feed=feed, fetch_list=fetch)[0]
        np.testing.assert_array_equal(found, plain)
        return found, list(default_main_program()._plans.values())[-1].source


@pytest.mark.parametrize("make", [L.mul, L.matmul])
def test_a_product_of_small_matrices(make):
    found, text = ran(make, [4, 4], {"x": X, "y": Y})
    assert ".dot(" in text
    np.testing.assert_allclose(found, X @ Y, rtol=1e-6)


@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (lambda x, y: L.matmul(x, y, transpose_y=True), [4, 4]),
        (lambda x, y: L.matmul(x, y, alpha=2.0), [4, 4]),
        (L.matmul, [4, None]),
    ],
    ids=["transposed", "scaled", "of unknown size"],
)
def test_others_are_left_alone(make, shape):
    _, text = ran(make, shape, {"x": X, "y": Y})
    assert ".dot(" not in text


def test_large_matrices_are_left_alone():
    _, text = ran(L.mul, [4, 2000], {"x": X, "y": np.ones([4, 2000], "float32")})
    assert ".dot(" not in text
