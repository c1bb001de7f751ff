"""Vectors in kernels: compiled, they do what the Python functions that stand for them do."""

import mmap

import numpy as np
import pytest

from paddle_lite.kernels.numba_jit import jit
from paddle_lite.kernels.simd import (
    clamp,
    deinterleave,
    interleave,
    lanes,
    larger,
    load,
    load_first,
    load_halves,
    store,
    store_first,
    total,
    where_less,
    zeros,
)

DTYPES = [np.float32, np.float64]


@jit
def arithmetic(x, out, number):
    n = out.size // 6
    a, b = load(x, 0), load(x, n)
    store(out, 0, a + b)
    store(out, n, a - b)
    store(out, 2 * n, a * b)
    store(out, 3 * n, number * a + b)
    store(out, 4 * n, a - number)
    store(out, 5 * n, zeros(x))
    return total(a)


@jit
def turns(x, out):
    n = out.size // 4
    a, b = deinterleave(load(x, 0), load(x, n))
    store(out, 0, a)
    store(out, n, b)
    a, b = interleave(a, b)
    store(out, 2 * n, a)
    store(out, 3 * n, b)


@jit
def part(x, start, count, out, low, high):
    store_first(out, 1, clamp(load_first(x, start, count), low, high), count)


@jit
def smaller(x, out):
    n = out.size
    store(out, 0, where_less(load(x, 0), load(x, n), load(x, n), zeros(x)))


@jit
def largest(x, out):
    store(out, 0, larger(load(x, 0), load(x, out.size)))


@jit
def halves(x, out, first, second):
    store(out, 0, load_halves(x, first, second))


def numbers(dtype, vectors):
    return np.random.default_rng(0).standard_normal(vectors * lanes(dtype)).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_arithmetic(dtype):
    x, n = numbers(dtype, 2), lanes(dtype)
    a, b, number = x[:n], x[n:], dtype(3)
    got, plain = np.full(6 * n, np.nan, dtype), np.full(6 * n, np.nan, dtype)
    sums = arithmetic(x, got, number), arithmetic.python(x, plain, number)
    wanted = np.concatenate([a + b, a - b, a * b, number * a + b, a - number, np.zeros(n)])
    for result, s in zip((got, plain), sums):
        np.testing.assert_allclose(result, wanted, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(s, a.sum(), rtol=1e-5)


def test_arrays_of_another_dtype_are_refused():
    with pytest.raises(Exception, match="No implementation of function"):
        turns(numbers(np.float32, 2), np.zeros(64))


@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_in_turn(dtype):
    x, n = numbers(dtype, 2), lanes(dtype)
    for function in (turns, turns.python):
        out = np.full(4 * n, np.nan, dtype)
        function(x, out)
        np.testing.assert_array_equal(out, np.concatenate([x[::2], x[1::2], x]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_selections(dtype):
    x, n = numbers(dtype, 2), lanes(dtype)
    x[1], x[n + 2] = np.nan, np.nan
    for function in (smaller, smaller.python):
        out = np.full(n, 7, dtype)
        function(x, out)
        np.testing.assert_array_equal(out, np.where(x[:n] < x[n:], x[n:], 0))


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_larger_elements(dtype):
    n = lanes(dtype)
    a, b = (
        np.resize(np.array(each, dtype), n)
        for each in zip(
            (1, 2), (2, 1), (-0.0, 0), (np.nan, 1), (1, np.nan), (np.nan, np.inf), (-np.inf, -1), strict=True
        )
    )
    for function in (largest, largest.python):
        out = np.full(n, 7, dtype)
        function(np.concatenate([a, b]), out)
        np.testing.assert_array_equal(out, np.maximum(a, b))
        assert np.signbit(out[2])  # of equal elements those of a


@pytest.mark.parametrize("dtype", DTYPES)
def test_halves_from_two_places(dtype):
    x, n = numbers(dtype, 2), lanes(dtype)
    for function in (halves, halves.python):
        out = np.full(n, 7, dtype)
        function(x, out, n + 1, 3)
        np.testing.assert_array_equal(out, np.concatenate([x[n + 1 : n + 1 + n // 2], x[3 : 3 + n // 2]]))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("count", [-3, 0, 1, 5, 8, 16, 99])
def test_parts_of_vectors(dtype, count):
    x, n = numbers(dtype, 2), lanes(dtype)
    x[3] = np.nan
    for function in (part, part.python):
        out = np.full(n + 2, 7, dtype)
        function(x, 2, count, out, dtype(-0.5), dtype(0.5))
        inside = min(max(count, 0), n)
        np.testing.assert_array_equal(out[1 : 1 + inside], np.clip(x[2 : 2 + inside], -0.5, 0.5))
        np.testing.assert_array_equal(out[1 + inside :], 7)
        assert out[0] == 7


def test_parts_touch_nothing_behind_them():
    """At the end of a page that nothing follows, or nothing of ours: a whole vector would be a fault or a change."""
    memory = mmap.mmap(-1, mmap.PAGESIZE)
    x = np.frombuffer(memory, np.float32)
    x[-3:] = 1, 2, 3
    out = np.zeros(18, np.float32)
    part(x, x.size - 3, 3, out, np.float32(-9), np.float32(9))
    assert out.tolist() == [0, 1, 2, 3] + [0] * 14
