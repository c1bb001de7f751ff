"""Operators whose results are known when a Plan is made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.static import default_main_program, default_startup_program, global_scope
from tests.static.plan.running import agree, alone, runs, source

L = fluid.layers
ALONE = ("constants", "constants,copies", "constants,shapes", "-fuse")


def filled(shape: list[int], value: float = 2.0, dtype: str = "float32") -> Any:
    return L.fill_constant(shape, dtype, value)


def test_chains_of_constants_are_computed_once() -> None:
    x = fluid.data("x", [2, 3])
    factor = L.exp(L.tanh(L.scale(filled([2, 3]), 0.25)))
    y = L.elementwise_mul(x, L.sqrt(factor))
    text = source([y], "constants", ["x"])
    assert alone(text) == 1 and "constant" in text
    agree({"x": np.ones((2, 3), "float32")}, [y], ALONE)


def test_what_is_fetched_or_kept_is_computed() -> None:
    """And is an array that may be written to, whoever made it."""
    value = filled([2, 6])
    makers = [
        lambda: value, lambda: L.assign(value), lambda: L.reshape(value, [3, 4]), lambda: L.transpose(value, [1, 0]),
        lambda: L.slice(value, [0], [0], [1]), lambda: L.concat([value], 0), lambda: L.cast(value, "float32"),
        lambda: L.sums([value]), lambda: L.squeeze(L.unsqueeze(value, [0]), [0]), lambda: L.expand(value, [1, 1]),
        lambda: L.split(L.concat([value, value], 0), 2, 0)[0], lambda: L.scale(value, 1.0), lambda: L.tanh(value),
    ]  # fmt: skip
    fetches = [make() for make in makers]
    expected = agree({}, fetches, ("all", *ALONE))
    for found in (*runs([{}] * 2, fetches, "all"), *runs([{}] * 2, fetches, "constants")):
        for (array, _), (right, _) in zip(found, expected[0], strict=True):
            np.testing.assert_array_equal(array, right)
            array[...] = 7
    for found in runs([{}], fetches, "all"):
        np.testing.assert_array_equal(found[0][0], 2)


def test_a_persistable_constant_may_be_written_to() -> None:
    counter = L.create_global_var([1], 0.0, "float32", persistable=True, name="counter")
    L.assign(filled([1], 5.0), counter)
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(default_startup_program())
    for _ in range(2):
        executor.run()
        held = global_scope().find_var("counter").get_tensor().array
        assert held.flags.writeable and held.tolist() == [5.0]
        held[:] = 1.0


def test_random_numbers_are_drawn_in_each_run() -> None:
    x = fluid.data("x", [3])
    noise = L.scale(L.uniform_random([3], seed=0), 2.0)
    y = L.elementwise_add(x, noise)
    assert alone(source([y], "constants", ["x"])) == 3
    first, second = runs([{"x": np.zeros(3, "float32")}] * 2, [y], "all")
    assert (first[0][0] != second[0][0]).any()


def test_effects_stay() -> None:
    seen = L.Print(filled([1]))
    assert "print" in source([L.scale(seen, 2.0)], "constants")


def test_what_cannot_be_computed_fails_when_it_runs() -> None:
    """It names the operator, and only whoever fetches it sees it."""
    block = default_main_program().global_block()
    bad = block.create_var(name="bad", shape=[2], dtype="float32")
    block.append_op("reshape2", {"X": filled([2])}, {"Out": bad, "XShape": block.create_var(name="xs")}, {"shape": [2]})
    block.ops[-1].attrs["shape"] = [3]
    y = L.scale(bad, 2.0)
    for way in ("none", "all"):
        [error] = runs([{}], [y], way)
        assert isinstance(error, EnforceNotMet) and "reshape2" in str(error)
    np.testing.assert_array_equal(runs([{}], [filled([2])], "all")[0][0][0], 2)


def test_divisions_by_a_constant_zero_warn_nobody() -> None:
    x = fluid.data("x", [2])
    zero = filled([2], 0.0)
    agree(
        {"x": np.ones(2, "float32")},
        [L.elementwise_add(x, L.elementwise_div(zero, zero)), L.elementwise_add(x, L.log(zero))],
    )


def test_large_constants_are_not_kept() -> None:
    x = fluid.data("x", [1])
    assert "constant0" not in source([L.elementwise_add(filled([1 << 11, 1 << 10]), x)], "constants", ["x"])


@pytest.mark.parametrize("way", ALONE)
def test_kernels_take_constants(way: str) -> None:
    """Arrays that nobody may write to: tables, weights, indices."""
    x, ids = fluid.data("x", [-1, 6]), fluid.data("ids", [-1, 1], "int64")
    block = default_main_program().global_block()
    rows = block.create_var(name="rows", dtype="float32")
    block.append_op("lookup_table", {"W": L.scale(filled([5, 2]), 0.5), "Ids": ids}, {"Out": rows})
    weight = L.tanh(L.assign(np.linspace(-1, 1, 24).reshape(6, 4).astype("float32")))
    picked = L.gather(x, L.cast(filled([2], 1, "int64"), "int32"))
    feed = {"x": np.random.default_rng(0).standard_normal((2, 6)).astype("float32"), "ids": np.array([[1], [4]])}
    agree(feed, [L.matmul(x, weight), L.mul(x, weight), rows, picked], (way,))


def test_loops_do_not_write_into_constants() -> None:
    """A counter that begins as a constant, in each run anew."""
    i, n, total = filled([1], 0, "int64"), filled([1], 3, "int64"), filled([1], 0.0)
    flag = L.less_than(i, n)
    loop = L.While(flag)
    with loop.block():
        L.assign(L.elementwise_add(total, filled([1], 1.5)), total)
        L.increment(i, in_place=True)
        L.less_than(i, n, cond=flag)
    found = agree([{}] * 3, [total, i], ("all", *ALONE))
    assert [float(run[0][0][0]) for run in found] == [4.5] * 3
