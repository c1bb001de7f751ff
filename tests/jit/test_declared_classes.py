"""Declared methods: super(), private names, decorators, hooks, and Variables that the code finds around it."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import Layer, Linear, declarative, to_variable

L = fluid.layers


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


def x_of(*rows):
    return to_variable(np.array(rows, "float32"))


def logged(function):
    @functools.wraps(function)
    def run(*args, **keywords):
        result = function(*args, **keywords)
        return result * 10

    return run


class Base(Layer):
    def __init__(self):
        super().__init__()
        self.__factor = 2.0

    def forward(self, x):
        if L.reduce_sum(x) > 0:
            return x * self.__factor
        return x - self.__factor


class Child(Base):
    def __init__(self):
        super().__init__()
        self.__factor = 100.0

    @declarative
    def forward(self, x):
        y = x
        if L.reduce_max(x) > 5:
            y = super().forward(x)
        return y + self.__own()

    @logged
    def __own(self):
        return self.__factor


class Outer(Layer):
    def __init__(self):
        super().__init__()
        self.child = Base()
        self.child.register_forward_pre_hook(lambda layer, inputs: (inputs[0] * 3,))
        self.child.register_forward_post_hook(lambda layer, inputs, output: output + 1)

    @declarative
    def forward(self, x):
        return self.child(x)


def test_super_private_names_and_decorators():
    model = Child()
    assert model(x_of([1.0, 2.0])).numpy().tolist() == [[1001.0, 1002.0]]
    assert model(x_of([1.0, 7.0])).numpy().tolist() == [[1002.0, 1014.0]]
    assert model(x_of([-9.0, 7.0])).numpy().tolist() == [[989.0, 1005.0]]


def test_hooks():
    model = Outer()
    assert model(x_of([1.0, 2.0])).numpy().tolist() == [[7.0, 13.0]]
    assert model(x_of([-1.0, -2.0])).numpy().tolist() == [[-4.0, -7.0]]


def test_variables_from_around():
    v = x_of([1.0, 2.0], [3.0, 4.0])
    v.stop_gradient = False

    def mixed(x):
        return v + x, 2 * v, x - v, v - x, v[0] + x, v * v + x, -v, v / x

    declared = declarative(mixed)
    x = x_of([3.0, 3.0], [5.0, 5.0])
    for a, b in zip(mixed(x), declared(x)):
        np.testing.assert_allclose(b.numpy(), a.numpy(), rtol=1e-6)
    L.reduce_sum(declared(x)[5]).backward()
    np.testing.assert_allclose(v.gradient(), 2 * v.numpy())


def test_a_shared_layer_is_trained_once_per_use():
    shared = Linear(2, 2)

    @declarative
    def twice(x):
        return shared(shared(x))

    x = x_of([1.0, 2.0])
    gradients = []
    for function in (twice, lambda v: shared(shared(v))):
        L.reduce_sum(function(x)).backward()
        gradients.append(shared.weight.gradient())
        shared.clear_gradients()
    np.testing.assert_allclose(gradients[0], gradients[1], rtol=1e-5)


def test_an_output_that_gets_no_gradient():
    @declarative
    def pair(x):
        return x * 2, x * 3

    x = x_of([1.0, 2.0])
    x.stop_gradient = False
    L.reduce_sum(pair(x)[1]).backward()
    assert x.gradient().tolist() == [[3.0, 3.0]]


def test_frozen_parameters_get_no_gradient():
    model = Linear(2, 2)

    @declarative
    def run(x):
        return model(x)

    model.weight.stop_gradient = True
    L.reduce_sum(run(x_of([1.0, 2.0]))).backward()
    assert model.bias.gradient().tolist() == [1.0, 1.0]
    assert model.weight.gradient() is None
