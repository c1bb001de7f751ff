"""Reductions beside NumPy, and where [1] is left of everything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.core.errors import ArgumentTypeError, DtypeError, ShapeError
from paddle_lite.imperative import guard, to_variable
from paddle_lite.layers.math import reduce as layers

NUMPY = {
    "reduce_sum": np.sum,
    "reduce_mean": np.mean,
    "reduce_max": np.max,
    "reduce_min": np.min,
    "reduce_prod": np.prod,
    "reduce_all": np.all,
    "reduce_any": np.any,
}


@pytest.mark.parametrize("name", NUMPY)
@given(data=st.data())
def test_like_numpy(name: str, data: st.DataObject) -> None:
    dtype = "bool" if name in ("reduce_all", "reduce_any") else data.draw(st.sampled_from(["float32", "float64"]))
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=5, max_side=3))
    x = data.draw(hnp.arrays(dtype, shape, elements=st.booleans() if dtype == "bool" else st.integers(-4, 4)))
    axes = data.draw(st.none() | st.lists(st.integers(0, len(shape) - 1), min_size=1, unique=True))
    signed = axes if axes is None else [a - len(shape) if data.draw(st.booleans()) else a for a in axes]
    keep = data.draw(st.booleans())
    with guard():
        out = getattr(layers, name)(to_variable(x), dim=signed, keep_dim=keep).numpy()
    with np.errstate(over="ignore", invalid="ignore"):
        expected = NUMPY[name](x, axis=None if axes is None else tuple(axes), keepdims=keep)
    assert out.dtype == dtype and out.shape == (np.shape(expected) or (1,))
    np.testing.assert_allclose(out, np.reshape(expected, out.shape), 1e-5)


@pytest.mark.parametrize(
    ("dim", "shape"), [(None, [1]), (1, [2, 4]), ([], [1]), ([0, 1, 2], [1]), ((0, -1), [3]), (np.int64(-1), [2, 3])]
)
def test_dimensions_as_users_write_them(dim: Any, shape: list[int]) -> None:
    array = np.arange(24, dtype="float32").reshape(2, 3, 4)
    out = layers.reduce_sum(to_variable(array), dim=dim)
    axis = None if dim is None or (isinstance(dim, list) and not dim) else tuple(np.atleast_1d(dim))
    assert out.shape == shape and out.numpy().ravel().tolist() == array.sum(axis).ravel().tolist()


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_integers_stay_integers(dtype: str) -> None:
    x = to_variable(np.array([[1, 2], [-3, -7]], dtype))
    for name, expected in (("sum", -7), ("mean", -1), ("max", 2), ("min", -7), ("prod", 42)):
        out = getattr(layers, f"reduce_{name}")(x).numpy()
        assert out.tolist() == [expected] and out.dtype == dtype


def test_every_tie_gets_the_gradient() -> None:
    x = to_variable(np.array([[1, 2, 2], [0, 0, 3]], "float32"))
    x.stop_gradient = False
    layers.reduce_max(x, dim=1).backward()
    assert x.gradient().tolist() == [[0, 1, 1], [0, 0, 1]]
    layers.reduce_min(x).backward()
    assert x.gradient().tolist() == [[0, 0, 0], [1, 1, 0]]


def test_gradient_of_a_product_with_zeros() -> None:
    x = to_variable(np.array([[0, 4, 3], [0, 0, 3], [2, 5, 1]], "float32"))
    x.stop_gradient = False
    layers.reduce_prod(x, dim=1).backward()
    assert x.gradient().tolist() == [[12, 0, 0], [0, 0, 0], [5, 2, 10]]


def test_sum_of_no_rows() -> None:
    assert layers.reduce_sum(to_variable(np.ones([0, 2], "float32")), dim=0).numpy().tolist() == [0, 0]
    with pytest.raises(ShapeError, match=r"reduce_max: Input\(X\) got shape \[0, 2\], needs at least one element"):
        layers.reduce_max(to_variable(np.ones([0, 2], "float32")))


def test_bad_calls() -> None:
    x = to_variable(np.ones([2, 3], "float32"))
    with pytest.raises(
        ShapeError, match=r"reduce_sum: attribute 'dim' got \[2\], needs different dimensions from -2 to 1"
    ):
        layers.reduce_sum(x, dim=2)
    with pytest.raises(ShapeError, match="different dimensions"):
        layers.reduce_sum(x, dim=[1, -1])
    with pytest.raises(ArgumentTypeError, match="reduce_sum: dim got str '1', needs an int or a list of ints"):
        layers.reduce_sum(x, dim="1")
    with pytest.raises(ArgumentTypeError, match=r"reduce_sum: input got float 1\.0, needs a Variable"):
        layers.reduce_sum(1.0)
    with pytest.raises(DtypeError, match=r"reduce_all: Input\(X\) got dtype float32, needs bool"):
        layers.reduce_all(x)
    with pytest.raises(DtypeError, match=r"reduce_sum: Input\(X\) got dtype bool"):
        layers.reduce_sum(to_variable(np.array([True])))


@pytest.mark.parametrize(("shape", "dim"), [([4], 1), ([4], -2), ([4], 5), ([2, 3], [0, 3]), ([2, 3], 2)])
@pytest.mark.parametrize("name", ["reduce_sum", "reduce_mean", "reduce_max"])
def test_a_dimension_out_of_range_is_refused(name: str, shape: list[int], dim: Any) -> None:
    with pytest.raises(ShapeError, match="'dim'"):
        getattr(layers, name)(to_variable(np.ones(shape, "float32")), dim=dim)
