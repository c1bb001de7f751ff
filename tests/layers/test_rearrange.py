"""Elements in another order, beside NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.imperative import to_variable
from paddle_lite.layers.shape import rearrange as layers

v = to_variable
CUBE = np.arange(24).reshape(2, 3, 4)
AXES = st.lists(st.sampled_from([0, 1, 2, -1]), min_size=1, max_size=2, unique_by=lambda a: a % 3)


@given(AXES)
def test_reverse_and_flip(axes: list[int]) -> None:
    expected = np.flip(CUBE, axes).tolist()
    assert layers.reverse(v(CUBE), axes).numpy().tolist() == expected
    assert layers.flip(v(CUBE), axes).numpy().tolist() == expected


def test_reverse_one_axis() -> None:
    assert layers.reverse(v(CUBE), 1).numpy().tolist() == CUBE[:, ::-1].tolist()


@given(AXES, st.lists(st.integers(-9, 9), min_size=2, max_size=2))
def test_roll(axes: list[int], shifts: list[int]) -> None:
    shifts = shifts[: len(axes)]
    assert layers.roll(v(CUBE), shifts, axes).numpy().tolist() == np.roll(CUBE, shifts, axes).tolist()


def test_roll_as_one_axis() -> None:
    assert layers.roll(v(CUBE), 5).numpy().tolist() == np.roll(CUBE, 5).tolist()
    x = v(np.arange(6, dtype="float32").reshape(2, 3))
    x.stop_gradient = False
    (layers.roll(x, [1]) * v(np.arange(6, dtype="float32").reshape(2, 3))).backward()
    assert x.gradient().tolist() == [[1, 2, 3], [4, 5, 0]]


@given(st.lists(st.integers(1, 3), min_size=3, max_size=3))
def test_expand_as(times: list[int]) -> None:
    expected = np.tile(CUBE, times)
    assert layers.expand_as(v(CUBE), v(expected * 0)).numpy().tolist() == expected.tolist()


def test_meshgrid() -> None:
    vectors = [np.array([1, 2]), np.array([3, 4, 5]), np.array([6])]
    for got, expected in zip(
        layers.meshgrid([v(x) for x in vectors]), np.meshgrid(*vectors, indexing="ij"), strict=True
    ):
        assert got.numpy().tolist() == expected.tolist()


def test_diag() -> None:
    for given_as in (v(np.array([1.0, 2.0], "float32")), np.array([1.0, 2.0], "float32")):
        assert layers.diag(given_as).numpy().tolist() == [[1, 0], [0, 2]]


@given(st.integers(-2, 2), st.permutations([0, 1, 2]))
def test_diag_embed(offset: int, axes: list[int]) -> None:
    rows = np.array([[1.0, 2.0], [3.0, 4.0]], "float32")
    expected = np.moveaxis(np.stack([np.diag(row, offset) for row in rows]), (-2, -1), axes[:2])
    for given_as in (v(rows), rows):
        assert layers.diag_embed(given_as, offset, *axes[:2]).numpy().tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda x: layers.reverse(x, 3), ShapeError, "-3 to 2"),
        (lambda x: layers.flip(x, [0, 0]), ArgumentValueError, "once"),
        (lambda x: layers.flip(x, None), ArgumentTypeError, "flip: dims got"),
        (lambda x: layers.roll(x, [1, 2], [0]), ArgumentValueError, "one for each"),
        (lambda x: layers.expand_as(x, x[:, :2]), ShapeError, "multiples"),
        (lambda x: layers.meshgrid([x]), ArgumentValueError, "two"),
        (lambda x: layers.diag(3), ArgumentTypeError, "got int 3"),
    ],
)
def test_wrong_calls(call, error, match) -> None:
    with pytest.raises(error, match=match):
        call(v(CUBE))
