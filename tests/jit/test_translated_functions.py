"""Functions and objects that declared functions call: recursion, closures, classes and their methods; all give what Python gives."""

from __future__ import annotations

import functools
import gc
import weakref

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import (
    Layer,
    LayerList,
    Linear,
    ProgramTranslator,
    Sequential,
    declarative,
    to_variable,
)
from paddle_lite.jit import convert

from .as_python import INPUTS, gradients_agree, values_agree

L = fluid.layers


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


# --- recursion ----------------------------------------------------------------------------------------------------------


def even(x, n):
    if n == 0:
        return x
    if L.reduce_sum(x) > 6:
        x = x - 4
    return odd(x * 2, n - 1)


def odd(x, n):
    if L.reduce_sum(x) < -6:
        return x
    return even(x + 1, n - 1)


def mutual_recursion(x):
    return even(x, 4)


def inner_recursion(x):
    depth = 0

    def sink(y, n):
        nonlocal depth
        depth = depth + 1
        if n == 0:
            return y
        if L.reduce_mean(y) > 1:
            return sink(y - 1, n - 1)
        return sink(y * 2, n - 1)

    return sink(x, 3)


def over_a_tree(x):
    tree = {"+": [1.0, {"*": [2.0, {"+": [3.0, 4.0]}]}]}

    def value(node):
        if isinstance(node, float):
            return x * node
        [(sign, (left, right))] = node.items()
        a, b = value(left), value(right)
        if sign == "+":
            return a + b
        return a * b if L.reduce_sum(a) > 0 else a - b

    return value(tree)


# --- closures -----------------------------------------------------------------------------------------------------------


def shifted_by(k):
    def shift(x):
        if L.reduce_sum(x) > k:
            return x - k
        return x + k

    return shift


def closures_of_one_code(x):
    first, second = shifted_by(1.0), shifted_by(5.0)
    return first(x), second(x), first(second(x))


def composed(*functions):
    return lambda x: functools.reduce(lambda y, f: f(y), functions, x)


def composition(x):
    return composed(shifted_by(2.0), L.tanh, lambda y: y * 3 if L.reduce_sum(y) > 0 else y)(x)


def closures_in_a_loop(x):
    steps = []
    for k in range(3):
        steps.append(lambda y, k=k: y * k if L.reduce_sum(y) > 1 else y + k)
    for step in steps:
        x = step(x)
    return x


def counts_calls(x):
    count = [0]

    def more(y):
        count[0] = count[0] + 1
        return y + count[0]

    return more(more(x)) * count[0]


def table_of_functions(x):
    table = {"up": shifted_by(-1.0), "down": shifted_by(1.0)}
    for name in ("up", "down", "up"):
        x = table[name](x)
    return x


def repeated(times):
    def decorate(function):
        @functools.wraps(function)
        def run(x):
            for _ in range(times):
                x = function(x)
            return x

        return run

    return decorate


@repeated(3)
def doubled_if_small(x):
    if L.reduce_max(x) < 10:
        x = x * 2
    return x


def with_decorator(x):
    return doubled_if_small(x)


def keywords_only(x, *, by=2.0, **more):
    if L.reduce_sum(x) > 0:
        return x * by + more.get("offset", 0.0)
    return x / by


def with_keywords(x):
    settings = {"by": 3.0, "offset": 1.0}
    return keywords_only(x), keywords_only(x, **settings)


# --- objects ------------------------------------------------------------------------------------------------------------


class Scaler:
    """An object that is no Layer."""

    default = 2.0

    def __init__(self, factor=None):
        self.factor = self.default if factor is None else factor

    def __call__(self, x):
        return self.scaled(x) if L.reduce_sum(x) > 0 else x

    def scaled(self, x):
        if L.reduce_max(x) > 3:
            return x / self.factor
        return self.larger(x)

    def larger(self, x):
        return x * self.factor

    @classmethod
    def usual(cls, x):
        if L.reduce_sum(x) > 1:
            return cls()(x)
        return x

    @staticmethod
    def clipped(x):
        return x if L.reduce_max(x) < 4 else x * 0.5

    @property
    def half(self):
        return Scaler(self.factor / 2)


class LateScaler(Scaler):
    default = 7.0

    def larger(self, x):
        if L.reduce_max(x) > 1:
            return super().larger(x)
        return super().larger(x) + 1


def methods_of_an_object(x):
    scaler = Scaler(3.0)
    return scaler(x), scaler.scaled(x), Scaler.clipped(scaler.half(x)), Scaler.usual(x)


def methods_of_a_subclass(x):
    late = LateScaler()
    method = late.scaled
    return late(x), method(x), LateScaler.usual(x), late.clipped(x)


def an_object_that_counts(x):
    class Sum:
        def __init__(self):
            self.total = 0.0

        def add(self, value):
            self.total = self.total + value
            return self

    found = Sum()
    for i in range(3):
        found.add(x * i)
    return found.add(1.0).total


# --- lists that grow until a Variable says so ---------------------------------------------------------------------------


def grows_until_a_break(x):
    found = []
    for i in range(5):
        x = x * 1.5 + i
        found.append(x)
        if L.reduce_sum(x) > 12:
            break
    return L.concat(found, axis=0), found[-1], len(found), x


def grows_until_a_return(x):
    found = [x]
    for _ in range(3):
        if L.reduce_sum(x) > 8:
            return L.stack(found)
        x = x * 2 + 1
        found.append(x)
    return L.stack(found) * 2


def grows_in_a_branch(x):
    found = [x]
    if L.reduce_sum(x) > 0:
        found.append(x * 2)
        if L.reduce_sum(x) > 5:
            found.append(x * 3)
    else:
        x = x - 1
    return L.concat(found) + x[0], len(found), found[-1]


def grows_in_an_inner_loop(x):
    kept = []
    for i in range(3):
        for j in range(3):
            x = x + i - j * 0.5
            if L.reduce_sum(x) > 4:
                break
            kept.append(x)
        if L.reduce_sum(x) < -8:
            break
    kept.append(x)
    return L.concat(kept, axis=0)


# --- Layers -------------------------------------------------------------------------------------------------------------


class Block(Layer):
    def __init__(self, size=2):
        super().__init__()
        self.fc = Linear(size, size, act="tanh")
        self.helper = Scaler(0.5)

    def forward(self, x):
        y = self.fc(x)
        if L.reduce_sum(y) > 0:
            y = self.helper(y)
        return self.finished(y, x)

    def finished(self, y, x):
        return y + x


class Deeper(Block):
    def forward(self, x, rounds=2):
        for _ in range(rounds):
            x = super().forward(x)
        return x

    def finished(self, y, x):
        if L.reduce_max(x) > 2:
            return super().finished(y, x) * 0.5
        return super().finished(y, x)


class Deepest(Deeper):
    def forward(self, x, rounds=1):
        if L.reduce_mean(x) > 0:
            return Deeper.forward(self, x, rounds=rounds)
        return super().forward(x, rounds + 2)


class Holder(Layer):
    """Layers that are held in other ways, one of them used twice."""

    def __init__(self):
        super().__init__()
        shared = Deepest()
        self.blocks = LayerList([Block(), shared])
        self.chain = Sequential(Linear(2, 2), shared)
        self.by_name = {"first": Linear(2, 2, act="relu"), "last": self.chain}
        self.add_sublayer("first", self.by_name["first"])
        self.apply_to = [self.blocks[0], self._outer]

    def _outer(self, x):
        return x if L.reduce_sum(x) > 0 else self.chain(x)

    @declarative
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        for name in sorted(self.by_name):
            x = self.by_name[name](x)
        for function in self.apply_to:
            x = function(x)
        return x


def test_layers_in_layers():
    fluid.default_main_program().random_seed = fluid.default_startup_program().random_seed = 3
    model = Holder()
    for rows in INPUTS:
        found = []
        for on in (False, True):
            ProgramTranslator().enable(on)
            x = to_variable(np.array(rows, "float32"))
            x.stop_gradient = False
            y = model(x)
            L.reduce_sum(y * y).backward()
            gradients = {p.name: p.gradient() for p in model.parameters()}
            found.append({"y": y.numpy(), "x": x.gradient(), **gradients})
            model.clear_gradients()
        for name, value in found[0].items():
            np.testing.assert_allclose(found[1][name], value, rtol=1e-4, atol=1e-6, err_msg=f"{name} of {rows}")


def methods_of_the_library(x):
    helper = fluid.layer_helper.LayerHelper("relu")
    y = helper.create_variable_for_type_inference("float32")
    helper.append_op(type="relu", inputs={"X": x}, outputs={"Out": y})
    return y


FUNCTIONS = [
    mutual_recursion, inner_recursion, over_a_tree, closures_of_one_code, composition, closures_in_a_loop, counts_calls,
    table_of_functions, with_decorator, with_keywords, methods_of_an_object, methods_of_a_subclass, an_object_that_counts,
    grows_until_a_break, grows_until_a_return, grows_in_a_branch, grows_in_an_inner_loop, methods_of_the_library,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_python(function):
    values_agree(function)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients_as_python(function):
    gradients_agree(function)


# --- their lives --------------------------------------------------------------------------------------------------------


def test_a_translation_goes_with_its_function(tmp_path):
    source = "def f(x):\n    if L.reduce_sum(x) > 6:\n        return x - 4\n    return called(x)\ndef called(x):\n    return x * 2\n"
    (tmp_path / "made.py").write_text(source)
    scope = {"L": L, "__name__": "made"}
    exec(compile(source, str(tmp_path / "made.py"), "exec"), scope)
    codes = [weakref.ref(scope[name].__code__) for name in ("f", "called")]
    function = declarative(scope["f"])
    assert function(to_variable(np.ones([2], "float32"))).numpy().tolist() == [2.0, 2.0]
    translated = weakref.ref(convert.translation(scope["f"]).code)
    assert convert.is_translated(translated())
    del function
    scope.clear()
    gc.collect()
    assert [each() for each in (*codes, translated)] == [None] * 3
