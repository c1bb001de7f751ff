"""Declared functions among others in imperative mode: what they leave on the tape, in buffers and in random states."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite import fluid
from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.fluid.dygraph import Dropout, Layer, Linear, ProgramTranslator, declarative, to_variable

from .models.convolutional import Digits

L = fluid.layers


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        fluid.default_main_program().random_seed = 1
        fluid.default_startup_program().random_seed = 1
        yield


def test_batch_norm_moves_its_statistics_in_training_only():
    model, numbers = Digits(), np.random.RandomState(0)
    norm = model.net._simple_img_conv_pool_1._norm
    before = norm._mean.numpy()
    model.loss(*model.batch(numbers))
    moved = norm._mean.numpy()
    assert np.abs(moved - before).max() > 0
    model.net.eval()
    model.loss(*model.batch(numbers))
    np.testing.assert_array_equal(norm._mean.numpy(), moved)
    model.net.train()
    model.loss(*model.batch(numbers))
    assert np.abs(norm._mean.numpy() - moved).max() > 0


def test_dropout_drops_the_same_forward_and_backward():
    class Net(Layer):
        def __init__(self):
            super().__init__()
            self.drop = Dropout(0.5, dropout_implementation="upscale_in_train")

        @declarative
        def forward(self, x):
            return self.drop(x)

    net = Net()
    x = to_variable(np.ones([8, 50], "float32"))
    x.stop_gradient = False
    y, z = net(x), net(x)
    assert set(np.unique(y.numpy())) == {0.0, 2.0}
    assert (y.numpy() != z.numpy()).any()
    y.backward()
    np.testing.assert_array_equal(x.gradient(), y.numpy())
    net.eval()
    np.testing.assert_array_equal(net(x).numpy(), np.ones([8, 50]))


@declarative
def greedy(scores, start, end):
    """Words one after another, each the best one after the one before, until the last word."""
    word = start
    length = L.fill_constant([1], "int64", 1)
    words = start
    while word != end:
        row = L.gather(scores, word)
        word = L.argmax(row, axis=1)
        words = L.concat([words, word])
        length = length + 1
        if length >= 6:
            break
    return words, length


def test_greedy_decoding():
    scores = np.zeros([5, 5], "float32")
    for a, b in ((0, 2), (2, 1), (1, 4), (4, 3), (3, 3)):
        scores[a, b] = 1
    start = to_variable(np.array([0], "int64"))
    for end, expected in ((4, [0, 2, 1, 4]), (0, [0]), (9, [0, 2, 1, 4, 3, 3])):
        words, length = greedy(to_variable(scores), start, to_variable(np.array([end], "int64")))
        assert words.numpy().tolist() == expected
        assert length.numpy().tolist() == [len(expected)]


def test_gradients_reach_what_came_before():
    @declarative
    def twice(x, y):
        return x * y, x + y

    a = to_variable(np.array([2.0, 3.0], "float32"))
    a.stop_gradient = False
    b = a * 3
    product, total = twice(b, a)
    L.reduce_sum(product * product + total).backward(retain_graph=True)
    np.testing.assert_allclose(a.gradient(), 36 * np.array([2.0, 3.0]) ** 3 + 4)
    L.reduce_sum(total).backward()
    np.testing.assert_allclose(a.gradient(), [4, 4])


def test_no_grad_and_data_record_nothing():
    @declarative
    def double(x):
        return x * 2

    x = to_variable(np.ones([2], "float32"))
    assert double(x).stop_gradient
    x.stop_gradient = False
    assert not double(x).stop_gradient
    with fluid.dygraph.no_grad():
        assert double(x).stop_gradient


def test_what_ran_under_no_grad_first_is_differentiated_later():
    class Net(Layer):
        def __init__(self):
            super().__init__()
            self.fc = Linear(2, 1)

        @declarative
        def forward(self, x):
            with fluid.dygraph.no_grad():
                scale = L.reduce_sum(x)
            i = L.fill_constant([1], "int64", 0)
            while i < 2:
                x = x * scale
                i = i + 1
            return self.fc(x)

    net, x = Net(), to_variable(np.ones([1, 2], "float32"))
    with fluid.dygraph.no_grad():
        assert net(x).stop_gradient
    net(x).backward()
    np.testing.assert_allclose(net.fc.weight.gradient(), [[4], [4]])
    x.stop_gradient = False
    net(x).backward()
    np.testing.assert_allclose(x.gradient(), 4 * net.fc.weight.numpy().T, rtol=1e-6)


def test_parameters_that_were_frozen_at_first_are_trained_later():
    net, x = Linear(2, 1), to_variable(np.ones([1, 2], "float32"))

    @declarative
    def run(x):
        return net(x)

    for frozen in (True, False, True):
        for parameter in net.parameters():
            parameter.stop_gradient = frozen
        y = run(x)
        assert y.stop_gradient is frozen
        if not frozen:
            y.backward()
            assert net.weight.gradient().tolist() == [[1], [1]]


def test_inputs_of_imperative_mode_are_kept_apart():
    x = paddle.imperative.to_variable(np.ones([2, 2], "float32"))

    @declarative
    def same(v):
        return v

    y = same(x)
    assert y is not x
    np.testing.assert_array_equal(y.numpy(), x.numpy())


def test_an_error_in_the_backward_half_names_the_operator_and_the_line():
    @declarative
    def squashed(x):
        return L.tanh(x)

    def broken(*args, **attrs):
        raise ValueError("broken on purpose")

    x = to_variable(np.ones([2], "float32"))
    x.stop_gradient = False
    y = squashed(x)
    [bound] = ProgramTranslator().get_program_cache().last()._plans.values()
    bound.plan._checked.writer.scope["k1"] = broken
    with pytest.raises(EnforceNotMet, match=r"tanh_grad: ValueError: broken on purpose(.|\n)*test_declared_on_tape.py"):
        y.backward()
