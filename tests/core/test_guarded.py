"""Functions and classes of public namespaces: what Python or NumPy raise further down becomes an error about the call."""

from __future__ import annotations

import ast
import inspect
import linecache
import os
import pickle
import sys
import textwrap
import warnings
from types import ModuleType

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core import guarded, lazy, typing
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, EnforceNotMet, IndexRangeError, describe
from paddle_lite.core.guarded import _only_calls_an_operator, boundary, guard, unguarded
from tests.children import run

SOURCE = """
from contextlib import contextmanager
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

@contextmanager
def entered(size, end=1):
    size + 1
    try:
        yield size
    finally:
        1 / end

def outer(numbers, how=None):
    '''Do it.

    Arguments:
        numbers: a list of numbers: at least
            one. Each counts once.
        how, where: what to do: "add" or "multiply".

    Returns:
        A number.
    '''
    return inner(numbers, how)

def inner(values, power):
    return 2 ** power + sum(values)

def reader(step):
    '''Make a reader.

    Arguments:
        step: the distance of two samples.
    '''
    def read():
        yield 1 / step
    return boundary(read)

def first_of(pair):
    '''Return the first.

    Arguments:
        pair: two values.
    '''
    first, second = pair
    return first

class Cell:
    '''A cell.

    Arguments:
        activation: a function. size: its size.
    '''

    def __init__(self, activation, size=1):
        self._activation, self.size = activation, size
    def step(self, inputs):
        activation = self._activation
        return activation(inputs)

class Kept:
    def __init__(self, size):
        self.size = size + 1
    @contextmanager
    def held(self, name):
        yield {}[name]
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
    path = os.path.join(os.path.dirname(lazy.__file__), "of_the_test.py")
    linecache.cache[path] = (len(SOURCE), None, SOURCE.splitlines(keepends=True), path)
    made.__dict__["boundary"] = boundary
    exec(compile(SOURCE, path, "exec"), vars(made))
    monkeypatch.setitem(sys.modules, made.__name__, made)
    yield made
    del linecache.cache[path]


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


def test_errors_say_what_the_docstring_says_about_the_argument_that_failed_further_down(module):
    outer, guarded = guard(module.outer, module), guard(module.inner, module)
    assert outer([1], 2) == 5 and module.inner is guarded
    says = r"needs what its description says: a list of numbers: at least one\. Each counts once\.$"
    with pytest.raises(ArgumentValueError, match=rf"^outer: numbers got int 3, {says}") as caught:
        outer(3, 2)  # `inner`, which is guarded too, knows no argument of this value
    assert type(caught.value.__cause__) is TypeError
    with pytest.raises(
        ArgumentValueError, match=r"^outer: how got str 'x', needs .*: what to do: \"add\" or \"multiply\"\."
    ):
        outer([1], "x")
    with pytest.raises(
        ArgumentValueError, match=r"^reader\.<|^reader: step got int 0, needs .*: the distance of two samples\."
    ):
        next(module.reader(0)())
    with pytest.raises(
        ArgumentValueError, match=r"^first_of: pair got int 5, needs what its description says: two values\."
    ):
        guard(module.first_of, module)(5)


def test_errors_name_what_an_object_was_made_with(module):
    cell = guard(module.Cell, module)([1])
    with pytest.raises(
        ArgumentValueError, match=r"^Cell: activation got list \[1\], needs what its description says: a function\.$"
    ):
        cell.step(3)


def test_calls_of_the_program_s_own_functions_are_no_part_of_the_outer_call(module):
    called, outer = guard(module.called, module), guard(module.outer, module)
    with pytest.raises(ArgumentValueError, match=r"^outer: numbers got int 3"):
        called(lambda: outer(3, 2))


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


def test_context_managers(module):
    entered = guard(module.entered, module)
    with entered(2) as size:
        assert size == 2
    assert entered(2)(lambda: 5)() == 5  # as a decorator
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'size'"):
        entered()
    with pytest.raises(ArgumentValueError, match=r"^entered: size = str 'x'"), entered("x"):
        raise AssertionError
    with pytest.raises(ArgumentValueError, match=r"^entered: .*end = int 0: .*ZeroDivisionError"), entered(2, 0):
        pass
    with pytest.raises(KeyError, match="own") as caught, entered(2):
        raise KeyError("own")
    assert type(caught.value) is KeyError  # of the block
    with pytest.raises(KeyError, match=r"^Kept\.held: name = str 'a'"), guard(module.Kept, module)(1).held("a"):
        pass


def test_a_guarded_function_is_one_object_that_can_be_pickled(module):
    picked = module.picked
    assert guard(picked, module) is guard(picked, module) is module.picked and module.picked is not picked
    assert pickle.loads(pickle.dumps(fluid.layers.pool2d)) is fluid.layers.pool2d
    for function in (fluid.layers.relu, fluid.layers.elementwise_add, fluid.layers.matmul):
        assert function is unguarded(function)  # it only calls an operator, with arguments as they are or checked


def test_functions_that_are_not_guarded_explain_their_errors():
    layers = fluid.layers
    with fluid.dygraph.guard():
        x = layers.ones([2, 2], "float32")
        for wrong in (
            lambda: layers.elementwise_add(x, x, act={"type": "relu", 3: 4}),
            lambda: layers.elementwise_add(x, x, act=3),
            lambda: layers.elementwise_add(x, x, axis="x"),
            lambda: layers.matmul(x, x, alpha=10**400),
            lambda: layers.matmul(x, x, alpha="x"),
            lambda: layers.matmul(x, 3),
        ):
            with pytest.raises(EnforceNotMet):
                wrong()


def _asks_an_argument(node):
    """Whether code asks for the truth of something, or compares it, which may raise an error of NumPy."""
    if isinstance(node, (ast.If, ast.IfExp)):
        return not (isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], (ast.Is, ast.IsNot)))
    return isinstance(node, (ast.BoolOp, ast.BinOp, ast.While, ast.For)) or (
        isinstance(node, ast.Compare) and not isinstance(node.ops[0], (ast.Is, ast.IsNot))
    )


def test_functions_that_are_not_guarded_do_nothing_that_raises_others_errors():
    found = {name: vars(fluid.layers).get(name) or getattr(fluid.layers, name) for name in fluid.layers.__all__}
    plain = {
        n: f for n, f in found.items() if inspect.isfunction(f) and f is unguarded(f) and _only_calls_an_operator(f)
    }
    assert len(plain) > 60
    for name, function in plain.items():
        body = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0].body
        asking = [ast.unparse(node) for each in body for node in ast.walk(each) if _asks_an_argument(node)]
        assert not asking, f"{name}: {asking}; bool() of it would let the namespace guard the function"


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


@pytest.mark.parametrize("function", [fluid.layers.fc, fluid.optimizer.Adam.__init__, fluid.program_guard])
def test_the_arguments_of_a_guarded_function_are_seen(function: object) -> None:
    """Also by `getfullargspec`, which does not follow `__wrapped__`."""
    signature = inspect.signature(unguarded(function))
    assert inspect.signature(function) == signature and str(inspect.signature(function)) == str(signature)
    assert inspect.getfullargspec(function).args == list(signature.parameters)
    assert hash(inspect.signature(function)) == hash(signature)


class _Unprintable:
    def __repr__(self) -> str:
        raise KeyError("mine")


def _nested(depth: int) -> list[object]:
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (_nested(10_000), r"list \[\[\[\[\[\[\[\.\.\."),
        (_Unprintable(), r"_Unprintable whose repr\(\) raises KeyError"),
        (["x" * 1000] * 10**6, r"list \['x"),
        ({n: n for n in range(1000)}, r"dict \{0: 0, 1: 1, "),
        ("x" * 10**8, "str 'xxx"),
    ],
    ids=["nested", "unprintable", "long list", "long dict", "long text"],
)
def test_any_value_can_be_described(value: object, text: str) -> None:
    begun = len(describe(value))
    assert begun < 100
    with fluid.dygraph.guard(), pytest.raises(ArgumentTypeError, match=f"relu: Input\\(X\\) got {text}"):
        fluid.layers.relu(value)


def test_calls_that_nest_too_deeply_are_not_blamed_on_an_argument() -> None:
    with fluid.dygraph.guard():
        net = fluid.dygraph.Linear(2, 2)
        for _ in range(sys.getrecursionlimit()):
            net = fluid.dygraph.Sequential(net)
        x = fluid.dygraph.to_variable(np.ones([1, 2], "float32"))
        for call in (lambda: net(x), net.state_dict):
            with pytest.raises(RecursionError, match=r"the call got more than \d+ nested calls, needs fewer") as caught:
                call()
            assert isinstance(caught.value, EnforceNotMet)


def test_a_variable_has_the_type_variable() -> None:
    scope: dict[str, object] = {"VariableType": typing.Variable, "np": np, "__name__": "paddle_lite.planted"}
    source = "def broken(x: 'VariableType', n: 'VariableType | None' = None):\n    return np.ones(2)[3]\n"
    exec(compile(source, lazy.__file__, "exec", dont_inherit=True), scope)
    broken = boundary(scope["broken"])
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones([2], "float32"))
        with pytest.raises(IndexRangeError, match=r"broken: x = Variable .*IndexError: index 3"):
            broken(x)
    with (
        fluid.program_guard(fluid.Program()),
        pytest.raises(IndexRangeError, match=r"broken: x = Variable .*IndexError"),
    ):
        broken(fluid.data("x", [2]))
    with pytest.raises(ArgumentTypeError, match=r"broken: x got int 3, needs Variable"):
        broken(3)


DROPPED = """
import paddle_lite.fluid as fluid

fluid.dygraph.guard().__enter__()
program, scope = fluid.Program(), fluid.Scope()
fluid.program_guard(program).__enter__()
fluid.scope_guard(scope).__enter__()
fluid.unique_name.guard("mine_").__enter__()
with fluid.dygraph.guard():
    pass
print(fluid.in_dygraph_mode(), fluid.default_main_program() is program, fluid.global_scope() is scope)
print(fluid.unique_name.generate("x"), fluid.dygraph.to_variable(3.0).numpy()[0])
held = fluid.dygraph.guard()
held.__enter__()
held.__exit__(None, None, None)
print(fluid.in_dygraph_mode())
"""


def test_what_is_entered_and_dropped_stays_entered() -> None:
    """As in 1.8.5, whose programs begin with `fluid.dygraph.guard().__enter__()`; the end of the process is quiet."""
    done = run("-c", DROPPED)
    assert done.stdout.split("\n") == ["True True True", "mine_x_0 3.0", "True", ""]
    assert done.stderr == ""


def test_a_block_that_ends_is_not_kept() -> None:
    kept = len(guarded._entered)
    with fluid.program_guard(fluid.Program()), pytest.raises(KeyError), fluid.dygraph.guard():
        assert len(guarded._entered) > kept
        raise KeyError
    assert len(guarded._entered) == kept
    assert not fluid.in_dygraph_mode()
