from paddle_lite.jit.converters import asserts

from .rewriting import rewritten


def test_what_is_said_is_computed_later():
    assert rewritten(asserts, "assert x > 0, g()") == "_jst.assert_(x > 0, lambda: g())"


def test_nothing_is_said():
    assert rewritten(asserts, "assert x") == "_jst.assert_(x, lambda: None)"
