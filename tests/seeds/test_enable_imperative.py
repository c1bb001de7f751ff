"""A 2.0-alpha program that turns imperative mode on for good, and the two ways of its guide to keep gradients back."""

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite.imperative import to_variable


@pytest.fixture(autouse=True)
def for_good():
    paddle.enable_imperative()
    yield
    paddle.imperative.disable_imperative()


def test_operators_run_when_they_are_called():
    x = paddle.imperative.to_variable(np.ones([2, 2], np.float32))
    x += 10
    assert (x.numpy() == 11).all()
    assert paddle.in_imperative_mode()


def test_a_gradient_is_asked_for_by_stop_gradient_false():
    y = to_variable(np.array([[1.0, 2.0], [3.0, 4.0]], "float32"))
    y.stop_gradient = False
    (y * 10).backward()
    assert (y.gradient() == 10).all()


@pytest.mark.parametrize("cut", ["detach", "stop_gradient"])
def test_what_is_cut_off_gets_zeros_and_the_rest_its_gradient(cut):
    rng = np.random.RandomState(0)
    a, b, c = (to_variable(rng.rand(2, n).astype("float32")) for n in (13, 3, 5))
    held_back, trained = paddle.nn.Linear(13, 5, dtype="float32"), paddle.nn.Linear(3, 3, dtype="float32")
    left, right = held_back(a), trained(b)
    assert a.stop_gradient and not left.stop_gradient
    if cut == "detach":
        left = left.detach()
    else:
        left.stop_gradient = True
    paddle.concat(input=[left, right, c], axis=1).backward()
    assert (left.gradient() == 0).all()
    assert (held_back.weight.gradient() == 0).all() and (held_back.bias.gradient() == 0).all()
    np.testing.assert_allclose(trained.weight.gradient(), np.repeat(b.numpy().sum(0)[:, None], 3, 1), rtol=1e-6)


def test_plain_python_decides_by_shapes():
    assert to_variable(np.array([-2]).astype("int")).shape == [1]


def test_turning_it_off_leaves_the_mode_as_it_was():
    name = paddle.nn.Linear(1, 1).full_name()
    paddle.imperative.disable_imperative()
    assert not paddle.in_imperative_mode()
    with pytest.raises(RuntimeError, match="enable_imperative"):
        to_variable(np.ones(1))
    paddle.enable_imperative()
    assert paddle.nn.Linear(1, 1).full_name() == name == "linear_0"
