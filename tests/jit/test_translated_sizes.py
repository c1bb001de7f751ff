"""Sizes, lengths and counters in declared functions are numbers of Python, also where a Program does not know them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import declarative, to_variable

L = fluid.layers

ARITHMETIC = {
    "a power": lambda x: x * x.shape[0] ** -0.5,
    "a quotient": lambda x: x * (x.shape[0] / 4),
    "a number over it": lambda x: x * (1 / x.shape[0]),
    "a factor": lambda x: x + x.shape[0] * 0.5,
    "of two": lambda x: x + x.shape[0] * x.shape[1] / 4 + x.shape[0] // 2 + x.shape[0] % 2 - (-x.shape[0]) / 4,
    "of two sizes": lambda x: x * (x.shape[0] / len(x)) * (x.shape[0] ** -1),
    "int": lambda x: x + int(x.shape[0]) / 4,
    "compared": lambda x: x + (1 if x.shape[0] > 2.5 else 2),
}
NEEDED = {
    "an array": lambda x: x + L.assign(np.ones((x.shape[0], 3), "float32")),
    "math": lambda x: x * math.sqrt(x.shape[0]),
    "a text": lambda x: x + len(f"{x.shape[0]} of them"),
}


def counted(x):
    """The counter of a loop over rows: i / 2 has a fraction."""
    total = L.zeros([1], "float32")
    for i in range(x.shape[0]):
        total = total + L.reduce_sum(x[i]) * (i / 2)
    return total


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


def batch(rows):
    return to_variable(np.arange(rows * 3, dtype="float32").reshape(rows, 3))


@pytest.mark.parametrize("function", [*ARITHMETIC.values(), counted], ids=[*ARITHMETIC, "counted"])
def test_arithmetic_gives_what_python_gives(function):
    declared = declarative(function)
    for rows in (2, 3):
        np.testing.assert_allclose(declared(batch(rows)).numpy(), function(batch(rows)).numpy(), rtol=1e-6)


@pytest.mark.parametrize("function", NEEDED.values(), ids=NEEDED)
def test_where_python_needs_the_number_the_translation_is_for_that_batch(function):
    declared = declarative(function)
    for rows in (2, 3):
        with pytest.warns(UserWarning, match="translated for a batch of this size only, for: .* stands for a number"):
            found = declared(batch(rows))
        np.testing.assert_allclose(found.numpy(), function(batch(rows)).numpy(), rtol=1e-6)


def test_a_number_that_no_size_gives_is_an_error():
    @declarative
    def function(x):
        return x * math.sqrt(int(L.reduce_sum(x)))

    with pytest.raises(RuntimeError, match=r"stands for a number that is not known .* Compute with fluid\.layers"):
        function(batch(2))
