import pytest

from paddle_lite.jit.converters import calls

from .rewriting import rewritten


def test_every_call_asks_what_to_call():
    assert rewritten(calls, "g(h(x), *y, **z)") == "_jst.call(g)(_jst.call(h)(x), *y, **z)"
    assert rewritten(calls, "self.fc(x)") == "_jst.call(self.fc)(x)"


@pytest.mark.parametrize("name", ["super", "locals", "globals", "vars"])
def test_functions_that_look_at_their_caller_stay(name):
    assert rewritten(calls, f"{name}()") == f"{name}()"


def test_run_time_operators_stay():
    assert rewritten(calls, "_jst.item(x, 0)") == "_jst.item(x, 0)"


def test_decorators_and_defaults_of_inner_functions_run_as_they_are():
    code = "@deco(1)\ndef g(y=h()):\n    k(y)"
    assert rewritten(calls, code) == "@deco(1)\ndef g(y=h()):\n    _jst.call(k)(y)"
