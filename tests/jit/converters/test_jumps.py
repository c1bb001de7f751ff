import ast

import pytest

from paddle_lite.jit.converters import jumps

from .rewriting import rewritten, text

CASES = {
    "what follows a return goes into the other branch": (
        "if a:\n    return 1\nb()\nreturn 2",
        "if a:\n    _result_1 = 1\nelse:\n    b()\n    _result_1 = 2\nreturn _result_1",
    ),
    "break": (
        "while a:\n    if b:\n        break\n    c()",
        "_stop_1 = False\nwhile not _stop_1 and a:\n    if b:\n        _stop_1 = True\n    else:\n        c()",
    ),
    "continue": (
        "for i in a:\n    if b:\n        continue\n    c()",
        "for i in a:\n    if b:\n        pass\n    else:\n        c()",
    ),
    "else of a loop": (
        "for i in a:\n    if b:\n        break\nelse:\n    c()",
        "_stop_1 = False\nfor i in a:\n    if b:\n        _stop_1 = True\nif not _stop_1:\n    c()",
    ),
    "return in a loop that ends by it alone": (
        "while True:\n    if a:\n        return b",
        "_stop_1 = False\n_returned_1 = False\n_value_1 = _jst.not_returned()\nwhile not _stop_1 and True:\n    if a:\n"
        "        _returned_1 = True\n        _value_1 = b\n        _stop_1 = True\nreturn _value_1",
    ),
    "return in a with": (
        "with a:\n    return b\nc()",
        "_returned_1 = False\n_value_1 = _jst.not_returned()\nwith a:\n    _returned_1 = True\n    _value_1 = b\n"
        "if _returned_1:\n    _result_1 = _value_1\nelse:\n    c()\n    _result_1 = None\nreturn _result_1",
    ),
    "an assignment in the test of a while": (
        "while (n := a()) > 0:\n    b(n)",
        "_stop_1 = False\nwhile not _stop_1 and True:\n    if not (n := a()) > 0:\n        _stop_1 = True\n    else:\n"
        "        b(n)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_rewritten_to(case):
    code, expected = CASES[case]
    assert rewritten(jumps, code) == text(expected)


@pytest.mark.parametrize("code", [
    "for i in a:\n    try:\n        return i\n    finally:\n        b()",
    "match a:\n    case 1:\n        return b",
    "while a:\n    match b:\n        case 1:\n            break",
])  # fmt: skip
def test_jumps_out_of_try_and_match_stay(code):
    assert rewritten(jumps, code) == text(code)


def test_a_return_alone_stays():
    assert rewritten(jumps, "y = x\nreturn y") == "y = x\nreturn y"


def test_what_follows_is_not_copied_again_and_again():
    step = "if a:\n    if b:\n        return 1\n    c()\n"
    sizes = [sum(1 for _ in ast.walk(ast.parse(rewritten(jumps, step * n + "return 2")))) for n in (4, 8, 16)]
    assert sizes[2] - sizes[1] < 2.5 * (sizes[1] - sizes[0])
