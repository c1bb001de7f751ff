"""Weight gradients of unrolled loops: one product over all steps."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.static import default_startup_program, global_scope
from paddle_lite.static.plan.passes import products
from paddle_lite.static.plan.passes.products import OFTEN, ROWS_AT_ONCE, summed_products
from tests.static.plan.running import agree, source

L = fluid.layers
ALONE = ("products", "-fuse")


def weight(shape: tuple[int, int], name: str = "w") -> Any:
    return L.create_parameter(
        list(shape), "float32", name, default_initializer=fluid.initializer.Uniform(-0.3, 0.3, seed=1)
    )


def unrolled(
    steps: int, product: Callable[[Any, Any], Any] = L.mul, rows: int = -1, width: int = 4, start: Any = None
) -> list[Any]:
    """The last state of h = tanh(x + h w), the gradients of w and of the first state."""
    w = weight((width, width))
    h = start = fluid.data("h", [rows, width])
    start.stop_gradient = False
    for k in range(steps):
        h = L.tanh(L.elementwise_add(product(h, w), fluid.data(f"x{k}", [rows, width])))
    loss = L.reduce_sum(L.square(h))
    return [h, *fluid.gradients(loss, [w, start])]


def feeds(steps: int, rows: int, width: int = 4) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {n: rng.standard_normal((rows, width)).astype("float32") for n in ("h", *(f"x{k}" for k in range(steps)))}


def check(fetches: list[Any], feed: dict[str, np.ndarray], joined: bool) -> str:
    text = source(fetches, "products", list(feed))
    assert ("summed_products(" in text) == joined
    fluid.Executor(fluid.CPUPlace()).run(default_startup_program())
    agree(feed, fetches, ALONE, rtol=1e-5, scope=global_scope())
    return text


@pytest.mark.parametrize("rows", [1, 2, 300])
@pytest.mark.parametrize("product", [L.mul, L.matmul])
def test_gradients_of_an_unrolled_loop(product: Any, rows: int) -> None:
    text = check(unrolled(OFTEN + 1, product), feeds(OFTEN + 1, rows), joined=True)
    assert text.count("Factor(") == 1


def test_the_weight_is_transposed_where_that_pays_only() -> None:
    text = check(unrolled(2), feeds(2, 3), joined=True)
    assert "Factor(" not in text and "times_transposed(" in text


def test_a_batch_of_none_has_gradients_of_zero() -> None:
    check(unrolled(3), feeds(3, 0), joined=True)


def test_one_step_is_left_alone() -> None:
    check(unrolled(1), feeds(1, 3), joined=False)


@pytest.mark.parametrize("product", [
    lambda h, w: L.matmul(h, w, transpose_y=True), lambda h, w: L.matmul(h, w, alpha=0.5),
    lambda h, w: L.matmul(L.transpose(h, [1, 0]), w, transpose_x=True),
])  # fmt: skip
def test_other_products_are_left_alone(product: Any) -> None:
    check(unrolled(4, product), feeds(4, 3), joined=False)


def test_products_of_more_dimensions_are_left_alone() -> None:
    w, x = weight((4, 4)), fluid.data("x", [-1, 3, 4])
    y = [L.mul(L.scale(x, k + 1.0), w, x_num_col_dims=2) for k in range(3)]
    check(
        fluid.gradients(L.reduce_sum(L.square(L.sum(y))), [w]), {"x": feeds(0, 3)["h"].reshape(1, 3, 4)}, joined=False
    )


def test_a_gradient_that_somebody_else_reads_is_computed() -> None:
    """Of one step, fetched; and all of them with the sum of another weight."""
    w, v, x = weight((4, 4)), weight((4, 4), "v"), fluid.data("x", [-1, 4])
    steps = [L.mul(L.tanh(L.mul(x, w)), w), L.mul(x, v)]
    [total, other] = fluid.gradients(L.reduce_sum(L.square(L.sum(steps))), [w, v])
    block = total.block
    [joining] = [op for op in block.ops if op.type == "sum" and total.name in op.output_arg_names]
    check([total, other], {"x": feeds(0, 3)["h"]}, joined=True)
    check([total, block.var(joining.input("X")[0])], {"x": feeds(0, 3)["h"]}, joined=False)
    check([total, L.scale(block.var(joining.input("X")[1]), 2.0)], {"x": feeds(0, 3)["h"]}, joined=False)


def test_the_sum_of_twice_the_same_gradient() -> None:
    w, x = weight((4, 5)), fluid.data("x", [-1, 4])
    [slope] = fluid.gradients(L.mul(x, w), [w])
    check([L.sum([slope, slope])], {"x": feeds(0, 3)["h"]}, joined=False)


def test_only_some_inputs_have_gradients() -> None:
    """The first step multiplies what is fed, which needs none."""
    w, x = weight((4, 4)), fluid.data("x", [-1, 4])
    h = x
    for _ in range(OFTEN + 1):
        h = L.tanh(L.mul(h, w))
    check(fluid.gradients(L.reduce_sum(h), [w]), {"x": feeds(0, 3)["h"]}, joined=True)


@pytest.mark.parametrize("rows", [1, 3, 500])
@pytest.mark.parametrize(("dtype", "by_blocks"), [("float32", False), ("float32", True), ("float64", False)])
def test_summed_products(rows: int, dtype: str, by_blocks: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "is_faster", lambda *sizes: by_blocks)
    monkeypatch.setattr(products, "readable", lambda x, y: True)
    rng = np.random.default_rng(0)
    xs, ds = ([rng.standard_normal((rows, n)).astype(dtype) for _ in range(4)] for n in (5, 7))
    kept = [a.copy() for a in (*xs, *ds)]
    found = summed_products(xs, ds)
    right = sum(x.astype("float64").T @ d.astype("float64") for x, d in zip(xs, ds, strict=True))
    assert (found.dtype, found.shape) == (np.dtype(dtype), (5, 7))
    np.testing.assert_allclose(
        found, right, rtol=1e-4 if dtype == "float32" else 1e-12, atol=1e-4 if dtype == "float32" else 1e-12
    )
    beside = summed_products(xs, xs, ds)
    np.testing.assert_allclose(beside, np.concatenate([found, found]), rtol=1e-4, atol=1e-4)
    for array, value in zip((*xs, *ds), kept, strict=True):
        np.testing.assert_array_equal(array, value)


STEPS, ROWS = 30, 8


def many_steps() -> tuple[list[Any], list[Any]]:
    """The left operands of 30 steps of 8 rows and 20 columns, and the right ones of 24 columns."""
    rng = np.random.default_rng(0)
    return tuple([rng.standard_normal((ROWS, n)).astype("float32") for _ in range(STEPS)] for n in (20, 24))  # type: ignore[return-value]


@pytest.mark.parametrize("by_blocks", [False, True])
def test_few_rows_are_copied_at_a_time(by_blocks: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists, arrays with the steps first and pieces of arrays give the same bits; a last, smaller part is not lost."""
    monkeypatch.setattr(products, "is_faster", lambda *sizes: by_blocks)
    monkeypatch.setattr(products, "readable", lambda x, y: True)
    monkeypatch.setattr(products, "ROWS_AT_ONCE", 4 * ROWS)
    joined: list[int] = []
    together = products._together
    monkeypatch.setattr(products, "_together", lambda each: (joined.append(len(each)), together(each))[1])
    xs, ds = many_steps()
    found = summed_products(xs, ds)
    assert (max(joined), sum(joined)) == (4, 2 * STEPS)
    right = sum(x.astype("float64").T @ d.astype("float64") for x, d in zip(xs, ds, strict=True))
    np.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(summed_products(np.stack(xs), ds), found)
    cut = [(np.stack(each[:7]), np.stack(each[7:])) for each in (xs, ds)]
    np.testing.assert_array_equal(products.products_of_rows(*cut), found)


def test_memory_of_many_steps() -> None:
    """It is that of the result, of another one to add, and of the rows at a time, however many steps there are."""
    xs, ds = (np.ones((1000, 16, n), "float32") for n in (64, 96))
    summed_products(list(xs), list(ds))  # compiles its kernels
    tracemalloc.start()
    summed_products(list(xs), list(ds))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * 4 * (2 * ROWS_AT_ONCE * (64 + 96) + 2 * 64 * 96)
    assert peak < (xs.nbytes + ds.nbytes) / 3


def test_a_second_total_that_is_larger_than_all_rows_is_not_made() -> None:
    assert products._steps_at_once(50, 30, 4000, 4000) == 50


def test_the_first_run_does_not_hold_the_gradient_of_each_step() -> None:
    steps, width = 16, 512
    fetches, feed = unrolled(steps, rows=2, width=width), feeds(steps, 2, width)
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(default_startup_program())
    tracemalloc.start()
    executor.run(feed=feed, fetch_list=fetches)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < steps * width * width * 4 // 2
