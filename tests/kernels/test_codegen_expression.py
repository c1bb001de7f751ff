"""The expression language: what it takes, what it refuses, and that text and nodes are the same thing."""

import pytest
from hypothesis import given

from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.kernels.codegen import Pointwise
from paddle_lite.kernels.codegen.expression import make, name, names, number, numeric_names, parse, share, text
from paddle_lite.kernels.codegen.functions import FUNCTIONS
from tests.kernels.codegen_cases import CASES, GRADIENTS, TRUTHS, expressions

ALL = {key: case.expression for key, case in (CASES | TRUTHS | GRADIENTS).items()}


@pytest.mark.parametrize("expression", ALL.values(), ids=ALL.keys())
def test_text_reads_back_to_the_same_node(expression):
    node = parse(expression)
    assert parse(text(node)) is node


@given(expressions())
def test_text_of_any_expression_reads_back_to_the_same_node(expression):
    node = parse(expression)
    assert parse(text(node)) is node


def test_equal_expressions_are_one_object():
    assert parse("exp(x) * (y + 1)") is parse("exp( x )*(y+1)")
    assert parse("x - 1") is not parse("x - 1.0")
    assert parse("-0.0") is not parse("0.0")


def test_chained_comparisons_and_many_arguments_fold():
    assert text(parse("0 < x <= 1 < y")) == "(0 < x and x <= 1) and 1 < y"
    assert parse("max(x, y, 0)") is parse("max(max(x, y), 0)")
    assert parse("pow(x, 2)") is parse("x ** 2")


def test_a_negative_number_is_a_negated_one():
    assert number(-2) is make("neg", number(2))
    assert text(make("**", number(-2), number(2))) == "(-2) ** 2"


def test_names_tell_numbers_from_tests():
    node = parse("x if mask else y + alpha if beta else 0")
    assert names(node) == {"x", "mask", "y", "alpha", "beta"}
    assert numeric_names(node) == {"x", "y", "alpha"}
    assert numeric_names(name("x")) == {"x"}


def test_share_names_what_is_used_twice():
    steps, results = share([parse("exp(x) * exp(x)"), parse("exp(x) + 1")])
    assert [(key, text(node)) for key, node in steps] == [("_0", "exp(x)")]
    assert list(map(text, results)) == ["_0 * _0", "_0 + 1"]


@pytest.mark.parametrize("key", FUNCTIONS)
def test_each_function_is_described_in_the_language(key):
    function = FUNCTIONS[key]
    for expression in (*function.derivatives, *filter(None, [function.meaning])):
        assert names(parse(expression, function.arguments)) <= set(function.arguments)


REFUSED = {
    "z + 1": "one of the declared names (alpha, x)",
    "x.real": "function calls",
    "x[0]": "function calls",
    "__import__('os')": "a function of the language",
    "eval(x)": "a function of the language",
    "x.exp()": "function calls",
    "(lambda: x)()": "function calls",
    "exp(x, x)": "1 argument",
    "exp()": "1 argument",
    "exp(*x)": "1 argument",
    "exp(u=x)": "function calls",
    "min(x)": "2 arguments or more",
    "pow(x, 2, 3)": "2 arguments",
    "x // 2": "function calls",
    "x % 2": "function calls",
    "x @ x": "function calls",
    "x & 1": "function calls",
    "~x": "function calls",
    "x in x": "one of the comparisons",
    "x is x": "one of the comparisons",
    "'x'": "function calls",
    "True": "function calls",
    "1j": "function calls",
    "None": "function calls",
    "[x]": "function calls",
    "x, x": "function calls",
    "[x for x in x]": "function calls",
    "(y := x)": "function calls",
    "f'{x}'": "function calls",
    "x +": "Python expression syntax",
    "x = 1": "Python expression syntax",
    "": "Python expression syntax",
    "(x > 0) * x": "Write `1 if x > 0 else 0`.",
    "-(x > 0)": "Write `1 if x > 0 else 0`.",
    "exp(x > 0)": "Write `1 if x > 0 else 0`.",
    "x + 1 and x > 0": "Write `x + 1 != 0`.",
    "x if alpha * 2 else 1": "Write `alpha * 2 != 0`.",
    "not 1": "Write `1 != 0`.",
    "x if x > 0 else x < 0": "two numbers or two truth values",
}


@pytest.mark.parametrize("expression", REFUSED)
def test_anything_else_is_refused_at_the_declaration(expression):
    with pytest.raises(ArgumentValueError) as caught:
        Pointwise("op", {"out": expression}, ("x",), ("alpha",))
    assert REFUSED[expression] in str(caught.value)
    assert str(caught.value).startswith("Pointwise 'op' output 'out': the expression got ")


@pytest.mark.parametrize("bad", ["_x", "exp", "pow", "lambda", "2x", "a b", "x.y", ""])
def test_names_that_a_form_could_not_use_are_refused(bad):
    for declare in (
        lambda: Pointwise("op", {"out": "x"}, ("x", bad)),
        lambda: Pointwise("op", {"out": "x"}, ("x",), (bad,)),
        lambda: Pointwise("op", {bad: "x"}, ("x",)),
    ):
        with pytest.raises(ArgumentValueError, match="a declared name got"):
            declare()


def test_declarations_that_contradict_themselves_are_refused():
    with pytest.raises(ArgumentValueError, match="'x' twice"):
        Pointwise("op", {"out": "x"}, ("x",), ("x",))
    with pytest.raises(ArgumentValueError, match="at least one array"):
        Pointwise("op", {"out": "alpha"}, (), ("alpha",))
    with pytest.raises(ArgumentValueError, match="at least one array and one output"):
        Pointwise("op", {}, ("x",))
    with pytest.raises(ArgumentValueError, match="a declared name got"):
        Pointwise("an op", {"out": "x"}, ("x",))


def test_an_operator_may_be_named_like_a_function():
    assert repr(Pointwise("exp", {"out": "exp(x)"}, ("x",))) == "<Pointwise exp(x): out = exp(x)>"
