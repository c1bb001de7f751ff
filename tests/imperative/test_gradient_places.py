"""Memory in which gradients of leaves are wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.imperative import Variable, guard, to_variable
from paddle_lite.ops.framework.gradient_places import Place, places, take

ROWS, INNER, COLUMNS = 16, 200, 300


@pytest.fixture(autouse=True)
def imperative() -> Any:
    with guard():
        yield
    assert not places


def leaf(*shape: int, dtype: str = "float32") -> Any:
    made = to_variable(np.random.RandomState(len(shape)).standard_normal(shape).astype(dtype))
    made.stop_gradient = False
    return made


def wanted(of: Variable) -> tuple[Place, np.ndarray]:
    """Return a place for the gradient of a Variable, behind 64 other bytes, and its memory."""
    memory = bytearray(64 + of.array.nbytes)
    return Place(of, memory, 64), np.frombuffer(memory, of.array.dtype, of.array.size, 64).reshape(of.array.shape)


def test_memory_is_given_while_nobody_refers_to_what_was_given_before() -> None:
    w, other = leaf(2, 3), leaf(2, 3)
    place, memory = wanted(w)
    assert take(other) is None and take(None) is None and place.take(other) is None
    given: Any = take(w)
    given[...] = 7
    assert (memory == 7).all() and place.holds(given) and take(w) is None
    part = given[1:]
    del given
    assert take(w) is None and not place.holds(part) and not place.holds(np.ones((2, 3), "float32"))
    del part
    again: Any = take(w)
    assert again is not None and not place.holds(again.reshape(3, 2)) and place.holds(again.reshape(3, 2).reshape(2, 3))
    del again
    w.array = np.ones((3, 3), "float32")
    assert take(w) is None
    del place
    assert take(w) is None and not places


def test_a_new_place_takes_that_of_the_one_before() -> None:
    w = leaf(4)
    before, _ = wanted(w)
    now, memory = wanted(w)
    del before
    given: Any = take(w)
    given[...] = 2
    assert now.holds(given) and (memory == 2).all()


def product(x: Any, w: Any) -> Any:
    return fluid.layers.matmul(x, w)


def of_transposed(x: Any, w: Any) -> Any:
    return fluid.layers.matmul(x, w, transpose_y=True, alpha=0.5)


def flat(x: Any, w: Any) -> Any:
    return fluid.layers.mul(x, w, x_num_col_dims=x.array.ndim - 1)


CASES: dict[str, tuple[Callable[[Any, Any], Any], tuple[int, ...], tuple[int, ...]]] = {
    "matmul": (product, (ROWS, INNER), (INNER, COLUMNS)),
    "matmul of a transposed one": (of_transposed, (ROWS, INNER), (COLUMNS, INNER)),
    "matmul of a batch": (product, (2, ROWS, INNER), (INNER, COLUMNS)),
    "matmul of a batch with a transposed one": (of_transposed, (2, ROWS, INNER), (COLUMNS, INNER)),
    "mul": (flat, (ROWS, INNER), (INNER, COLUMNS)),
    "mul of a batch": (flat, (2, ROWS, INNER), (INNER, COLUMNS)),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_write_gradients_of_weights_where_they_are_wanted(case: str, dtype: str) -> None:
    call, left, right = CASES[case]
    x, w = to_variable(leaf(*left, dtype=dtype).numpy()), leaf(*right, dtype=dtype)
    call(x, w).backward()
    expected = w.gradient()
    place, memory = wanted(w)
    call(x, w).backward()
    assert place.holds(w.raw_gradient())
    assert memory.tobytes() == expected.tobytes() == w.gradient().tobytes()


def test_a_leaf_that_is_used_twice_and_passes_that_are_added_up() -> None:
    x, w = to_variable(leaf(ROWS, INNER).numpy()), leaf(INNER, COLUMNS)
    product(x, w).backward()
    one = w.gradient()
    w.clear_gradient()
    place, memory = wanted(w)
    (product(x, w) + product(x, w)).backward()
    assert w.gradient().tolist() == (one + one).tolist() and not place.holds(w.raw_gradient())
    w.clear_gradient()
    product(x, w).backward()
    first = w.raw_gradient()
    strategy = fluid.dygraph.BackwardStrategy()
    strategy.accumulate_gradient = True
    for times in (2, 3):
        product(x, w).backward(strategy)
        np.testing.assert_allclose(w.gradient(), times * one, rtol=1e-6)
    assert first is not None and first.tolist() == memory.tolist() == one.tolist()  # nobody wrote into what is held
    [alone] = fluid.dygraph.grad(product(x, w), w)
    assert alone.numpy().tolist() == one.tolist()


def test_a_gradient_of_another_dtype_is_not_written_there() -> None:
    x, w = to_variable(leaf(ROWS, INNER).numpy()), leaf(INNER, COLUMNS)
    place, memory = wanted(w)
    w.array = w.array.astype("float64")
    product(to_variable(x.numpy().astype("float64")), w).backward()
    assert w.raw_gradient().dtype == "float64" and not place.holds(w.raw_gradient()) and (memory == 0).all()
