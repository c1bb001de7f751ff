"""Each feature of Python's syntax in declared functions: what the Program gives is what Python gives, on each way through."""

from __future__ import annotations

import functools

import pytest

from paddle_lite import fluid

from .as_python import gradients_agree, values_agree

SCALE = 3.0


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


def if_else(x):
    if fluid.layers.mean(x) < 0:
        y = x - 1
    else:
        y = x + 2
    return y


def elif_chain(x):
    m = fluid.layers.reduce_sum(x)
    if m > 10:
        y = x * 2
    elif m > 0:
        y = x * 3
    elif m > -10:
        y = x * 4
    else:
        y = x * 5
    return y


def early_return(x):
    if fluid.layers.mean(x) < 0:
        return x * 10
    y = x + 1
    if fluid.layers.mean(y) > 3:
        return y * 100
    return y


def nested_if(x):
    m = fluid.layers.reduce_sum(x)
    y = x
    if m > 0:
        y = y + 1
        if m > 5:
            y = y * 2
            z = 1.0
        else:
            z = 2.0
        y = y * z
    return y


def return_in_nested_if(x):
    m = fluid.layers.reduce_sum(x)
    if m > 0:
        if m > 5:
            return x * 2
        x = x + 100
    return x - 1


def while_loop(x):
    i = fluid.layers.fill_constant([1], "int64", 0)
    while fluid.layers.reduce_sum(x) < 100:
        x = x * 2 + 20
        i += 1
    return x, i


def while_python(x):
    i = 0
    while i < 3:
        x = x * 2
        i += 1
    return x


def while_number_promoted(x):
    i = 0
    total = 0.0
    while i < fluid.layers.reduce_sum(x):
        total = total + 2.5
        i += 1
    return total, i


def for_range_variable(x):
    n = fluid.layers.cast(fluid.layers.reduce_sum(fluid.layers.abs(x)), "int64")
    y = fluid.layers.zeros([1], "float32")
    for i in range(n):
        y = y + i
    return y


def for_range_python(x):
    for i in range(1, 6, 2):
        x = x * i
    return x


def for_rows(x):
    y = fluid.layers.zeros([2], "float32")
    for row in x:
        y = y * 2 + row
    return y


def for_enumerate(x):
    y = fluid.layers.zeros([2], "float32")
    for i, row in enumerate(x):
        y = y + row * i
    return y


def for_list_zip(x):
    for a, b in zip([1, 2], (3, 4)):
        x = x * a + b
    return x


def break_(x):
    i = fluid.layers.fill_constant([1], "int64", 0)
    while i < 10:
        x = x + 1
        if fluid.layers.reduce_sum(x) > 8:
            break
        i = i + 1
    return x, i


def continue_(x):
    i = fluid.layers.fill_constant([1], "int64", 0)
    while i < 6:
        i = i + 1
        if i % 2 == 0:
            continue
        x = x + fluid.layers.cast(i, "float32")
    return x


def break_in_range(x):
    for i in range(10):
        x = x + i
        if fluid.layers.reduce_sum(x) > 12:
            break
    return x


def return_in_while(x):
    i = fluid.layers.fill_constant([1], "int64", 0)
    while i < 5:
        if fluid.layers.reduce_sum(x) > 10:
            return x * 1000
        x = x * 2
        i = i + 1
    return x


def return_in_for(x):
    for i in range(5):
        if fluid.layers.reduce_sum(x) > 10 + i:
            return x * 1000
        x = x * 2
    return x


def for_else(x):
    for i in range(3):
        if i == 7:
            break
        x = x + i
    else:
        x = x * 5
    return x


def while_else(x):
    i = fluid.layers.fill_constant([1], "int64", 0)
    while i < 3:
        i = i + 1
        if fluid.layers.reduce_sum(x) > 5:
            break
        x = x + 1
    else:
        x = x * 7
    return x


def logic(x):
    s = fluid.layers.reduce_sum(x)
    if s > 0 and s < 10:
        x = x + 1
    if s < -3 or not s < 30:
        x = x * 2
    return x


def chain(x):
    s = fluid.layers.reduce_sum(x)
    if 0 < s <= 5 < 6:
        x = x + 1
    return x


def ternary(x):
    s = fluid.layers.reduce_sum(x)
    k = 2.0 if s > 0 else 3.0
    return (x if s > 2 else -x) * k


def casts(x):
    s = fluid.layers.reduce_sum(x)
    y = int(s) + 1
    z = float(y) * 2.0
    return z, bool(s), float("2") + int(3.7)


def length(x):
    return fluid.layers.cast(len(x) + fluid.layers.fill_constant([1], "int64", 0), "float32") * x


def list_append(x):
    items = []
    for i in range(3):
        items.append(x * i)
    return fluid.layers.concat(items, axis=0)


def list_in_loop(x):
    i = fluid.layers.fill_constant([1], "int64", 0)
    items = [x]
    while i < 3:
        items.append(x * fluid.layers.cast(i, "float32"))
        i = i + 1
    return items[2] + len(items)


def state_in_tuple(x):
    h, c = x, x * 2
    state = (h, [c])
    i = fluid.layers.fill_constant([1], "int64", 0)
    while i < 3:
        h, [c] = state
        state = (h + c, [c * 0.5])
        i = i + 1
    return state[0], state[1][0]


def state_in_dict(x):
    state = {"h": x, "n": 0}
    while state["n"] < fluid.layers.reduce_sum(x):
        state = {"h": state["h"] * 2, "n": state["n"] + 1}
    return state["h"], state["n"]


def helper(x, k=2):
    if fluid.layers.reduce_sum(x) > k:
        return x - k
    return x + k


def calls(x):
    return helper(helper(x), k=5)


def recursion(x, depth=3):
    if depth == 0:
        return x
    if fluid.layers.reduce_sum(x) > 4:
        x = x - 1
    return recursion(x * 2, depth - 1)


def inner_function(x):
    k = 4.0

    def inner(y):
        nonlocal k
        if fluid.layers.reduce_sum(y) > 0:
            k = 5.0
        return y * k

    return inner(x) + k


def with_lambda(x):
    pick = lambda v: v * 2 if fluid.layers.reduce_sum(v) > 0 else v * 3  # noqa: E731
    return pick(x)


def comprehension(x):
    parts = [x * i for i in range(3) if i != 1]
    return parts[0] + parts[1] + sum([1, 2])


def with_partial(x):
    return functools.partial(helper, k=1)(x)


def global_name(x):
    return x * SCALE


def shapes(x):
    y = fluid.layers.reshape(x, [x.shape[0] * 1, 1, -1])
    return fluid.layers.reshape(y, [-1, x.shape[1]]) + x.shape[1]


def in_with(x):
    y = x
    with fluid.dygraph.no_grad():
        if fluid.layers.reduce_sum(x) > 0:
            return x * 2
        y = x - 3
    return y


def in_try(x):
    try:
        y = x + 1
        raise KeyError
    except KeyError:
        y = x + 10
    finally:
        y = y * 2
    return y


def slices(x):
    y = x[:, 0:1] + x[0]
    return y * 2


def asserts(x):
    assert fluid.layers.reduce_sum(x) > -100
    assert True, "never"
    return x + 1


def undefined_temporary(x):
    if fluid.layers.reduce_sum(x) > 0:
        t = x * 2
        y = t + 1
    else:
        u = x * 3
        y = u - 1
    return y


def swapped(x):
    a, b = x, x * 2
    i = fluid.layers.fill_constant([1], "int64", 0)
    while i < 3:
        a, b = b, a
        i = i + 1
    return a - 2 * b


def growing(x):
    i = fluid.layers.fill_constant([1], "int64", 0)
    y = x
    while i < 2:
        y = fluid.layers.concat([y, x], axis=1)
        i = i + 1
    return y


def chained_and_conditions(x):
    i = 0
    while i < 5 and fluid.layers.reduce_sum(x) < 20:
        x = x + i
        i += 1
    return x


def loops_in_loops(x):
    i = fluid.layers.fill_constant([1], "int64", 0)
    while i < 3:
        j = fluid.layers.fill_constant([1], "int64", 0)
        while j < i:
            if j == 1:
                break
            x = x + 1
            j = j + 1
        i = i + 1
    return x


FUNCTIONS = [
    if_else, elif_chain, early_return, nested_if, return_in_nested_if, while_loop, while_python, while_number_promoted,
    for_range_variable, for_range_python, for_rows, for_enumerate, for_list_zip, break_, continue_, break_in_range,
    return_in_while, return_in_for, for_else, while_else, logic, chain, ternary, casts, length, list_append, list_in_loop,
    state_in_tuple, state_in_dict, calls, recursion, inner_function, with_lambda, comprehension, with_partial, global_name,
    shapes, in_with, in_try, slices, asserts, undefined_temporary, swapped, growing, chained_and_conditions, loops_in_loops,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_python(function):
    values_agree(function)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients_as_python(function):
    gradients_agree(function)
