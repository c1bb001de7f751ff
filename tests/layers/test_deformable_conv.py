"""deformable_conv beside convolutions of shifted images."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.imperative import to_variable
from paddle_lite.ops.nn import conv
from paddle_lite.ops.nn import deformable_conv as ops

layers = fluid.layers
X = np.random.RandomState(0).rand(2, 4, 6, 7).astype("float32")
W = np.random.RandomState(1).rand(6, 2, 3, 2).astype("float32")
WHERE: dict[str, Any] = {"strides": [2, 1], "paddings": [1, 0], "dilations": [1, 2], "groups": 2}


def offsets(down: float, right: float) -> np.ndarray:
    one = np.zeros((2, 6, 2, 3, 5), "float32")
    one[:, :, 0], one[:, :, 1] = down, right
    return one.reshape(2, 12, 3, 5)


def test_without_offsets_it_is_a_convolution() -> None:
    expected = conv.conv2d.call(to_variable(X), to_variable(W), None, None, **WHERE).numpy()
    got = ops.deformable_conv_v1.call(to_variable(X), to_variable(offsets(0, 0)), to_variable(W), **WHERE).numpy()
    np.testing.assert_allclose(got, expected, 1e-5)
    mask = np.full((2, 6, 3, 5), 0.5, "float32")
    variables = [to_variable(a) for a in (X, offsets(0, 0), mask, W)]
    np.testing.assert_allclose(ops.deformable_conv.call(*variables, **WHERE).numpy(), expected / 2, 1e-5)


def test_offsets_move_the_image() -> None:
    moved = np.zeros_like(X)
    moved[:, :, :-1, 1:] = X[:, :, 1:, :-1]
    between = (moved + np.pad(moved, ((0, 0), (0, 0), (0, 0), (0, 1)))[..., 1:]) / 2
    expected = conv.conv2d.call(to_variable(between), to_variable(W), None, None, **{**WHERE, "paddings": [0, 0]})
    offset = offsets(1, -0.5)[:, :, :2]
    got = ops.deformable_conv_v1.call(
        to_variable(X), to_variable(offset), to_variable(W), **{**WHERE, "paddings": [0, 0]}
    )
    np.testing.assert_allclose(got.numpy()[..., :-1], expected.numpy()[..., :-1], 1e-5)


def call(**changes: Any) -> Any:
    arrays = {"input": X, "offset": np.zeros((2, 18, 4, 5), "float32"), "mask": np.ones((2, 9, 4, 5), "float32")}
    given = {**arrays, "num_filters": 6, "filter_size": 3, **changes}
    return layers.deformable_conv(**{k: to_variable(v) if isinstance(v, np.ndarray) else v for k, v in given.items()})


def test_the_function_makes_filters_and_a_bias() -> None:
    weight = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.5))
    bias = fluid.ParamAttr(initializer=fluid.initializer.Constant(2.0))
    got = call(param_attr=weight, bias_attr=bias, groups=2)
    expected = conv.conv2d.call(
        to_variable(X), to_variable(np.full((6, 2, 3, 3), 0.5, "float32")), None, None, groups=2
    )
    np.testing.assert_allclose(got.numpy(), expected.numpy() + 2, 1e-5)
    plain = [call(mask=mask, modulated=False, param_attr=weight, bias_attr=False).numpy() for mask in (None, 3 * X)]
    assert plain[0].shape == (2, 6, 4, 5)
    np.testing.assert_array_equal(*plain)  # 1.8.5 does not read the mask, either


@pytest.mark.parametrize(
    ("error", "changes", "text"),
    [
        (ArgumentTypeError, {"mask": None}, "mask got"),
        (ArgumentTypeError, {"filter_size": 2.5}, "filter_size got"),
        (ArgumentValueError, {"stride": [1, 1, 1]}, "stride got"),
        (ShapeError, {"groups": 3}, "a multiple of groups, 3"),
        (ShapeError, {"num_filters": 5, "deformable_groups": 2}, "deformable_groups"),
        (ShapeError, {"filter_size": 2}, "Input(Offset)"),
        (ShapeError, {"padding": 1}, "Input(Offset)"),
    ],
)
def test_bad_input(error: type[Exception], changes: dict[str, Any], text: str) -> None:
    with pytest.raises(error) as raised:
        call(**changes)
    assert "deformable_conv" in str(raised.value) and text in str(raised.value)
