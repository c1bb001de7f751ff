from paddle_lite.jit.converters import annotations

from .rewriting import rewritten


def test_the_value_stays():
    assert rewritten(annotations, "y: int = x") == "y = x"


def test_an_annotation_alone_is_nothing():
    assert rewritten(annotations, "y: int") == "pass"


def test_inside_of_statements():
    assert rewritten(annotations, "if x:\n    y: int = x") == "if x:\n    y = x"
