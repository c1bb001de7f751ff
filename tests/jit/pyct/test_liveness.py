import ast

from paddle_lite.jit.pyct.liveness import Liveness


def after(code, kind=ast.If, wanted=()):
    """The names that may be read after the first statement of a kind."""
    body = ast.parse(code).body
    node = next(n for s in body for n in ast.walk(s) if isinstance(n, kind))
    return Liveness(body, set(wanted)).after[id(node)]


def test_what_is_read_later():
    assert after("if a:\n    b = 1\nc = b") == {"b"}


def test_what_is_set_before_it_is_read_is_not_wanted():
    assert after("if a:\n    b = 1\nb = 2\nc = b") == set()


def test_either_branch_may_read():
    assert after("if a:\n    pass\nif b:\n    c\nelse:\n    d") == {"b", "c", "d"}


def test_a_match_may_set_or_not():
    assert after("if a:\n    b = 1\nmatch c:\n    case [d]:\n        b = d\ne = b") == {"b", "c"}


def test_a_try_may_set_or_not():
    assert after("if a:\n    b = 1\ntry:\n    b = c\nfinally:\n    pass\ne = b") >= {"b", "c"}


def test_statements_in_a_match_and_a_try_are_known():
    assert after("match c:\n    case 1:\n        if a:\n            b = 1\nd = b") == {"b"}
    assert "b" in after("try:\n    if a:\n        b = 1\nfinally:\n    pass\nd = b")


def test_the_next_round_reads_too():
    assert after("while a:\n    if b:\n        c = 1\n    d = e\n    e = c") == {"a", "b", "c", "e"}


def test_what_a_round_reads_of_the_one_before():
    body = ast.parse("while a:\n    b = c\n    c = d\n    t = b\nu = c").body
    assert Liveness(body, set()).before_round[id(body[0])] == {"a", "c", "d"}


def test_the_target_of_a_for_is_set_each_round():
    body = ast.parse("for i in a:\n    b = i").body
    assert Liveness(body, set()).before_round[id(body[0])] == set()


def test_names_that_outlive_the_function():
    assert after("if a:\n    b = 1", wanted={"b"}) == {"b"}
