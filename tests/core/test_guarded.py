"""Functions and classes of public namespaces: what Python or NumPy raise further down becomes an error about the call."""

from __future__ import annotations

import inspect
import pickle
import sys
import warnings
from types import ModuleType

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core import lazy
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, EnforceNotMet, IndexRangeError
from paddle_lite.core.guarded import boundary, guard, unguarded

SOURCE = """
import numpy as np

def picked(values, index: int = 0, *, name=None):
    return values[index]

def texts(value: str | None, count: list[int] = ()):
    return value.upper() * sum(count)

def called(function):
    return function()

def pieces(values):
    for each in values:
        yield 1 / each

class Kept:
    def __init__(self, size):
        self.size = size + 1
    def found(self, name):
        return {}[name]
    @staticmethod
    def plain(x):
        return x.missing
"""


@pytest.fixture
def module(monkeypatch):
    """A module of paddle_lite."""
    made = ModuleType("paddle_lite.of_the_test")
    exec(compile(SOURCE, lazy.__file__, "exec"), vars(made))
    monkeypatch.setitem(sys.modules, made.__name__, made)
    return made


def test_errors_name_the_call_and_the_argument(module):
    picked = guard(module.picked, module)
    with pytest.raises(
        IndexRangeError, match=r"^picked: values = list \[1\], index = int 3: .*IndexError: list index out of range"
    ) as caught:
        picked([1], 3)
    assert isinstance(caught.value, IndexError) and isinstance(caught.value.__cause__, IndexError)
    with pytest.raises(ArgumentTypeError, match=r"^picked: index got str 'x', needs int\."):
        picked([1], "x")
    with pytest.raises(ArgumentTypeError, match=r"^texts: value got int 3, needs str \| None\."):
        guard(module.texts, module)(3)
    with pytest.raises(ArgumentTypeError, match=r"^texts: count got list \['a'\], needs list\[int\]\."):
        guard(module.texts, module)("x", ["a"])
    with pytest.raises(AttributeError) as caught:
        guard(module.texts, module)(None)
    assert isinstance(caught.value, EnforceNotMet)


def test_what_works_and_what_python_says_stays(module):
    picked = guard(module.picked, module)
    assert picked([1, 2], index=1) == 2
    assert inspect.signature(picked) == inspect.signature(unguarded(picked)) and picked.__name__ == "picked"
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'values'") as caught:
        picked()
    assert not isinstance(caught.value, EnforceNotMet)


def test_errors_of_the_program_s_own_functions_stay(module):
    def own():
        return {}["own"]

    with pytest.raises(KeyError) as caught:
        guard(module.called, module)(own)
    assert type(caught.value) is KeyError


def test_classes_and_their_methods(module):
    kept = guard(module.Kept, module)
    assert kept is module.Kept and kept(1).size == 2
    with pytest.raises(ArgumentValueError, match=r"^Kept: size = str 'x'"):
        kept("x")
    with pytest.raises(KeyError, match=r"^Kept\.found: name = str 'a'"):
        kept(1).found("a")
    with pytest.raises(ArgumentValueError, match=r"^Kept\.plain: x = int 3"):
        kept.plain(3)


def test_generators(module):
    found = guard(module.pieces, module)([2, 0])
    assert next(found) == 0.5
    with pytest.raises(ArgumentValueError, match=r"^pieces: .*ZeroDivisionError"):
        next(found)


def test_a_guarded_function_is_one_object_that_can_be_pickled(module):
    picked = module.picked
    assert guard(picked, module) is guard(picked, module) is module.picked and module.picked is not picked
    assert pickle.loads(pickle.dumps(fluid.layers.pool2d)) is fluid.layers.pool2d
    assert fluid.layers.relu is unguarded(fluid.layers.relu)  # it only calls an operator


def test_names_of_results_and_lines_of_warnings_are_the_program_s():
    with fluid.program_guard(fluid.Program()), fluid.unique_name.guard():
        x = fluid.data("x", [2, 3])
        assert fluid.layers.reduce_mean(x, name="mine").name.startswith("mine")
    with fluid.dygraph.guard(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        net = fluid.dygraph.Linear(2, 2)
        net.set_dict({**net.state_dict(), "other": np.ones(1)})
    assert [each.filename for each in caught] == [__file__]


def test_a_function_that_is_not_offered_can_be_guarded_too():
    scope: dict = {}
    exec(compile("def half(x):\n    return x / 2\n", lazy.__file__, "exec"), scope)
    with pytest.raises(ArgumentValueError, match=r"^half: x = str 'x'"):
        boundary(scope["half"])("x")
