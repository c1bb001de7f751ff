"""More of Python in declared functions: short circuit, assignment expressions, match, classes, functions of Python."""

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


def try_if(x):
    try:
        if L.reduce_sum(x) > 0:
            y = x + 1
        else:
            y = x - 1
    finally:
        pass
    return y


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


def slice_step(x):
    return x[:, 1:2] + x[-1:, :1] + x[:1, -1]


def lambda_closure(x):
    fs = [lambda v: v + 1, lambda v: v * 2]
    for f in fs:
        x = f(x)
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


def numpy_if(x):
    if L.mean(x).numpy()[0] > 0:
        y = x * 2
    else:
        y = x - 1
    return y


def numpy_name(x):
    n = L.reduce_sum(x, dim=0).numpy()
    if n[0] > n[1]:
        x = x + 10
    return x


def numpy_while(x):
    i = scalar(0)
    while i.numpy()[0] < 3:
        x = x * 2
        i = i + 1
    return x


def numpy_range(x):
    for _ in range(int(L.shape(x).numpy()[0])):
        x = x * 2
    return x


def no_arg_default(x, y=None):
    if y is None:
        y = x
    return y + x


FUNCTIONS = [
    short_and,
    short_or,
    walrus_if,
    match_,
    try_if,
    shape_unpack,
    shape_ops,
    shape_batch_num,
    shape_zeros,
    slice_step,
    lambda_closure,
    varargs,
    star_call,
    fstring,
    set_comp,
    casts2,
    minmax,
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
    lambda_default,
    sorted_key,
    map_filter,
    map_user,
    reduce_user,
    numpy_inside,
    numpy_if,
    numpy_name,
    numpy_while,
    numpy_range,
    no_arg_default,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_python(function):
    values_agree(function)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients_as_python(function):
    gradients_agree(function)
