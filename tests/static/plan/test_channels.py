"""Convolutions of inference run on images whose channels are last in memory, with what follows them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.tensor import LoDTensor
from paddle_lite.static import default_main_program
from tests.static.passes import passes
from tests.static.plan.running import source

L = fluid.layers


def images(*shape: int | None) -> Any:
    return fluid.data("x", list(shape or (None, 3, 16, 16)), "float32")


def block(x: Any, filters: int, stride: int = 1, act: str | None = "relu", groups: int = 1, size: int = 3) -> Any:
    y = L.conv2d(x, filters, size, stride, size // 2, groups=groups, bias_attr=False)
    return L.batch_norm(y, act=act, is_test=True)


def residual(x: Any) -> Any:
    y = block(x, 32)
    short = block(y, 48, 2, None, size=1)
    y = L.relu(L.elementwise_add(block(block(y, 48, 2), 48, act=None), short))
    return L.pool2d(y, global_pooling=True, pool_type="avg")


def separable(x: Any) -> Any:
    y = block(block(block(x, 32, 2), 32, groups=32), 64, size=1)
    return L.fc(L.pool2d(y, 2, "max", 2), 10, act="softmax")


def inception(x: Any) -> Any:
    y = block(x, 32)
    return L.concat(
        [block(y, 16, size=1), L.conv2d(y, 24, 3, padding=1, act="tanh"), L.pool2d(y, 3, "max", 1, 1)], axis=1
    )


def few_filters(x: Any) -> Any:
    return block(block(x, 6), 32)


def added_twice(x: Any) -> Any:
    y = block(x, 32)
    return L.elementwise_add(L.elementwise_add(L.conv2d(y, 32, 1, bias_attr=False), y), L.conv2d(y, 32, 1, act="relu6"))


def prepared(network: Any, *shape: int | None) -> tuple[Any, Any, Any, dict[str, np.ndarray]]:
    """An Executor and a Scope with parameters in which nothing is 0 or 1, the result, and a feed."""
    y = network(images(*shape))
    executor, scope, rng = fluid.Executor(), fluid.Scope(), np.random.RandomState(0)
    executor.run(fluid.default_startup_program(), scope=scope)
    for name in sorted(p.name for p in default_main_program().all_parameters()):
        held = scope.find_value(name)
        held.array = np.array(held.array + (rng.rand(*held.array.shape) * 0.5 + 0.1).astype("float32"))
    return executor, scope, y, {"x": rng.randn(2, 3, 16, 16).astype("float32")}


@pytest.mark.parametrize("network", [residual, separable, inception, few_filters, added_twice])
@pytest.mark.parametrize("shape", [(2, 3, 16, 16), (None, 3, None, None)])
def test_networks_give_what_they_give_without_it(network: Any, shape: Any) -> None:
    if network is separable:
        shape = (shape[0], 3, 16, 16)
    executor, scope, y, feed = prepared(network, *shape)

    def run() -> np.ndarray:
        return executor.run(feed=feed, fetch_list=[y], scope=scope)[0]

    with passes("none", 0):
        expected = run()
    for which in ("channels", "all", "-epilogue"):
        with passes(which, 0):
            for _ in range(4):
                np.testing.assert_allclose(run(), expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())


def calls(y: Any) -> list[str]:
    """The operators of each call of the pass."""
    return re.findall(r" = i\d+\(.*  # ([^(]*) \(", source([y], "channels"))


def test_what_runs_in_one_call() -> None:
    assert calls(separable(images())) == [
        "conv2d, batch_norm, relu", "conv2d, batch_norm, relu", "conv2d, batch_norm, relu", "pool2d",
    ]  # fmt: skip


def test_a_residual_is_added_by_the_convolution() -> None:
    rest = ["conv2d, batch_norm", "conv2d, batch_norm, relu", "conv2d, batch_norm, relu", "pool2d"]
    assert sorted(calls(residual(images()))) == sorted(["conv2d, batch_norm, elementwise_add, relu", *rest])


def test_few_filters_are_left_to_the_other_algorithms() -> None:
    assert calls(few_filters(images())) == ["conv2d, batch_norm, relu"]


def test_what_is_fetched_stays_a_result_of_its_own() -> None:
    inner = L.conv2d(images(), 16, 3, bias_attr=False)
    y = L.relu(inner)
    executor, scope = fluid.Executor(), fluid.Scope()
    executor.run(fluid.default_startup_program(), scope=scope)
    feed = {"x": np.random.RandomState(0).randn(1, 3, 16, 16).astype("float32")}
    with passes("all", 0):
        for _ in range(4):
            first, second = executor.run(feed=feed, fetch_list=[inner, y], scope=scope)
            np.testing.assert_array_equal(np.maximum(first, 0), second)
            assert first.flags.c_contiguous


def test_training_is_left_as_it_is() -> None:
    y = L.conv2d(images(), 16, 3, act="relu")
    fluid.optimizer.SGD(0.1).minimize(L.mean(y))
    assert calls(y) == []


def test_batch_norm_of_training_is_left_as_it_is() -> None:
    y = L.batch_norm(L.conv2d(images(), 16, 3, bias_attr=False), act="relu")
    assert calls(y) == ["conv2d"]


def weights_change(change: Any) -> None:
    """What a run gives after `change(parameter's tensor)` is what a new Program would give."""
    executor, scope, y, feed = prepared(lambda x: L.conv2d(x, 16, 3, param_attr="w", bias_attr=False), 2, 3, 16, 16)
    tensor = scope.find_var("w").get_tensor()
    with passes("all", 0):
        for _ in range(4):
            before = executor.run(feed=feed, fetch_list=[y], scope=scope)[0]
        change(tensor)
        for _ in range(4):
            after = executor.run(feed=feed, fetch_list=[y], scope=scope)[0]
            change(tensor)
    assert not np.allclose(before, after)
    with passes("none", 0):
        tensor.set(np.array(tensor), fluid.CPUPlace())
        for _ in range(4):
            last = executor.run(feed=feed, fetch_list=[y], scope=scope)[0]
    with passes("all", 0):
        np.testing.assert_allclose(executor.run(feed=feed, fetch_list=[y], scope=scope)[0], last, rtol=1e-4, atol=1e-4)


def test_a_weight_that_is_set_is_noticed() -> None:
    weights_change(lambda tensor: tensor.set(np.array(tensor) * 2, fluid.CPUPlace()))


def test_an_element_that_is_set_is_noticed() -> None:
    def change(tensor: LoDTensor) -> None:
        tensor._set_float_element(3, tensor._get_float_element(3) + 1)

    weights_change(change)


def test_the_callers_array_may_change() -> None:
    own = np.random.RandomState(1).rand(16, 3, 3, 3).astype("float32")

    def change(tensor: LoDTensor) -> None:
        tensor.set(own, fluid.CPUPlace(), zero_copy=True)
        own[:] *= 1.5

    weights_change(change)


def test_what_training_updates_is_noticed() -> None:
    """Training and inference take turns; the weights of inference are those of the last step."""
    x = images(2, 3, 16, 16)
    y = L.conv2d(x, 16, 3, bias_attr=False, param_attr="w")
    test = default_main_program().clone(for_test=True)
    fluid.optimizer.SGD(0.5).minimize(L.mean(L.square(y)))
    executor, scope = fluid.Executor(), fluid.Scope()
    executor.run(fluid.default_startup_program(), scope=scope)
    feed = {"x": np.random.RandomState(0).randn(2, 3, 16, 16).astype("float32")}
    with passes("all", 0):
        for count in (1, 2, 3, 5, 9):
            for _ in range(count):
                got = executor.run(test, feed=feed, fetch_list=[y], scope=scope)[0]
            expected = executor.run(feed=feed, fetch_list=[y], scope=scope)[0]  # before the update
            np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)
