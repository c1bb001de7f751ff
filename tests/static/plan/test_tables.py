"""Gradients of a table that is looked up several times: one array."""

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.kernels.cpu.shape.indexed_rows import scatter_add_rows, sum_of_rows
from paddle_lite.static import default_startup_program, global_scope
from tests.static.plan.running import agree, source

L = fluid.layers
ALONE = ("tables", "-fuse")
FEED = {"a": np.array([[1], [3], [1]]), "b": np.array([[0], [3], [2]]), "c": np.array([[2], [2], [2]])}


def looked_up(name: str, **options: Any) -> Any:
    attr = fluid.ParamAttr("table", initializer=fluid.initializer.Uniform(-0.3, 0.3, seed=1))
    return L.embedding(fluid.data(name, [-1, 1], "int64"), [5, 4], param_attr=attr, **options)


def gradient_of(*results: Any) -> list[Any]:
    loss = L.reduce_sum(L.square(L.concat(list(results), 1)))
    fluid.backward.append_backward(loss)
    return [loss, "table@GRAD"]


def check(fetches: list[Any], joined: bool, names: str = "abc") -> str:
    feed = {name: FEED[name] for name in names}
    text = source(fetches, "tables", list(feed))
    assert ("sum_of_rows(" in text) == joined
    fluid.Executor(fluid.CPUPlace()).run(default_startup_program())
    agree(feed, fetches, ALONE, rtol=1e-5, scope=global_scope())
    return text


def test_lookups_are_added_to_one_array() -> None:
    text = check(gradient_of(*(looked_up(name) for name in "abc")), joined=True)
    assert "lookup_table_grad x 3, sum" in text and text.count("k") < 40


def test_rows_of_padding_are_left_out() -> None:
    assert "[2, -1, 3]" in check(
        gradient_of(looked_up("a", padding_idx=3), looked_up("b"), looked_up("c", padding_idx=2)), joined=True
    )


def test_a_table_that_is_a_weight_as_well() -> None:
    rows = looked_up("a")
    table = fluid.default_main_program().global_block().var("table")
    check(gradient_of(rows, L.matmul(L.tanh(rows), table, transpose_y=True)), joined=True, names="a")


def test_sparse_gradients_are_left_alone() -> None:
    fetches = gradient_of(looked_up("a", is_sparse=True), looked_up("b", is_sparse=True))
    assert "sum_of_rows(" not in source(fetches, "tables", ["a", "b"])


def test_a_lookup_alone_is_left_alone() -> None:
    check(gradient_of(looked_up("a")), joined=False, names="a")


def test_a_gradient_that_is_fetched_is_left_alone() -> None:
    loss = L.reduce_sum(L.concat([looked_up("a"), looked_up("b")], 1))
    fluid.backward.append_backward(loss)
    parts = [n for n in fluid.default_main_program().global_block().vars if "table@GRAD@RENAME" in n]
    text = source([loss, "table@GRAD", *parts], "tables", ["a", "b"])
    assert len(parts) == 2 and "sum_of_rows(" not in text


@pytest.mark.parametrize("number", [0, 1, 2, 3])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_sum_is_that_of_all(number: int, dtype: str) -> None:
    rng = np.random.default_rng(number)
    others = [np.asfortranarray(rng.standard_normal((6, 3)).astype(dtype)) for _ in range(number)]
    indices, values = [np.array([[0], [5]]), np.array([[2, 2], [1, 0]])], []
    values = [rng.standard_normal((*each.shape, 3)).astype(dtype) for each in indices]
    found = sum_of_rows((6, 3), others, indices, values, [5, -1])
    wanted = [
        scatter_add_rows((6, 3), each.reshape(-1), rows.reshape(-1, 3), skip)
        for each, rows, skip in zip(indices, values, [5, -1], strict=True)
    ]
    assert found.dtype == dtype
    np.testing.assert_allclose(found, sum([*others, *wanted]), rtol=1e-2 if dtype == "float16" else 1e-5, atol=1e-3)
