import pytest

from paddle_lite.jit.converters import lists

from .rewriting import rewritten


@pytest.mark.parametrize(("code", "expected"), [
    ("a.append(b)", "_jst.append(a, b)"),
    ("self.a.append(b)", "_jst.append(self.a, b)"),
    ("c = a.pop()", "c = _jst.pop(a)"),
    ("c = a.pop(0) + a.pop()", "c = _jst.pop(a, 0) + _jst.pop(a)"),
    ("d.pop(k, None)", "d.pop(k, None)"),
    ("a.append(*b)", "a.append(*b)"),
    ("a.extend(b)", "a.extend(b)"),
])  # fmt: skip
def test_rewritten_to(code, expected):
    assert rewritten(lists, code) == expected
