"""A name that is declared twice: as the same it is one Variable, as another it is refused and nothing has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid

L = fluid.layers

SAME: list[tuple[Callable[[], Any], Callable[[], Any]]] = [
    (lambda: L.data("x", [4]), lambda: L.data("x", [4])),
    (lambda: fluid.data("x", [None, 4]), lambda: L.data("x", [4])),
    (
        lambda: L.create_global_var([1], 1.0, "float32", name="x"),
        lambda: L.create_global_var([1], 1.0, "float32", name="x"),
    ),
    (lambda: L.create_parameter([4], "float32", name="x"), lambda: L.create_parameter([4], "float32", name="x")),
]

OTHER: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = [
    ("shape", lambda: L.data("x", [4]), lambda: L.data("x", [2, 2])),
    ("dtype", lambda: L.data("x", [4]), lambda: L.data("x", [4], dtype="int64")),
    ("lod_level", lambda: L.data("x", [4]), lambda: L.data("x", [4], lod_level=1)),
    ("shape", lambda: fluid.data("x", [None, 4]), lambda: fluid.data("x", [3, 4])),
    ("persistable", lambda: L.create_parameter([4], "float32", name="x"), lambda: fluid.data("x", [4])),
    ("persistable", lambda: fluid.data("x", [4]), lambda: L.create_parameter([4], "float32", name="x")),
    ("shape", lambda: fluid.data("x", [3]), lambda: L.create_parameter([4], "float32", name="x")),
    (
        "shape",
        lambda: L.create_global_var([1], 1.0, "float32", name="x"),
        lambda: L.create_global_var([2], 1.0, "float32", name="x"),
    ),
    (
        "dtype",
        lambda: L.create_global_var([1], 1.0, "float32", name="x"),
        lambda: L.create_global_var([1], 1, "int64", name="x"),
    ),
    ("dtype", lambda: L.create_tensor("float32", "x"), lambda: L.create_tensor("int64", "x")),
]


@pytest.mark.parametrize("first, second", SAME)
def test_the_same_again_is_one_variable(first: Callable[[], Any], second: Callable[[], Any]) -> None:
    one, other = first(), second()
    assert one.name == other.name == "x" and one.shape == other.shape
    assert fluid.default_main_program().lint() == []


@pytest.mark.parametrize("key, first, second", OTHER)
def test_another_of_the_same_name_is_refused(key: str, first: Callable[[], Any], second: Callable[[], Any]) -> None:
    one = first()
    before = str(one)
    with pytest.raises(ValueError, match=rf"{key}.*Variable x of this Program.*another name"):
        second()
    assert str(one) == before


def test_what_was_built_on_the_first_runs_after_the_refusal() -> None:
    x = L.data("x", [4])
    doubled = x * 2.0
    with pytest.raises(ValueError, match=r"layers\.data: shape"):
        L.data("x", [2, 2])
    value = np.ones((3, 4), "float32")
    [found] = fluid.Executor(fluid.CPUPlace()).run(feed={"x": value}, fetch_list=[doubled])
    np.testing.assert_array_equal(found, 2 * value)


def test_programs_that_share_a_startup_program() -> None:
    """Data belongs to the main Program alone; a parameter is initialised once, so its shape is the same in all."""
    assert fluid.data("x", [3, 6]).shape == (3, 6)
    L.fc(fluid.data("y", [3, 6]), 2, param_attr="w")
    assert not fluid.default_startup_program().global_block().has_var("x")
    with fluid.program_guard(fluid.Program()):
        assert fluid.data("x", [5, 7]).shape == (5, 7)
        assert L.fc(fluid.data("y", [5, 6]), 2, param_attr="w").shape == (5, 2)
    with (
        fluid.program_guard(fluid.Program()),
        pytest.raises(ValueError, match=r"parameter w: shape got \[7, 2\], needs \[6, 2\]"),
    ):
        L.fc(fluid.data("x", [5, 7]), 2, param_attr="w")
