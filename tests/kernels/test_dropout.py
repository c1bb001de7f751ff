"""Dropout by hashing: how many are kept, what is kept, and no pattern among or between calls."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite.kernels.cpu.random.dropout import apply_mask, dropout, key, threshold
from paddle_lite.kernels.cpu.random.random import manual_seed

N = 1 << 16


@pytest.fixture(autouse=True)
def repeatable() -> None:
    manual_seed(12)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("p", [0.0, 0.1, 0.5, 0.9])
def test_the_share_that_is_kept(p: float, dtype: str) -> None:
    x = np.random.RandomState(0).uniform(1, 2, (N // 64, 64)).astype(dtype)
    y, mask = dropout(x, p, 1.25)
    assert y.dtype == dtype and mask.dtype == np.uint8 and y.shape == mask.shape == x.shape
    np.testing.assert_array_equal(y, x * mask * x.dtype.type(1.25))
    assert abs(mask.mean() - (1 - p)) < 5 * np.sqrt(p * (1 - p) / N) + 1e-9  # five standard deviations


def test_all_dropped() -> None:
    y, mask = dropout(np.ones((3, 5), np.float32), 1.0, 1.0)
    assert not y.any() and not mask.any()


def test_nan_and_infinity_are_dropped_too() -> None:
    y, mask = dropout(np.full(N, np.nan, np.float32), 0.5, 1.0)
    assert np.isnan(y[mask == 1]).all() and not y[mask == 0].any()


def test_no_pattern_inside_of_a_call() -> None:
    signs = dropout(np.ones(N, np.float32), 0.5, 1.0)[1] * 2.0 - 1
    power = np.abs(np.fft.rfft(signs)[1:]) ** 2 / N
    assert power.max() < 25  # of numbers without a pattern each power is above 25 once in 7e10 cases
    assert abs(power.mean() - 1) < 0.05


def test_calls_have_nothing_in_common() -> None:
    calls = np.array([dropout(np.ones(N // 16, np.float32), 0.5, 1.0)[1] for _ in range(32)]) * 2.0 - 1
    products = np.abs(np.fft.irfft(np.fft.rfft(calls[0]) * np.conj(np.fft.rfft(calls[1:]))))  # at every shift
    assert products.max() < 7 * np.sqrt(N // 16)


def test_the_seed_of_the_generator_repeats_calls() -> None:
    x = np.ones(100, np.float32)
    first = dropout(x, 0.5, 1.0)[1]
    second = dropout(x, 0.5, 1.0)[1]
    manual_seed(12)
    assert (dropout(x, 0.5, 1.0)[1] == first).all() and (first != second).any()


@pytest.mark.parametrize("p", [0.0, 0.3, 0.9, 1 - 1e-12])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_few_elements_are_dropped_as_many_are(p: float, dtype: str) -> None:
    """The first of many elements, by a kernel, are what few are by NumPy: one call draws one key."""
    x, drawn = np.random.RandomState(0).randn(50, 20).astype(dtype), key()
    y, mask = dropout(x, p, 1.5, drawn)
    for rows in (0, 1, 7, 25):
        few, of_few = dropout(x[:rows], p, 1.5, drawn)
        np.testing.assert_array_equal(few, y[:rows])
        np.testing.assert_array_equal(of_few, mask[:rows])
        assert (few.dtype, of_few.dtype, few.shape) == (dtype, np.uint8, (rows, 20))


def test_a_call_draws_a_key_whatever_its_size() -> None:
    for size in (0, 3, 5000):
        manual_seed(12)
        dropout(np.ones(size, np.float32), 0.5, 1.0)
        after = key()
        manual_seed(12)
        key()
        assert after == key()


def test_thresholds_have_32_bits() -> None:
    assert [int(threshold(p)) for p in (0.0, 0.5, 1 - 2**-32, 1 - 2**-40)] == [0, 2**31, 2**32 - 1, 2**32 - 1]


def test_masked_takes_strided_arrays() -> None:
    x, mask = np.arange(24.0).reshape(4, 6), np.arange(24, dtype=np.uint8).reshape(6, 4).T % 2
    np.testing.assert_array_equal(apply_mask(x[:, ::2], mask[:, ::2], 0.5), x[:, ::2] * mask[:, ::2] * 2)
