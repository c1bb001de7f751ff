"""Declared functions among others in imperative mode: what they leave on the tape, in buffers and in random states."""

from __future__ import annotations

import operator

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
    [bound] = ProgramTranslator().get_program_cache().newest()._plans.values()
    [function] = bound.plan._of_first_run.values()
    function.writer.scope["k1"] = broken
    with pytest.raises(EnforceNotMet, match=r"tanh_grad: ValueError: broken on purpose(.|\n)*test_declared_on_tape.py"):
        y.backward()


def gradient_of(function, *values):
    """That of the sum of what a declared function returns first, with respect to its first argument."""
    variables = [to_variable(value) for value in values]
    variables[0].stop_gradient = False
    results = function(*variables)
    L.reduce_sum(results[0]).backward()
    return variables[0].gradient(), results


def test_a_variable_may_be_returned_twice():
    @declarative
    def function(x):
        y = L.tanh(x)
        return y, L.scale(x, 2.0), y

    x = np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3)
    found, (first, _, again) = gradient_of(function, x)
    assert again is first  # as without the translation
    np.testing.assert_allclose(found, 1 - np.tanh(x) ** 2, rtol=1e-5)


def test_gradients_flow_through_whole_numbers_and_truth_values_as_in_imperative_mode():
    def function(x):
        return [L.square(L.cast(L.cast(x, "bool"), "float32")), L.argsort(x)[1], L.less_than(x, x)]

    x = np.array([1.5, 0.0, 2.0], "float32")
    expected, plain = gradient_of(function, x)
    found, made = gradient_of(declarative(function), x)
    np.testing.assert_array_equal(expected, [1, 0, 1])  # as PaddlePaddle 1.8.5 has it
    np.testing.assert_array_equal(found, expected)
    assert [v.stop_gradient for v in made] == [v.stop_gradient for v in plain]


def test_a_branch_whose_gradient_nobody_needs():
    """Its result depends on nothing that has one, but something in it does, which is left out."""

    @declarative
    def function(x, classes):
        y, one = L.tanh(x), L.cast(L.one_hot(classes, 4), "float32")

        def otherwise():
            L.elementwise_mul(y, x)
            return L.assign(one)

        return y, L.cond(L.reduce_sum(x) < 100.0, lambda: L.scale(one, 2.0), otherwise)

    x = np.ones((2, 3), "float32")
    found, _ = gradient_of(function, x, np.ones((2, 1), "int64"))
    np.testing.assert_allclose(found, 1 - np.tanh(x) ** 2, rtol=1e-5)


def test_a_loop_of_code_that_is_not_translated_has_gradients_of_what_it_reads():
    """Its first value has none."""

    def run(x, start):
        i, n = L.fill_constant([1], "int64", 0), L.fill_constant([1], "int64", 2)
        looped = L.while_loop(
            lambda i, _: L.less_than(i, n), lambda i, y: [L.increment(i), L.elementwise_mul(y, x)], [i, start]
        )
        return [L.scale(looped[1], 1.0), start]

    class Holder:
        def run(self, x, start):
            return run(x, start)

    holder = Holder()

    @declarative
    def function(x, start):
        return operator.methodcaller("run", x, start)(holder)  # what it calls is not translated

    x, start = np.array([1.0, 2.0], "float32"), np.array([3.0, 4.0], "float32")
    expected, _ = gradient_of(run, x, start)
    found, results = gradient_of(function, x, start)
    np.testing.assert_allclose(expected, 2 * x * start)
    np.testing.assert_allclose(found, expected)
    np.testing.assert_array_equal(results[1].numpy(), start)


def test_an_unused_result_has_a_gradient_of_zeros():
    """Zero times infinity is NaN: measured in PaddlePaddle 1.8.5."""

    @declarative
    def function(x):
        return L.square(x), L.exp(x)

    x = to_variable(np.array([1.0, 1000.0], "float32"))
    x.stop_gradient = False
    used, _ = function(x)
    L.reduce_sum(used).backward()
    np.testing.assert_array_equal(x.gradient(), np.array([2.0, np.nan], "float32"))
