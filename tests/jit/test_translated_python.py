"""More of Python in declared functions: short circuit, assignment expressions, match, generators, classes, functions of Python."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import to_variable

from .as_python import gradients_agree, values_agree

L = fluid.layers


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


def scalar(value, dtype="int64"):
    return L.fill_constant([1], dtype, value)


def short_and(x):
    i = scalar(0)
    while i < len(x) and L.reduce_sum(L.gather(x, i)) > -100:
        i = i + 1
    return i


def short_or(x):
    i = scalar(0)
    while not (i >= len(x) or L.reduce_sum(x[i]) < -100):
        i = i + 1
    return i


def walrus_while(x):
    n = 0
    while (m := L.reduce_sum(x)) < 50:
        x = x * 2 + 5
        n = n + 1
    return x + m, n


def walrus_if(x):
    if (m := L.reduce_sum(x)) > 0:
        x = x + m
    return x - m


def match_(x, k=2):
    match k:
        case 1:
            y = x + 1
        case 2:
            if L.reduce_sum(x) > 0:
                y = x + 2
            else:
                y = x - 2
        case _:
            y = x
    return y


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


def try_if(x):
    try:
        if L.reduce_sum(x) > 0:
            y = x + 1
        else:
            y = x - 1
    finally:
        pass
    return y


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


def shape_unpack(x):
    b, c = x.shape
    return L.reshape(x, [b, 1, c])


def shape_ops(x):
    n = x.shape[-1] * 2
    m = len(x.shape)
    last = x.shape[1:]
    return x * n + m + last[0]


def shape_batch_num(x):
    return x * x.shape[0] / (x.shape[0] + 1.0)


def shape_zeros(x):
    h = L.zeros([x.shape[0], 3], "float32")
    return L.concat([x, h], axis=1)


def shape_range(x):
    y = L.zeros([2], "float32")
    for i in range(x.shape[0]):
        y = y + x[i]
    return y


def slice_step(x):
    return x[:, 1:2] + x[-1:, :1] + x[:1, -1]


def lambda_closure(x):
    fs = [lambda v: v + 1, lambda v: v * 2]
    for f in fs:
        x = f(x)
    return x


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


def varargs(x):
    def f(*a, k=1, **kw):
        if L.reduce_sum(a[0]) > 0:
            return a[0] * k + kw["z"]
        return a[1] * k

    return f(x, x * 2, k=3, z=7)


def star_call(x):
    a = (x, x)
    kw = {"axis": 1}
    return L.concat(list(a), **kw)


def fstring(x):
    s = f"{x.shape[1]}-{1 + 1}"
    return x * len(s)


def set_comp(x):
    s = {i * 2 for i in range(3)}
    d = {k: x * k for k in s}
    return sum(d[k] for k in d) + x


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


def casts2(x):
    i = int(L.reduce_sum(x))
    f = float(i)
    b = bool(i)
    if b:
        x = x + f
    return x


def minmax(x):
    a = L.reduce_sum(x)
    return max(a, a * 2), min(1.0, a)


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


def bool_ops_values(x, cfg=None):
    cfg = cfg or {"k": 2}
    name = cfg.get("name") and cfg["name"]
    return x * cfg["k"] if not name else x


def nested_ternary(x):
    s = L.reduce_sum(x)
    return x if s > 5 else x * 2 if s > 0 else x * 3


def and_py_var(x):
    k = 3
    if k > 2 and L.reduce_sum(x) > 0:
        x = x + 1
    if k > 5 or L.reduce_sum(x) > 0:
        x = x + 1
    if L.reduce_sum(x) > 0 and k > 5:
        x = x + 100
    return x


def in_op(x):
    if 3 in [1, 2, 3] and x is not None:
        x = x + 1
    return x


def with_as(x):
    class C:
        def __enter__(self):
            return 3

        def __exit__(self, *a):
            return False

    with C() as k:
        if L.reduce_sum(x) > 0:
            x = x * k
    return x


def list_comp_var_cond(x):
    ys = [(v if L.reduce_sum(v) > 0 else v * 2) for v in [x, x + 1]]
    return ys[0] + ys[1]


def docstring(x):
    """doc"""
    if L.reduce_sum(x) > 0:
        """also"""
        x = x + 1
    return x


def annotated(x: float) -> float:
    y: float = x * 2
    z: int  # noqa: F842
    if L.reduce_sum(x) > 0:
        y: float = x
    return y


def multi_assign(x):
    a = b = x
    if L.reduce_sum(x) > 0:
        a = b = x * 2
    (c, (d, *e)) = (a, (b, 1, 2))
    return c + d + e[1]


def del_name(x):
    y = x + 1
    z = y * 2
    del y
    return z


def import_inside(x):
    import math

    return x * math.pi


class Stat:
    k = 2

    @staticmethod
    def s(v):
        if L.reduce_sum(v) > 0:
            return v * 2
        return v

    @classmethod
    def c(cls, v):
        if L.reduce_sum(v) > 0:
            return v * cls.k
        return v

    @property
    def p(self):
        return 3.0

    def __call__(self, v):
        if L.reduce_sum(v) > 0:
            return v * self.p
        return v

    def m(self, v):
        if L.reduce_sum(v) > 0:
            return v + self.p
        return v


def methods(x):
    s = Stat()
    return s(s.m(Stat.c(Stat.s(x))))


class Make:
    def __init__(self, v):
        if L.reduce_sum(v) > 0:
            self.v = v * 2
        else:
            self.v = v


def constructs(x):
    return Make(x).v


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


def lambda_default(x, k=3):
    f = lambda v, k=k: v * k  # noqa: E731
    return f(x)


def sorted_key(x):
    ks = sorted([3, 1, 2], key=lambda v: -v)
    return x * ks[0]


def map_filter(x):
    ys = list(map(lambda v: v * 2, [x, x + 1]))  # noqa: C417
    ks = list(filter(lambda v: v > 1, [1, 2, 3]))
    return ys[0] + ys[1] * ks[0]


def map_user(x):
    ys = list(map(Stat.s, [x, x + 1]))
    return ys[0] + ys[1]


def reduce_user(x):
    return functools.reduce(lambda a, b: a + b if L.reduce_sum(b) > 0 else a, [x, x * 2, x * 3])


def numpy_inside(x):
    w = np.arange(2, dtype="float32")
    return x * to_variable(w)


def no_arg_default(x, y=None):
    if y is None:
        y = x
    return y + x


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
    with_return,
    returns_in_many_ways,
    short_and,
    short_or,
    walrus_while,
    walrus_if,
    match_,
    match_return,
    try_if,
    gen_inside,
    gen_outside,
    shape_unpack,
    shape_ops,
    shape_batch_num,
    shape_zeros,
    shape_range,
    slice_step,
    lambda_closure,
    nested_fn_loop,
    varargs,
    star_call,
    fstring,
    set_comp,
    for_nested_break,
    while_true,
    while_true_return,
    return_none_mixed,
    return_tuple,
    return_dict,
    return_in_loop_tuple,
    casts2,
    minmax,
    reversed_enum,
    enum_start,
    zip_rows,
    zip_mixed,
    for_list_vars,
    range3,
    range_down,
    bool_ops_values,
    nested_ternary,
    and_py_var,
    in_op,
    with_as,
    list_comp_var_cond,
    docstring,
    annotated,
    multi_assign,
    del_name,
    import_inside,
    methods,
    constructs,
    early_many,
    nested_loop_return,
    continue_for,
    lambda_default,
    sorted_key,
    map_filter,
    map_user,
    reduce_user,
    numpy_inside,
    no_arg_default,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_python(function):
    values_agree(function)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients_as_python(function):
    gradients_agree(function)
