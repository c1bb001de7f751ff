"""Shapes that depend on values are checked in every run, not only in the first with inputs of these shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite import fluid
from paddle_lite.core.errors import ShapeError
from paddle_lite.static import plan_of
from tests.static.passes import passes

L = fluid.layers
X = np.ones((2, 3, 4), "float32")
GOOD, BAD = np.array([2, 4, 5], "int32"), np.array([1, 4, 10], "int32")  # of which matmul would repeat the one matrix


def product() -> Any:
    """The product of x and of y, whose shape the values of s tell."""
    x, y, s = fluid.data("x", [2, 3, 4]), fluid.data("y", [40]), fluid.data("s", [3], "int32")
    return paddle.bmm(x, L.reshape(y, s))


def in_a_loop() -> Any:
    x, y, s = fluid.data("x", [2, 3, 4]), fluid.data("y", [40]), fluid.data("s", [3], "int32")
    right = L.reshape(y, s)
    i, n = L.fill_constant([1], "int64", 0), L.fill_constant([1], "int64", 2)

    def step(i: Any, total: Any) -> list[Any]:
        return [L.increment(i), L.elementwise_add(total, L.reduce_sum(paddle.bmm(x, right)))]

    return L.while_loop(lambda i, total: L.less_than(i, n), step, [i, L.fill_constant([1], "float32", 0.0)])[1]


def in_a_branch() -> Any:
    """One branch is right for a batch of 2 only, and the other runs in the first run."""
    x, y, s = fluid.data("x", [-1, 3, 4]), fluid.data("y", [40]), fluid.data("s", [3], "int32")
    right = L.reshape(L.slice(y, [0], [0], [20]), [-1, 4, 5])
    good = L.equal(L.slice(s, [0], [0], [1]), L.fill_constant([1], "int32", 2))
    return L.cond(good, lambda: L.reduce_sum(x), lambda: L.reduce_sum(paddle.bmm(x, right)))


def behind_a_branch() -> Any:
    x, y, s = fluid.data("x", [2, 3, 4]), fluid.data("y", [40]), fluid.data("s", [3], "int32")
    good = L.equal(L.slice(s, [0], [0], [1]), L.fill_constant([1], "int32", 2))
    return paddle.bmm(x, L.cond(good, lambda: L.reshape(y, [-1, 4, 5]), lambda: L.reshape(y, [-1, 4, 10])))


@pytest.mark.parametrize("which", ["all", "none"])
@pytest.mark.parametrize("make", [product, in_a_loop, in_a_branch, behind_a_branch])
@pytest.mark.parametrize("before", [1, 3])
def test_a_wrong_shape_is_refused_in_every_run(make: Callable[[], Any], before: int, which: str) -> None:
    out, executor = make(), fluid.Executor()

    def run(shape: np.ndarray) -> np.ndarray:
        [found] = executor.run(feed={"x": X, "y": np.arange(40, dtype="float32"), "s": shape}, fetch_list=[out])
        return found

    with passes(which, 0):
        first = run(GOOD)
        for _ in range(before):
            np.testing.assert_array_equal(run(GOOD), first)
        for _ in range(2):
            with pytest.raises(ShapeError, match="bmm: Input"):
                run(BAD)
        np.testing.assert_array_equal(run(GOOD), first)


def test_nothing_is_checked_again_where_shapes_follow_from_inputs() -> None:
    x = fluid.data("x", [-1, 4])
    out = L.reduce_sum(L.softmax(L.fc(L.reshape(x, [-1, 2, 2]), 3)))
    fluid.Executor().run(fluid.default_startup_program())
    for batch in (2, 3):
        fluid.Executor().run(feed={"x": np.ones((batch, 4), "float32")}, fetch_list=[out])
    plan = plan_of(fluid.default_main_program(), {"x": np.ones((2, 4), "float32")}, [out])
    assert "check(" not in plan.source
