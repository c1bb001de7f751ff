"""LSTMCell and GRUCell: parameters, values beside NumPy, gradients, errors."""

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.fluid.dygraph import GRUCell, LSTMCell
from paddle_lite.imperative import to_variable

N, M, D = 2, 3, 4


def state(layer):
    return {key: (p.name, p.shape) for key, p in layer.named_parameters()}


def filled(net):
    """The cell with random numbers in every parameter, and those by name."""
    rng = np.random.RandomState(1)
    values = {}
    for name, parameter in net.named_parameters():
        values[name] = rng.uniform(-1, 1, parameter.shape)
        parameter.set_value(values[name])
    return net, values


def inputs():
    rng = np.random.RandomState(2)
    return [rng.uniform(-1, 1, (N, size)) for size in (M, D, D)]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def test_parameters():
    assert state(LSTMCell(D, M)) == {
        "_weight_ih": ("lstm_cell_0.w_0", [16, 3]),
        "_weight_hh": ("lstm_cell_0.w_1", [16, 4]),
        "_bias_ih": ("lstm_cell_0.b_0", [16]),
        "_bias_hh": ("lstm_cell_0.b_1", [16]),
    }
    assert state(LSTMCell(D, M, "w", fluid.ParamAttr(name="b", learning_rate=0.5), use_cudnn_impl=False)) == {
        "_weight": ("w_weight", [7, 16]),
        "_bias": ("b_bias", [16]),
    }
    assert state(GRUCell(D, M, bias_attr=False)) == {
        "_weight_ih": ("gru_cell_0.w_0", [12, 3]),
        "_weight_hh": ("gru_cell_0.w_1", [12, 4]),
    }
    assert state(GRUCell(D, M, use_cudnn_impl=False)) == {
        "_gate_weight": ("gru_cell_1.w_0", [7, 8]),
        "_candidate_weight": ("gru_cell_1.w_1", [7, 4]),
        "_gate_bias": ("gru_cell_1.b_0", [8]),
        "_candidate_bias": ("gru_cell_1.b_1", [4]),
    }


def test_lstm_in_the_layout_of_cudnn():
    net, p = filled(LSTMCell(D, M))
    x, h, c = inputs()
    gates = x @ p["_weight_ih"].T + p["_bias_ih"] + h @ p["_weight_hh"].T + p["_bias_hh"]
    i, f, g, o = np.split(gates, 4, 1)
    cell = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    hidden, new = net(*map(to_variable, (x, h, c)))
    np.testing.assert_allclose(new.numpy(), cell)
    np.testing.assert_allclose(hidden.numpy(), sigmoid(o) * np.tanh(cell))


def test_lstm_with_one_weight():
    net, p = filled(LSTMCell(D, M, forget_bias=0.5, use_cudnn_impl=False))
    x, h, c = inputs()
    i, g, f, o = np.split(np.concatenate([x, h], 1) @ p["_weight"] + p["_bias"], 4, 1)
    cell = sigmoid(f + 0.5) * c + sigmoid(i) * np.tanh(g)
    hidden, new = net(*map(to_variable, (x, h, c)))
    np.testing.assert_allclose(new.numpy(), cell)
    np.testing.assert_allclose(hidden.numpy(), sigmoid(o) * np.tanh(cell))


def test_gru_in_the_layout_of_cudnn():
    net, p = filled(GRUCell(D, M))
    x, h, _ = inputs()
    (r, u, c), (rh, uh, ch) = (
        np.split(a @ p[f"_weight_{k}"].T + p[f"_bias_{k}"], 3, 1) for a, k in ((x, "ih"), (h, "hh"))
    )
    update, candidate = sigmoid(u + uh), np.tanh(c + sigmoid(r + rh) * ch)
    np.testing.assert_allclose(net(to_variable(x), to_variable(h)).numpy(), update * h + (1 - update) * candidate)


def test_gru_with_weights_for_gates_and_candidate():
    net, p = filled(GRUCell(D, M, use_cudnn_impl=False))
    x, h, _ = inputs()
    reset, update = np.split(sigmoid(np.concatenate([x, h], 1) @ p["_gate_weight"] + p["_gate_bias"]), 2, 1)
    candidate = np.tanh(np.concatenate([x, reset * h], 1) @ p["_candidate_weight"] + p["_candidate_bias"])
    np.testing.assert_allclose(net(to_variable(x), to_variable(h)).numpy(), update * h + (1 - update) * candidate)


@pytest.mark.parametrize("layout", [True, False])
@pytest.mark.parametrize("kind", [LSTMCell, GRUCell])
def test_every_parameter_has_a_gradient(kind, layout):
    net, _ = filled(kind(D, M, use_cudnn_impl=layout, gate_activation=fluid.layers.sigmoid))
    out = net(*map(to_variable, inputs()[: 3 if kind is LSTMCell else 2]))
    (out[0] + out[1] if kind is LSTMCell else out).backward()
    assert all(p.gradient().any() for p in net.parameters())


def test_activations_are_functions_of_the_users():
    net, _ = filled(GRUCell(D, M, gate_activation=lambda v: v * 0.0, activation=fluid.layers.relu))
    x, h, _ = map(to_variable, inputs())
    assert (net(x, h).numpy() >= 0).all()  # the update gate is shut: the candidate comes through


def test_errors():
    with pytest.raises(ArgumentValueError, match="GRUCell: hidden_size got 0"):
        GRUCell(0, 3)
    with pytest.raises(ArgumentTypeError, match="LSTMCell: activation got str 'tanh'"):
        LSTMCell(4, 3, activation="tanh")
    with pytest.raises(ShapeError, match="matmul"):
        GRUCell(D, M)(to_variable(np.ones([N, D])), to_variable(np.ones([N, D])))
