"""Run-time operators on values of Python do what Python does, with as much of it computed as Python computes."""

from types import SimpleNamespace

import pytest

from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.jit import operators as _jst


class Counted:
    """A function that counts its calls."""

    def __init__(self, value):
        self.value, self.calls = value, 0

    def __call__(self):
        self.calls += 1
        return self.value


@pytest.mark.parametrize("first", [0, 1, "", "a"])
@pytest.mark.parametrize("second", [0, 2, None])
def test_and_or_not(first, second):
    for function, expected, needed in (
        (_jst.and_, first and second, bool(first)), (_jst.or_, first or second, not first)
    ):  # fmt: skip
        later = Counted(second)
        assert function(first, later) == expected
        assert later.calls == needed
    assert _jst.not_(first) is (not first)


def test_chains_stop_where_they_are_false():
    last = Counted(5)
    assert _jst.compare(1, ("<", "<="), Counted(2), last) is True
    assert _jst.compare(3, ("<", "<="), Counted(2), last) is False
    assert last.calls == 1


def test_if_runs_one_branch():
    yes, no = Counted(1), Counted(2)
    _jst.if_([], yes, no, None, None, (), ())
    assert (yes.calls, no.calls) == (0, 1)
    assert _jst.if_expression("a", yes, no) == 1


def test_loops():
    seen = []
    _jst.while_(lambda: len(seen) < 3, lambda: seen.append(0), None, None, (), (), (), (), ())
    _jst.for_("ab", seen.append, None, None, (), (), (), (), (), None)
    assert seen == [0, 0, 0, "a", "b"]
    _jst.for_(range(9), seen.append, None, None, (), (), (), (), (), lambda: len(seen) >= 7)
    assert seen[5:] == [0, 1]


def test_items_lists_and_shapes():
    items = [1, 2]
    _jst.append(items, 3)
    _jst.set_item(items, 0, 9)
    assert (_jst.item(items, 0), _jst.pop(items), _jst.pop(items, 0), items) == (9, 3, 9, [2])
    assert _jst.pop({"a": 1}, "a") == 1
    assert _jst.shape(SimpleNamespace(shape=(2, 3))) == (2, 3)


def test_asserts_say_what_they_were_given():
    _jst.assert_(True, lambda: 1 / 0)
    with pytest.raises(AssertionError, match="wrong"):
        _jst.assert_(0, lambda: "wrong")


def test_attributes():
    box = SimpleNamespace(a=1)
    before = _jst.attribute(lambda: box, "b")
    box.b = 2
    _jst.set_attribute(lambda: box, "b", before)
    assert not hasattr(box, "b")
    _jst.set_attribute(lambda: box, "a", 5)
    assert box.a == 5


def test_undefined_names_are_told_when_they_are_used():
    missing = _jst.Undefined("y")
    for use in (lambda: missing + 1, lambda: missing.x, lambda: missing[0], lambda: bool(missing), lambda: missing()):
        with pytest.raises(ArgumentValueError, match="'y' is used before anything has set it"):
            use()
