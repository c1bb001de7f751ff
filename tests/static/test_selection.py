"""select_input and select_output: a Variable out of several by a mask."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, DtypeError, IndexRangeError, ModeError
from paddle_lite.core.mode import switched
from paddle_lite.fluid.layers.control_flow import (
    lod_rank_table,
    lod_tensor_to_array,
    max_sequence_len,
    select_input,
    select_output,
)
from paddle_lite.static.mode.static_mode import static_mode

X = np.arange(6, dtype="float32").reshape(3, 2)


@pytest.fixture(autouse=True)
def static() -> Any:
    with switched(static_mode, fluid.CPUPlace(), None), fluid.program_guard(fluid.Program(), fluid.Program()):
        yield


def run(feed: dict[str, Any], fetch: list[Any]) -> list[Any]:
    main = fluid.default_main_program()
    assert main.lint() == []
    return fluid.Executor(fluid.CPUPlace()).run(main, feed=feed, fetch_list=fetch, return_numpy=False)


def data(name: str, dtype: str = "float32", lod_level: int = 0) -> Any:
    return fluid.data(name, [1] if name == "mask" else [None, 2], dtype, lod_level=lod_level)


@pytest.mark.parametrize("which", [0, 1])
def test_select_output(which: int) -> None:
    x, mask = data("x", lod_level=1), data("mask", "int32")
    x.stop_gradient = False
    block = fluid.default_main_program().global_block()
    made = [block.create_var(name=name, dtype="float32", shape=[-1, 2], lod_level=1) for name in ("a", "b")]
    assert select_output(x, made, mask) is made
    total = fluid.layers.reduce_sum(made[0]) * 2.0 + fluid.layers.reduce_sum(made[1]) * 3.0
    (gradient,) = fluid.gradients(total, [x])
    tensor = fluid.create_lod_tensor(X, [[1, 2]], fluid.CPUPlace())
    found = run({"x": tensor, "mask": np.array([which], "int32")}, [*made, gradient])
    assert np.array_equal(np.array(found[which]), X) and found[which].lod() == [[0, 1, 3]]
    assert np.array(found[1 - which]).shape == (0, 2)
    assert (np.array(found[2]) == [2, 3][which]).all()


@pytest.mark.parametrize("which", [0, 1])
def test_select_input(which: int) -> None:
    out = select_input([data("a"), data("b")], data("mask", "int32"))
    (found,) = run({"a": X, "b": X + 1, "mask": np.array([which], "int32")}, [out])
    assert np.array_equal(np.array(found), X + which)


def test_there_is_no_such_variable() -> None:
    select_output(data("x"), [fluid.layers.create_tensor("float32")], data("mask", "int32"))
    out = select_input([data("a")], data("mask", "int32"))
    with pytest.raises(IndexRangeError, match=r"Input\(Mask\) got 1, needs 0 to 0"):
        run({"x": X, "a": X, "mask": np.array([1], "int32")}, [out])


def test_rank_tables_are_found_where_fluid_has_them() -> None:
    longest = max_sequence_len(lod_rank_table(data("x", lod_level=1)))
    (found,) = run({"x": fluid.create_lod_tensor(X, [[1, 2]], fluid.CPUPlace())}, [longest])
    assert np.array(found).tolist() == [2]
    assert "lod_rank_table" not in fluid.layers.__all__


def test_the_scope_gives_an_array_that_a_run_wrote() -> None:
    x = data("x", lod_level=1)
    array = lod_tensor_to_array(x, lod_rank_table(x))
    array.persistable = True
    with fluid.scope_guard(fluid.Scope()):
        run({"x": fluid.create_lod_tensor(X, [[1, 2]], fluid.CPUPlace())}, [])
        steps = fluid.global_scope().find_var(array.name).get_lod_tensor_array()
    assert [np.array(step).tolist() for step in steps] == [X[[1, 0]].tolist(), X[[2]].tolist()]


BAD: list[tuple[Callable, type[Exception], str]] = [
    (lambda x, mask: select_output(1, [x], mask), ArgumentTypeError, "input"),
    (lambda x, mask: select_output(x, x, mask), ArgumentTypeError, "outputs"),
    (lambda x, mask: select_output(x, [x], 1), ArgumentTypeError, "mask"),
    (lambda x, mask: select_input(1, mask), ArgumentTypeError, "inputs"),
    (lambda x, mask: select_input([x, 2], mask), ArgumentTypeError, r"inputs\[1\]"),
    (lambda x, mask: select_input([x], fluid.layers.cast(mask, "int64")), DtypeError, "mask"),
]


@pytest.mark.parametrize(("call", "error", "argument"), BAD)
def test_bad_calls(call: Callable, error: type[Exception], argument: str) -> None:
    with pytest.raises(error, match=argument):
        call(data("x"), data("mask", "int32"))


def test_imperative_mode() -> None:
    with fluid.dygraph.guard(), pytest.raises(ModeError, match="index a list"):
        select_input([1], 2)
