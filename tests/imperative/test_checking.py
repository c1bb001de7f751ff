"""FLAGS_check_nan_inf: the first operator that makes a NaN or an infinity is named, forward and backward."""

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import NonFiniteError
from paddle_lite.core.mode import now
from paddle_lite.fluid import layers
from paddle_lite.imperative import guard, to_variable
from paddle_lite.imperative.checking import FLAG


@pytest.fixture(autouse=True)
def checked():
    fluid.set_flags({FLAG: True})
    yield
    fluid.set_flags({FLAG: False})
    assert now().entered.redirect is None


def leaf(*values):
    v = to_variable(np.array(values, "float32"))
    v.stop_gradient = False
    return v


def test_the_operator_the_output_and_the_place_are_named():
    x = leaf(1.0, 0.0)
    with pytest.raises(
        NonFiniteError, match=r"log: Output\(Out\) of shape \[2\] holds -inf at \[1\].*Variable of shape \[2\]"
    ):
        layers.log(x)
    with pytest.raises(FloatingPointError, match=r"elementwise_div: Output\(Out\).*holds inf at \[1\]"):
        to_variable(np.ones(2, "float32")) / x


def test_a_gradient_is_looked_at_too():
    x = leaf(0.0)
    y = layers.sqrt(x)
    with pytest.raises(NonFiniteError, match=r"sqrt \(backward\): a gradient of shape \[1\] holds inf"):
        y.backward()


def test_finite_training_and_operators_with_several_outputs_go_on():
    fc = fluid.dygraph.Linear(4, 3)
    adam = fluid.optimizer.Adam(0.01, parameter_list=fc.parameters())
    x, label = to_variable(np.ones([2, 4], "float32")), to_variable(np.array([[0], [2]]))
    loss = layers.mean(layers.softmax_with_cross_entropy(fc(x), label))
    loss.backward()
    adam.minimize(loss)
    first, second = layers.split(x, 2, dim=1)
    assert first.shape == second.shape == [2, 2]


def test_integers_and_a_new_guard():
    with guard():
        assert layers.scale(to_variable(np.array([3])), 2.0).numpy().tolist() == [6]
        with pytest.raises(NonFiniteError, match="reciprocal"):
            layers.reciprocal(leaf(0.0))


def test_switched_off_in_the_middle():
    fluid.set_flags({FLAG: False})
    assert layers.log(leaf(0.0)).numpy()[0] == -np.inf
