"""Layers in the form of Fluid 1.3 to 1.6: a name scope first, and sizes that the first call tells."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, MissingKeyError, ShapeError
from tests.nn.cases_before_1_7 import CASES, numbers, run

OF_THAT_TIME: Any = fluid.dygraph  # the type stubs have today's arguments only
FC, BatchNorm, Conv2D, Conv2DTranspose, Embedding, LayerNorm, Pool2D, PRelu = (
    getattr(OF_THAT_TIME, name)
    for name in ["FC", "BatchNorm", "Conv2D", "Conv2DTranspose", "Embedding", "LayerNorm", "Pool2D", "PRelu"]
)
RECORDED = dict(np.load(Path(__file__).with_name("before_1_7.npz")))


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


def variable(*shape: int) -> Any:
    return fluid.dygraph.to_variable(numbers(*shape))


class Block(fluid.dygraph.Layer):
    def __init__(self, name_scope: str, filters: int) -> None:
        super().__init__(name_scope)
        self.conv = Conv2D(self.full_name(), num_filters=filters, filter_size=3, act="relu")
        self.norm = BatchNorm(self.full_name(), filters)
        attr: Any = fluid.ParamAttr(name=name_scope.replace("net", "own"))
        self.own = self.create_parameter(attr, [1], "float32")  # the order of that time

    def forward(self, x: Any) -> Any:
        return self.norm(self.conv(x)) * self.own


class Net(fluid.dygraph.Layer):
    def __init__(self, name_scope: str) -> None:
        super().__init__(name_scope)
        self.block = Block(self.full_name(), 4)
        self.fc = FC(self.full_name(), 2)

    def forward(self, x: Any) -> Any:
        return self.fc(self.block(x))


NAMES = [
    "net/Net_0/Block_0.own_0", "net/Net_0/Block_0/Conv2D_0.w_0", "net/Net_0/Block_0/Conv2D_0.b_0",
    *(f"net/Net_0/Block_0/BatchNorm_0.{what}" for what in ("w_0", "b_0", "w_1", "w_2")),
    "net/Net_0/FC_0.w_0", "net/Net_0/FC_0.b_0",
]  # fmt: skip
"""What Fluid 1.6 names the parameters of Net, and the keys of their state dicts."""


@pytest.mark.parametrize("name", CASES)
def test_a_layer_does_what_it_did(name: str) -> None:
    recorded = {key.partition("|")[2]: value for key, value in RECORDED.items() if key.partition("|")[0] == name}
    found = run(fluid, CASES[name])
    assert found.keys() == {key.replace("|", "/") for key in recorded}
    for key, value in recorded.items():
        np.testing.assert_allclose(found[key.replace("|", "/")], value, rtol=2e-5, atol=2e-6, err_msg=key)


def test_parameters_have_the_names_of_that_time() -> None:
    net = Net("net")
    assert net.full_name() == "net_0"  # as in 1.8
    net(variable(1, 3, 6, 6))
    assert [p.name for p in net.parameters()] == ["own_0", *NAMES[1:]]  # one that a user's Layer names is as in 1.8
    assert list(net.state_dict())[1:3] == ["block.conv.weight", "block.conv.bias"]


def test_a_file_of_that_time_is_loaded_before_the_first_call(tmp_path: Path) -> None:
    made = Net("net")
    made(variable(1, 3, 6, 6))
    values = {name: p.numpy() for name, p in zip(NAMES, made.parameters(), strict=True)}
    fluid.save_dygraph(dict(zip(NAMES, made.parameters(), strict=True)), str(tmp_path / "net"))
    with fluid.dygraph.guard():
        net = Net("net")
        entries, _ = fluid.load_dygraph(str(tmp_path / "net"))
        net.load_dict(entries)
        assert net.block.own.numpy() == values[NAMES[0]] and "_held" in net.fc.__dict__
        net.eval()
        net(variable(1, 3, 6, 6))
        for name, parameter in zip(NAMES, net.parameters(), strict=True):
            np.testing.assert_array_equal(parameter.numpy(), values[name], err_msg=name)


def test_paths_are_loaded_before_the_first_call() -> None:
    first, second = Net("net"), Net("net")
    x = variable(2, 3, 6, 6)
    expected = first(x).numpy()
    state = {path: value.numpy() for path, value in first.state_dict().items()}
    second.set_dict(state)
    second.block.norm._mean.set_value(np.zeros(4, "float32"))
    np.testing.assert_allclose(second(x).numpy(), expected, rtol=1e-5)
    third = Net("net")
    with pytest.raises(MissingKeyError, match=r"no entry for fc\.\.\.\."):
        third.set_dict({path: value for path, value in state.items() if not path.startswith("fc")})
    with pytest.warns(UserWarning, match="other not used"):
        third.set_dict({**state, "other": np.ones(1, "float32")})
    with pytest.raises(ShapeError, match="entry weight"):
        third(variable(2, 5, 6, 6))


def test_an_optimizer_without_a_list_trains_all_parameters() -> None:
    net = Net("net")
    optimizer = fluid.optimizer.SGD(0.1)
    x = variable(2, 3, 6, 6)
    before = None
    for _ in range(2):
        loss = fluid.layers.mean(net(x) * net(x))
        loss.backward()
        optimizer.minimize(loss)
        net.clear_gradients()
        after = [p.numpy() for p in net.parameters()]
        if before is not None:
            assert [np.array_equal(a, b) for a, b in zip(before, after, strict=True)].count(True) <= 2
        before = after
    assert not np.any(net.fc.weight.gradient())
    optimizer.clear_gradients()
    assert len(copy.deepcopy(optimizer)._parameter_list) == len(net.parameters())


def test_an_optimizer_takes_the_parameters_of_its_guard_only() -> None:
    with fluid.dygraph.guard(), pytest.raises(AttributeError, match="parameter_list"):
        fluid.optimizer.SGD(0.1)
    Net("net")(variable(1, 3, 6, 6))
    with fluid.dygraph.guard():
        FC("fc", 2)
        assert len(fluid.optimizer.SGD(0.1)._parameter_list) == 0


def test_a_network_may_be_made_outside_of_the_guard_in_which_it_is_trained() -> None:
    """As PARL's agents and many lessons of 2019 do: the parameters are made at the first call, inside."""
    net = FC("fc", 1)
    with fluid.dygraph.guard():
        optimizer = fluid.optimizer.SGD(0.1)
        before = None
        for _ in range(2):
            loss = fluid.layers.mean(net(variable(2, 3)))
            loss.backward()
            optimizer.minimize(loss)
            net.clear_gradients()
            before, after = net.weight.numpy() if before is None else before, net.weight.numpy()
        assert len(optimizer._parameter_list) == 2 and not np.array_equal(before, after)


def test_parameters_before_the_first_call_warn() -> None:
    net = Net("net")
    with pytest.warns(UserWarning, match=r"those of net/Net_0/Block_0/Conv2D_0, net/Net_0/FC_0 are not among them"):
        assert len(net.parameters()) == 5
    with pytest.raises(AttributeError, match="no weight before its first call"):
        _ = net.block.conv.weight
    assert not hasattr(net.block.conv, "bias")


def test_a_layer_is_the_one_of_today_after_its_first_call() -> None:
    layer = Conv2D("conv", num_filters=4, filter_size=3)
    twin = copy.deepcopy(layer)
    assert repr(layer) == "Conv2D(num_filters=4, filter_size=3, stride=1, padding=0, dilation=1)"
    assert layer._num_filters == 4 and layer._filter_size == 3
    layer.eval()
    x = variable(1, 3, 6, 6)
    layer(x)
    assert not layer.training and repr(layer) == repr(Conv2D(3, 4, 3))
    assert layer._filter_param is layer.weight and layer._bias_param is layer.bias and layer._num_channels == 3
    assert twin(x).shape == [1, 4, 4, 4] and twin.weight is not layer.weight


def test_a_second_try_after_an_input_that_does_not_fit() -> None:
    layer = Conv2D("conv", 4, 3, groups=2)
    with pytest.raises(ArgumentValueError, match="groups"):
        layer(variable(1, 3, 6, 6))
    assert layer(variable(1, 4, 6, 6)).shape == [1, 4, 4, 4] and layer.full_name() == "conv/Conv2D_0"


def test_the_order_of_1_4() -> None:
    """The channels of the input stood in front; the order of 1.6 counts where both fit."""
    assert Conv2D("conv", num_channels=3, num_filters=4, filter_size=3).weight.shape == [4, 3, 3, 3]
    assert Conv2D("conv", 3, 4, 3, stride=2).weight.shape == [4, 3, 3, 3]
    layer = Conv2D("conv", 3, 4, 3)
    assert layer(variable(1, 2, 8, 8)).shape == [1, 3, 2, 2]


def test_subclasses_and_layers_that_build_themselves() -> None:
    class Twice(Conv2D):  # type: ignore[misc, valid-type]
        def __init__(self, name_scope: str) -> None:
            super().__init__(name_scope, 2, 1)

        def forward(self, input: Any) -> Any:
            return super().forward(input) * 2.0

    class Scale(fluid.dygraph.Layer):
        def _build_once(self, x: Any) -> None:
            self.w = self.create_parameter(attr=None, shape=[x.shape[1]], dtype="float32")

        def forward(self, x: Any) -> Any:
            return x * self.w

    twice, scale = Twice("t"), Scale("s")
    assert scale(twice(variable(1, 3, 2, 2))).shape == [1, 2, 2, 2]
    assert [p.name for p in (twice.weight, scale.w)] == ["t/Twice_0.w_0", "s_0.w_0"]
    other = Scale("s")
    other.set_dict({"w": np.array([3.0, 4.0], "float32")})
    other(variable(1, 2))
    assert other.w.numpy().tolist() == [3.0, 4.0]


def test_programs_and_traces_are_built() -> None:
    net, x = Net("net"), variable(1, 3, 6, 6)
    net.eval()
    _, traced = fluid.dygraph.TracedLayer.trace(net, [x])
    assert not [op.type for op in traced.program.global_block().ops if "random" in op.type]
    np.testing.assert_allclose(traced([x])[0], net(x).numpy(), rtol=1e-4, atol=1e-5)

    class Declared(Net):
        @fluid.dygraph.jit.declarative
        def forward(self, x: Any) -> Any:
            return self.fc(self.block(x))

    net = Declared("declared")
    net.eval()
    first = net(x).numpy()
    assert len(net.parameters()) == len(NAMES)
    np.testing.assert_allclose(net(x).numpy(), first, rtol=1e-5)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: Conv2D("c"), ArgumentTypeError, "Conv2D: num_filters got nothing, needs num_filters, filter_size behind a name scope"),
        (lambda: Conv2D("c", 4, 3, colour=1), ArgumentTypeError, "Conv2D: colour got int 1, needs nothing more than"),
        (lambda: Conv2D("c", 4, 3, num_filters=2), ArgumentTypeError, "Conv2D: num_filters got int 2, needs nothing more"),
        (lambda: Conv2D(name_scope=3, num_filters=4, filter_size=3), ArgumentTypeError, "Conv2D: name_scope got int 3"),
        (lambda: Pool2D("p", *range(20)), ArgumentTypeError, "Pool2D: argument 10 got"),
        (lambda: PRelu("rows"), ArgumentValueError, "PRelu: mode got 'rows'"),
        (lambda: Embedding("e", 3), ArgumentTypeError, "Embedding: size got int 3"),
        (lambda: Conv2DTranspose("c", 3)(variable(1, 2, 3, 3)), ArgumentValueError, "output_size got None, and filter_size too"),
        (lambda: LayerNorm("l", colour=1), ArgumentTypeError, "LayerNorm: colour got int 1"),
        (lambda: FC("f", 0), ArgumentValueError, "FC: size got 0"),
    ],
)  # fmt: skip
def test_wrong_calls(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as raised:
        call()
    assert text in str(raised.value)


class Scaled(fluid.dygraph.Layer):
    """A user's Layer with a name scope and a parameter of its own, and none of the library."""

    def __init__(self, name_scope: str) -> None:
        super().__init__(name_scope)
        self.weight = self.create_parameter(shape=[2], attr=fluid.initializer.Constant(2.0))

    def forward(self, x: Any) -> Any:
        return x * self.weight


def test_an_optimizer_without_a_list_trains_layers_of_users() -> None:
    net = Scaled("scaled")
    sgd = fluid.optimizer.SGD(0.5)
    loss = fluid.layers.reduce_sum(net(variable(3, 2)))
    loss.backward()
    sgd.minimize(loss)
    np.testing.assert_allclose(net.weight.numpy(), 2 - 0.5 * numbers(3, 2).sum(0), rtol=1e-6)


def test_names_of_variables_in_1_3() -> None:
    x: Any = variable(2, 2)
    x._stop_gradient = False
    assert not x.stop_gradient and x._ivar is x
    loss = fluid.layers.reduce_sum(x * x)
    loss._backward()
    assert np.array_equal(x._gradient(), 2 * x._numpy())
    x._clear_gradient()
    assert not x._gradient().any()
