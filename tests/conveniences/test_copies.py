"""copy.deepcopy and pickle of Variables, parameters, Layers, optimizers and state dicts."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.fluid.dygraph import BatchNorm, Conv2D, Linear, guard, to_variable


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv = Conv2D(1, 2, 3, act="relu")
        self.norm = BatchNorm(2)
        self.top = Linear(2, 1, param_attr=fluid.ParamAttr(regularizer=fluid.regularizer.L2Decay(0.1)))
        self.tied = self.top

    def forward(self, x):
        return self.tied(self.norm(self.conv(x)).mean([2, 3]))


def pickled(value):
    return pickle.loads(pickle.dumps(value))


def step(net, optimizer, x):
    loss = net(x).sum()
    loss.backward()
    optimizer.minimize(loss)
    net.clear_gradients()
    return loss.item()


HOWS = pytest.mark.parametrize("how", [copy.deepcopy, pickled], ids=["deepcopy", "pickle"])
OPTIMIZERS = {
    "SGD": lambda p: fluid.optimizer.SGD(fluid.dygraph.NoamDecay(4, 4), parameter_list=p),
    "Adam": lambda p: fluid.optimizer.Adam(0.1, parameter_list=p, grad_clip=fluid.clip.GradientClipByGlobalNorm(1.0)),
}


@HOWS
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_copied_training_goes_on_as_the_original_does(how, name):
    with guard():
        net = Net()
        optimizer = OPTIMIZERS[name](net.parameters())
        x = to_variable(np.random.RandomState(0).rand(2, 1, 5, 5).astype("float32"))
        step(net, optimizer, x)
        other, its = how((net, optimizer))
        assert other.top is other.tied and other.top.weight is not net.top.weight
        assert [step(other, its, x) for _ in range(3)] == [step(net, optimizer, x) for _ in range(3)]
        assert (other.top.weight.numpy() == net.top.weight.numpy()).all()


@HOWS
def test_a_copy_is_independent_and_complete(how):
    with guard():
        layer = Linear(3, 2, param_attr=fluid.ParamAttr(learning_rate=0.5, trainable=False))
        other = how(layer)
        other.weight.set_value(np.zeros([3, 2], "float32"))
        assert layer.weight.numpy().any()
        weight = other.weight
        assert (weight.trainable, weight.optimize_attr, weight.persistable) == (False, {"learning_rate": 0.5}, True)
        assert not weight.stop_gradient and (weight.name == layer.weight.name) == (how is pickled)
        names = {p.name for p in (*layer.parameters(), *other.parameters(), *Linear(3, 2).parameters())}
        assert len(names) == (4 if how is pickled else 6)


@HOWS
def test_data_and_state_dicts(how):
    with guard():
        x = to_variable(fluid.create_lod_tensor([[1, 2], [3]], [[2, 1]], fluid.CPUPlace()))
        other = how(x)
        assert other.lod() == [[0, 2, 3]] and other.stop_gradient and other.numpy().tolist() == x.numpy().tolist()
        layer = Linear(3, 2)
        state = how(layer.state_dict())
        layer.set_dict({name: np.zeros(value.shape, "float32") for name, value in state.items()})
        layer.set_dict(state)
        assert layer.weight.numpy().any()


@HOWS
def test_what_was_computed_is_refused(how):
    with guard():
        x = Linear(3, 2)(to_variable(np.ones([1, 3], "float32")))
        for call in (how, copy.copy):
            with pytest.raises(ArgumentTypeError, match=r"x.detach\(\)"):
                call(x)
        assert how(x.detach()).numpy().tolist() == x.numpy().tolist()


def test_names_of_pickled_parameters_are_not_given_again():
    with guard():
        written = pickle.dumps(Linear(3, 2))
    with guard():
        first, second = pickle.loads(written), Linear(3, 2)
        assert {p.name for p in first.parameters()}.isdisjoint(p.name for p in second.parameters())
