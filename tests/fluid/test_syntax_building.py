"""Parts of syntax trees, `dygraph_to_static.utils` and its kin. The expected texts were measured on PaddlePaddle 1.8.5."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.fluid.dygraph.dygraph_to_static import (
    convert_call_func,
    convert_to_static,
    ifelse_transformer,
    loop_transformer,
    utils,
    variable_trans_func,
)


def expression(text: str) -> Any:
    return ast.parse(text).body[0].value  # type: ignore[attr-defined]


def same(node: Any, text: str) -> bool:
    """Whether a tree is that of a text, apart from how it is written."""
    return ast.dump(ast.parse(utils.ast_to_source_code(node))) == ast.dump(ast.parse(text))


ARGUMENTS = ast.parse("def g(a, b): pass").body[0].args  # type: ignore[attr-defined]
TRUE, FALSE = ast.parse("def t(a): return a\ndef f(a, b): return b").body
cond, loop = ifelse_transformer.create_cond_node, loop_transformer.create_while_node
STATEMENT = ast.parse("x = 1").body[0]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: utils.generate_name_node(["a"]), "a"),
        (lambda: utils.generate_name_node(("a", "b.c")), "(a, b.c)"),
        (lambda: utils.generate_name_node([]), "()"),
        (
            lambda: utils.create_funcDef_node([STATEMENT], "f", ARGUMENTS, ["x", "y"]),
            "def f(a, b):\n x = 1\n return x, y",
        ),
        (lambda: utils.create_funcDef_node([STATEMENT], "f", ARGUMENTS, []), "def f(a, b):\n x = 1\n return"),
        (lambda: utils.create_assign_node(["a", "b"], expression("f()"))[1], "a, b = f()"),
        (
            lambda: utils.get_constant_variable_node("a", 1.5, [2], "float32"),
            "a = fluid.layers.fill_constant([2], 'float32', 1.5)",
        ),
        (lambda: utils.create_api_shape_node(expression("x.y.shape")), "fluid.layers.shape(x.y)"),
        (lambda: utils.create_api_shape_node(expression("x.shape[0]")), "fluid.layers.shape(x)[0]"),
        (lambda: utils.to_assign_node(expression("f(x)")), "fluid.layers.assign(x)"),
        (
            lambda: variable_trans_func.to_static_variable_gast_node("a"),
            "a = fluid.dygraph.dygraph_to_static.variable_trans_func.to_static_variable(a)",
        ),
        (
            lambda: variable_trans_func.create_static_variable_gast_node("a"),
            "a = fluid.dygraph.dygraph_to_static.variable_trans_func.data_layer_not_check(name='a', shape=[-1], "
            "dtype='float32')",
        ),
        (
            lambda: cond(["a", "b"], expression("x > 1"), TRUE, FALSE),
            "a, b = fluid.layers.cond(x > 1, lambda: t(a), lambda: f(a, b))",
        ),
        (lambda: cond([], expression("x"), TRUE, FALSE), "fluid.layers.cond(x, lambda: t(a), lambda: f(a, b))"),
        (
            lambda: cond(None, expression("x"), expression("y"), expression("z"), True),
            "fluid.layers.cond(x, lambda: y, lambda: z)",
        ),
        (lambda: loop("c", "f", ["a", "b"]), "a, b = fluid.layers.while_loop(c, f, [a, b])"),
        (lambda: loop("c", "f", ["self.a"]), "self.a, = fluid.layers.while_loop(c, f, [self.a])"),
        (
            lambda: loop_transformer.LogicalOpTransformer(expression("not (x and y or z)")).transform(),
            "fluid.layers.logical_not(fluid.layers.logical_or(x=fluid.layers.logical_and(x=x, y=y), y=z))",
        ),
    ],
)
def test_nodes(make: Callable[[], Any], text: str) -> None:
    assert same(make(), text)


@pytest.mark.parametrize(
    ("text", "old", "expected"),
    [
        ("x = x + y.x", "x", "z = z + y.x"),
        ("self.x = self.x + x", "self.x", "z = z + x"),
        ("def f(x): return x", "x", "def f(z): return z"),
        ("f(x=x)", "x", "f(x=z)"),
    ],
)
def test_renamed(text: str, old: str, expected: str) -> None:
    tree = ast.parse(text)
    utils.RenameTransformer(tree).rename(old, "z")
    assert same(tree, expected)


CALLS = {  # dygraph, NumPy, PaddlePaddle, to_variable; np.ones raised there, for its file did not import NumPy
    "fluid.layers.relu(x)": (False, False, True, False),
    "np.ones(2)": (False, True, False, False),
    "paddle.fluid.dygraph.Linear(1, 2)": (True, False, True, False),
    "fluid.dygraph.Linear(1, 2)(x)": (True, False, True, False),
    "to_variable(x)": (True, False, True, True),
    "fluid.dygraph.to_variable(x)": (True, False, True, True),
    "self.fc(x)": (False, False, False, False),
    "x.numpy()": (False, False, False, False),
    "Linear(1, 2)": (False, False, False, False),
}


@pytest.mark.parametrize("text", CALLS)
def test_whose_call_it_is(text: str) -> None:
    tests = (utils.is_dygraph_api, utils.is_numpy_api, utils.is_paddle_api, utils.is_to_variable)
    assert tuple(test(expression(text)) for test in tests) == CALLS[text]


def test_conditions() -> None:
    texts = ["x == None", "None is x", "x is not None", "x > 1", "not x", "x and y", "x", "f(x)"]
    assert [utils.compare_with_none(expression(text)) for text in texts] == [True] * 3 + [False] * 5
    assert [utils.is_candidate_node(expression(text)) for text in texts] == [True] * 6 + [False] * 2


def test_functions_of_trees() -> None:
    outer = 5

    def add(x: int) -> int:
        return x + outer

    function, path = utils.ast_to_func(ast.parse("def add(x): return np.array(x - outer)"), add)
    assert (function(7), function.__code__.co_filename) == (2, path)
    with pytest.raises(ArgumentValueError, match="the definition of add"):
        utils.ast_to_func(ast.parse("def other(): pass"), add)
    with pytest.raises(ArgumentTypeError, match="a Python function"):
        utils.ast_to_func(ast.parse("def other(): pass"), len)


def positive(x: Any) -> Any:
    if fluid.layers.reduce_mean(x) > 0:
        x = x + 1
    return x


def test_functions_that_build_programs() -> None:
    with fluid.program_guard(fluid.Program()):
        result = convert_to_static(positive)(fluid.data("x", [2]))
        assert any(op.type == "conditional_block" for op in fluid.default_main_program().global_block().ops)
        (value,) = fluid.Executor().run(feed={"x": np.ones(2, "float32")}, fetch_list=[result])
    assert value.tolist() == [2, 2]
    assert [convert_call_func.is_builtin(each) for each in (len, int, positive, [].append)] == [True, True, False, True]
    assert [convert_call_func.is_paddle_func(each) for each in (fluid.layers.relu, len, positive)] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: utils.generate_name_node(3), ArgumentTypeError),
        (lambda: utils.get_attribute_full_name(expression("a")), ArgumentTypeError),
        (lambda: utils.create_api_shape_node(expression("y")), ArgumentTypeError),
        (lambda: utils.to_assign_node(expression("y")), ArgumentTypeError),
        (lambda: utils.is_paddle_api(expression("y")), ArgumentTypeError),
        (lambda: utils.to_static_api("Linear"), ArgumentValueError),
    ],
)
def test_wrong_arguments(call: Callable[[], Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        call()
