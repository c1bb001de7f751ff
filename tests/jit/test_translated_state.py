"""Lists, dicts and attributes that branches and loops of declared functions change."""

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


class Box:
    pass


def dict_item_in_loop(x):
    state = {"h": x, "n": scalar(0)}
    while state["n"] < 3:
        state["h"] = state["h"] * 2
        state["n"] = state["n"] + 1
    return state["h"], state["n"]


def dict_item_in_if(x):
    d = {"y": x}
    if L.reduce_sum(x) > 0:
        d["y"] = x * 2
    else:
        d["y"] = x - 1
    return d["y"]


def dict_item_in_if_one(x):
    d = {"y": x}
    if L.reduce_sum(x) > 0:
        d["y"] = x * 2
    return d["y"]


def dict_aug(x):
    d = {"y": x, "n": 0}
    if L.reduce_sum(x) > 0:
        d["y"] += 5.0
    return d["y"]


def list_item_in_if(x):
    d = [x, x]
    if L.reduce_sum(x) > 0:
        d[0] = x * 2
    return d[0] + d[1]


def list_item_in_loop(x):
    d = [x, x]
    i = scalar(0)
    while i < 3:
        d[0] = d[0] * 2
        d[1] += 1.0
        i = i + 1
    return d[0] + d[1]


def attr_in_if(x):
    b = Box()
    b.y = x
    if L.reduce_sum(x) > 0:
        b.y = x * 2
    return b.y


def attr_in_loop(x):
    b = Box()
    b.y = x
    i = scalar(0)
    while i < 3:
        b.y = b.y * 2
        i = i + 1
    return b.y


def list_pop(x):
    items = [x, x * 2, x * 3]
    items.pop()
    a = items.pop(0)
    return a + items[0]


def list_pop_loop(x):
    i = scalar(0)
    items = []
    while i < 4:
        items.append(x * L.cast(i, "float32"))
        i = i + 1
    a = items.pop()
    return a + items[-1] + len(items)


def list_pop_in_loop(x):
    i = scalar(0)
    items = [x]
    y = x
    while i < 4:
        y = items.pop() * 2.0
        items.append(y + 1.0)
        i = i + 1
    return items[-1] + len(items)


def tuple_swap_loop(x):
    a = (x, 1)
    i = scalar(0)
    while i < 3:
        a = (a[0] * 2, a[1] + 1)
        i = i + 1
    return a[0] * a[1]


def append_in_if_in_loop(x):
    out = []
    i = scalar(0)
    while i < 4:
        if i % 2 == 0:
            out.append(x * 2.0)
        else:
            out.append(x)
        i = i + 1
    return out[0] + out[3]


def append_in_if_one(x):
    out = []
    i = scalar(0)
    while i < 4:
        if i % 2 == 0:
            out.append(x * 2.0)
        i = i + 1
    return out[0] + len(out)


def two_lists(x):
    a, b = [], []
    for row in x:
        a.append(row)
        b.append(row * 2.0)
    return a[0] + b[-1]


def loop_list_index_var(x):
    items = []
    i = scalar(0)
    while i < 3:
        items.append(x + L.cast(i, "float32"))
        i = i + 1
    j = scalar(0)
    y = x * 0
    while j < len(items):
        y = y + items[j]
        j = j + 1
    return y


def loop_over_list_array(x):
    items = []
    i = scalar(0)
    while i < 3:
        items.append(x + L.cast(i, "float32"))
        i = i + 1
    y = x * 0
    for v in items:
        y = y * 2 + v
    return y


def loop_enumerate_array(x):
    items = []
    i = scalar(0)
    while i < 3:
        items.append(x + L.cast(i, "float32"))
        i = i + 1
    y = x * 0
    for k, v in enumerate(items):
        y = y * k + v
    return y


def set_array_item(x):
    items = []
    i = scalar(0)
    while i < 3:
        items.append(x + L.cast(i, "float32"))
        i = i + 1
    items[1] = x * 50.0
    return items[0] + items[1]


def concat_array(x):
    items = []
    i = scalar(0)
    while i < 3:
        items.append(x + L.cast(i, "float32"))
        i = i + 1
    return L.concat(items, axis=0)


def list_extend(x):
    a = []
    a.extend([x, x])
    a.insert(0, x * 2)
    a += [x]
    return L.concat(a, axis=0)


def aug_slices(x):
    x = x + 0
    y = [0, 0]
    y[0] += 3
    return x * y[0]


def closure_state(x):
    count = 0

    def up():
        nonlocal count
        count += 1
        return count

    while up() < 4:
        x = x + count
    return x


def global_write(x):
    global COUNT
    COUNT = 5
    if L.reduce_sum(x) > 0:
        COUNT = 7
    return x * COUNT


def dict_loop(x):
    params = {"a": 1.0, "b": 2.0}
    for k, v in params.items():
        if k == "a":
            x = x + v
        else:
            x = x * v
    return x


FUNCTIONS = [
    dict_item_in_loop,
    dict_item_in_if,
    dict_item_in_if_one,
    dict_aug,
    list_item_in_if,
    list_item_in_loop,
    attr_in_if,
    attr_in_loop,
    list_pop,
    list_pop_loop,
    list_pop_in_loop,
    tuple_swap_loop,
    append_in_if_in_loop,
    append_in_if_one,
    two_lists,
    loop_list_index_var,
    loop_over_list_array,
    loop_enumerate_array,
    set_array_item,
    concat_array,
    list_extend,
    aug_slices,
    closure_state,
    global_write,
    dict_loop,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_python(function):
    values_agree(function)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients_as_python(function):
    gradients_agree(function)
