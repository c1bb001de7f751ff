"""Attributes take numbers of other kinds in imperative mode; the values are recorded from PaddlePaddle 1.8.5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.fluid import layers

Call = Callable[[Any], Any]

# (call of x = [[1, 2], [3, 4]], the first two values in 1.8.5)
CALLS: list[tuple[Call, list[float]]] = [
    (lambda x: layers.scale(x, 2.0, 1.0, 1), [3, 5]),  # an attribute with the operator's own name
    (lambda x: layers.scale(x, 2.0, 1.0, np.bool_(False)), [4, 6]),
    (lambda x: layers.scale(x, 2.0, 1.0, None), [4, 6]),
    (lambda x: layers.reduce_all(x > 2.0, 1, keep_dim=1), [0, 1]),
    (lambda x: layers.reduce_sum(x, 1, keep_dim=None), [3, 7]),
    (lambda x: layers.batch_norm(x, is_test=None), [-1, -1]),
    (lambda x: layers.stack([x, x], np.float32(1)), [1, 2]),
    (lambda x: layers.reshape(x, [np.int64(4), np.int32(1)]), [1, 2]),
    (lambda x: layers.expand(x, [np.int64(1), np.int32(2)]), [1, 2]),
    (lambda x: layers.clip(x, np.float64(1.5), np.float32(2.0)), [1.5, 2]),
]


@pytest.fixture
def x() -> Any:
    return fluid.dygraph.to_variable(np.array([[1, 2], [3, 4]], "float32"))


@pytest.mark.parametrize(("call", "values"), CALLS)
def test_numbers_of_other_kinds(x: Any, call: Call, values: list[float]) -> None:
    np.testing.assert_allclose(call(x).numpy().reshape(-1)[:2], values, rtol=1e-4)


def test_integers_of_numpy_compute_as_those_of_python(x: Any) -> None:
    drawn = layers.gaussian_random([2], seed=np.int32(10)).numpy()
    np.testing.assert_array_equal(drawn, layers.gaussian_random([2], seed=10).numpy())
    label = fluid.dygraph.to_variable(np.array([[1], [0]]))
    assert layers.hsigmoid(x, label, num_classes=np.int64(2)).shape == [2, 1]


@pytest.mark.parametrize("after", ["yes", [1]])
def test_what_stands_for_no_bool_is_named(x: Any, after: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=r"scale: attribute 'bias_after_scale' got .*, needs a bool"):
        layers.scale(x, 2.0, 1.0, after)
