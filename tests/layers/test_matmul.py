"""Matrix products beside NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, DtypeError, ShapeError
from paddle_lite.imperative import guard, to_variable
from paddle_lite.imperative.gradients import grad
from paddle_lite.layers.math import matmul as layers

SIZES = st.integers(1, 5)
BATCHES = st.sampled_from(
    [((), ()), ((3,), ()), ((), (3,)), ((3,), (3,)), ((2, 3), ()), ((), (2, 3)), ((2, 3), (2, 3))]
)


@given(st.data())
def test_product_and_gradients_like_numpy(data: st.DataObject) -> None:
    m, k, n = (data.draw(SIZES) for _ in range(3))
    batches, flips = data.draw(BATCHES), [data.draw(st.booleans()) for _ in range(2)]
    alpha = data.draw(st.sampled_from([1.0, -0.5]))
    rng = np.random.RandomState(3)
    x, y = rng.uniform(-1, 1, (*batches[0], m, k)), rng.uniform(-1, 1, (*batches[1], k, n))
    expected = alpha * (x @ y)
    seed = rng.uniform(-1, 1, expected.shape)
    of_x, of_y = alpha * seed @ y.swapaxes(-1, -2), alpha * x.swapaxes(-1, -2) @ seed
    of_x, of_y = (g.reshape(-1, *v.shape).sum(0) if g.shape != v.shape else g for g, v in ((of_x, x), (of_y, y)))

    def stored(array: np.ndarray, flip: bool) -> np.ndarray:
        return np.ascontiguousarray(array.swapaxes(-1, -2)) if flip else array

    with guard():
        a, b = to_variable(stored(x, flips[0])), to_variable(stored(y, flips[1]))
        a.stop_gradient = b.stop_gradient = False
        out = layers.matmul(a, b, *flips, alpha=alpha)
        gradients = grad([out], [a, b], [to_variable(seed)])
    np.testing.assert_allclose(out.numpy(), expected, 1e-10)
    for found, wanted, flip in zip(gradients, (of_x, of_y), flips, strict=True):
        np.testing.assert_allclose(found.numpy(), stored(wanted, flip), 1e-10)


@pytest.mark.parametrize(
    ("x", "y", "flips", "shape"),
    [
        ((3,), (3,), "", [1]),
        ((3,), (4,), "xy", [3, 4]),
        ((3,), (3, 4), "", [4]),
        ((2, 3), (3,), "", [2]),
        ((1, 4), (4,), "", [1]),
        ((1, 4), (4, 1), "", [1, 1]),
        ((2, 3, 4), (4,), "", [2, 3]),
        ((3,), (2, 3, 4), "", [2, 4]),
        ((3,), (1, 4), "x", [3, 4]),
        ((6, 2, 3), (3, 2, 3, 5), "", [6, 2, 5]),
    ],
)
def test_shapes_of_vectors_and_batches(x: tuple, y: tuple, flips: str, shape: list[int]) -> None:
    draws = np.random.RandomState(0)
    left, right = draws.randint(-4, 5, x).astype("float32"), draws.randint(-4, 5, y).astype("float32")
    out = layers.matmul(to_variable(left), to_variable(right), "x" in flips, "y" in flips)
    rows = left.reshape(-1, 1) if "x" in flips else left  # a vector that is turned is a column
    columns = right.reshape(1, -1) if "y" in flips else right
    if columns.ndim > max(rows.ndim, 3):
        columns = columns.reshape(-1, *y[-2:])  # all batches of y are one dimension
    expected = rows @ (columns.reshape(-1, 1) if rows.ndim > 1 and columns.ndim == 1 else columns)
    assert out.shape == shape and out.numpy().ravel().tolist() == expected.ravel().tolist()


def test_float32_stays_float32() -> None:
    x = to_variable(np.ones((2, 2), "float32"))
    assert layers.matmul(x, x, alpha=0.5).numpy().dtype == "float32"
    wide = to_variable(np.ones((2, 2)))
    assert layers.matmul(wide, wide, alpha=0.1).numpy()[0, 0] == 2 * float(np.float32(0.1))  # attributes are float32


def test_mul_flattens() -> None:
    rng = np.random.RandomState(0)
    x, y = rng.rand(2, 3, 4), rng.rand(2, 6, 5)
    out = layers.mul(to_variable(x), to_variable(y), x_num_col_dims=1, y_num_col_dims=2).numpy()
    np.testing.assert_allclose(out, x.reshape(2, 12) @ y.reshape(12, 5))
    out = layers.mul(to_variable(x), to_variable(rng.rand(4, 5)), x_num_col_dims=2)
    assert out.shape == [2, 3, 5]


def test_bad_calls() -> None:
    x, y = to_variable(np.ones((2, 3), "float32")), to_variable(np.ones((4, 5), "float32"))
    with pytest.raises(
        ShapeError, match=r"matmul: Input\(Y\) got 4 rows \(X of shape \[2, 3\], Y of shape \[4, 5\]\), needs 3"
    ):
        layers.matmul(x, y)
    with pytest.raises(ShapeError, match=r"mul: Input\(Y\) got 4 rows .* needs 3"):
        layers.mul(x, y)
    with pytest.raises(ShapeError, match=r"mul: attribute 'x_num_col_dims' got 2, needs 1 to 1 for shape \[2, 3\]"):
        layers.mul(x, y, x_num_col_dims=2)
    with pytest.raises(DtypeError, match=r"matmul: Input\(Y\) got dtype float64, needs float32"):
        layers.matmul(x, to_variable(np.ones((3, 2))))
    whole = to_variable(np.ones((2, 2), "int64"))
    with pytest.raises(DtypeError, match=r"matmul: Input\(X\) got dtype int64, needs a float dtype"):
        layers.matmul(whole, whole)
    with pytest.raises(ArgumentTypeError, match="matmul: alpha got str 'two', needs a number"):
        layers.matmul(x, y, alpha="two")
    with pytest.raises(ArgumentTypeError, match=r"mul: Input\(Y\)"):
        layers.mul(x, np.ones((3, 2), "float32"))
    batch, three = to_variable(np.ones((2, 3, 4), "float32")), to_variable(np.ones((3, 4, 5), "float32"))
    with pytest.raises(ShapeError, match=r"a batch of 3 matrices .* needs 2 matrices as in X.*expand"):
        layers.matmul(batch, three)
