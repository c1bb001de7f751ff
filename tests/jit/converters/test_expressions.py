import pytest

from paddle_lite.jit.converters import expressions

from .rewriting import rewritten, text


@pytest.mark.parametrize(("code", "expected"), [
    ("a and b and c", "_jst.and_(a, lambda: _jst.and_(b, lambda: c))"),
    ("a or not b", "_jst.or_(a, lambda: _jst.not_(b))"),
    ("a if b else c", "_jst.if_expression(b, lambda: a, lambda: c)"),
    ("a < b <= c", "_jst.compare(a, ('<', '<='), lambda: b, lambda: c)"),
    ("a < b", "a < b"),
    ("a < b in c", "a < b in c"),
    ("a is not None", "a is not None"),
    ("-a", "-a"),
])  # fmt: skip
def test_rewritten_to(code, expected):
    assert rewritten(expressions, code) == text(expected)


def test_assignment_expressions_would_mean_something_else_in_a_lambda():
    assert rewritten(expressions, "(y := x) and y") == "(y := x) and y"
