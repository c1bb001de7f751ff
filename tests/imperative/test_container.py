"""Sequential, LayerList, ParameterList."""

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentTypeError, IndexRangeError
from paddle_lite.imperative import to_variable
from paddle_lite.imperative.layer import Layer
from paddle_lite.nn import LayerList, Linear, ParameterList, Sequential

x = np.array([[1, 2]], "float32")


def linears(n):
    return [Linear(2, 2) for _ in range(n)]


def test_sequential_calls_its_layers_in_order():
    first, second = Linear(2, 3), Linear(3, 4)
    model = Sequential(first, second)
    np.testing.assert_array_equal(model(to_variable(x)).numpy(), second(first(to_variable(x))).numpy())
    assert list(model.state_dict()) == ["0.weight", "0.bias", "1.weight", "1.bias"]
    assert model.full_name() == "sequential_0" and len(model) == 2
    assert model[0] is first and model["1"] is second and model[-1] is second and list(model) == [first, second]


def test_sequential_with_names():
    model = Sequential(("l1", Linear(2, 3)), ("l2", Linear(3, 3)))
    assert list(model.state_dict()) == ["l1.weight", "l1.bias", "l2.weight", "l2.bias"]
    assert model["l1"] is model.l1 and model[-1] is model.l2


def test_sequential_can_be_changed():
    model = Sequential(*linears(3))
    new = Linear(2, 2)
    model[1] = new
    assert list(model)[1] is new
    del model[0]
    assert len(model) == 2 and list(model.state_dict()) == ["1.weight", "1.bias", "2.weight", "2.bias"]
    model(to_variable(x))


@pytest.mark.parametrize("make", [lambda: Sequential(linears(2)), lambda: Sequential(3), lambda: Sequential(("a", 3))])
def test_sequential_takes_layers(make):
    with pytest.raises(ArgumentTypeError, match=r"Sequential: layer 0 got .*Unpack a list: Sequential\(\*layers\)"):
        make()


@pytest.mark.parametrize("index", [2, -3, "foo", "a"])
def test_sequential_index_errors(index):
    with pytest.raises(IndexRangeError, match=r"Sequential: index got .*, needs one of \['0', '1'\]"):
        Sequential(*linears(2))[index]


def test_layer_list():
    a, b, c, d = linears(4)
    layers = LayerList([a, b])
    assert layers.append(c) is layers and layers.extend([d]) is layers
    assert list(layers) == [a, b, c, d] and layers[-1] is d and layers[1] is b and len(layers) == 4
    part = layers[1:3]
    assert type(part) is LayerList and list(part) == [b, c]
    assert [key for key, _ in layers.named_sublayers()] == ["0", "1", "2", "3"]


def test_layer_list_insert_and_delete_renumber():
    a, b, c, d = linears(4)
    layers = LayerList([a, b])
    layers.insert(1, c)
    layers.insert(3, d)
    assert list(layers) == [a, c, b, d] and list(layers.state_dict())[::2] == [f"{i}.weight" for i in range(4)]
    del layers[0]
    assert list(layers) == [c, b, d] and list(layers.state_dict())[::2] == [f"{i}.weight" for i in range(3)]
    del layers[1:]
    assert list(layers) == [c]
    layers[0] = a
    assert list(layers) == [a] and list(LayerList()) == []


def test_layer_list_belongs_to_its_layer():
    class Net(Layer):
        def __init__(self):
            super().__init__()
            self.parts = LayerList(linears(2))

        def forward(self, v):
            for part in self.parts:
                v = part(v)
            return v

    net = Net()
    assert len(net.parameters()) == 4 and next(iter(net.state_dict())) == "parts.0.weight"
    net(to_variable(x)).backward()
    assert all(p.gradient().any() for p in net.parameters())


def test_parameter_list():
    p, q, r = (layer.weight for layer in linears(3))
    values = ParameterList([p, q])
    assert values.append(r) is values and list(values) == [p, q, r] and values[0] is p and len(values) == 3
    assert list(values.state_dict()) == ["0", "1", "2"] and values.parameters() == [p, q, r]
    values[1] = p
    assert values[1] is p and len(values.parameters()) == 2


@pytest.mark.parametrize("make", [lambda: LayerList([Linear(1, 1)]), lambda: ParameterList([Linear(1, 1).weight])])
def test_lists_name_what_is_wrong(make):
    values = make()
    name = type(values).__name__
    for index in (1, -2, "1", 1.0, True, None):
        with pytest.raises(KeyError, match=rf"{name}: index got .*, needs -1 to 0"):  # as in 1.8.5
            values[index]
    assert values["0"] is values[np.int64(0)] is values[0]
    with pytest.raises(KeyError, match="Sequential: index got 1, needs one of"):
        Sequential(Linear(1, 1))[1]
    if isinstance(values, LayerList):
        with pytest.raises(IndexRangeError, match=r"LayerList: index got 5"):
            values.insert(5, values[0])
    with pytest.raises(IndexRangeError, match=rf"{name}: index got 1"):
        values[1] = values[0]
    with pytest.raises(IndexRangeError, match=rf"{name}: index got 1"):
        del values[1]
    for wrong in (3, "a", to_variable(x)):
        with pytest.raises(ArgumentTypeError, match=r"add_(sublayer|parameter): .* got"):
            values.append(wrong)
        with pytest.raises(ArgumentTypeError):
            type(values)([wrong])
    assert len(values) == 1
