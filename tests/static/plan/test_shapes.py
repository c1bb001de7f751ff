"""Reshapes, slices and transposes as views, where that is what they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.static import default_main_program
from tests.static.plan.running import agree, runs, source

L = fluid.layers
X = np.random.default_rng(0).standard_normal((2, 3, 4)).astype("float32")
ALONE = ("shapes", "transposes,unread", "-fuse")


@pytest.fixture
def x() -> Any:
    variable = fluid.data("x", [-1, 3, 4])
    variable.stop_gradient = False
    return variable


def views(fetches: list[Any], which: str = "shapes") -> int:
    """How many operators are expressions."""
    text = source(fetches, which, ["x"])
    return text.count(".reshape(") + sum("[" in line.partition("#")[0] for line in text.splitlines() if " = v" in line)


RESHAPES: dict[str, tuple[Callable[[Any], Any], int]] = {
    "reshape": (lambda x: L.reshape(x, [-1, 12]), 1), "zero": (lambda x: L.reshape(x, [0, 4, 3]), 1),
    "fixed": (lambda x: L.reshape(x, [2, 12]), 1), "squeeze": (lambda x: L.squeeze(L.unsqueeze(x, [1]), [1]), 2),
    "squeeze all": (lambda x: L.squeeze(L.unsqueeze(x, [0]), [0]), 2), "flatten": (lambda x: L.flatten(x, 2), 0),
    "flat": (lambda x: L.flatten(x, 1), 1), "two unknown": (lambda x: L.reshape(x, [-1, 0, 2, 2]), 1),
}  # fmt: skip


@pytest.mark.parametrize("name", RESHAPES)
def test_reshapes(name: str, x: Any) -> None:
    make, count = RESHAPES[name]
    y = L.tanh(make(x))
    if name != "flatten":
        assert views([y]) == count
    feeds = [{"x": X}] if name == "fixed" else [{"x": X}, {"x": X[:1]}, {"x": X[:0]}, {"x": X.transpose(0, 2, 1).copy().transpose(0, 2, 1)}]  # fmt: skip
    agree(feeds, [y, *fluid.gradients(y, [x])], ("all", *ALONE), rtol=1e-6)


SLICES: dict[str, tuple[tuple[list[int], list[int], list[int]], bool]] = {
    "plain": (([1], [0], [2]), True), "negative": (([1, 2], [-2, -3], [-1, 100]), True), "before": (([2], [-100], [2]), True),
    "rest": (([2], [1], [2147483647]), True), "batch": (([0], [0], [1]), False), "both": (([0, 2], [0, 1], [1, 3]), False),
}  # fmt: skip


@pytest.mark.parametrize("name", SLICES)
def test_slices(name: str, x: Any) -> None:
    """Of dimensions whose sizes the Program knows."""
    (axes, starts, ends), known = SLICES[name]
    y = L.tanh(L.slice(x, axes, starts, ends))
    assert views([y]) == int(known)
    agree([{"x": X}, {"x": X[1:]}], [y, *fluid.gradients(y, [x])], ("all", *ALONE), rtol=1e-6)


@pytest.mark.parametrize("axes, starts, dropped", [([1], [1], [1]), ([1, 2], [2, -1], [1, 2]), ([2], [-1], [2])])
def test_slices_that_drop_dimensions(axes: list[int], starts: list[int], dropped: list[int], x: Any) -> None:
    block = default_main_program().global_block()
    out = block.create_var(name="out", dtype="float32")
    attrs = {"axes": axes, "starts": starts, "ends": [s + 1 or 100 for s in starts], "decrease_axis": dropped}
    block.append_op("slice", {"Input": x}, {"Out": out}, attrs)
    y = L.tanh(out)
    assert views([y]) == 1 and len(y.shape) == 3 - len(dropped)
    agree([{"x": X}, {"x": X[:1]}], [y], ("all", *ALONE), rtol=1e-6)


def test_bounds_that_are_inputs_are_left_alone(x: Any) -> None:
    y = L.tanh(L.slice(x, [1], [L.fill_constant([1], "int32", 1)], [3]))
    z = L.tanh(L.reshape(x, [L.fill_constant([1], "int32", 2), -1]))
    assert views([y, z]) == 0
    agree({"x": X}, [y, z], ("all", *ALONE))


def test_the_shape_that_a_gradient_needs_stays(x: Any) -> None:
    """XShape, which the gradient of a reshape reads, and somebody who fetches it."""
    y = L.reshape(L.tanh(x), [-1, 12])
    [op] = [op for op in default_main_program().global_block().ops if op.type == "reshape2"]
    z = L.exp(y)
    agree({"x": X}, [z, *fluid.gradients(z, [x]), op.output("XShape")[0]], ("all", *ALONE))


def test_what_is_fetched_is_no_view(x: Any) -> None:
    fetches = [L.reshape(x, [-1, 12]), L.slice(x, [1], [0], [2]), L.transpose(L.transpose(x, [0, 2, 1]), [0, 2, 1])]
    given = X.copy()
    for array, _ in runs([{"x": given}], fetches, "all")[0]:
        assert not np.shares_memory(array, given)
        array[...] = 7
    np.testing.assert_array_equal(given, X)


def test_lods_go_along() -> None:
    words = fluid.data("words", [-1, 4], lod_level=1)
    fetches = [
        L.tanh(L.slice(words, [1], [0], [2])),
        L.tanh(L.reshape(words, [-1, 2, 2])),
        L.tanh(L.unsqueeze(words, [1])),
    ]
    agree({"words": fluid.create_lod_tensor(X[0], [[2, 1]], fluid.CPUPlace())}, fetches, ("all", *ALONE))


def test_a_variable_whose_shape_changes(x: Any) -> None:
    """What the Program says of its shape holds for its last value."""
    y = L.scale(x, 2.0)
    early = [L.tanh(L.slice(y, [1], [-1], [100])), L.tanh(L.unsqueeze(y, [0]))]
    L.assign(L.concat([y, x, x], 1), y)
    late = [L.tanh(L.slice(y, [1], [-1], [100])), L.tanh(L.unsqueeze(y, [0]))]
    agree({"x": X}, [*early, *late], ("all", *ALONE))


def test_loops_in_which_shapes_grow(x: Any) -> None:
    """In its rounds and behind it the array has other shapes than the Program says."""
    i, n = L.fill_constant([1], "int64", 0), L.fill_constant([1], "int64", 3)
    state, total = L.assign(x), L.fill_constant([1], "float32", 0.0)
    flag = L.less_than(i, n)
    loop = L.While(flag)
    with loop.block():
        same = L.squeeze(L.unsqueeze(state, [1]), [1])
        last = L.slice(L.tanh(same), [1], [-1], [100])
        L.assign(L.elementwise_add(total, L.reduce_sum(L.scale(last, 2.0))), total)
        L.assign(L.concat([state, x], 1), state)
        L.increment(i, in_place=True)
        L.less_than(i, n, cond=flag)
    behind = [L.scale(L.unsqueeze(state, [1]), 2.0), L.tanh(L.slice(state, [1], [-2], [100]))]
    agree([{"x": X}, {"x": X[:1]}], [state, total, *behind], ("all", *ALONE))


# --- transposes -----------------------------------------------------------------------------------------------------------


def transposes(fetches: list[Any]) -> int:
    return sum(
        " = k" in line and "transpose" in line for line in source(fetches, "transposes,unread", ["x"]).splitlines()
    )


def test_transposes_that_undo_each_other(x: Any) -> None:
    there = L.transpose(L.square(x), [0, 2, 1])
    back = L.tanh(L.transpose(there, [0, 2, 1]))
    assert transposes([back]) == 0 and transposes([back, L.exp(there)]) == 1
    agree({"x": X}, [back, L.exp(there)], ("all", *ALONE))
    agree({"x": X}, [back, *fluid.gradients(back, [x])], ("all", *ALONE))


def test_transposes_that_turn_on_stay(x: Any) -> None:
    y = L.tanh(L.transpose(L.transpose(L.square(x), [1, 2, 0]), [1, 2, 0]))
    assert transposes([y]) == 2
    agree({"x": X}, [y, *fluid.gradients(y, [x])], ("all", *ALONE))
    assert transposes([L.tanh(L.transpose(L.transpose(x, [1, 2, 0]), [2, 0, 1]))]) == 0


def test_an_order_that_changes_nothing(x: Any) -> None:
    y = L.tanh(L.transpose(x, [0, 1, 2]))
    assert transposes([y]) == 0
    agree({"x": X}, [y, *fluid.gradients(y, [x])], ("all", *ALONE))


@pytest.mark.parametrize("axis", [0, -3])
def test_rows_of_an_array(axis: int) -> None:
    """Taken apart, put together by the gradient, which is taken apart itself."""
    x = fluid.data("x", [3, -1, 4])
    x.stop_gradient = False
    first, _, last = L.unstack(x, axis=axis, num=3)
    y = L.stack([L.tanh(first), L.square(last), first], axis=axis)
    fetches = [y, *fluid.gradients(L.reduce_sum(L.square(y)), [x])]
    text = source(fetches, "shapes", ["x"])
    assert len(re.findall(r"^    v\d+, (?:v\d+|_), v\d+, *= v\d+ ", text, re.MULTILINE)) == 2
    numbers = np.random.default_rng(0)
    feeds = [{"x": numbers.standard_normal((3, rows, 4)).astype("float32")} for rows in (2, 1, 0, 5)]
    feeds.append({"x": numbers.standard_normal((4, 2, 3)).astype("float32").T})
    agree(feeds, fetches, ("all", *ALONE), rtol=1e-6)


def test_rows_that_are_not_taken_apart() -> None:
    """Of another axis, of an array of unknown length, and those that are fetched, which are arrays of their own."""
    x = fluid.data("x", [3, -1, 4])
    for fetches in (
        [L.tanh(row) for row in L.unstack(x, axis=2, num=4)],
        [L.tanh(row) for row in L.unstack(fluid.data("n", [-1, 4]), num=3)],
        L.unstack(x, num=3)[:1],
    ):
        assert "unstack" in source(fetches, "shapes", ["x", "n"]) and "= k" in source(fetches, "shapes", ["x", "n"])
    rows = L.unstack(x, num=3)
    given = np.random.default_rng(0).standard_normal((3, 2, 4)).astype("float32")
    kept = given.copy()
    for _ in range(3):
        found = fluid.Executor().run(feed={"x": given}, fetch_list=[rows[0]])[0]
        found += 1
    np.testing.assert_array_equal(given, kept)
