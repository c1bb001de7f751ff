from paddle_lite.jit.converters import control

from .rewriting import rewritten, text


def test_an_if():
    found = rewritten(control, "if x:\n    y = 1\n    z = 2\nreturn y")
    assert found == text("""
        y = _jst.Undefined('y')
        z = _jst.Undefined('z')

        def _then_1():
            nonlocal y, z
            y = 1
            z = 2

        def _otherwise_1():
            nonlocal y, z
            pass

        def _get_1():
            return (y, z)

        def _set_1(values):
            nonlocal y, z
            y, z = values
        _jst.if_(x, _then_1, _otherwise_1, _get_1, _set_1, ('y', 'z'), ('y',))
        return y
    """)


def call_of(code, arguments="x"):
    """The line that calls the run-time operator."""
    [line] = [
        s for s in rewritten(control, code, arguments).split("\n") if s.startswith("_jst.") and "Undefined" not in s
    ]
    return line


def test_a_while_knows_what_its_rounds_hand_on_and_what_is_read_afterwards():
    code = "while h < x:\n    h = h + 1\n    t = h\n    u = h\nreturn u"
    found = call_of(code, "x, h")
    names, wanted, after = "('h', 't', 'u')", "('h', 'u')", "('u',)"
    assert found == f"_jst.while_(lambda: h < x, _round_1, _get_1, _set_1, {names}, {wanted}, {after}, (), ())"


def test_a_for_binds_its_target_in_the_round():
    found = rewritten(control, "for a, b in x:\n    c = a\nreturn c")
    assert text("def _round_1(_item):\n    nonlocal a, b, c\n    a, b = _item\n    c = a") in found
    assert "_jst.for_(x, _round_1, _get_1, _set_1, ('a', 'b', 'c'), ('c',), ('c',), (), (), None)" in found


def test_lists_that_grow_and_shrink():
    found = call_of("while x:\n    items.append(x)\nreturn items", "x, items")
    assert found.endswith("('items',), ('items',), ('items',), ('items',), ())")
    found = call_of("while x:\n    items.append(x)\nitems.pop()\nreturn items", "x, items")
    assert found.endswith("('items',), ('items',), ('items',), ('items',), ('items',))")


def test_attributes_and_items_are_state_too():
    found = rewritten(control, "if x:\n    self.h = x\n    d['k'] = x", "self, x, d")
    assert "return (d, _jst.attribute(lambda: self, 'h'))" in found
    assert text("d, _put_1 = values") + "\n    _jst.set_attribute(lambda: self, 'h', _put_1)" in found
    assert found.endswith("('d', 'self.h'), ('d', 'self.h'))")


def test_attributes_of_what_is_another_object_afterwards_are_not():
    assert call_of("while x:\n    x.v = 1\n    x = x.next\nreturn x").endswith("('x',), ('x',), ('x',), (), ())")


def test_lists_from_around_are_kept():
    found = rewritten(control, "if x:\n    out.append(x)")
    assert "_jst.keep(out, _put_1, 'out')" in found and "nonlocal" not in found


def test_names_of_the_module():
    found = rewritten(control, "global n\nif x:\n    n = 1")
    assert "def _then_1():\n    global n\n    n = 1" in found and "Undefined" not in found


def test_what_jumps_or_yields_stays():
    for code in ("while x:\n    return 1", "for i in x:\n    yield i", "if x:\n    import math", "if x:\n    del x"):
        assert rewritten(control, code) == text(code)
