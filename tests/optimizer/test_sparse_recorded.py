"""Steps from sparse gradients equal those of real PaddlePaddle 1.8.5, and make nothing of the table's size."""

from __future__ import annotations

import contextlib
import functools
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.imperative.backward import add
from paddle_lite.kernels.cpu.optim.optimizer_kernels import update_of
from paddle_lite.kernels.cpu.optim.sparse_updates import fits_rows, update_rows
from paddle_lite.kernels.cpu.shape.indexed_rows import merge_rows
from tests.optimizer.sparse_cases import CASES, CLIPS, MODES, OPTIMIZERS, PENALTIES, REFUSED, Case, static


@functools.cache
def recorded() -> dict[str, np.ndarray]:
    """The rows of both tables after each case."""
    with np.load(Path(__file__).parent / "sparse.npz") as store:
        return dict(store)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_sparse_steps_equal_those_of_paddle(case: Case, mode: str, way: str) -> None:
    """A penalty makes Paddle's imperative mode fail; there its static numbers are wanted."""
    wanted = recorded()[f"{mode if mode in case.modes else 'static'} {case.name}"]
    np.testing.assert_allclose(MODES[mode](fluid, case), wanted, rtol=2e-5, atol=2e-6)


@functools.cache
def from_dense_gradients(case: Case) -> np.ndarray:
    """The rows after the steps of a Program whose gradients are dense."""
    return static(fluid, case, sparse=False)


@pytest.mark.parametrize("more", ["", "value", "L2"])
@pytest.mark.parametrize("optimizer", REFUSED)
@pytest.mark.parametrize("mode", MODES)
def test_where_paddle_takes_no_sparse_gradient_it_does_what_the_dense_one_does(
    mode: str, optimizer: str, more: str, way: str
) -> None:
    case = Case(optimizer, more)
    wanted = from_dense_gradients(case)
    np.testing.assert_allclose(MODES[mode](fluid, case), wanted, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("owned", [False, True])
def test_a_sparse_and_a_dense_gradient_add_up(owned: bool) -> None:
    sparse = SelectedRows(np.array([2, 0, 2]), np.array([[1.0], [2.0], [3.0]]), 3)
    dense = np.ones((3, 1))
    assert add(sparse, dense, owned).tolist() == [[3.0], [1.0], [5.0]]
    assert dense.tolist() == [[1.0]] * 3
    assert add(dense, sparse, owned).tolist() == [[3.0], [1.0], [5.0]]
    assert (dense.tolist() == [[1.0]] * 3) != owned


# --- memory ----------------------------------------------------------------------------------------------------------------

ROWS, COLUMNS = 20000, 16
IDS = np.arange(0, ROWS, 160).reshape(5, 25) // 2


def in_static(make: Callable[[dict], Any]) -> Callable[[], Any]:
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        ids = fluid.data("ids", [None, 25], "int64")
        rows = fluid.embedding(ids, [ROWS, COLUMNS], is_sparse=True)
        make({}).minimize(fluid.layers.mean(fluid.layers.square(rows)))
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(startup, scope=scope)
    return lambda: executor.run(main, feed={"ids": IDS}, scope=scope)


def in_eager(make: Callable[[dict], Any]) -> Callable[[], Any]:
    table = fluid.dygraph.Embedding([ROWS, COLUMNS], is_sparse=True)
    optimizer = make({"parameter_list": table.parameters()})
    ids = fluid.dygraph.to_variable(IDS)

    def step() -> None:
        loss = fluid.layers.mean(fluid.layers.square(table(ids)))
        loss.backward()
        optimizer.minimize(loss)
        table.clear_gradients()

    return step


MORE: dict[str, Callable[[Any], dict[str, Any]]] = {"": lambda fluid: {}, "L2": PENALTIES["L2"], **CLIPS}


@pytest.mark.parametrize("more", MORE)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("mode", ["static", "eager"])
def test_a_step_makes_nothing_of_the_size_of_the_table(mode: str, optimizer: str, more: str) -> None:
    def make(kept: dict) -> Any:
        return OPTIMIZERS[optimizer](fluid.optimizer, {**MORE[more](fluid), **kept})

    with fluid.dygraph.guard(fluid.CPUPlace()) if mode == "eager" else contextlib.nullcontext():
        step = {"static": in_static, "eager": in_eager}[mode](make)
        for _ in range(3):  # the kernels are compiled, what was shared is copied
            step()
        tracemalloc.start()
        step()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < ROWS * COLUMNS * 4 / 4


# --- in place --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lazy", [False, True])
def test_what_a_program_gave_stays_as_it_was(lazy: bool, way: str) -> None:
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        ids = fluid.data("ids", [None, 2], "int64")
        rows = fluid.embedding(ids, [6, 2], is_sparse=True, param_attr=fluid.ParamAttr(name="w"))
        fluid.optimizer.Adam(0.1, lazy_mode=lazy).minimize(fluid.layers.mean(rows))
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(startup, scope=scope)
    given = [executor.run(main, {"ids": np.array([[1, 4]])}, ["w"], scope=scope)[0] for _ in range(4)]
    differences = np.diff(np.stack(given)[:, [1, 4]], axis=0)
    assert (differences < -0.01).all()


def test_a_detached_table_stays_as_it_was(way: str) -> None:
    with fluid.dygraph.guard(fluid.CPUPlace()):
        table = fluid.dygraph.Embedding([6, 2], is_sparse=True)
        optimizer = fluid.optimizer.SGD(0.5, parameter_list=table.parameters())
        for _ in range(3):
            kept = table.weight.detach()
            before = kept.numpy().copy()
            loss = fluid.layers.mean(table(fluid.dygraph.to_variable(np.array([[1, 4]]))))
            loss.backward()
            optimizer.minimize(loss)
            table.clear_gradients()
            np.testing.assert_array_equal(kept.numpy(), before)
            assert (table.weight.numpy()[[1, 4]] < before[[1, 4]]).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(7,), (7, 1), (9000, 2), (3, 5000), (7, 2, 3)])
def test_tables_of_any_shape(shape: tuple[int, ...], dtype: str) -> None:
    rng = np.random.default_rng(0)
    for type, kept in (("sgd", 0), ("momentum", 1), ("adagrad", 1), ("lamb", 4)):
        numbers = {"momentum": [0.9, 0.0], "adagrad": [1e-6], "lamb": [0.01, 0.9, 0.99, 1e-2]}.get(type, [])
        table, *states = (rng.uniform(0.1, 1, shape).astype(dtype) for _ in range(1 + min(kept, 2)))
        states += [np.full(1, 0.9, dtype) for _ in range(kept - len(states))]
        gradient = SelectedRows(np.array([2, 0, 2]), rng.uniform(-1, 1, (3, *shape[1:])).astype(dtype), shape[0])
        change = np.array([0.5, -0.3, 0.2, 0.1, 0.01])
        arrays = [np.array(gradient.to_dense(np)) * 0.5, np.dtype(dtype).type(0.1)]
        moved = np.clip(arrays[0], -0.3, 0.2) + 0.1 * table + 0.01 * np.sign(table)
        wanted = [a.copy() for a in (table, *states)]
        whole = update_of(type)
        assert whole is not None
        slots = [wanted[0], moved.astype(dtype), *wanted[1:]]
        ids, sizes = np.array([[id(a)] for a in slots]), np.array([[a.size] for a in slots])
        empty = np.empty((0, 0), dtype)
        whole(ids, sizes, np.full(1, 0.1, dtype), np.array(numbers, dtype), empty, empty[0:0].reshape(-1))
        assert fits_rows(type, table, gradient, states)
        update_rows(type, table, gradient, 0.1, np.array(numbers, dtype), change, states)
        for got, want in zip((table, *states), wanted, strict=True):
            np.testing.assert_allclose(got, want, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("rows", "dtype", "height"), [([6], "float32", 6), ([-1], "float32", 6), ([1], "float64", 6), ([1], "float32", 7)]
)
def test_gradients_that_the_kernel_must_not_take(rows: list[int], dtype: str, height: int) -> None:
    gradient = SelectedRows(np.array(rows), np.ones((1, 2), dtype), height)
    assert not fits_rows("sgd", np.ones((6, 2), "float32"), gradient, [])


@pytest.mark.parametrize("rows", [[], [3], [1, 2, 4], [4, 1], [2, 2, 2, 0, 0], [0, 1, 2, 3, 1]])
def test_merged_rows_rise_and_keep_their_sums(rows: list[int]) -> None:
    values = np.arange(2.0 * len(rows)).reshape(-1, 2)
    merged = SelectedRows(np.array(rows, np.int64), values, 6).merged(np)
    assert merged.rows.tolist() == sorted(set(rows))
    for row, value in zip(merged.rows, merged.values, strict=True):
        np.testing.assert_array_equal(value, values[np.array(rows) == row].sum(0))


@pytest.mark.parametrize("count", [1, 100, 3000])
@pytest.mark.parametrize("step", [1, 32768, 65537, 1 << 30])
@pytest.mark.parametrize("rising", [False, True])
def test_many_rows_are_merged(count: int, step: int, rising: bool) -> None:
    rng = np.random.default_rng(count)
    rows = rng.integers(0, count, 3000) * step
    values = rng.integers(-9, 9, (3000, 2, 3)).astype("float32")
    merged = merge_rows(SelectedRows(rows, values, count * step), rising)
    wanted, first, places = np.unique(rows, return_index=True, return_inverse=True)
    sums = np.zeros((len(wanted), 2, 3), "float32")
    np.add.at(sums, places, values)
    order = slice(None) if rising else first.argsort()
    np.testing.assert_array_equal(merged.rows, wanted[order])
    np.testing.assert_array_equal(merged.values, sums[order])
