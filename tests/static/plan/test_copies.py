"""Operators that need not run: copies of what there is, and what has been computed before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.static import default_main_program
from tests.static.plan.running import agree, alone, runs, source

L = fluid.layers
X = np.random.default_rng(0).standard_normal((3, 4)).astype("float32")


def operators(fetches: list[Any], which: str = "copies") -> int:
    return alone(source(fetches, which, ["x"]))


@pytest.fixture
def x() -> Any:
    variable = fluid.data("x", [-1, 4])
    variable.stop_gradient = False
    return variable


def test_what_is_given_back_as_it_is(x: Any) -> None:
    y = L.tanh(L.cast(L.scale(L.assign(L.square(x)), 1.0), "float32"))
    assert operators([y]) == 2
    agree({"x": X}, [y], ("copies", "all"))


@pytest.mark.parametrize("make", [
    lambda x: L.scale(x, 1.0, 0.5), lambda x: L.scale(x, 2.0), lambda x: L.cast(x, "float64"),
    lambda x: L.scale(x, L.fill_constant([1], "float32", 1.0)),
])  # fmt: skip
def test_what_is_changed_is_computed(make: Any, x: Any) -> None:
    y = L.tanh(make(x))
    assert operators([y]) >= 2
    agree({"x": X}, [y], ("copies", "all"))


def test_equal_operators_run_once(x: Any) -> None:
    """Also those that read what equal operators make."""
    first, second = (L.exp(L.tanh(L.scale(x, 2.0))) for _ in range(2))
    y = L.elementwise_mul(first, second)
    assert operators([y]) == 4
    agree({"x": X}, [y, *fluid.gradients(y, [x])], ("copies", "all"))


@pytest.mark.parametrize("first, second", [
    (lambda x: L.scale(x, 2.0), lambda x: L.scale(x, 2.0000001)),
    (lambda x: L.scale(x, 2.0, 1.0), lambda x: L.scale(x, 2.0, 1.0, bias_after_scale=False)),
    (lambda x: L.leaky_relu(x, 0.1), lambda x: L.leaky_relu(x, 0.2)),
    (lambda x: L.reduce_sum(x, 1), lambda x: L.reduce_sum(x, [0, 1])),
    (lambda x: L.elementwise_sub(x, L.tanh(x)), lambda x: L.elementwise_sub(L.tanh(x), x)),
    (lambda x: L.split(x, 2, 1)[0], lambda x: L.split(x, 4, 1)[0]),
    (lambda x: L.split(x, 2, 1)[0], lambda x: L.split(x, 2, 1)[1]),
])  # fmt: skip
def test_what_differs_is_computed(first: Any, second: Any, x: Any) -> None:
    a, b = (L.exp(make(x)) for make in (first, second))
    agree({"x": X}, [a, b], ("copies", "all"))
    agree({"x": X}, [L.elementwise_sub(L.reduce_sum(a), L.reduce_sum(b))], ("copies", "all"))


def test_attributes_that_are_equal_in_python_only() -> None:
    """1 and True, 0.0 and -0.0."""
    x = fluid.data("x", [-1, 4])
    a, b = L.scale(x, 1.0, 0.0), L.scale(x, 1.0, -0.0)
    c, d = L.elementwise_div(L.scale(x, 0.0), L.abs(x)), L.elementwise_div(L.scale(x, -0.0), L.abs(x))
    fetches = [L.elementwise_div(L.abs(x), v) for v in (a, b, c, d)]
    with np.errstate(all="ignore"):
        agree({"x": X}, fetches, ("copies",))


def test_random_numbers_differ(x: Any) -> None:
    a, b = (L.uniform_random([3, 4]) for _ in range(2))
    y = L.elementwise_sub(a, b)
    assert np.abs(runs([{}], [y], "all")[0][0][0]).min() > 0
    dropped = [L.dropout(x, 0.5) for _ in range(2)]
    y = L.elementwise_sub(*dropped)
    assert np.abs(runs([{"x": np.ones((8, 4), "float32")}], [y], "all")[0][0][0]).max() > 0


def test_prints_stay(x: Any) -> None:
    for _ in range(2):
        L.Print(x)
    assert source([L.tanh(x)], "copies", ["x"]).count("print") >= 2


def test_outputs_in_another_order(x: Any) -> None:
    """Two splits that write the same Variables the other way round."""
    block = default_main_program().global_block()
    names = [block.create_var(name=n, shape=[-1, 2], dtype="float32") for n in "abcd"]
    for pair in (names[:2], names[2:][::-1]):
        block.append_op("split", {"X": x}, {"Out": pair}, {"num": 2, "axis": 1})
    fetches = [L.tanh(v) for v in names]
    found = agree({"x": X}, fetches, ("copies", "all"))[0]
    np.testing.assert_array_equal(found[0][0], found[3][0])
    assert operators(fetches) == 5 and operators(fetches, "none") == 6


def test_outputs_that_are_left_out_matter(x: Any) -> None:
    """Gradients of X alone, of Y alone, of both."""
    y = L.tanh(x)
    z = L.elementwise_mul(x, y)
    slopes = [*fluid.gradients(z, [x]), *fluid.gradients(z, [y]), *fluid.gradients(z, [x, y])]
    agree({"x": X}, [L.exp(s) for s in slopes], ("copies", "all"))


def test_what_is_fetched_is_an_array_of_its_own(x: Any) -> None:
    a, b, c = L.tanh(x), L.tanh(x), L.assign(x)
    [found] = runs([{"x": X}], [a, b, c], "all")
    arrays = [array for array, _ in found]
    assert not any(np.shares_memory(p, q) for i, p in enumerate([*arrays, X]) for q in arrays[:i])


def test_a_variable_that_is_written_again(x: Any) -> None:
    """What is equal to its old value is not equal to its new one."""
    y = L.tanh(x)
    old = L.assign(y)
    L.assign(L.square(y), y)
    fetches = [L.exp(old), L.exp(y), L.exp(L.assign(y)), L.exp(L.tanh(x))]
    agree({"x": X}, fetches, ("copies", "all"))


def test_lods_come_with_what_is_equal() -> None:
    words = fluid.data("words", [-1, 4], lod_level=1)
    plain = fluid.data("plain", [-1, 4])
    fetches = [
        L.exp(L.assign(words)),
        L.exp(L.scale(words, 1.0)),
        L.exp(L.assign(plain)),
        L.sequence_pool(L.assign(words), "sum"),
    ]
    feed = {"words": fluid.create_lod_tensor(X, [[2, 1]], fluid.CPUPlace()), "plain": X}
    found = agree(feed, fetches, ("copies", "all"))[0]
    assert [lod is not None for _, lod in found[:3]] == [True, True, False]


def test_what_makes_no_tensor_stays(x: Any) -> None:
    array = L.array_write(x, L.fill_constant([1], "int64", 0))
    L.array_write(L.assign(x), L.fill_constant([1], "int64", 1), array)
    y = L.elementwise_add(
        L.array_read(array, L.fill_constant([1], "int64", 0)), L.array_read(array, L.fill_constant([1], "int64", 1))
    )
    agree({"x": X}, [y, L.array_length(array)], ("copies", "all"))
