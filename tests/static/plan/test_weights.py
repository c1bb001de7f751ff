"""Products with weights of inference: packed once for all runs, and again after they were set to other values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.kernels.cpu.math import weight_product
from paddle_lite.kernels.cpu.math.weight_product import WeightProduct
from paddle_lite.static import default_startup_program, global_scope
from tests.static.plan.running import agree, source

L = fluid.layers
WIDTH, COLUMNS = 200, 240


def weight() -> Any:
    start = fluid.initializer.Uniform(-0.1, 0.1, seed=1)
    return L.create_parameter([WIDTH, COLUMNS], "float32", "w", default_initializer=start)


def words(batch: int, length: int = 4) -> dict[str, np.ndarray]:
    return {"x": np.random.default_rng(0).standard_normal((batch, length, WIDTH)).astype("float32")}


def check(y: Any, batches: list[int]) -> None:
    assert source([y], "weights", ["x"]).count("= w") == 1
    fluid.Executor(fluid.CPUPlace()).run(default_startup_program())
    for batch in batches:
        agree([words(batch)] * 3, [y], ("weights", "all"), rtol=1e-5, scope=global_scope())


@pytest.mark.parametrize("name", ["mul", "matmul"])
def test_products_of_rows_of_any_number(name: str) -> None:
    x = fluid.data("x", [-1, -1, WIDTH])
    y = L.mul(x, weight(), x_num_col_dims=2) if name == "mul" else L.matmul(x, weight())
    check(L.tanh(y), [0, 1, 2, 8, 40])


def test_dimensions_of_a_sum() -> None:
    x = fluid.data("x", [-1, 4, WIDTH // 4])
    y = L.mul(x, weight())
    assert source([y], "weights", ["x"]).count("= w") == 1
    fluid.Executor(fluid.CPUPlace()).run(default_startup_program())
    given = {"x": np.random.default_rng(0).standard_normal((40, 4, WIDTH // 4)).astype("float32")}
    agree([given] * 3, [y], ("weights", "all"), rtol=1e-5, scope=global_scope())


def test_other_values_of_a_weight_are_seen() -> None:
    y = L.mul(fluid.data("x", [-1, 4, WIDTH]), weight(), x_num_col_dims=2)
    executor, feed = fluid.Executor(fluid.CPUPlace()), words(16)
    executor.run(default_startup_program())
    tensor = global_scope().find_var("w").get_tensor()
    for k in range(6):
        w = np.random.default_rng(k // 2).standard_normal((WIDTH, COLUMNS)).astype("float32")
        if k % 2 == 0:
            tensor.set(w, fluid.CPUPlace())
        for _ in range(3):
            (found,) = executor.run(feed=feed, fetch_list=[y])
            np.testing.assert_allclose(found, feed["x"] @ w, rtol=1e-4, atol=1e-4)


def test_training_keeps_its_products() -> None:
    loss = L.mean(L.mul(fluid.data("x", [-1, 4, WIDTH]), weight(), x_num_col_dims=2))
    fluid.optimizer.SGD(0.1).minimize(loss)
    assert source([loss], "weights", ["x"]).count("= w") == 0


@pytest.mark.parametrize(("rows", "columns"), [(32, 240), (40, 1200)])
def test_bits_are_the_same_before_and_after_packing(monkeypatch: pytest.MonkeyPatch, rows: int, columns: int) -> None:
    packings: list[int] = []
    pack = weight_product.pack
    monkeypatch.setattr(weight_product, "pack", lambda w: [pack(w), packings.append(len(w))][0])
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal(shape).astype("float32") for shape in ((rows, WIDTH), (WIDTH, columns)))
    call = WeightProduct(1)
    found = [call(x, w) for _ in range(4)]
    for each in found:
        np.testing.assert_array_equal(each, found[0])
    np.testing.assert_allclose(found[0], x @ w, rtol=1e-4, atol=1e-4)
    assert len(packings) <= 2
