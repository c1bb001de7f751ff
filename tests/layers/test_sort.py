"""Elements in order and equal ones, beside NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.core.errors import DtypeError, ShapeError
from paddle_lite.imperative import to_variable
from paddle_lite.layers.shape import sort as layers

v = to_variable
SMALL = hnp.array_shapes(min_dims=1, max_dims=3, max_side=4)


@given(hnp.arrays("int64", SMALL, elements=st.integers(-3, 3)), st.integers(-3, 2), st.booleans())
def test_argsort(x: np.ndarray, axis: int, descending: bool) -> None:
    axis %= x.ndim
    values, indices = (r.numpy() for r in layers.argsort(v(x), axis, descending))
    assert indices.dtype == "int64" and (np.take_along_axis(x, indices, axis) == values).all()
    steps, ties = np.diff(values, axis=axis), np.diff(indices, axis=axis)
    assert (steps <= 0).all() if descending else (steps >= 0).all()
    assert (ties[steps == 0] > 0).all()


def test_gradient_of_sorting() -> None:
    x = v(np.array([[3.0, 1.0, 2.0]], "float32"))
    x.stop_gradient = False
    (layers.argsort(x)[0] * v(np.array([[10.0, 20.0, 30.0]], "float32"))).backward()
    assert x.gradient().tolist() == [[30, 10, 20]]


@given(st.lists(st.integers(-3, 3), max_size=9), st.sampled_from(["int32", "int64"]))
def test_unique(values: list[int], dtype: str) -> None:
    x = v(np.array(values, "int64"))
    once, index, counts = (r.numpy() for r in layers.unique_with_counts(x, dtype))
    assert once.tolist() == list(dict.fromkeys(values))
    assert once[index].tolist() == values and counts.tolist() == [values.count(n) for n in once]
    assert index.dtype == counts.dtype == dtype
    for got, expected in zip(layers.unique(x, dtype), (once, index), strict=True):
        assert got.numpy().tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda x: layers.argsort(x, 2), ShapeError, "-2 to 1"),
        (lambda x: layers.unique(x), ShapeError, "Flatten"),
        (lambda x: layers.unique(x[0], "float32"), DtypeError, "int32 or int64"),
    ],
)
def test_wrong_calls(call, error, match) -> None:
    with pytest.raises(error, match=match):
        call(v(np.zeros([2, 3])))
