import ast

import pytest

from paddle_lite.jit.pyct.names import arguments, contains, method_of, path_of, scan


def found(code):
    return scan(ast.parse(code).body)


@pytest.mark.parametrize(("code", "reads", "writes"), [
    ("a = b", {"b"}, {"a"}),
    ("a += b", {"a", "b"}, {"a"}),
    ("for a, (b, *c) in d:\n    pass", {"d"}, {"a", "b", "c"}),
    ("a.b = c", {"a", "c"}, set()),
    ("with a as b:\n    pass", {"a"}, {"b"}),
    ("import a.b, c as d\nfrom e import f", set(), {"a", "d", "f"}),
    ("try:\n    pass\nexcept E as e:\n    pass", {"E"}, {"e"}),
    ("(a := b)", {"b"}, {"a"}),
    ("[a + b for a in c]", {"b", "c"}, set()),
    ("lambda a, b=c: a + d", {"c", "d"}, set()),
    ("def f(a, b=c):\n    e = a\n    return e + g", {"c", "g"}, {"f"}),
    ("def f():\n    nonlocal a\n    a = 1", {"a"}, {"f", "a"}),
    ("class A(B):\n    c = d", {"B", "d"}, {"A"}),
    ("match a:\n    case [b, *c]:\n        pass\n    case {'k': d, **e}:\n        pass", {"a"}, {"b", "c", "d", "e"}),
])  # fmt: skip
def test_reads_and_writes(code, reads, writes):
    assert (found(code).reads, found(code).writes) == (reads, writes)


@pytest.mark.parametrize("code", ["a.append(1)", "_jst.append(a, 1)", "_jst.call(a.append)(1)"])
def test_lists_that_grow(code):
    assert found(code).grown == {"a"} and found(code).filled == {"a"}


def test_lists_that_shrink():
    assert found("b = _jst.pop(a)").shrunk == {"a"}


@pytest.mark.parametrize(("code", "filled", "attributes"), [
    ("a[0] = 1", {"a"}, set()),
    ("a[0] += 1", {"a"}, set()),
    ("a[0]['k'] = 1", {"a"}, set()),
    ("_jst.set_item(_jst.item(a, 0), 'k', 1)", {"a"}, set()),
    ("a.b['k'] = 1", {"a.b"}, set()),
    ("a.b.update(c)", {"a.b"}, set()),
    ("a.b = 1", set(), {"a.b"}),
    ("a.b.c += 1", set(), {"a.b.c"}),
    ("f(a).b = 1", set(), set()),
    ("[a.append(b) for a in c]", set(), set()),
    ("[a.append(b) for b in c]", {"a"}, set()),
])  # fmt: skip
def test_places_that_are_set(code, filled, attributes):
    assert (found(code).filled, found(code).attributes) == (filled, attributes)


def expression(code):
    return ast.parse(code, mode="eval").body


def test_paths():
    codes = ["a", "a.b", "a.b[0]", "_jst.item(a.b, 0)", "f(a)", "a[0].b", "1"]
    assert [path_of(expression(c)) for c in codes] == ["a", "a.b", "a.b", "a.b", None, None, None]


def test_methods():
    for code in ("a.f(1)", "_jst.f(a, 1)", "_jst.call(a.f)(1)"):
        name, owner = method_of(expression(code))
        assert (name, owner.id) == ("f", "a")
    assert method_of(expression("f(1)")) == (None, None)


def test_arguments():
    [function] = ast.parse("def f(a, /, b, *c, d, **e): pass").body
    assert arguments(function.args) == {"a", "b", "c", "d", "e"}


def test_contains_does_not_look_into_functions():
    body = ast.parse("def f():\n    return 1\nwhile a:\n    break").body
    assert not contains(body, (ast.Return,))
    assert contains(body, (ast.Break,)) and not contains(body, (ast.Break,), (ast.While,))
