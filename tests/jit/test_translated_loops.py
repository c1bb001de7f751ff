"""More loops and returns in declared functions: over each kind of thing, inside of each other, with jumps in many places."""

from __future__ import annotations

import pytest

from paddle_lite import fluid

from .as_python import gradients_agree, values_agree

L = fluid.layers


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


def scalar(value, dtype="int64"):
    return L.fill_constant([1], dtype, value)


def walrus_while(x):
    n = 0
    while (m := L.reduce_sum(x)) < 50:
        x = x * 2 + 5
        n = n + 1
    return x + m, n


def match_return(x, k=2):
    for _ in range(3):
        match k:
            case 1:
                return x + 1
            case 2:
                x = x + 1
                continue
    if L.reduce_sum(x) > 0:
        x = x * 3
    return x


def gen_inside(x):
    def gen():
        for i in range(3):
            if i == 1:
                continue
            yield x * i

    y = x
    for v in gen():
        y = y + v
    return y


def global_gen():
    for i in (0, 1, 2):
        yield i * 1.0


def gen_outside(x):
    for i in global_gen():
        x = x + i
    return x


def shape_range(x):
    y = L.zeros([2], "float32")
    for i in range(x.shape[0]):
        y = y + x[i]
    return y


def nested_fn_loop(x):
    def step(a, n=2):
        if L.reduce_sum(a) > 3:
            a = a / n
        else:
            a = a * n
        return a

    for _ in range(3):
        x = step(x)
    return x


def for_nested_break(x):
    for i in range(3):
        for j in range(3):
            if j > i:
                break
            if L.reduce_sum(x) > 20:
                break
            x = x + j + 1
    return x


def while_true(x):
    i = scalar(0)
    while True:
        x = x + 1
        i = i + 1
        if i >= 5:
            break
    return x


def while_true_return(x):
    while True:
        x = x * 2 + 3
        if L.reduce_sum(x) > 30:
            return x


def return_none_mixed(x, flag=False):
    if flag:
        return
    return x


def return_tuple(x):
    if L.reduce_sum(x) > 0:
        return x, x * 2
    return x * 3, x


def return_dict(x):
    if L.reduce_sum(x) > 0:
        return {"a": x, "b": [x]}
    return {"a": x * 2, "b": [x + 1]}


def return_in_loop_tuple(x):
    i = scalar(0)
    while i < 5:
        if L.reduce_sum(x) > 10:
            return x, i
        x = x * 2 + 1
        i = i + 1
    return x, i


def reversed_enum(x):
    for i, v in enumerate(reversed([1.0, 2.0]), 1):
        x = x * i + v
    return x


def enum_start(x):
    y = L.zeros([2], "float32")
    for i, row in enumerate(x, 1):
        y = y + row * i
    return y


def zip_rows(x):
    y = L.zeros([2], "float32")
    for a, b in zip(x, x * 2):
        y = y * 2 + a * b
    return y


def zip_mixed(x):
    y = x
    for a, b in zip([1.0, 2.0], [x, x + 1]):
        y = y + a * b
    return y


def for_list_vars(x):
    y = x
    for v in [x, x + 1, x * 2]:
        if L.reduce_sum(v) > 3:
            y = y + v
    return y


def range3(x):
    n = L.cast(L.reduce_sum(L.abs(x)), "int64")
    y = L.zeros([1], "float32")
    for i in range(1, n, 2):
        y = y + i
    return y


def range_down(x):
    n = L.cast(L.reduce_sum(L.abs(x)), "int64")
    y = L.zeros([1], "float32")
    for i in range(n, 0, -2):
        if i == 2:
            continue
        y = y + i
    return y


def early_many(x):
    s = L.reduce_sum(x)
    if s > 100:
        return x
    if s > 50:
        return x * 2
    if s > 10:
        return x * 3
    for _ in range(2):
        if s < -5:
            return x * 4
        x = x + 1
    while s < 0:
        s = s + 1
        if s > -0.5:
            return x * 7
    return x - 1


def nested_loop_return(x):
    i = scalar(0)
    while i < 3:
        j = scalar(0)
        while j < 3:
            if L.reduce_sum(x) > 15:
                return x * 10
            x = x + 1
            j = j + 1
        i = i + 1
    return x


def continue_for(x):
    for i in range(5):
        if i == 2:
            continue
        if L.reduce_sum(x) > 10:
            continue
        x = x + i
    return x


def with_return(x):
    with fluid.dygraph.no_grad():
        if L.reduce_sum(x) > 0:
            return x * 2
        y = x - 1
    return y


def returns_in_many_ways(x):
    s = L.reduce_sum(x)
    if s > 0:
        if s > 5:
            return x * 10
        a = x + 1
    else:
        if s < -5:
            return x * -10
        a = x - 1
    if L.reduce_max(a) > 1.8:
        if s > 2:
            return a * 3
        a = a * 5
    b = L.reduce_mean(a)
    if b > 1:
        return a + b
    return a - b


FUNCTIONS = [
    walrus_while,
    match_return,
    gen_inside,
    gen_outside,
    shape_range,
    nested_fn_loop,
    for_nested_break,
    while_true,
    while_true_return,
    return_none_mixed,
    return_tuple,
    return_dict,
    return_in_loop_tuple,
    reversed_enum,
    enum_start,
    zip_rows,
    zip_mixed,
    for_list_vars,
    range3,
    range_down,
    early_many,
    nested_loop_return,
    continue_for,
    with_return,
    returns_in_many_ways,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_python(function):
    values_agree(function)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients_as_python(function):
    gradients_agree(function)
