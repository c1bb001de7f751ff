"""Attributes of operators take the kinds of numbers that 1.8.5 takes, and hold what it holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.fluid import layers

Call = Callable[[Any], Any]

# (call of x [2, 3, 4, 4], the attribute of its operator, its value in PaddlePaddle 1.8.5)
HELD: list[tuple[Call, str, Any]] = [
    (lambda x: layers.batch_norm(x, is_test=1), "is_test", True),
    (lambda x: layers.batch_norm(x, is_test=np.int64(0)), "is_test", False),
    (lambda x: layers.batch_norm(x, use_global_stats=None), "use_global_stats", False),
    (lambda x: layers.dropout(x, 0.5, is_test=0), "is_test", False),
    (lambda x: layers.pool2d(x, 2, ceil_mode=1), "ceil_mode", True),
    (lambda x: layers.elementwise_add(x, layers.ones([4], "float32"), axis=None), "axis", -1),
    (lambda x: layers.leaky_relu(x, alpha=None), "alpha", 0.02),
    (lambda x: layers.scale(x, scale=np.array([3])), "scale", 3.0),
    (lambda x: layers.scale(x, bias=True), "bias", 1.0),
    (lambda x: layers.clip(x, np.float32(0), np.array([1])), "max", 1.0),
    (lambda x: layers.reduce_sum(x, dim=True, keep_dim=0), "dim", [1]),
    (lambda x: layers.reduce_sum(x, dim=True, keep_dim=0), "keep_dim", False),
    (lambda x: layers.layer_norm(x, begin_norm_axis=np.array(1)), "begin_norm_axis", 1),
    (lambda x: layers.reshape(x, [np.array([3]), True, 32]), "shape", [3, 1, 32]),
]


@pytest.mark.parametrize("call, name, value", HELD)
def test_numbers_of_other_kinds(call: Call, name: str, value: Any) -> None:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        call(fluid.data("x", [2, 3, 4, 4]))
    held = main.global_block().ops[-1].attr(name)
    assert type(held) is type(value) and held == pytest.approx(value)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: layers.batch_norm(x, is_test="no"),
        lambda x: layers.layer_norm(x, begin_norm_axis=[1]),
        lambda x: layers.scale(x, scale=[3.0, 2.0]),
        lambda x: layers.pool2d(x, 2, ceil_mode=[1]),
    ],
)
def test_what_stands_for_no_number_is_refused(call: Call) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(ArgumentTypeError, match="needs "):
        call(fluid.data("x", [2, 3, 4, 4]))


def test_a_list_of_one_variable_stands_for_it() -> None:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        x = fluid.data("x", [2, 3])
        out = layers.gather([x], layers.zeros([1], "int32"))
    [found] = fluid.Executor(fluid.CPUPlace()).run(main, {"x": np.arange(6, dtype="float32").reshape(2, 3)}, [out])
    assert found.tolist() == [[0, 1, 2]]


# (call of x [2, 3, 4, 4], the sum of its result in PaddlePaddle 1.8.5)
IMPERATIVE: list[tuple[Call, float]] = [
    (lambda x: layers.pool2d(x, 2, ceil_mode=1), 2700.0),
    (lambda x: layers.softmax(x, axis=np.array(1)), 32.0),
    (lambda x: layers.softmax(x, axis=True), 32.0),
    (lambda x: layers.reduce_sum(x, dim=True, keep_dim=0), 4560.0),
    (lambda x: layers.stack([x, x], axis=np.bool_(True)), 9120.0),
    (lambda x: layers.matmul(x, x, transpose_y=1), 1153600.0),
    (lambda x: layers.argsort(x, axis=True)[0], 4560.0),
    (lambda x: layers.scale(x, bias=True), 4656.0),
    (lambda x: layers.resize_bilinear(x, out_shape=(6, 6), align_corners=False, align_mode=True), 10380.0),
]


@pytest.mark.parametrize("call, total", IMPERATIVE)
def test_numbers_of_other_kinds_in_imperative_mode(call: Call, total: float) -> None:
    with fluid.dygraph.guard(fluid.CPUPlace()):
        x = fluid.dygraph.to_variable(np.arange(96, dtype="float32").reshape(2, 3, 4, 4))
        x.stop_gradient = False
        result = call(x)
        assert float(result.numpy().sum(dtype="float64")) == pytest.approx(total)
        fluid.layers.reduce_sum(result).backward()  # the tape has the attributes that were converted


@pytest.mark.parametrize("axis", ["1", [1, 2], 1.0])
def test_what_1_8_refuses_in_imperative_mode_is_refused(axis: Any) -> None:
    with fluid.dygraph.guard(fluid.CPUPlace()):
        x = fluid.dygraph.to_variable(np.ones((2, 3), "float32"))
        with pytest.raises(ArgumentTypeError, match="needs an int"):
            layers.softmax(x, axis=axis)
