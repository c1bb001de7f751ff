"""Conditions that ask whether a list that the Program holds has anything in it."""

from __future__ import annotations

import pytest

from paddle_lite import fluid
from tests.jit.as_python import gradients_agree, values_agree

L = fluid.layers


@pytest.fixture(autouse=True)
def imperative():
    with fluid.dygraph.guard():
        yield


def large(x):
    """The rows above 3, which are none of some inputs."""
    rows = []
    for row in x:
        if L.reduce_sum(row) > 3:
            rows.append(row)
    return rows


def until_empty(x):
    rows = []
    for row in x:
        rows.append(row * 2)
    total = x[0] * 0
    while rows:
        total = total * 2 + rows.pop()
    return total


def branch(x):
    rows = []
    for row in x:
        if L.reduce_sum(row) > 3:
            rows.append(row)
    if rows:
        return rows[-1] * 2
    return x[0]


def opposite(x):
    rows = large(x)
    if not rows:
        return x[0] - 1
    return rows[0]


def together(x):
    rows = large(x)
    both = rows and L.reduce_max(x) > 4
    if both or not rows:
        x = x * 3
    return x


def expressions(x):
    rows = large(x)
    some = bool(rows)
    if some:
        x = x + 1
    return x * 2 if rows else x


def asserted(x):
    rows = [x]
    for row in x:
        rows.append(row)
    assert rows
    return x


FUNCTIONS = [until_empty, branch, opposite, together, expressions, asserted]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_as_python(function):
    values_agree(function)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients_as_python(function):
    gradients_agree(function)
