"""while_loop, cond, case and switch_case in declared functions."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.core.guarded import unguarded
from paddle_lite.fluid.dygraph import Layer, Linear, declarative, to_variable
from paddle_lite.jit.operators.calls import replaced
from tests.jit.as_python import gradients_agree, values_agree

L = fluid.layers


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


def number(n):
    return L.fill_constant([1], "int64", n)


def halved(x):
    """A function of the module: translated only if it is known to be called."""
    if L.reduce_sum(x) > 1:
        return x / 2
    return x - 1


def starts_stay(x):
    i = number(0)
    j, y = L.while_loop(lambda i, y: i < 3, lambda i, y: [i + 1, y * 1.5 + i], [i, x])
    return y + x, i, j


def grows(x):
    i, y = L.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, L.concat([y, x], axis=1)), [number(0), x])
    return y, i


def nested_variables(x):
    def body(i, state):
        return i + 1, {"h": halved(state["h"]), "all": [state["all"][0] + state["h"]]}

    return L.while_loop(lambda i, state: i < 3, body, [number(0), {"h": x, "all": [x]}])


def until_small(x):
    (y,) = L.while_loop(lambda y: L.reduce_max(y) > 0.3, halved, [x])
    return y


def one_of_two(x):
    return L.cond(L.reduce_mean(x) > 0, lambda: halved(x), lambda: halved(-x))


def by_name(x):
    def yes():
        return halved(x)

    return L.cond(pred=L.reduce_mean(x) > 0, true_fn=yes, false_fn=lambda: x)


def cases(x):
    total = L.reduce_sum(x)
    return L.case([(total > 5, lambda: halved(x)), (total > 0, lambda: x)], default=lambda: x * 3)


def switches(x):
    which = L.cast(L.reduce_sum(x) > 0, "int32")
    a = L.switch_case(which, {1: lambda: halved(x), 0: lambda: x})
    b = L.switch_case(which, [lambda: x, lambda: halved(x)])
    return a, b, L.switch_case(which, [(3, lambda: x), (1, lambda: halved(x))], default=lambda: x * 4)


FUNCTIONS = [starts_stay, grows, nested_variables, until_small, one_of_two, by_name, cases, switches]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_python(function):
    values_agree(function)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients_as_python(function):
    gradients_agree(function)


class Steps(Layer):
    def __init__(self):
        super().__init__()
        self.fc = Linear(2, 2)

    def step(self, i, x):
        if i < 2:
            x = self.fc(x)
        return i + 1, x

    @declarative
    def forward(self, x):
        return L.while_loop(lambda i, x: i < 3, self.step, [number(0), x])[1]


def test_methods_of_layers_are_translated_and_trained_from_data():
    net, x = Steps(), to_variable(np.ones([1, 2], "float32"))
    gradients = []
    for run in (lambda: net(x), lambda: net.fc(net.fc(x))):
        y = run()
        L.reduce_sum(y).backward()
        gradients.append(net.fc.weight.gradient())
        net.clear_gradients()
    np.testing.assert_allclose(gradients[0], gradients[1], rtol=1e-5)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda x: L.while_loop(lambda y: L.reduce_sum(y) < 1, lambda y: [y, y], [x]), ArgumentValueError, "2 of them"),
        (lambda x: L.while_loop(lambda: True, lambda: [], []), ArgumentValueError, "empty list"),
        (lambda x: L.while_loop(3, lambda y: y, [x]), ArgumentTypeError, "cond got int 3"),
        (lambda x: L.cond(L.reduce_sum(x) > 0, 3), ArgumentTypeError, "true_fn got int 3"),
        (lambda x: L.case([3]), ArgumentTypeError, "pred_fn_pairs got int 3"),
        (lambda x: L.switch_case(number(1), 3), ArgumentTypeError, "branch_fns got int 3"),
    ],
)  # fmt: skip
def test_bad_calls(call, error, match):
    with pytest.raises(error, match=match):
        declarative(call)(to_variable(np.ones([1, 2], "float32")))


def test_functions_are_found_that_a_program_used_before_any_was_declared():
    # a guarded function takes the place of the function in its module, whenever a program first asks for it
    keys = [key for key in replaced if callable(key)]
    assert unguarded(L.while_loop) in keys and [key for key in keys if unguarded(key) is not key] == []
