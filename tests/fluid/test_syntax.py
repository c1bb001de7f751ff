"""What is said of syntax trees; the expected answers are those that PaddlePaddle 1.8.5 gave."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.fluid.dygraph.dygraph_to_static import data_layer_not_check
from paddle_lite.fluid.dygraph.dygraph_to_static.ifelse_transformer import IfConditionVisitor, get_name_ids
from paddle_lite.fluid.dygraph.dygraph_to_static.static_analysis import NodeVarType as T
from paddle_lite.fluid.dygraph.dygraph_to_static.static_analysis import StaticAnalysisVisitor
from paddle_lite.fluid.dygraph.dygraph_to_static.utils import (
    IsControlFlowVisitor,
    ast_to_source_code,
    index_in_list,
    is_control_flow_to_transform,
)
from paddle_lite.fluid.dygraph.dygraph_to_static.variable_trans_func import (
    create_fill_constant_node,
    to_static_variable,
)

USES = {
    "x.y = f(x.z, g.h(k))": {"x": "Load Load", "k": "Load"},
    "def f(a, *b, c=d, **e):\n  def g(q): return q + w\n  r = lambda t: t + v\n  return g(a)": {
        "a": "Param", "b": "Param", "c": "Param", "d": "Load", "e": "Param", "q": "Param", "t": "Param Load", "v": "Load",
        "r": "Store",
    },
    "x += y": {"x": "Store", "y": "Load"},
    "for i in range(n):\n  s = s + i": {"i": "Store Load", "n": "Load", "s": "Load Store"},
    "[z for z in l if z]": {"z": "Load Store Load", "l": "Load"},
    "a, b = b, a": {"b": "Load Store", "a": "Load Store"},
    "if x:\n  z = 1\nelse:\n  q = 2\nz = 3": {"x": "Load", "z": "Store Store", "q": "Store"},
    "x = y if c else d": {"c": "Load", "y": "Load", "d": "Load", "x": "Store"},
    "with a as b:\n  c": {"a": "Load", "b": "Store", "c": "Load"},
    "del x": {},
}  # fmt: skip


@pytest.mark.parametrize("text", USES)
def test_uses_of_names(text: str) -> None:
    found = get_name_ids([ast.parse(text)])
    assert {name: " ".join(type(use).__name__ for use in uses) for name, uses in found.items()} == USES[text]


def test_uses_of_names_before_a_node() -> None:
    tree = ast.parse("x = 1\nif x:\n  y = x")
    assert list(get_name_ids([tree], tree.body[1])) == ["x"]


CONDITIONS = {
    "not x.numpy()": ("logic_not_0", ["logic_not_0 = fluid.layers.logical_not(x)"]),
    "x.numpy() > 1 and not y": (
        "logic_and_0",
        ["logic_not_0 = fluid.layers.logical_not(y)", "logic_and_0 = fluid.layers.logical_and(x=x > 1, y=logic_not_0)"],
    ),
    "(a and b) or fluid.layers.mean(x)": (
        "logic_or_0",
        [
            "bool_tensor_0 = fluid.layers.fill_constant(shape=[1], dtype='bool', value=bool(a))",
            "bool_tensor_1 = fluid.layers.fill_constant(shape=[1], dtype='bool', value=bool(b))",
            "logic_and_0 = fluid.layers.logical_and(x=bool_tensor_0, y=bool_tensor_1)",
            "bool_tensor_2 = fluid.layers.cast(x=fluid.layers.mean(x), dtype='bool')",
            "logic_or_0 = fluid.layers.logical_or(x=logic_and_0, y=bool_tensor_2)",
        ],
    ),
    "fluid.layers.mean(x) > 1 > y": ("fluid.layers.mean(x) > 1 > y", []),
    "x[0].numpy()": ("x[0]", []),
    "fluid.dygraph.to_variable(x)": (
        "bool_tensor_0",
        ["bool_tensor_0 = fluid.layers.cast(x=fluid.dygraph.to_variable(x), dtype='bool')"],
    ),
    "not fluid.layers.mean(x) > 1": (
        "logic_not_0",
        ["logic_not_0 = fluid.layers.logical_not(fluid.layers.mean(x) > 1)"],
    ),
}


@pytest.mark.parametrize("text", CONDITIONS)
def test_conditions_on_variables(text: str) -> None:
    with fluid.unique_name.guard():
        condition, before = IfConditionVisitor(_expression(text)).transform()
    assert (ast.unparse(condition), [ast.unparse(each) for each in before]) == CONDITIONS[text]


@pytest.mark.parametrize(
    "text", ["a + b", "x is None", "fluid.layers.mean(x) == None", "f(x.numpy())", "x.shape[0] > 1"]
)
def test_conditions_on_numbers(text: str) -> None:
    node = _expression(text)
    visitor = IfConditionVisitor(node)
    assert not visitor.is_control_flow() and visitor.transform() == (node, [])


def test_conditions_on_names_of_known_types() -> None:
    node = _expression("x > 1")
    visitor = IsControlFlowVisitor(node, node_var_type_map={"x": {T.TENSOR}})
    assert visitor.transform() and visitor.get_compare_nodes_with_tensor() == {node}
    assert not IsControlFlowVisitor(node, node_var_type_map={"x": {T.NUMPY_NDARRAY}}).transform()
    tree = ast.parse("n = fluid.layers.shape(x)\nif n[0] > 16 or n:\n  pass")
    assert is_control_flow_to_transform(tree.body[1], StaticAnalysisVisitor(tree))
    assert not is_control_flow_to_transform(tree.body[1])


STATEMENTS = {
    "while fluid.layers.mean(x) > 1:\n  x = 1": True,
    "for i in range(x.numpy()[0]):\n  y = i": True,
    "for i in x.numpy():\n  y": False,
    "for i in range(10):\n  if x.numpy(): break": True,
    "for i in l:\n  if l: continue": False,
    "for i in range(3):\n  if y > 3: break": True,
    "while y:\n  if y > 3: continue": True,
    "while y:\n  y = 1": False,
    "for i in range(3):\n  for j in y:\n    break": False,
    "x = 1": False,
}


@pytest.mark.parametrize("text", STATEMENTS)
def test_statements_on_variables(text: str) -> None:
    assert is_control_flow_to_transform(ast.parse(text).body[0]) is STATEMENTS[text]


TYPES = """
def test(x, y=1):
    b = 3.0
    c = y * b
    d, e = 1, 2
    f = True + c
    g = y < b
    h = "text"
    i = None + 1
    j = np.ones([2]) + 1
    k = fluid.dygraph.to_variable(j) * 0.3
    l = paddle.fluid.data('x', [1])
    m = -(y if g else b)
    n = [1]
    o = not k
    p: int = 3
    def add(x, z):
        if z:
            return x + y
        return False
    q = add(1, 2)
    s = k.numpy()
"""


def test_types_of_names() -> None:
    visitor = StaticAnalysisVisitor(ast.parse(TYPES))
    [scope] = visitor.get_var_env().cur_scope.sub_scopes
    assert scope.name_to_types == {
        "y": {T.INT}, "b": {T.FLOAT}, "c": {T.FLOAT}, "f": {T.FLOAT}, "g": {T.BOOLEAN}, "h": {T.STRING}, "i": {T.UNKNOWN},
        "j": {T.NUMPY_NDARRAY}, "k": {T.TENSOR}, "l": {T.PADDLE_RETURN_TYPES}, "m": {T.INT, T.FLOAT}, "n": {T.LIST},
        "o": {T.TENSOR}, "p": {T.INT}, "add": {T.INT, T.BOOLEAN}, "q": {T.INT, T.BOOLEAN}, "s": {T.NUMPY_NDARRAY},
    }  # fmt: skip
    root = visitor.get_node_wrapper_root()
    assert root.parent is None and all(child.parent is root for child in root.children)
    assert visitor.get_node_to_wrapper_map()[root.node] is root


@pytest.mark.parametrize(
    ("one", "other", "result"),
    [
        (T.BOOLEAN, T.INT, T.INT), (T.FLOAT, T.TENSOR, T.TENSOR), (T.INT, T.NUMPY_NDARRAY, T.NUMPY_NDARRAY),
        (T.UNKNOWN, T.SET, T.SET), (T.STRING, T.STRING, T.STRING), (T.TENSOR, T.NUMPY_NDARRAY, T.UNKNOWN),
        (T.INT, T.STRING, T.UNKNOWN), (T.NONE, T.INT, T.UNKNOWN),
    ],
)  # fmt: skip
def test_types_of_results(one: int, other: int, result: int) -> None:
    assert T.binary_op_output_type(one, other) == T.binary_op_output_type(other, one) == result


def test_texts_and_constants() -> None:
    assert ast_to_source_code(ast.parse("x=(1)")) == "x = 1\n" and ast_to_source_code(ast.parse("x;y").body) == "x\ny\n"
    assert index_in_list([1, 2], 2) == 1 and index_in_list([], 2) == -1
    text = "b = fluid.layers.fill_constant(shape=[1], dtype='{}', value={})\n"
    for value, dtype in ((True, "bool"), (7, "int64"), (1.5, "float64")):
        assert ast_to_source_code(create_fill_constant_node("b", value)) == text.format(dtype, value)
    assert create_fill_constant_node("b", None) is None
    for wrong in (lambda: ast_to_source_code("x"), lambda: IfConditionVisitor("x"), lambda: StaticAnalysisVisitor("x")):
        with pytest.raises(ArgumentTypeError, match=r"should be gast\.AST or ast\.AST, not str"):
            wrong()


def test_variables_of_translated_code() -> None:
    with fluid.program_guard(fluid.Program()):
        x = data_layer_not_check("x", [1, 2, 3])
        assert to_static_variable(3).op.attr("value") == 3.0 and to_static_variable("text") == "text"
        fed = np.ones([1, 2, 4], "float32")
        assert fluid.Executor().run(feed={"x": fed}, fetch_list=[x])[0].shape == (1, 2, 4)


@fluid.dygraph.declarative
def halved(x: Any) -> Any:
    x = fluid.dygraph.to_variable(x)
    while x.numpy()[0] > 1:
        x = x / 2
    return x


def test_translated_code_in_static_mode_reads_values() -> None:
    with fluid.program_guard(fluid.Program()):
        out = halved(np.array([6.0], "float32"))
        assert fluid.Executor().run(fetch_list=[out])[0].tolist() == [0.75]
        with pytest.raises(fluid.core.EnforceNotMet):
            out.numpy()


def _expression(text: str) -> Any:
    return ast.parse(text).body[0].value  # type: ignore[attr-defined]
