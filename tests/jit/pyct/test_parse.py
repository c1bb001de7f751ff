"""From functions to trees; the functions below stand where they stand on purpose."""

import ast
import functools

import pytest

from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.jit.pyct.parse import tree_of


def plain(x):
    """doc"""
    return x


class Holder:
    @functools.cache  # noqa: B019
    def method(self):
        def inner():
            return 2

        return inner


pair = (lambda a: a + 1, lambda b: b * 2)
alike = [lambda a: a + 1, lambda a: a + 1, lambda a: a - 1]
in_call = {"key": lambda v: (
    v + 1
)}  # fmt: skip


def test_lines_are_those_of_the_file():
    tree = tree_of(plain)
    assert isinstance(tree, ast.FunctionDef) and tree.name == "plain"
    assert tree.lineno == plain.__code__.co_firstlineno
    assert tree.body[-1].lineno == tree.lineno + 2


def test_methods_and_inner_functions():
    method = Holder.method.__wrapped__
    assert tree_of(method).lineno == method.__code__.co_firstlineno + 1  # the decorator is a line of its own
    inner = method(None)
    assert ast.unparse(tree_of(inner).body[0]) == "return 2"
    assert tree_of(inner).lineno == inner.__code__.co_firstlineno


def test_lambdas_are_told_apart_by_what_they_do():
    assert ast.unparse(tree_of(pair[0])) == "lambda a: a + 1"
    assert ast.unparse(tree_of(pair[1])) == "lambda b: b * 2"
    assert ast.unparse(tree_of(alike[0])) == "lambda a: a + 1"
    assert ast.unparse(tree_of(alike[2])) == "lambda a: a - 1"


def test_a_lambda_over_several_lines():
    assert ast.unparse(tree_of(in_call["key"])) == "lambda v: v + 1"


def test_no_source():
    scope = {}
    exec("def typed(x):\n    return x", scope)
    with pytest.raises(ArgumentValueError, match="the source of typed cannot be read"):
        tree_of(scope["typed"])
