from pathlib import Path

from paddle_lite.jit import converters


def test_every_converter_is_in_the_order():
    files = {p.stem for p in Path(converters.__file__).parent.glob("*.py")} - {"__init__", "context"}
    assert {c.__name__.rsplit(".", 1)[1] for c in converters.ORDER} == files


def test_every_converter_has_its_test():
    tests = {p.stem for p in Path(__file__).parent.glob("test_*.py")}
    assert {f"test_{c.__name__.rsplit('.', 1)[1]}" for c in converters.ORDER} <= tests
