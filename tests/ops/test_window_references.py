"""References over windows against their definition: maxima and sums along one dimension, and convolutions of many images."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.ops.nn import conv
from paddle_lite.ops.nn.conv import filter_grad
from paddle_lite.ops.support.axis_windows import Windows, first_highest, highest, spread, totals

NUMBERS = st.sampled_from([-1.0, 0.0, 0.0, 1.0, 1.0, 2.5, np.inf, -np.inf, np.nan])


@st.composite
def even(draw):
    size, width, step, before = (draw(st.integers(low, 6)) for low in (1, 1, 1, 0))
    first = [i * step - before for i in range(draw(st.integers(1, 5)))]
    return Windows(size, tuple(first), tuple(f + width for f in first))


@st.composite
def adaptive(draw):
    size, count = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    ends = range(1, count + 1)
    return Windows(size, tuple(i * size // count for i in range(count)), tuple(-(-i * size // count) for i in ends))


def arrays(windows, draw):
    values = [draw(NUMBERS) for _ in range(windows.size * 2)]
    return np.array(values).reshape(1, windows.size, 2)


def points(windows):
    for first, end in zip(windows.first, windows.end):
        yield range(max(first, 0), max(min(end, windows.size), first, 0))


@given(st.one_of(even(), adaptive()), st.data())
def test_maxima_and_the_first_points_that_have_them(windows, data):
    x = arrays(windows, data.draw)
    labels = np.arange(x.size, dtype=np.int32).reshape(x.shape)
    expected = np.full((1, len(windows.first), 2), -np.inf)
    where = np.full(expected.shape, -1)
    for i, inside in enumerate(points(windows)):
        for j in (0, 1) if inside else ():
            seen = x[0, inside, j]
            expected[0, i, j], where[0, i, j] = seen.max(), labels[0, inside[int(seen.argmax())], j]
    np.testing.assert_array_equal(highest(np, x, 1, windows), expected)
    y, found = first_highest(np, x, labels, 1, windows)
    np.testing.assert_array_equal(y, expected)
    np.testing.assert_array_equal(found, where)


@given(st.one_of(even(), adaptive()))
def test_totals_and_their_gradient(windows):
    rng = np.random.default_rng(0)
    x, d = rng.random((2, windows.size, 3)), rng.random((2, len(windows.first), 3))
    expected, back = np.zeros(d.shape), np.zeros(x.shape)
    for i, inside in enumerate(points(windows)):
        for point in inside:
            expected[:, i] += x[:, point]
            back[:, point] += d[:, i]
    np.testing.assert_allclose(totals(np, x, 1, windows), expected)
    np.testing.assert_allclose(spread(np, d, 1, windows), back)


def test_counts_are_negative_outside_of_the_image():
    assert Windows(4, (-3, -1, 1, 3, 5), (-1, 1, 3, 5, 7)).counts() == [-1, 1, 2, 1, -1]


def test_gradients_of_filters_in_float16_are_summed_in_float32():
    one = np.ones((4000, 1, 1, 1), np.float16)
    found = filter_grad(np, one, one, (1, 1, 1, 1), [1, 1], [(0, 0), (0, 0)], [1, 1], 1)
    assert found.dtype == np.float16
    assert found.item() == 4000  # in float16, 2048 + 1 is 2048


def test_convolutions_of_many_images_take_some_at_a_time(monkeypatch):
    rng = np.random.default_rng(0)
    x, w = rng.random((5, 4, 7, 6)), rng.random((6, 2, 3, 2))
    place = [2, 1], [(1, 0), (1, 1)], [1, 2], 2
    y = conv.convolve(np, x, w, *place)
    dy = rng.random(y.shape)
    wanted = y, conv.image_grad(np, dy, w, x.shape[2:], *place), filter_grad(np, x, dy, w.shape, *place)
    taken, columns = [], conv._columns
    monkeypatch.setattr(conv, "MOST", 2 * 4 * w[0, 0].size * y[0, 0].size)
    monkeypatch.setattr(conv, "_columns", lambda xp, x, *rest: (taken.append(len(x)), columns(xp, x, *rest))[1])
    got = conv.convolve(np, x, w, *place), conv.image_grad(np, dy, w, x.shape[2:], *place)
    for one, other in zip((*got, filter_grad(np, x, dy, w.shape, *place)), wanted):
        np.testing.assert_allclose(one, other)
    assert taken == [2, 2, 1, 2, 2, 1]
