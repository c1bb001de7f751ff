import pytest

from paddle_lite.jit.converters import slices

from .rewriting import rewritten, text


@pytest.mark.parametrize(("code", "expected"), [
    ("x[i]", "_jst.item(x, i)"),
    ("x[i][j]", "_jst.item(_jst.item(x, i), j)"),
    ("x[i] = y[j]", "_jst.set_item(x, i, _jst.item(y, j))"),
    ("x[1:2]", "x[1:2]"),
    ("x[:, i]", "x[:, i]"),
    ("x[i] += 1", "x[i] += 1"),
    ("x[i], y = z", "x[i], y = z"),
    ("del x[i]", "del x[i]"),
])  # fmt: skip
def test_rewritten_to(code, expected):
    assert rewritten(slices, code) == text(expected)
