import ast

from paddle_lite.jit.pyct.templates import expression, statements


def at(line):
    return ast.parse("\n" * (line - 1) + "here").body[0]


def shown(nodes):
    return "\n".join(ast.unparse(n) for n in nodes)


def test_names_and_expressions_and_statements_are_filled_in():
    body = ast.parse("a = 1\nb = 2").body
    made = statements(
        "def function():\n    parts\n    return value",
        at(1),
        function="g",
        parts=body,
        value=ast.parse("x + 1").body[0].value,
    )
    assert shown(made) == "def g():\n    a = 1\n    b = 2\n    return x + 1"


def test_targets_are_filled_in():
    assert shown(statements("flag = True", at(1), flag="_stop_1")) == "_stop_1 = True"


def test_what_is_made_has_the_place_where_the_statement_begins():
    [made] = statements("_jst.f(\n    x,\n    y)", at(7))
    assert {(n.lineno, n.end_lineno) for n in ast.walk(made) if n._attributes} == {(7, 7)}


def test_what_is_put_in_keeps_its_place():
    made = expression("f(x)", at(7), x=ast.parse("\n\ny + z").body[0].value)
    assert made.lineno == 7 and {n.lineno for n in ast.walk(made.args[0]) if n._attributes} == {3}


def test_templates_are_not_used_up():
    for name in "ab":
        assert shown(statements("x = 1", at(1), x=name)) == f"{name} = 1"
