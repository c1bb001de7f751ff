"""The steps of the translation on syntax trees: what they find was measured on PaddlePaddle 1.8.5, what they write is run."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import gast
import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.fluid.dygraph.dygraph_to_static import (
    DygraphToStaticAst,
    ast_transformer,
    basic_api_transformer,
    break_continue_transformer,
    ifelse_transformer,
    loop_transformer,
    print_transformer,
    utils,
)
from paddle_lite.fluid.dygraph.dygraph_to_static.static_analysis import StaticAnalysisVisitor

steps = ast_transformer
PACKAGES = pytest.mark.parametrize("package", [ast, gast], ids=["ast", "gast"])


def loop(x):
    i = fluid.layers.fill_constant([1], "int32", 0)
    while i < 4 and fluid.layers.reduce_sum(x) < 50:
        i = i + 1
        x = x * 2.0
    return x


def count(x):
    total = fluid.layers.zeros([1], "float32")
    n = fluid.layers.cast(fluid.layers.reduce_sum(x), "int32")
    for _ in range(n):
        total = total + 1.0
    return total


def leave(x):
    for i in range(10):
        x = x + 1
        if i > 2:
            break
        x = x * 2
    return x + i


def go_on(x):
    i = fluid.layers.fill_constant([1], "int32", 0)
    while i < 6:
        i = i + 1
        if i > 3:
            continue
        x = x + 1
    return x


def choose(x):
    if fluid.layers.mean(x) > 1 and not fluid.layers.mean(x) > 100:
        y = x - 1
        z = 2 * y
    else:
        y = x + 1
        z = y
    return z if fluid.layers.mean(y) > 0 else -z


def gather(x):
    items = []
    for _ in range(3):
        items.append(x)
        x = x + 1
    items[0] = x
    return fluid.layers.concat(items, axis=0)


def helper(x):
    return choose(x) if fluid.layers.mean(x) > 0 else x


def call(x):
    y = helper(x)
    return fluid.layers.relu(y) + len([y])


def sizes(x):
    return fluid.layers.reshape(x, [x.shape[0] * x.shape[1], 1])


def constant(x):
    y = fluid.dygraph.to_variable(np.ones([2, 3], "float32"))
    return x + y


FUNCTIONS = {
    loop: steps.LoopTransformer, count: steps.LoopTransformer, leave: steps.BreakContinueTransformer,
    go_on: steps.BreakContinueTransformer, choose: steps.IfElseTransformer, gather: steps.ListTransformer,
    call: steps.CallTransformer, sizes: steps.TensorShapeTransformer, constant: steps.BasicApiTransformer,
}  # fmt: skip


def tree_of(function: Callable, package: Any) -> Any:
    return package.parse(textwrap.dedent(inspect.getsource(function)))


def wrapped(tree: Any) -> Any:
    return StaticAnalysisVisitor(tree).get_node_wrapper_root()


def in_program(function: Callable, x: np.ndarray) -> np.ndarray:
    main = fluid.Program()
    with fluid.program_guard(main):
        result = function(fluid.data("x", [-1, 3]))
    return fluid.Executor(fluid.CPUPlace()).run(main, {"x": x}, [result])[0]


def at_once(function: Callable, x: np.ndarray) -> np.ndarray:
    with fluid.dygraph.guard():
        return function(fluid.dygraph.to_variable(x)).numpy()


INPUTS = [np.full([2, 3], value, "float32") for value in (-1, 0.5, 3)]


@PACKAGES
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_what_one_step_writes_computes_the_same(function: Callable, package: Any) -> None:
    tree = tree_of(function, package)
    FUNCTIONS[function](wrapped(tree)).transform()
    assert isinstance(tree, package.Module)
    made, _ = utils.ast_to_func(tree, function)
    for x in INPUTS:
        np.testing.assert_array_equal(at_once(made, x), at_once(function, x))


@pytest.mark.parametrize("function", [loop, count, choose, call, sizes, constant], ids=lambda f: f.__name__)
def test_what_one_step_writes_builds_a_program(function: Callable) -> None:
    """The step is the one that the function needs: without it, a Program cannot be built of the first five."""
    tree = tree_of(function, gast)
    FUNCTIONS[function](wrapped(tree)).transform()
    made, _ = utils.ast_to_func(tree, function)
    for x in INPUTS:
        np.testing.assert_array_equal(in_program(made, x), at_once(function, x))


@PACKAGES
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_all_steps_build_a_program(function: Callable, package: Any) -> None:
    tree = tree_of(function, package)
    translation = DygraphToStaticAst()
    assert translation.get_static_ast(tree).node is tree
    assert translation.get_module_name() == function.__name__
    made, _ = utils.ast_to_func(tree, function)
    for x in INPUTS:
        np.testing.assert_array_equal(in_program(made, x), at_once(function, x))


def test_steps_follow_each_other() -> None:
    """A flag that `break` has become ends the loop in the step after it, too, and made-up names do not meet."""

    def nested(x):
        for i in range(4):
            for _ in range(3):
                if fluid.layers.mean(x) > 20.0:
                    break
                x = x + 1
            if i > 2:
                break
            x = x * 2
        return x

    tree = tree_of(nested, gast)
    for step in (steps.BreakContinueTransformer, steps.LoopTransformer, steps.IfElseTransformer):
        step(wrapped(tree)).transform()
    text = utils.ast_to_source_code(tree)
    assert "break" not in text and "until" not in text and "for " not in text
    made, _ = utils.ast_to_func(tree, nested)
    for x in INPUTS:
        np.testing.assert_array_equal(in_program(made, x), at_once(nested, x))


def test_a_step_leaves_what_is_not_its_own() -> None:
    text = "def f(x):\n    while x:\n        if x:\n            x = g(x)\n    return x\n"
    for step in (steps.BreakContinueTransformer, steps.ListTransformer, steps.TensorShapeTransformer):
        tree = gast.parse(text)
        step(wrapped(tree)).transform()
        assert utils.ast_to_source_code(tree) == text
    tree = gast.parse(text)
    steps.IfElseTransformer(wrapped(tree)).transform()
    assert "while x:" in utils.ast_to_source_code(tree)
    tree = gast.parse(text)
    steps.LoopTransformer(wrapped(tree)).transform()
    assert "if x:" in utils.ast_to_source_code(tree)


def test_print_runs_with_the_program(capfd: pytest.CaptureFixture[str]) -> None:
    def shows(x):
        print(x)
        return x

    tree = tree_of(shows, gast)
    print_transformer.PrintTransformer(wrapped(tree)).transform()
    made, _ = utils.ast_to_func(tree, shows)
    in_program(made, INPUTS[2])
    assert "3" in "".join(capfd.readouterr())


def test_names_of_feeds_and_decorators() -> None:
    text = (
        "@fluid.dygraph.declarative\ndef f(a, x, *y, z=3):\n    a = fluid.dygraph.to_variable(x)\n"
        "    b = fluid.dygraph.to_variable(q)\n    c = to_variable(value=a)\n    return a\n"
    )
    translation = DygraphToStaticAst()
    with fluid.unique_name.guard():
        tree = translation.get_static_ast(gast.parse(text)).node
    assert translation.get_feed_name_to_idx() == {"x_0": 1, "q_0": None, "a_0": 0}
    assert tree.body[0].decorator_list == []


@pytest.mark.parametrize(
    "text", ["@other\ndef f(x):\n    return x", "@declarative\n@other(1)\ndef f(x):\n    return x"]
)
def test_other_decorators_are_refused(text: str) -> None:
    with pytest.raises(NotImplementedError, match=r"f got the decorator other, needs .* Remove it"):
        DygraphToStaticAst().get_static_ast(gast.parse(text))


def test_wrong_trees() -> None:
    with pytest.raises(IndexError, match="needs a function"):
        DygraphToStaticAst().get_static_ast(gast.parse("x = 1"))
    with pytest.raises(ArgumentTypeError, match=r"should be gast\.AST or ast\.AST, not str"):
        DygraphToStaticAst().get_static_ast("x")
    for step in (*FUNCTIONS.values(), print_transformer.PrintTransformer):
        with pytest.raises(AssertionError, match=r"wrapper_root got Module.*, needs an AstNodeWrapper"):
            step(gast.parse("x = 1"))


# --- calls of imperative mode ---------------------------------------------------------------------------------------------


def test_schedules_become_functions_where_they_are_called() -> None:
    text = """
def f(x):
    d = fluid.dygraph.NoamDecay(10, warmup_steps=20)
    e = fluid.dygraph.PiecewiseDecay([1], [0.1, 0.2], 0)
    d()
    fluid.dygraph.to_variable(x)
    a = g(fluid.dygraph.to_variable(x))
    l = fluid.dygraph.Linear(3, 4)
    if x:
        z = e()
    return l(z), fluid.dygraph.to_variable(x)
"""
    expected = """
def f(x):
    fluid.layers.noam_decay(d_model=10, warmup_steps=20)
    a = g(fluid.layers.assign(x))
    l = fluid.dygraph.Linear(3, 4)
    if x:
        z = fluid.layers.piecewise_decay(boundaries=[1], values=[0.1, 0.2])
    return (l(z), fluid.dygraph.to_variable(x))
"""
    tree = gast.parse(text)
    wrapper = wrapped(tree)
    assert basic_api_transformer.BasicApiTransformer(wrapper).transform() is wrapper
    assert utils.ast_to_source_code(tree).strip() == expected.strip()


def calls(*texts: str) -> list[Any]:
    return [gast.parse(text).body[0].value for text in texts]


def text_of(node: Any) -> str:
    return utils.ast_to_source_code(node).strip()


@pytest.mark.parametrize(
    ("given", "schedule", "text"),
    [
        ("d()", "fluid.dygraph.NoamDecay(10, warmup_steps=3)", "fluid.layers.noam_decay(10, warmup_steps=3)"),
        ("d()", "PolynomialDecay", None),
        ("l(x)", "fluid.dygraph.Linear(10, 20)", None),
    ],
)
def test_to_static_ast(given: str, schedule: str, text: str | None) -> None:
    node, made_by = calls(given, schedule if "(" in schedule else f"fluid.layers.{schedule}Layer(1)")
    if text is None:
        with pytest.raises(NotImplementedError, match="needs a schedule: CosineDecay"):
            utils.to_static_ast(node, made_by)
        return
    assert utils.to_static_ast(node, made_by) is node and text_of(node) == text


def test_names_of_arguments() -> None:
    schedule, layer, unknown = calls("fluid.dygraph.NoamDecay(1, 2)", "fluid.dygraph.Linear(1, 2)", "g(1)")
    for text, of, method, expected in (
        ("l(x)", schedule, "__init__", "l(d_model=x)"),
        ("l(x)", layer, "forward", "l(input=x)"),
        ("l(x, 4, act=y)", layer, "__init__", "l(input_dim=x, output_dim=4, act=y)"),
    ):
        [node] = calls(text)
        utils.update_args_of_func(node, of, method)
        assert text_of(node) == expected
    [node] = calls("l(x)")
    with pytest.raises(ValueError, match="'__init__' or 'forward'"):
        utils.update_args_of_func(node, layer, "zzz")
    with pytest.raises(NameError, match="got g, needs a function or class by its full name"):
        utils.update_args_of_func(node, unknown, "__init__")
    with pytest.raises(IndexError, match="1 arguments, needs at most 0"):
        utils.update_args_of_func(node, schedule, "forward")


def test_keywords() -> None:
    for text, name, expected in (
        ("f(a, output_dim=3, size=5)", "Linear", "f(a, size=3, size=5, num_flatten_dims=-1)"),
        ("f(input=a, output_dim=3)", "BilinearTensorProduct", "f(input=a, size=3)"),
        ("f(input=3)", "PRelu", "f(x=3)"),
        ("f(a, output_dim=3)", "Conv2D", "f(a, output_dim=3)"),
    ):
        [node] = calls(text)
        utils._add_keywords_to(node, name)
        assert text_of(node) == expected
    [node] = calls("fluid.layers.fc(a, size=3, zzz=2, act=None)")
    utils._delete_keywords_from(node)
    assert text_of(node) == "fluid.layers.fc(a, size=3, act=None)"


# --- loops --------------------------------------------------------------------------------------------------------------

LOOPS = {
    "def f(x, n, k):\n    m = 1\n    while x < n:\n        x = x + m\n        u = k\n        w = u\n    k = 3\n    return w": ("k n w x", "w"),
    "def f(x):\n    while x < 3:\n        y = 2\n    y = 3\n    return y": ("x y", "y"),
    "def f(x):\n    y = 1\n    while x < 3:\n        z = y\n        y = 2\n    z = 3": ("x y", ""),
    "def f(self, x):\n    self.a = 1\n    while x < self.n:\n        self.a = x\n        x = self.c\n    return self.a": ("x", ""),
    "def f(x):\n    for i, j in enumerate(x):\n        s = i\n    return s, j": ("i j s x", "s"),
    "def f(x):\n    foo = Foo()\n    while x < 10:\n        foo.b = x + foo.a\n        x += 1\n    return foo.b": ("foo.b x", "foo.b"),
    "def f(x):\n    z = 2\n    while x < 3:\n        z = g(x)\n        e = lambda q: q + z\n    return x": ("x z", ""),
    "def f(x):\n    n = fluid.layers.ones([1], 'int32')\n    for i in range(n):\n        x = x[i]": ("i n x", ""),
    "def f(x):\n    for i in range(x):\n        (lambda: i)()(x.a[0])[i].b = 1": ("i x", ""),
}  # fmt: skip


@PACKAGES
@pytest.mark.parametrize("text", LOOPS)
def test_names_that_loops_carry(text: str, package: Any) -> None:
    tree = package.parse(text)
    visitor = loop_transformer.NameVisitor(tree)
    [node] = [each for each in ast.walk(tree) if type(each).__name__ in ("While", "For")]
    carried, made = LOOPS[text]
    assert visitor.get_loop_var_names(node) == (set(carried.split()), set(made.split()))


def test_loops_on_variables() -> None:
    tree = ast.parse("x = fluid.layers.ones([1])\nwhile x < 3:\n    x = x + 1\nwhile y < 3:\n    y = x")
    visitor = loop_transformer.NameVisitor(tree)
    assert [visitor.is_control_flow_loop(node) for node in tree.body[1:]] == [True, False]
    with pytest.raises(ArgumentValueError, match="node got Assign, needs a node While or For of the tree"):
        visitor.get_loop_var_names(tree.body[0])


@PACKAGES
@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        ("n", "i = fluid.layers.fill_constant([1], 'int64', 0)\nwhile i < n and (not b):\n    s = s + i\n    i += 1"),
        ("a, n", "i = a\nwhile i < n and (not b):\n    s = s + i\n    i += 1"),
        ("9, 0, -2", "i = 9\nwhile i > 0 and (not b):\n    s = s + i\n    i += -2"),
        ("a, n, c", "i = a\nwhile i < n and (not b):\n    s = s + i\n    i += c"),
    ],
)
def test_for_becomes_while(bounds: str, text: str, package: Any) -> None:
    tree = package.parse(f"if c:\n    pass\nelse:\n    for i in range({bounds}):\n        s = s + i")
    parent, condition = tree.body[0], package.parse("not b").body[0].value
    break_continue_transformer.ForToWhileTransformer(parent, parent.orelse[0], condition).transform()
    assert text_of(parent.orelse) == text


@pytest.mark.parametrize("head", ["i in x", "i, j in range(n)", "i in x.range(n)"])
def test_other_loops_stay(head: str) -> None:
    tree = ast.parse(f"for {head}: pass")
    loop = tree.body[0]
    transformer = break_continue_transformer.ForToWhileTransformer(tree, loop, ast.Constant(True))
    transformer.transform()
    assert tree.body == [loop]
    with pytest.raises(ArgumentValueError, match="parent_node got no such loop"):
        break_continue_transformer.ForToWhileTransformer(loop, loop, ast.Constant(True)).transform()


# --- branches -----------------------------------------------------------------------------------------------------------

BRANCHES = """
def f(x):
    a = 1
    if x > 1:
        b = a
        if x > 2:
            c = b
        d = x
    elif x > 3:
        d = x
    else:
        d = c
        a = 3
    def g(y):
        return y
    while x:
        x = d
"""


@PACKAGES
def test_names_before_a_node(package: Any) -> None:
    def kinds(end: Any) -> dict[str, list[str]]:
        visitor = ifelse_transformer.NameVisitor(end)
        visitor.visit(tree)
        assert visitor.ancestor_nodes == [] and visitor._is_finished is (end is not None)
        return {name: [type(use).__name__ for use in uses] for name, uses in visitor.name_ids.items()}

    tree = package.parse(BRANCHES)
    outer, inner, other = (node for node in ast.walk(tree) if type(node).__name__ == "If")
    [loop] = (node for node in ast.walk(tree) if type(node).__name__ == "While")
    if inner.lineno > other.lineno:
        inner, other = other, inner
    assert kinds(outer) == {"x": ["Param"], "a": ["Store"]}
    assert kinds(inner) == {"x": ["Param"], "a": ["Store", "Load"], "b": ["Store"]}
    assert kinds(other) == {"x": ["Param"], "a": ["Store"]}
    assert kinds(loop) == {"x": ["Param"], "a": ["Store"], "d": ["Store"]}
    assert kinds(None)["d"] == ["Store", "Store", "Store", "Load"]


L, S, P = gast.Load(), gast.Store(), gast.Param()


def test_arguments_of_branches() -> None:
    uses = {"x": [L], "y": [L, S], "z": [S], "w": [S, L], "p": [P, L]}
    for more, ctx, names in (
        (None, None, "x, y"),
        (["z", "w", "q"], None, "q, w, x, y, z"),
        (["z"], gast.Store, "w, z"),
        ([], gast.Param, "p"),
    ):
        assert text_of(ifelse_transformer.parse_cond_args(uses, more, *([ctx] if ctx else []))) == names
    with pytest.raises(IndexError, match="no use of u"):
        ifelse_transformer.parse_cond_args({"u": []})


@pytest.mark.parametrize(
    ("before", "yes", "no", "returned", "changed"),
    [
        (
            {"x": [L], "y": [L, S], "n": [L]},
            {"x": [S], "z": [S], "k": [L]},
            {"z": [S], "y": [L], "q": [S, L]},
            "xz",
            "x",
        ),
        ({"q": [L], "x": [P]}, {"x": [S], "z": [S], "k": [L]}, {"z": [L], "q": [S, L]}, "qx", "qx"),
        ({"x": [S]}, {"x": [S, L], "y": [L, S]}, {}, "x", "x"),
        ({}, {"a": [S]}, {"a": [L]}, "", ""),
        ({"a": [L]}, {"a": [L, S]}, {"b": [S]}, "a", "a"),
        ({"b": [S]}, {"a": [L, S]}, {"b": [L, L]}, "", ""),
    ],
)
def test_what_branches_return(before: Any, yes: Any, no: Any, returned: str, changed: str) -> None:
    assert ifelse_transformer.parse_cond_return(before, yes, no) == (list(returned), list(changed))


@PACKAGES
@pytest.mark.parametrize(
    ("body", "yes", "no", "names"),
    [
        (
            "    y = 1\n    if x > 1:\n        y = x\n        z = 3\n    else:\n        q = y\n    return y, z\n",
            "def true_fn_0(x, y):\n    y = x\n    z = 3\n    return y",
            "def false_fn_0(y):\n    q = y\n    return y",
            ["y"],
        ),
        (
            "    y = 1\n    if x > 1:\n        y = x\n    return y\n",
            "def true_fn_0(x, y):\n    y = x\n    return y",
            "def false_fn_0(y):\n    return y",
            ["y"],
        ),
        (
            "    if x > 1:\n        z = x\n    else:\n        z = 2\n        k = 3\n    return z, k\n",
            "def true_fn_0(x):\n    z = x\n    return z",
            "def false_fn_0():\n    z = 2\n    k = 3\n    return z",
            ["z"],
        ),
    ],
)
def test_functions_of_branches(body: str, yes: str, no: str, names: list[str], package: Any) -> None:
    tree = package.parse(f"def f(x):\n{body}")
    node = next(each for each in tree.body[0].body if type(each).__name__ == "If")
    with fluid.unique_name.guard():
        first, second, returned = ifelse_transformer.transform_if_else(node, tree)
    assert (text_of(first), text_of(second), returned) == (yes, no, names)


@PACKAGES
@pytest.mark.parametrize(
    ("text", "result", "before"),
    [
        ("x > 1", "x > 1", []),
        ("x", "bool_tensor_0", ["bool_tensor_0 = fluid.layers.cast(x=x, dtype='bool')"]),
        ("x[0]", "bool_tensor_0", ["bool_tensor_0 = fluid.layers.cast(x=x[0], dtype='bool')"]),
        ("-x", "-x", []),
        ("x.numpy()", "x", []),
        ("fluid.layers.mean(x).numpy()", "fluid.layers.mean(x)", []),
        ("not x", "logic_not_0", ["logic_not_0 = fluid.layers.logical_not(x)"]),
        (
            "x > 1 and f(x)",
            "logic_and_0",
            [
                "bool_tensor_0 = fluid.layers.fill_constant(shape=[1], dtype='bool', value=bool(f(x)))",
                "logic_and_0 = fluid.layers.logical_and(x=x > 1, y=bool_tensor_0)",
            ],
        ),
    ],
)
def test_conditions_by_their_comparisons(text: str, result: str, before: list[str], package: Any) -> None:
    node = package.parse(text).body[0].value
    transformer = ifelse_transformer.NodeTestTransformer(node)
    transformer.set_compare_nodes_with_tensor({each for each in ast.walk(node) if type(each).__name__ == "Compare"})
    with fluid.unique_name.guard():
        assert text_of(transformer.transform()) == result
    assert [text_of(each) for each in transformer.get_new_assign_nodes()] == before


def test_comparisons_of_python_become_constants() -> None:
    transformer = ifelse_transformer.NodeTestTransformer(ast.parse("x > 1").body[0].value)  # type: ignore[attr-defined]
    with fluid.unique_name.guard():
        transformer.transform()
    assert "value=bool(x > 1)" in text_of(transformer.get_new_assign_nodes())
    tree = ast.parse("x = fluid.layers.ones([1])\nx and y")
    known = StaticAnalysisVisitor(tree).get_node_to_wrapper_map()
    transformer = ifelse_transformer.NodeTestTransformer(tree.body[1].value, None, known)  # type: ignore[attr-defined]
    transformer.transform()
    assert "cast(x=x, dtype='bool')" in text_of(transformer.get_new_assign_nodes()[0])
