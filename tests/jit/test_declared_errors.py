"""What declared functions say when something cannot be translated: the variable, and the user's file and line."""

from __future__ import annotations

import linecache
import traceback

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    EnforceNotMet,
    ModeError,
    ShapeError,
)
from paddle_lite.core.mode import state, switched
from paddle_lite.fluid.dygraph import ProgramTranslator, declarative, to_variable
from paddle_lite.static.mode.static_mode import static_mode

L = fluid.layers


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


def x_of(*rows):
    return to_variable(np.array(rows or [[1.0, 2.0]], "float32"))


@declarative
def one_branch(x):
    if L.reduce_sum(x) > 0:
        y = x + 1
    return y


@declarative
def other_branch(x):
    if L.reduce_sum(x) > 0:
        pass
    else:
        y = x + 1
    z = y * 2
    return z


@declarative
def different_dtypes(x):
    if L.reduce_sum(x) > 0:
        y = x
    else:
        y = L.cast(x, "int64")
    return y


@declarative
def different_ranks(x):
    y = x
    if L.reduce_sum(x) > 0:
        y = L.reduce_sum(x, dim=1)
    return y


@declarative
def one_returns(x):
    if L.reduce_sum(x) > 0:
        return x


@declarative
def list_in_branch(x):
    items = [x]
    if L.reduce_sum(x) > 0:
        items.append(x)
    return items


@declarative
def texts_in_branch(x):
    names = ["a"]
    if L.reduce_sum(x) > 0:
        names.append("b")
    return x * len(names)


@declarative
def first_in_loop(x):
    i = L.fill_constant([1], "int64", 0)
    while i < 3:
        y = x * 2
        i = i + 1
    return y


@declarative
def dtype_in_loop(x):
    i = L.fill_constant([1], "int64", 0)
    y = x
    while i < 3:
        y = L.cast(y, "float64")
        i = i + 1
    return y


@declarative
def rank_in_loop(x):
    i = L.fill_constant([1], "int64", 0)
    y = x
    while i < 3:
        y = L.unsqueeze(y, [0])
        i = i + 1
    return y


@declarative
def form_in_loop(x):
    i = L.fill_constant([1], "int64", 0)
    state = (x, x)
    while i < 3:
        state = (x,)
        i = i + 1
    return state


@declarative
def inside_only(x):
    i = L.fill_constant([1], "int64", 0)
    while i < 3:
        t = x * 2
        i = i + 1
    return lambda: t


@declarative
def list_returned(x):
    i = L.fill_constant([1], "int64", 0)
    items = []
    while i < 3:
        items.append(x)
        i = i + 1
    return items


@declarative
def many_elements(x):
    if x > 0:
        x = x + 1
    return x


@declarative
def loop_over_many(x):
    while x > 0:
        x = x - 1
    return x


@declarative
def item_on_one_side(x):
    d = {}
    if L.reduce_sum(x) > 0:
        d["a"] = x
    return d


@declarative
def item_in_loop(x):
    d = {}
    i = L.fill_constant([1], "int64", 0)
    while i < 3:
        d["a"] = x
        i = i + 1
    return d


class Holder:
    pass


@declarative
def attribute_on_one_side(x):
    b = Holder()
    if L.reduce_sum(x) > 0:
        b.h = x
    return b.h


@declarative
def list_extended(x):
    items = [x]
    i = L.fill_constant([1], "int64", 0)
    while i < 3:
        items.extend([x])
        i = i + 1
    return items[0]


@declarative
def popped_in_front(x):
    items = [x]
    i = L.fill_constant([1], "int64", 0)
    while i < 3:
        items.append(x)
        items.pop(0)
        i = i + 1
    return items[0]


@declarative
def held_elsewhere(x):
    items = []

    def put(value):
        items.append(value)

    i = L.fill_constant([1], "int64", 0)
    while i < 3:
        put(x * 2)
        i = i + 1
    return items[0] + 1


@declarative
def comprehension(x):
    return [x * i for i in range(L.cast(L.reduce_sum(x), "int64"))]


@declarative
def branch_in_try(x):
    try:
        if L.reduce_sum(x) > 0:
            return x
    finally:
        x = x * 2
    return x


@declarative
def to_numpy(x):
    return x * float(np.sum(x.numpy()))


CASES = [
    (one_branch, ArgumentValueError, "'y' gets no value in the else branch"),
    (other_branch, ArgumentValueError, "'y' gets no value in the if branch"),
    (different_dtypes, ArgumentValueError, "'y' differs between the branches .* dtypes VarType.FP32 and VarType.INT64"),
    (different_ranks, ArgumentValueError, "'y' differs between the branches .* shapes"),
    (one_returns, ArgumentValueError, "the returned value differs between the branches"),
    (list_in_branch, ArgumentTypeError, "a list that grew in a loop or a branch"),
    (texts_in_branch, ArgumentValueError, "'names' differs between the branches .* 2 and 1 elements"),
    (first_in_loop, ArgumentValueError, "'y' gets its first value inside of a loop"),
    (dtype_in_loop, DtypeError, "'y' has dtype VarType.FP32 before a loop and VarType.FP64 after a round"),
    (rank_in_loop, ShapeError, r"'y' has shape \[.*2\] before a loop and \[1, .*2\] after a round"),
    (form_in_loop, ArgumentValueError, "'state' is a tuple of 2 before a loop, and a tuple of 1 after a round"),
    (list_returned, ArgumentTypeError, "a list that grew in a loop"),
    (many_elements, ShapeError, "the condition got shape"),
    (loop_over_many, ShapeError, "the condition got shape"),
    (item_on_one_side, ArgumentValueError, "'d' differs between the branches .* dict and dict"),
    (item_in_loop, ArgumentValueError, "'d' is a dict of 0 before a loop, and a dict of 1 after a round"),
    (attribute_on_one_side, ArgumentValueError, "'b.h' gets no value in the else branch"),
    (list_extended, ArgumentValueError, r"'items' is a list of 1 .* grows by append\(\) alone"),
    (popped_in_front, ArgumentValueError, r"a list that grows in a loop of the Program got pop\(0\)"),
    (held_elsewhere, ArgumentValueError, r"is used after the branch or loop that made it, at .*put\(x \* 2\)"),
    (comprehension, ArgumentValueError, "one whose length a Variable tells"),
    (branch_in_try, ModeError, "bool.. of .* a `try`, `match` or generator around it"),
    (to_numpy, ModeError, r"np.array\(\) of x: the value is not known while a Program is built"),
]


@pytest.mark.parametrize(("function", "error", "text"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_errors_name_variable_and_line(function, error, text):
    with pytest.raises(error, match=text) as caught:
        function(x_of())
    if function not in (list_returned, list_in_branch):
        assert 'test_declared_errors.py", line' in str(caught.value)


def test_the_line_is_that_of_the_statement():
    for function, line in ((one_branch, "if L.reduce_sum(x) > 0:"), (item_in_loop, "while i < 3:")):
        with pytest.raises(ArgumentValueError) as caught:
            function(x_of())
        assert str(caught.value).endswith(f": {line}")


def test_a_recursion_that_a_variable_ends():
    def down(n):
        if n <= 1:
            return n
        return down(n - 1) * 2

    with pytest.raises(ArgumentValueError, match=r"translating .*down does not come to an end"):
        declarative(down)(x_of([3.0]))


def test_attributes_set_to_variables_are_told():
    class Net(fluid.dygraph.Layer):
        @declarative
        def forward(self, x):
            self.hidden = x * 2
            return self.hidden + 1

    with pytest.warns(UserWarning, match=r"sets the attribute 'hidden' of Net .*\n.*self.hidden = x \* 2"):
        Net()(x_of())


def test_a_variable_of_another_program():
    kept = []

    @declarative
    def first(x):
        kept.append(x * 2)
        return x

    @declarative
    def second(x):
        return kept[0] + x

    first(x_of())
    with pytest.raises(ArgumentValueError, match="is a Variable of another Program"):
        second(x_of())


def test_a_list_of_the_module_that_a_branch_makes_longer():
    kept = []

    @declarative
    def grows(x):
        if L.reduce_sum(x) > 0:
            kept.append(x)
        return x

    with pytest.raises(ArgumentValueError, match="'kept' is not a variable of the function"):
        grows(x_of())


def test_tracebacks_show_the_user_s_lines_only():
    @declarative
    def failing(x):
        if L.reduce_sum(x) > 0:
            y = L.matmul(x, x)
        else:
            y = x
        return y

    with pytest.raises(EnforceNotMet) as caught:
        failing(x_of([1.0, 2.0, 3.0]))
    shown = "".join(traceback.format_exception(caught.value))
    assert "y = L.matmul(x, x)" in shown
    assert "_jst" not in shown
    assert "/jit/operators/" not in shown and "/jit/concrete_program.py" not in shown


def test_an_error_of_python_keeps_its_line():
    @declarative
    def failing(x):
        for _ in range(2):
            x = x + {}["missing"]
        return x

    with pytest.raises(KeyError) as caught:
        failing(x_of())
    shown = "".join(traceback.format_exception(caught.value))
    assert 'x = x + {}["missing"]' in shown
    assert "in failing" in shown and "_round_" not in shown


def test_a_run_names_the_user_s_line():
    @declarative
    def picks(x, i):
        return L.gather(x, i)

    picks(x_of(), to_variable(np.array([0], "int64")))
    with pytest.raises(EnforceNotMet, match=r"return L\.gather"):
        picks(x_of(), to_variable(np.array([7], "int64")))


def test_the_traceback_of_a_run_has_no_generated_code():
    @declarative
    def picks(x, i):
        if L.reduce_sum(x) > 0:
            x = L.gather(x, i)
        return x

    with pytest.raises(EnforceNotMet) as caught:
        picks(x_of(), to_variable(np.array([7], "int64")))
    files = [frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert not any(f.startswith("<paddle_lite") or "/plan/" in f for f in files)
    assert 'test_declared_errors.py", line' in str(caught.value)


def test_assert_stops_a_run():
    @declarative
    def small(x):
        assert L.reduce_sum(x) < 10
        return x

    small(x_of())
    with pytest.raises(EnforceNotMet):
        small(x_of([100.0, 1.0]))


def test_no_source():
    scope: dict = {}
    exec("def typed(x):\n    return x", scope)
    with pytest.raises(ArgumentValueError, match="the source of typed cannot be read"):
        declarative(scope["typed"])(x_of())


def test_a_helper_that_was_typed():
    text = "def helper(x):\n    if reduce_sum(x) > 0:\n        return x * 2\n    return x\n"
    for name, known in (("<ipython-input-1>", True), ("<generated>", False)):
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        scope = {"reduce_sum": L.reduce_sum}
        exec(compile(text, name, "exec"), scope)
        helper = scope["helper"]
        declared = declarative(lambda x, helper=helper: helper(x))
        if known:
            assert declared(x_of()).numpy().tolist() == [[2.0, 4.0]]
        else:
            with pytest.raises(ModeError, match="a function without source"):
                declared(x_of())


def test_no_function():
    with pytest.raises(ArgumentTypeError, match="declarative: function got int 3"):
        declarative(3)
    translator = ProgramTranslator()
    for call in (translator.get_func, translator.get_code, translator.get_output, translator.get_program):
        with pytest.raises(ArgumentTypeError, match="dygraph_func"):
            call(3)
    with pytest.raises(ArgumentTypeError, match="enable_declarative"):
        translator.enable("yes")


def test_get_output_needs_imperative_mode():
    with switched(static_mode, state.place, None), pytest.raises(ModeError, match="get_output"):
        ProgramTranslator().get_output(one_branch, np.ones([1, 2], "float32"))


def test_several_lambdas_in_a_line():
    pair = (lambda x: x + 1, lambda x: x * 2)
    assert declarative(pair[1])(x_of()).numpy().tolist() == [[2.0, 4.0]]
