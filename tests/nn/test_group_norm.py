"""InstanceNorm and GroupNorm: parameters, values beside NumPy, gradients, errors."""

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentValueError, ShapeError
from paddle_lite.fluid import ParamAttr
from paddle_lite.fluid.dygraph import GroupNorm, InstanceNorm
from paddle_lite.imperative import to_variable

rng = np.random.RandomState(0)


def state(layer):
    return {key: (p.name, p.shape, p.numpy().tolist()) for key, p in layer.state_dict().items()}


def normalised(rows, epsilon=1e-5):
    return (rows - rows.mean(-1, keepdims=True)) / np.sqrt(rows.var(-1, keepdims=True) + epsilon)


def test_parameters():
    assert state(InstanceNorm(2)) == {
        "scale": ("instance_norm_0.w_0", [2], [1, 1]),
        "bias": ("instance_norm_0.b_0", [2], [0, 0]),
    }
    assert state(GroupNorm(4, 2)) == state(GroupNorm(4, 2, param_attr=False, bias_attr=False)) == {}
    assert state(GroupNorm(2, 1, param_attr="a", bias_attr="b")) == {
        "weight": ("a", [2], [1, 1]),
        "bias": ("b", [2], [0, 0]),
    }
    assert list(state(GroupNorm(2, 1, param_attr=ParamAttr()))) == ["weight"]


@pytest.mark.parametrize("size", [[], [5], [4, 3], [2, 3, 4]])
def test_instance_norm_normalises_each_channel_of_each_image(size):
    layer, x = InstanceNorm(3, dtype="float64"), rng.rand(2, 3, *size)
    scale, bias = rng.rand(3), rng.rand(3)
    layer.scale.set_value(scale)
    layer.bias.set_value(bias)
    expected = normalised(x.reshape(2, 3, -1)) * scale[:, None] + bias[:, None]
    np.testing.assert_allclose(layer(to_variable(x)).numpy(), expected.reshape(x.shape), 1e-6, 1e-9)


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("groups", [1, 2, 4])
def test_group_norm_normalises_each_group_of_each_image(groups, layout):
    layer = GroupNorm(4, groups, 1e-3, ParamAttr(), ParamAttr(), "relu", layout, "float64")
    x, scale, bias = rng.rand(2, 4, 3, 5), rng.rand(4), rng.rand(4)
    layer.weight.set_value(scale)
    layer.bias.set_value(bias)
    each = normalised(x.reshape(2, groups, -1), 1e-3).reshape(x.shape)
    expected = np.maximum(each * scale[:, None, None] + bias[:, None, None], 0)
    got = layer(to_variable(x if layout == "NCHW" else np.ascontiguousarray(x.transpose(0, 2, 3, 1)))).numpy()
    np.testing.assert_allclose(got if layout == "NCHW" else got.transpose(0, 3, 1, 2), expected, 1e-5, 1e-9)


def test_extremes_agree_with_each_other():
    x = to_variable(rng.rand(2, 4, 3, 3))
    alone, grouped = InstanceNorm(4, dtype="float64")(x).numpy(), GroupNorm(4, 4, dtype="float64")(x).numpy()
    np.testing.assert_allclose(alone, grouped, 1e-12)


@pytest.mark.parametrize("make", [lambda: InstanceNorm(4), lambda: GroupNorm(4, 2, 1e-5, ParamAttr(), ParamAttr())])
def test_gradients(make):
    layer, x = make(), to_variable(rng.rand(2, 4, 3, 3).astype("float32"))
    x.stop_gradient = False
    weights = rng.rand(2, 4, 3, 3).astype("float32")
    (layer(x) * to_variable(weights)).backward()
    np.testing.assert_allclose(layer.bias.gradient(), weights.sum((0, 2, 3)), 1e-5)
    assert abs(x.gradient().sum()) < 1e-3 < abs(x.gradient()).sum()  # what shifts every point changes nothing


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: InstanceNorm(3, bias_attr=False), ArgumentValueError, "InstanceNorm: bias_attr got False"),
        (lambda: InstanceNorm(3, param_attr=False), ArgumentValueError, "InstanceNorm: param_attr got False"),
        (lambda: InstanceNorm(3, 0.1)(to_variable(rng.rand(1, 3, 2).astype("f"))), ArgumentValueError, "epsilon"),
        (lambda: InstanceNorm(4)(to_variable(rng.rand(1, 3, 2).astype("f"))), ShapeError, r"shape \[4\], needs \[3\]"),
        (lambda: GroupNorm(3, 2)(to_variable(rng.rand(1, 3, 2).astype("f"))), ArgumentValueError, "group_norm.*groups"),
        (
            lambda: GroupNorm(3, 3, data_layout="CHWN")(to_variable(rng.rand(1, 3, 2, 2).astype("f"))),
            ArgumentValueError,
            "group_norm.*data_layout",
        ),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()
