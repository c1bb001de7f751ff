"""PRelu, GRUUnit, NCE, RowConv, TreeConv, ReLU and LogSoftmax: what no recorded number tells; errors."""

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, EnforceNotMet, LoDError, ShapeError
from paddle_lite.fluid import layers
from paddle_lite.fluid.dygraph import NCE, BilinearTensorProduct, GRUUnit, PRelu, RowConv, TreeConv
from paddle_lite.imperative import to_variable

rng = np.random.RandomState(0)


def variable(*shape, dtype="float32"):
    return to_variable(rng.rand(*shape).astype(dtype))


def labels(*classes):
    return to_variable(np.array(classes, "int64").reshape(-1, 1))


def test_gru_units_say_what_they_do_not_heed():
    x, h = variable(2, 6), variable(2, 2)
    with pytest.warns(UserWarning, match="GRUUnit: origin_mode = True has no effect, as in PaddlePaddle 1.8.5"):
        GRUUnit(6, origin_mode=True)
    with pytest.warns(UserWarning, match="gru_unit: activation = 'relu' has no effect.*GRUUnit heeds it"):
        layers.gru_unit(x, h, 6, activation="relu")
    with pytest.warns(UserWarning, match="gru_unit: gate_activation = 'identity' has no effect"):
        layers.gru_unit(x, h, 6, gate_activation="identity")


def test_row_conv_makes_its_weight_for_the_first_input():
    net = RowConv("ahead", 1, act="relu")
    with pytest.warns(UserWarning, match="for the first call makes them"):
        assert net.parameters() == []
    x = variable(2, 3, 4)
    out = net(x).numpy()
    assert [(p.name, p.shape) for p in net.parameters()] == [("ahead_0.w_0", [2, 4])]
    weight, values = net.weight.numpy(), x.numpy()
    expected = values * weight[0]
    expected[:, :-1] += values[:, 1:] * weight[1]
    np.testing.assert_allclose(out, np.maximum(expected, 0), 1e-5)
    np.testing.assert_array_equal(net(x).numpy(), out)


def test_row_conv_of_sequences_keeps_their_lod():
    x = to_variable(np.arange(5, dtype="float32").reshape(5, 1))
    x.value().get_tensor().set_lod([[0, 2, 5]])
    out = layers.row_conv(x, 1, param_attr=fluid.initializer.Constant(1.0))
    assert out.numpy().ravel().tolist() == [1, 1, 5, 7, 4] and out.lod() == [[0, 2, 5]]
    with pytest.raises(LoDError, match=r"row_conv.*no LoD"):
        layers.row_conv(variable(5, 1), 1)


def test_the_bias_of_tree_conv_belongs_to_the_filters():
    net = TreeConv(2, 3, 4, act=None, bias_attr=fluid.ParamAttr(name="b"))
    nodes, edges = variable(1, 3, 2), to_variable(np.array([[[1, 2], [1, 3]]], "int32"))
    before = net(nodes, edges).numpy()
    net.bias.set_value(np.array([1, 2, 3, 4], "float32"))
    np.testing.assert_allclose(net(nodes, edges).numpy() - before, np.broadcast_to([1, 2, 3, 4], (1, 3, 3, 4)), 1e-5)


def test_nce_draws_other_classes_each_time_unless_it_has_a_seed():
    x, true = variable(50, 3), labels(*range(50))
    free, fixed = NCE(100, 3), NCE(100, 3, seed=7)
    assert (free(x, true).numpy() != free(x, true).numpy()).any()
    assert (fixed(x, true).numpy() == fixed(x, true).numpy()).all()


def test_the_tables_of_nce_are_no_parameters():
    net = NCE(3, 2, sampler="custom_dist", custom_dist=[0.5, 0.25, 0.25])
    assert [(name, p.name) for name, p in net.named_parameters()] == [("weight", "nce_0.w_3")]
    assert all(table.stop_gradient for table in net._tables)


def test_nce_takes_weights_of_samples_from_both_places():
    x, true, weights = variable(2, 3), labels(1, 4), to_variable(np.array([[2.0], [3.0]], "float32"))
    net = NCE(5, 3, seed=1, sample_weight=weights)
    weighted = net(x, true).numpy()
    net._sample_weight = None
    np.testing.assert_allclose(weighted, net(x, true).numpy() * weights.numpy(), 1e-5)
    np.testing.assert_array_equal(weighted, net(x, true, weights).numpy())


def test_nce_learns_to_tell_classes():
    net = NCE(
        6,
        6,
        param_attr=fluid.initializer.Constant(0.0),
        bias_attr=fluid.ParamAttr(),
        num_neg_samples=5,
        seed=2,
        is_sparse=True,
    )
    x, true = to_variable(np.eye(6, dtype="float32")), labels(*range(6))
    optimizer = fluid.optimizer.Adam(0.5, parameter_list=net.parameters())
    costs = []
    for _ in range(25):
        cost = layers.mean(net(x, true))
        cost.backward()
        optimizer.minimize(cost)
        net.clear_gradients()
        costs.append(float(cost.numpy()[0]))
    assert costs[-1] < costs[0] / 2
    assert (net.weight.numpy().argmax(0) == np.arange(6)).all()


def test_activations():
    x = variable(2, 3) - 0.5
    np.testing.assert_array_equal(paddle.nn.ReLU(True)(x).numpy(), np.maximum(x.numpy(), 0))
    for axis in (None, 0):
        out = paddle.nn.LogSoftmax(axis)(x).numpy()
        np.testing.assert_allclose(np.exp(out).sum(-1 if axis is None else axis), 1, 1e-5)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: PRelu("rows"), ArgumentValueError, "PRelu: mode got 'rows'"),
        (lambda: PRelu("channel"), ArgumentTypeError, "PRelu: channel got None"),
        (lambda: PRelu("channel", 2.5), ArgumentTypeError, "PRelu: channel got float"),
        (lambda: PRelu("element", input_shape=3), ArgumentTypeError, "PRelu: input_shape got int 3"),
        (lambda: PRelu("channel", 3)(variable(1, 4, 2, 2)), ShapeError, "prelu.*4 elements"),
        (lambda: GRUUnit(13), ArgumentValueError, "GRUUnit: size got 13, needs 3 times"),
        (lambda: GRUUnit(12.0), ArgumentTypeError, "GRUUnit: size got float"),
        (lambda: GRUUnit(12, activation="abs"), ArgumentValueError, "GRUUnit: activation got 'abs'"),
        (lambda: GRUUnit(12)(variable(2, 12), variable(2, 5)), ShapeError, r"gru_unit: Input\(HiddenPrev\)"),
        (lambda: layers.gru_unit(variable(2, 12), np.ones([2, 4]), 12), ArgumentTypeError, "gru_unit: hidden"),
        (lambda: layers.lstm_unit(variable(2, 3, 1), variable(2, 4), variable(2, 4)), ShapeError, "lstm_unit: x_t"),
        (lambda: layers.lstm_unit(variable(2, 3), variable(2, 4), variable(2, 5)), ShapeError, "lstm_unit: the inputs"),
        (lambda: layers.lstm_unit(variable(3, 3), variable(2, 4), variable(2, 4)), ShapeError, "lstm_unit: the inputs"),
        (lambda: RowConv("r", -1)(variable(1, 2, 3)), ArgumentValueError, "RowConv: future_context_size got -1"),
        (lambda: NCE(0, 3), ArgumentValueError, "NCE: num_total_classes got 0"),
        (lambda: NCE(5, 3, num_neg_samples=0), ArgumentValueError, "NCE: num_neg_samples got 0"),
        (lambda: NCE(5, 3, sampler="normal"), ArgumentValueError, "NCE: sampler got 'normal'"),
        (lambda: NCE(5, 3, sampler="custom_dist"), ArgumentTypeError, "NCE: custom_dist got None"),
        (
            lambda: NCE(5, 3, sampler="custom_dist", custom_dist=[0.5, 0.5]),
            ArgumentTypeError,
            "custom_dist got 2 numbers",
        ),
        (lambda: NCE(5, 3)(variable(1, 3), variable(1, 1)), EnforceNotMet, r"nce: Input\(Label\)"),
        (lambda: layers.hsigmoid(variable(1, 3), labels(1), 1), ArgumentValueError, "hsigmoid: num_classes got 1"),
        (
            lambda: layers.hsigmoid(variable(1, 3), labels(1), 4, is_custom=True),
            ArgumentValueError,
            "path_table got None",
        ),
        (
            lambda: layers.hsigmoid(variable(1, 3), labels(1), 4, path_code=labels(1)),
            ArgumentValueError,
            "path_code.*needs None",
        ),
        (lambda: BilinearTensorProduct(3, 4, 5)(variable(2, 4), variable(2, 4)), ShapeError, "bilinear_tensor_product"),
        (lambda: TreeConv(2, 3, max_depth=1)(variable(1, 3, 2), variable(1, 2, 2)), EnforceNotMet, "tree_conv"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()
