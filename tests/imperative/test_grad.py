"""`grad`: gradients as values, unused inputs, second derivatives."""

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, GraphError, ShapeError
from paddle_lite.fluid import layers
from paddle_lite.imperative import grad, to_variable


def leaf(*values, dtype="float64"):
    v = to_variable(np.array(values, dtype))
    v.stop_gradient = False
    return v


def test_gradients_are_returned_and_leaves_stay_untouched():
    x, y = leaf(2.0), leaf(5.0)
    dx, dy = grad(x * x * y, [x, y])
    assert dx.numpy().tolist() == [20.0] and dy.numpy().tolist() == [4.0]
    assert dx.stop_gradient and x.raw_gradient() is None


def test_an_inner_variable_may_be_an_input():
    x = leaf(2.0)
    y = x * x
    z = y * y
    (dy,) = grad(z, y, retain_graph=True)
    assert dy.numpy().tolist() == [8.0]
    (dz,) = grad(z, z)
    assert dz.numpy().tolist() == [1.0]


def test_several_outputs_are_added_and_grad_outputs_weigh_them():
    x = leaf(3.0)
    (dx,) = grad([x * 2, x * x], x, [to_variable(np.array([10.0])), None])
    assert dx.numpy().tolist() == [26.0]


def test_unused_input_is_an_error_or_none():
    x, unused = leaf(1.0), leaf(1.0)
    with pytest.raises(GraphError, match="allow_unused=True"):
        grad(x * 2, [x, unused])
    _, nothing = grad(x * 2, [x, unused], allow_unused=True)
    assert nothing is None


def test_no_grad_vars_block():
    x = leaf(3.0)
    y = x * x
    (dx,) = grad(y * x, x, no_grad_vars=[y])
    assert dx.numpy().tolist() == [9.0]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: grad([], x), ArgumentTypeError, "outputs"),
        (lambda x: grad(x * 2, None), ArgumentTypeError, "inputs"),
        (lambda x: grad(x * 2, x, only_inputs=False), ArgumentValueError, "only_inputs"),
        (lambda x: grad(x * 2, x, create_graph=1), ArgumentTypeError, "create_graph"),
        (lambda x: grad(x * 2, x, backward_strategy=3), ArgumentTypeError, "BackwardStrategy"),
        (lambda x: grad(x * 2, x, [None, None]), ArgumentValueError, "grad_outputs"),
        (lambda x: grad(x * 2, x, 3), ArgumentTypeError, "grad_outputs"),
        (lambda x: grad(x * 2, x, np.ones(1)), ArgumentTypeError, "grad_outputs"),
        (lambda x: grad(x * 2, x, to_variable(np.ones([3]))), ShapeError, r"\[1\]"),
        (lambda x: grad(x.detach() * 2, x), GraphError, "stop_gradient"),
    ],
)
def test_wrong_calls_name_the_argument(call, error, text):
    with pytest.raises(error, match=text):
        call(leaf(1.0))


def test_the_gradient_of_itself_is_ones_and_a_single_input_gives_a_list():
    x = leaf(3.0, 4.0)
    result = grad(x, x)
    assert type(result) is list and result[0].numpy().tolist() == [1.0, 1.0]


def test_a_recorded_computation_is_freed_unless_it_is_to_be_kept():
    x = leaf(3.0)
    y = x * x
    grad(y, x, create_graph=True)  # keeps it by default
    grad(y, x)
    with pytest.raises(GraphError, match="freed"):
        grad(y, x)


def test_results_are_constants_unless_a_graph_is_made():
    x = leaf(3.0)
    y = x * x
    (kept,) = grad(y, x, create_graph=True)
    (plain,) = grad(y, x)
    assert plain.stop_gradient and not kept.stop_gradient


def test_gradients_of_inner_variables_do_not_leak_into_the_next_call():
    x = leaf(2.0)
    y = x * x
    z = y * 3
    (first,) = grad(z, y, retain_graph=True)
    (second,) = grad(z, x)
    assert first.numpy().tolist() == [3.0] and second.numpy().tolist() == [12.0]


def test_several_inputs_of_which_one_leads_to_another():
    x = leaf(2.0)
    y = x * x
    dy, dx = grad(y * y, [y, x])
    assert dy.numpy().tolist() == [8.0] and dx.numpy().tolist() == [32.0]


def numeric_second(f, x, eps=1e-4):
    return (f(x + eps) - 2 * f(x) + f(x - eps)) / eps**2


@pytest.mark.parametrize(
    ("ours", "plain"),
    [
        (lambda x: x * x * x, lambda x: x**3),
        (lambda x: layers.tanh(x), np.tanh),
        (lambda x: layers.sigmoid(x), lambda x: 1 / (1 + np.exp(-x))),
        (lambda x: layers.sqrt(x), np.sqrt),
        (lambda x: layers.square(x) * layers.exp(x), lambda x: x * x * np.exp(x)),
        (lambda x: x / (x + 1), lambda x: x / (x + 1)),
        (lambda x: layers.log(x), np.log),
        (lambda x: x**3, lambda x: x**3),
    ],
)
def test_second_derivatives(ours, plain):
    x = leaf(0.5, 1.5)
    (first,) = grad(ours(x), x, create_graph=True)
    (second,) = grad(first, x)
    np.testing.assert_allclose(second.numpy(), numeric_second(plain, x.numpy()), rtol=1e-4)


def test_gradient_penalty_through_a_network():
    """The gradient with respect to parameters of the norm of the gradient with respect to the input."""
    rng = np.random.RandomState(0)
    conv = paddle.nn.Conv2D(1, 2, 3, dtype="float64")
    fc = paddle.nn.Linear(32, 1, dtype="float64")
    x = to_variable(rng.rand(3, 1, 6, 6))
    x.stop_gradient = False

    def penalty():
        h = layers.leaky_relu(conv(x), 0.2)
        out = fc(layers.reshape(h, [3, 32]))
        (dx,) = grad(layers.reduce_sum(out), x, create_graph=True)
        norm = layers.sqrt(layers.reduce_sum(layers.square(layers.reshape(dx, [3, -1])), dim=1))
        return layers.mean(layers.square(norm - 1))

    loss = penalty()
    loss.backward()
    for parameter in (conv.weight, fc.weight):
        analytic = parameter.gradient()
        direction = rng.randn(*parameter.shape)
        values = parameter.numpy()
        parameter.set_value(values + 1e-6 * direction)
        up = float(penalty())
        parameter.set_value(values - 1e-6 * direction)
        down = float(penalty())
        parameter.set_value(values)
        np.testing.assert_allclose((analytic * direction).sum(), (up - down) / 2e-6, rtol=1e-6)


def test_a_missing_second_derivative_names_the_operator():
    x = leaf(1.0, 2.0, 3.0)
    label = to_variable(np.array([[1]], "int64"))
    y = layers.softmax_with_cross_entropy(layers.reshape(x, [1, 3]), label)
    with pytest.raises(GraphError, match="softmax_with_cross_entropy"):
        grad(y, x, create_graph=True)


def test_gradient_of_anything_stays_as_the_latest_backward_left_it():
    x = leaf(2.0)
    y = x * x
    z = y * y
    assert grad(z, x, retain_graph=True)[0].numpy().tolist() == [32.0]
    assert x.gradient() is None and y.gradient() is None and z.gradient() is None
    y.backward(retain_graph=True)
    grad(z, [x, y, y], retain_graph=True)
    assert y.gradient().tolist() == [1.0] and x.gradient().tolist() == [4.0]


def test_what_lies_behind_an_inner_input_is_neither_run_nor_freed():
    x = leaf(1.0, 2.0)
    y = layers.l2_normalize(x, axis=0)  # cannot be differentiated twice
    (dy,) = grad(y * y, y, create_graph=True)
    assert np.allclose(dy.numpy(), 2 * y.numpy())
    y = x * x
    grad(y * y, y)
    y.backward()
    assert x.gradient().tolist() == [2.0, 4.0]


def test_an_input_at_which_gradients_stop_has_one():
    x, w = leaf(2.0), leaf(3.0)
    y = x * x
    z = y * y * w
    y.stop_gradient = True
    assert grad(z, y, create_graph=True)[0].numpy().tolist() == [24.0]


@pytest.mark.parametrize("create_graph", [False, True])
def test_values_that_are_set_afterwards_do_not_count(create_graph):
    x = leaf(2.0)
    y = x * x * x
    x.set_value(np.array([10.0]))
    (dx,) = grad(y, x, create_graph=create_graph)
    assert dx.numpy().tolist() == [12.0]
    if create_graph:
        assert grad(dx, x)[0].numpy().tolist() == [12.0]


@pytest.mark.parametrize("create_graph", [False, True])
def test_gradients_stop_unless_they_are_differentiated_again(create_graph: bool) -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones(2, "float32"))
        x.stop_gradient = False
        y = x + 1
        for outputs in ([x], [y, x], [y]):
            (dx,) = fluid.dygraph.grad(outputs, [x], create_graph=create_graph, retain_graph=True)
            assert dx.stop_gradient is not create_graph and dx.numpy().tolist() == [float(len(outputs))] * 2


def test_a_gradient_that_is_given_stays_as_it_is() -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones(2, "float32"))
        x.stop_gradient = False
        seed = fluid.dygraph.to_variable(np.full(2, 3, "float32"))
        (dx,) = fluid.dygraph.grad([x], [x], grad_outputs=[seed], create_graph=True)
        assert seed.stop_gradient and not dx.stop_gradient and dx.numpy().tolist() == [3.0, 3.0]


def test_the_number_of_gradients_is_checked_first() -> None:
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones(2, "float32"))
        with pytest.raises(AssertionError, match="grad_outputs got 1 of them, needs 2"):
            fluid.dygraph.grad([x, x], [x], [x])


@pytest.mark.parametrize(
    ("loss", "instead"),
    [
        (layers.softmax_with_cross_entropy, r"cross_entropy\(softmax\(x\), one_hot\(label, classes\), soft_label=True\) can\."),
        (layers.cross_entropy, r"cross_entropy\(x, one_hot\(label, classes\), soft_label=True\) can\."),
    ],
)  # fmt: skip
def test_a_loss_that_cannot_be_differentiated_twice_says_which_can(loss, instead):
    x = to_variable(np.array([[0.2, 0.5, 0.3]], "float32"))
    x.stop_gradient = False
    value = loss(x, to_variable(np.array([[1]])))
    with pytest.raises(GraphError, match=rf"cross_entropy.* cannot be differentiated twice\. {instead}"):
        grad(value, x, create_graph=True)
