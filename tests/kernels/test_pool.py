"""Pooling kernels against their definition, window by window, and against numbers that PaddlePaddle 1.8.5 gave."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentValueError, ShapeError
from paddle_lite.kernels.cpu.nn import pool_loops
from paddle_lite.kernels.cpu.nn.pool import (
    adaptive_windows,
    avg_pool2d,
    avg_pool2d_grad,
    max_pool2d,
    max_pool2d_grad,
    max_pool2d_index_grad,
    max_pool2d_with_index,
    strided_windows,
)


def each_window(shape, windows):
    """(plane and output index, slice of the plane) of each window."""
    for n, c, r, k in np.ndindex(*shape[:2], *windows.out_size):
        rows = slice(windows.tops[r], max(windows.tops[r], windows.bottoms[r]))
        columns = slice(windows.lefts[k], max(windows.lefts[k], windows.rights[k]))
        yield (n, c, r, k), (n, c, rows, columns)


def reference_max(x, windows):
    y, index = (
        np.empty((*x.shape[:2], *windows.out_size), x.dtype),
        np.empty((*x.shape[:2], *windows.out_size), np.int32),
    )
    for out, window in each_window(x.shape, windows):
        values = x[window]
        if values.size:
            r, c = np.unravel_index(np.argmax(values), values.shape)
            y[out], index[out] = values[r, c], (r + window[2].start) * x.shape[3] + c + window[3].start
        else:
            y[out], index[out] = np.finfo(np.float32).min, -1
    return y, index


def reference_max_grad(index, dy, x_shape):
    dx = np.zeros(x_shape)
    for n, c, r, k in np.ndindex(*dy.shape):
        if index[n, c, r, k] >= 0:
            dx[n, c].reshape(-1)[index[n, c, r, k]] += dy[n, c, r, k]
    return dx


def points(out, windows):
    """By how many points the sum of a window is divided; below 0 for some that are outside of the image, as in Paddle."""
    _, _, r, k = out
    return windows.area or (windows.bottoms[r] - windows.tops[r]) * (windows.rights[k] - windows.lefts[k])


def reference_average(x, windows):
    y = np.empty((*x.shape[:2], *windows.out_size))
    for out, window in each_window(x.shape, windows):
        y[out] = x[window].astype(np.float64).sum() / np.float64(points(out, windows))
    return y


def reference_average_grad(dy, x_shape, windows):
    dx = np.zeros(x_shape)
    for out, window in each_window(x_shape, windows):
        dx[window] += dy[out] / np.float64(points(out, windows))
    return dx


def check(x, windows):
    """All kernels against their definition, on arrays that stay as they were."""
    before = x.copy()
    tolerance = {"rtol": 1e-5, "atol": 1e-5} if x.dtype == np.float32 else {"rtol": 1e-12, "atol": 1e-12}
    y, index = reference_max(x, windows)
    dy = np.random.default_rng(1).standard_normal(y.shape).astype(x.dtype)
    dx = reference_max_grad(index, dy, x.shape)
    with np.errstate(all="ignore"):
        average, average_dx = reference_average(x, windows), reference_average_grad(dy, x.shape, windows)
    got_y, got_index = max_pool2d_with_index(x, windows)
    results = [
        (max_pool2d(x, windows), y),
        (got_y, y),
        (max_pool2d_grad(x, y, dy, windows), dx),
        (max_pool2d_index_grad(got_index, dy, x.shape), dx),
        (avg_pool2d(x, windows), average),
        (avg_pool2d_grad(dy, x.shape, windows), average_dx),
    ]
    np.testing.assert_array_equal(got_index, index)
    for got, wanted in results:
        assert got.dtype == x.dtype
        np.testing.assert_allclose(got, wanted, **tolerance)
    np.testing.assert_array_equal(x, before)


@st.composite
def images(draw):
    size = draw(st.tuples(st.integers(1, 24), st.integers(1, 24)))
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    levels = draw(st.sampled_from([2, 1000]))  # few levels make ties
    rng = np.random.default_rng(draw(st.integers(0, 100)))
    shape = draw(st.integers(0, 3)), draw(st.integers(1, 3)), *size
    return rng.integers(-levels, levels, shape).astype(dtype)


@settings(max_examples=30, deadline=None)
@given(images(), st.data())
def test_strided_windows_of_any_size(x, data):
    ksize, strides = (data.draw(st.tuples(*[st.integers(1, 4)] * 2)) for _ in range(2))
    pads = [data.draw(st.integers(0, ksize[k // 2] - 1)) for k in range(4)]
    ceil = data.draw(st.integers(0, 1))
    out = []
    for a in (0, 1):
        room = x.shape[2 + a] + pads[2 * a] + pads[2 * a + 1] - ksize[a]
        out.append(max(1, (room + ceil * (strides[a] - 1)) // strides[a] + 1))
    check(x, strided_windows(x.shape[2:], ksize, strides, pads, out, data.draw(st.booleans())))


@settings(max_examples=20, deadline=None)
@given(images(), st.booleans())
def test_pairs(x, exclusive):
    out = max(1, x.shape[2] // 2), max(1, x.shape[3] // 2)
    windows = strided_windows(x.shape[2:], (2, 2), (2, 2), (0, 0, 0, 0), out, exclusive)
    assert windows.pairs == (min(x.shape[2:]) > 1)
    check(x, windows)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(2, 8, 8), (1, 5, 37), (3, 2, 70), (2, 7, 2), (1, 3, 24)])
def test_gradients_of_pairs_are_written_to_the_end_and_not_beyond(shape, dtype):
    """Rows shorter than a vector of windows, and longer ones, in an array that has something behind it."""
    x = np.random.default_rng(0).integers(-2, 2, shape).astype(dtype)
    windows = strided_windows(shape[1:], (2, 2), (2, 2), (0, 0, 0, 0), (shape[1] // 2, shape[2] // 2))
    y, index = (each[0] for each in reference_max(x[None], windows))
    room = np.full(x.size + 40, 7, dtype)
    pool_loops.max_pairs_grad(x, y, y + 3, room[: x.size].reshape(shape))
    wanted = reference_max_grad(index[None], y[None] + 3, (1, *shape))
    np.testing.assert_array_equal(room[: x.size], wanted.ravel())
    assert (room[x.size :] == 7).all()


@settings(max_examples=20, deadline=None)
@given(images(), st.integers(1, 9), st.integers(1, 9))
def test_adaptive_windows_of_any_size(x, rows, columns):
    check(x, adaptive_windows(x.shape[2:], (rows, columns)))


def test_images_that_are_not_contiguous():
    x = np.random.default_rng(0).standard_normal((8, 9, 4, 3)).transpose(3, 2, 0, 1)[:, ::-1, ::2]
    check(x, strided_windows((4, 9), (2, 2), (2, 2), (0, 0, 0, 0), (2, 4)))
    check(x, strided_windows((4, 9), (3, 2), (1, 2), (1, 1, 0, 0), (4, 4)))


@pytest.mark.parametrize("ksize", [(2, 2), (2, 1)])
def test_nan_wins_and_infinity_counts(ksize):
    x = np.array([1, np.nan, -np.inf, -np.inf, 2, 3, -np.inf, -np.inf], np.float32).reshape(1, 1, 2, 4)
    windows = strided_windows((2, 4), ksize, ksize, (0, 0, 0, 0), (1, 4 // ksize[1]))
    expected = {2: [np.nan, -np.inf], 1: [2, np.nan, -np.inf, -np.inf]}[ksize[1]]
    np.testing.assert_array_equal(max_pool2d(x, windows).ravel(), np.array(expected, np.float32))
    y, index = max_pool2d_with_index(x, windows)
    np.testing.assert_array_equal(y.ravel(), np.array(expected, np.float32))
    assert index.ravel().tolist() == {2: [1, 2], 1: [4, 1, 2, 3]}[ksize[1]]
    assert max_pool2d_grad(x, y, np.ones_like(y), windows).sum() == y.size


@pytest.mark.parametrize("act", [None, "relu", "relu6", "sigmoid", "tanh"])
@pytest.mark.parametrize("ksize, stride", [((2, 2), 2), ((3, 2), 1)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_activations(act, ksize, stride, dtype):
    x = np.random.default_rng(0).standard_normal((2, 3, 8, 9)).astype(dtype) * 5
    x[0, 0, 0, 0] = np.nan
    out = [(n - k) // stride + 1 for n, k in zip((8, 9), ksize)]
    windows = strided_windows((8, 9), ksize, (stride, stride), (0, 0, 0, 0), out)
    follow = {
        None: lambda v: v,
        "relu": lambda v: np.maximum(v, 0),
        "relu6": lambda v: np.clip(v, 0, 6),
        "sigmoid": lambda v: 1 / (1 + np.exp(-v)),
        "tanh": np.tanh,
    }[act]
    np.testing.assert_allclose(max_pool2d(x, windows, act=act), follow(max_pool2d(x, windows)), rtol=1e-6)
    np.testing.assert_allclose(avg_pool2d(x, windows, act=act), follow(avg_pool2d(x, windows)), rtol=1e-6, atol=1e-7)
    assert np.isnan(max_pool2d(x, windows, act=act)[0, 0, 0, 0])


def test_an_activation_that_is_not_there_is_refused():
    windows = adaptive_windows((4, 4), (2, 2))
    for pool in (max_pool2d, avg_pool2d):
        with pytest.raises(ArgumentValueError, match="pool2d: act got 'elu', needs None, 'relu'"):
            pool(np.zeros((1, 1, 4, 4), np.float32), windows, act="elu")


# what PaddlePaddle 1.8.5 gives for the numbers 0 ... 24 in 5 rows
FIVE = np.arange(25, dtype=np.float32).reshape(1, 1, 5, 5)
HALF = [[1 / 4, 5 / 12, 1 / 6, 5 / 12, 1 / 4], [5 / 12, 25 / 36, 5 / 18, 25 / 36, 5 / 12]]


@pytest.mark.parametrize(
    "windows, expected",
    [
        (strided_windows((5, 5), (3, 3), (2, 2), (1,) * 4, (3, 3)), [[3, 4.5, 6], [10.5, 12, 13.5], [18, 19.5, 21]]),
        (
            strided_windows((5, 5), (3, 3), (2, 2), (1,) * 4, (3, 3), exclusive=False),
            [[4 / 3, 3, 8 / 3], [7, 12, 9], [8, 13, 28 / 3]],
        ),
        (
            strided_windows((5, 5), (2, 2), (2, 2), (0,) * 4, (3, 3), exclusive=False),
            [[3, 5, 3.25], [13, 15, 8.25], [10.25, 11.25, 6]],
        ),
        (strided_windows((5, 5), (2, 2), (2, 2), (0,) * 4, (3, 3)), [[3, 5, 6.5], [13, 15, 16.5], [20.5, 22.5, 24]]),
        (adaptive_windows((5, 5), (3, 2)), [[3.5, 5.5], [11, 13], [18.5, 20.5]]),
    ],
    ids=["padded exclusive", "padded inclusive", "ceil inclusive", "ceil exclusive", "adaptive"],
)
def test_averages_as_paddle_has_them(windows, expected):
    np.testing.assert_allclose(avg_pool2d(FIVE, windows)[0, 0], expected, rtol=1e-6)


def test_gradients_as_paddle_has_them():
    windows = strided_windows((5, 5), (3, 3), (2, 2), (1,) * 4, (3, 3))
    dx = avg_pool2d_grad(np.ones((1, 1, 3, 3), np.float32), FIVE.shape, windows)[0, 0]
    np.testing.assert_allclose(dx[:2], HALF, rtol=1e-6)
    np.testing.assert_allclose(dx[2], [1 / 6, 5 / 18, 1 / 9, 5 / 18, 1 / 6], rtol=1e-6)
    ones = np.ones((1, 1, 4, 4), np.float32)
    tied = strided_windows((4, 4), (3, 3), (1, 1), (0,) * 4, (2, 2))
    dx = max_pool2d_grad(ones, max_pool2d(ones, tied), np.ones((1, 1, 2, 2), np.float32), tied)
    np.testing.assert_array_equal(dx[0, 0], [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])


def test_windows_in_the_padding_as_paddle_has_them():
    x = FIVE[:, :, :3, :3]
    windows = strided_windows((3, 3), (1, 1), (1, 1), (1,) * 4, (5, 5))
    assert max_pool2d(x, windows)[0, 0, 0, 0] == np.finfo(np.float32).min
    assert np.isnan(avg_pool2d(x, windows)[0, 0, 0, 0])
    np.testing.assert_array_equal(avg_pool2d_grad(np.ones((1, 1, 5, 5), np.float32), x.shape, windows), np.ones_like(x))


@pytest.mark.parametrize(
    "make",
    [
        lambda: strided_windows((5, 5), (0, 2), (1, 1), (0,) * 4, (1, 1)),
        lambda: strided_windows((5, 5), (2, 2), (1, 0), (0,) * 4, (1, 1)),
        lambda: strided_windows((5, 5), (7, 7), (1, 1), (0,) * 4, (-1, -1)),
        lambda: adaptive_windows((5, 5), (0, 2)),
    ],
)
def test_sizes_that_are_not_positive_are_refused(make):
    with pytest.raises(ShapeError, match=r"pool2d: .* needs positive numbers"):
        make()
