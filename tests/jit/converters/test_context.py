import ast

from paddle_lite.jit.converters.context import Context, declared_outside


def test_fresh_names_count():
    context = Context(None)
    assert [context.fresh("then"), context.fresh("then"), context.fresh("get")] == ["_then_1", "_then_2", "_get_1"]


def test_names_declared_outside():
    body = ast.parse("global a, b\nif x:\n    nonlocal c\ndef g():\n    global d").body
    assert declared_outside(body) == ({"a", "b"}, {"c"})


def test_classes_inside_of_functions_stay():
    from paddle_lite.jit.converters import asserts

    from .rewriting import rewritten

    code = "class A:\n\n    def g(self):\n        assert self"
    assert rewritten(asserts, code) == code
