"""WeightNormParamAttr: parameters, the weight that they make, its gradients, where it is refused."""

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError
from paddle_lite.fluid import WeightNormParamAttr
from paddle_lite.fluid.dygraph import Conv2D, Layer, Linear
from paddle_lite.imperative import to_variable

rng = np.random.RandomState(0)


def state(layer):
    return {key: (p.name, p.shape) for key, p in layer.named_parameters()}


@pytest.mark.parametrize(
    ("dim", "lengths"), [(None, [1, 1, 1, 1]), (0, [4, 1, 1, 1]), (1, [1, 3, 1, 1]), (3, [1, 1, 1, 2])]
)
def test_length_and_direction_are_the_parameters(dim, lengths):
    plain = Conv2D(3, 4, 2, param_attr=fluid.initializer.Uniform(-1.0, 1.0, seed=3))
    net = Conv2D(3, 4, 2, param_attr=WeightNormParamAttr(dim, initializer=fluid.initializer.Uniform(-1.0, 1.0, seed=3)))
    assert state(net) == {
        "weight_g": ("conv2d_1.w_0_g", lengths),
        "weight_v": ("conv2d_1.w_0_v", [4, 3, 2, 2]),
        "bias": ("conv2d_1.b_0", [4]),
    }
    x = to_variable(rng.rand(2, 3, 5, 5).astype("float32"))
    np.testing.assert_allclose(net(x).numpy(), plain(x).numpy(), 1e-5, 1e-6)  # at first it is v
    net.weight_g.set_value(2 * net.weight_g.numpy())
    net.weight_v.set_value(5 * net.weight_v.numpy())
    np.testing.assert_allclose(net(x).numpy(), 2 * plain(x).numpy(), 1e-5, 1e-5)


def test_gradients():
    net = Linear(3, 2, WeightNormParamAttr(1), False, dtype="float64")
    x = rng.rand(4, 3)
    net(to_variable(x)).backward()
    g, v = net.weight_g.numpy(), net.weight_v.numpy()
    norm = np.sqrt((v**2).sum(0, keepdims=True))
    of_weight = np.repeat(x.sum(0)[:, None], 2, 1)
    of_g = (of_weight * v / norm).sum(0, keepdims=True)
    np.testing.assert_allclose(net.weight_g.gradient(), of_g)
    np.testing.assert_allclose(net.weight_v.gradient(), g / norm * (of_weight - of_g * v / norm))


def test_it_trains_and_is_saved():
    net = Linear(3, 1, WeightNormParamAttr(name="w"))
    assert list(net.state_dict()) == ["weight_g", "weight_v", "bias"] and net.weight_g.name == "w_g"
    x, optimizer = to_variable(np.eye(3, dtype="float32")), fluid.optimizer.SGD(0.1, parameter_list=net.parameters())
    losses = []
    for _ in range(100):
        loss = fluid.layers.mean((net(x) - 2.0) * (net(x) - 2.0))
        loss.backward()
        optimizer.minimize(loss)
        net.clear_gradients()
        losses.append(loss.numpy()[0])
    assert losses[-1] < losses[0] / 10
    other = Linear(3, 1, WeightNormParamAttr())
    other.set_dict(net.state_dict())
    np.testing.assert_array_equal(other(x).numpy(), net(x).numpy())


def test_layers_of_ones_own():
    net = Layer()
    made = net.add_parameter("w", net.create_parameter([2, 2], WeightNormParamAttr(0)))
    np.testing.assert_array_equal(made.numpy(), net.w.numpy())
    assert list(state(net)) == ["w_g", "w_v"]


def test_attributes():
    attr = WeightNormParamAttr(0, learning_rate=0.5, trainable=False)
    assert isinstance(attr, fluid.ParamAttr) and not attr.do_model_average and WeightNormParamAttr().dim is None
    net = Linear(3, 2, attr)
    assert [(p.trainable, p.optimize_attr["learning_rate"]) for p in net.parameters()[:2]] == [(False, 0.5)] * 2


def test_errors():
    with pytest.raises(ArgumentTypeError, match="WeightNormParamAttr: dim got str 'a'"):
        WeightNormParamAttr("a")
    for dim in (2, -1):
        with pytest.raises(ArgumentValueError, match=f"WeightNormParamAttr: dim got {dim}, needs 0 to 1"):
            Linear(3, 2, WeightNormParamAttr(dim))
    with pytest.raises(ModeError, match="the two parts of a WeightNormParamAttr"):
        fluid.layers.create_parameter([2, 2], "float32", attr=WeightNormParamAttr(0))
