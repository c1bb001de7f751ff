"""Seeded random numbers against recorded ones of Paddle 1.8.5, to the last bit; fresh ones by their statistics.

`data/random_cases.npz` holds for each case its name (what was drawn, with which arguments and seed), the SHA-256 of all its bytes,
and its elements, or the first 24 and last 8 of them where there are more than 64.
"""

import hashlib
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.kernels.cpu.random import random
from paddle_lite.kernels.cpu.random.libm_log import libm_log

MILLION = 1_000_000
SEEDS = (1, 90, 2**31 - 1, -5)  # 2**31 - 1 counts as 1; -5 is another seed for dropout than for the rest
REALS = (np.float32, np.float64)


def recorded():
    with np.load(Path(__file__).parent / "data" / "random_cases.npz") as file:
        values = np.split(file["values"], np.cumsum(file["lengths"])[:-1])
        return dict(zip(file["names"].tolist(), zip(values, file["sha256"].tolist(), strict=True), strict=True))


CASES = recorded()


def draw(name):
    """What this library draws for a recorded case."""
    kind, *arguments, seed = name.split()
    seed, many = int(seed), seed in map(str, SEEDS)
    if kind == "uniform":
        return random.uniform([MILLION if many else 4], -0.3, 1.7, seed, arguments[0])
    if kind == "gaussian":
        return random.gaussian([MILLION - 1 if many else 5], 0.3, 0.02, seed, arguments[0])
    if kind == "truncated":
        return random.truncated_gaussian([MILLION if many else 4], 0.1, 0.02, seed, arguments[0])
    if kind == "randint":
        dtype, low, high = arguments
        return random.randint([100_000 if many else 4], int(low), int(high), seed, dtype)
    if kind == "dropout":
        return random.dropout_mask([MILLION], float(arguments[0]), seed)
    if kind == "sampling":
        return random.sampling_id(np.tile(np.arange(1, 7) / 21, (10_000, 1)).astype(arguments[0]), seed=seed)
    assert kind == "permutation"
    return random.permutation(int(arguments[0]), seed)


def shown(values):
    return values if values.size <= 64 else np.concatenate([values[:24], values[-8:]])


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith(("gaussian float64", "diagonal"))])
def test_a_seed_gives_paddles_numbers_to_the_last_bit(name):
    values, digest = CASES[name]
    drawn = draw(name)
    np.testing.assert_array_equal(shown(drawn), values)
    assert hashlib.sha256(drawn.tobytes()).hexdigest() == digest


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("gaussian float64")])
def test_a_seed_gives_paddles_float64_normal_numbers_as_well_as_the_c_library_takes_logarithms(name):
    values, _ = CASES[name]
    deviations = (values - np.float32(0.3)) / np.float32(0.02)
    drawn = (shown(draw(name)) - np.float32(0.3)) / np.float32(0.02)
    np.testing.assert_allclose(drawn, deviations, rtol=0, atol=2e-14)


def test_the_cases_cover_each_kind_of_draw_and_both_ends_of_the_engine():
    assert {name.split()[0] for name in CASES} == {
        "diagonal", "dropout", "gaussian", "permutation", "randint", "sampling", "truncated", "uniform",
    }  # fmt: skip
    seeds = [int(name.split()[2]) for name in CASES if name.startswith("uniform float32")]
    assert {int(random.Engine(seed).draw(1)[0]) for seed in seeds} >= {0, 2**31 - 3, 2**31 - 4}


def test_a_diagonal_replaces_every_so_many_elements():
    values, digest = CASES["diagonal"]
    drawn = random.uniform([5, 3], -1.0, 1.0, 3, np.float32, diag_num=3, diag_step=3, diag_val=9.0)
    np.testing.assert_array_equal(drawn.ravel(), values)
    assert hashlib.sha256(drawn.tobytes()).hexdigest() == digest


@pytest.mark.parametrize(
    ("number", "step", "argument"), [(2, 20, "diag_num"), (2, 5, "diag_num"), (2, -1, "diag_step")]
)
def test_a_diagonal_that_does_not_fit_is_refused(number, step, argument):
    with pytest.raises(ArgumentValueError, match=rf"uniform_random: .*'{argument}'"):
        random.uniform([2, 3], -1.0, 1.0, 3, diag_num=number, diag_step=step)


@given(st.integers(-(2**31), 2**31 - 1), st.lists(st.integers(0, 40_000), max_size=3))
def test_skipping_ahead_gives_what_stepping_gives(seed, counts):
    engine = random.Engine(seed)
    drawn = np.concatenate([np.empty(0, np.uint64), *(engine.draw(n) for n in counts)])
    state = seed % (2**31 - 1) or 1
    for value in drawn.tolist():
        state = 48271 * state % (2**31 - 1)
        assert value == state - 1


@given(st.integers(-(2**31), 2**31 - 2), st.integers(1, 2**32 - 1), st.integers(1, 2**31 - 1), st.integers(0, 200))
def test_integers_are_those_of_the_plain_definition(low, span, seed, n):
    high = min(low + span, 2**31 - 1)
    draws = iter(random.Engine(seed).draw(20 * n + 100).tolist())
    expected = [low + one_integer(draws, high - low) for _ in range(n)]
    assert random.randint([n], low, high, seed).tolist() == expected


def one_integer(draws, span):
    """An integer below `span`, by the distribution of libstdc++: the definition, one draw at a time."""
    states = 2**31 - 2
    if span == states:
        return next(draws)
    if span < states:
        width = (states - 1) // span
        return next(value for value in (draw // width for draw in draws) if value < span)
    while True:
        value = states * one_integer(draws, (span - 1) // states + 1) + next(draws)
        if value < span:
            return value


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("shape", [[0], [3, 0], [1], [2, 3], [5, 1, 7]])
def test_each_draw_has_the_shape_and_dtype_asked_for(shape, seed):
    for real in REALS:
        for made in (
            random.uniform(shape, 0.0, 1.0, seed, real),
            random.gaussian(shape, 0.0, 1.0, seed, real),
            random.truncated_gaussian(shape, 0.0, 1.0, seed, real),
        ):
            assert (made.shape, made.dtype) == (tuple(shape), real)
    for dtype in (np.int32, np.int64):
        made = random.randint(shape, -3, 4, seed, dtype)
        assert (made.shape, made.dtype) == (tuple(shape), dtype)
    made = random.dropout_mask(shape, 0.5, seed)
    assert (made.shape, made.dtype) == (tuple(shape), np.uint8)


def test_without_a_seed_each_call_differs_and_manual_seed_repeats_the_calls():
    def calls():
        return [
            random.uniform([5], 0.0, 1.0),
            random.uniform([5], 0.0, 1.0),
            random.gaussian([5], 0.0, 1.0),
            random.truncated_gaussian([5], 0.0, 1.0),
            random.randint([5], 0, 1000),
            random.dropout_mask([40], 0.5),
            random.sampling_id(np.full((40, 4), 0.25)),
            random.permutation(50),
            random.generator().random(5),
        ]

    random.manual_seed(11)
    first = calls()
    assert not np.array_equal(first[0], first[1])
    other = calls()
    random.manual_seed(11)
    for one, again, different in zip(first, calls(), other, strict=True):
        np.testing.assert_array_equal(one, again)
        assert not np.array_equal(one, different)


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize("real", REALS)
def test_the_numbers_have_the_distribution_they_are_named_after(real, seed):
    random.manual_seed(2)
    n = 200_000
    error = 5 / math.sqrt(n)  # five standard errors of a mean with deviation 1
    uniform = random.uniform([n], -1.0, 3.0, seed, real)
    assert -1 <= uniform.min() < -0.99 and 2.99 < uniform.max() <= 3
    assert abs(uniform.mean() - 1) < error * 4 / math.sqrt(12)
    normal = random.gaussian([n], 2.0, 0.5, seed, real)
    assert abs(normal.mean() - 2) < error * 0.5 and abs(normal.std() / 0.5 - 1) < error
    assert abs((np.abs(normal - 2) < 0.5).mean() - math.erf(math.sqrt(0.5))) < error
    truncated = (random.truncated_gaussian([n], 2.0, 0.5, seed, real) - 2) / 0.5
    assert 1.99 < np.abs(truncated).max() <= 2 + 1e-6
    assert abs(truncated.mean()) < error
    assert abs((np.abs(truncated) < 1).mean() - math.erf(math.sqrt(0.5)) / math.erf(math.sqrt(2))) < error


@pytest.mark.parametrize("seed", [0, 5])
def test_masks_integers_and_samples_have_the_shares_asked_for(seed):
    random.manual_seed(2)
    n = 200_000
    error = 5 / math.sqrt(n)
    for p in (0.0, 0.1, 0.75, 1.0):
        assert abs(1 - random.dropout_mask([n], p, seed).mean() - p) <= (error if 0 < p < 1 else 0)
    counts = np.bincount(random.randint([n], 10, 15, seed) - 10, minlength=5)
    assert np.abs(counts / n - 0.2).max() < error
    chances = np.array([0.0, 0.5, 0.2, 0.3])
    counts = np.bincount(random.sampling_id(np.tile(chances, (n, 1)), seed=seed), minlength=4)
    assert np.abs(counts / n - chances).max() < error and counts[0] == 0


@given(st.integers(-(2**31), 2**31 - 1), st.integers(0, 200))
def test_a_permutation_has_every_integer_once(seed, n):
    assert sorted(random.permutation(n, seed).tolist()) == list(range(n))


@pytest.mark.parametrize("real", REALS)
def test_the_logarithm_is_within_a_unit_in_the_last_place(real):
    tiny = np.finfo(real).tiny
    x = np.exp(np.random.default_rng(0).uniform(math.log(tiny), math.log(1e30), 100_000)).astype(real)
    x = np.concatenate([x, np.nextafter(np.ones(2, real), [0, 2], dtype=real), [real(1), tiny]]).astype(real)
    exact = np.log(x.astype(np.longdouble if real is np.float64 else np.float64))
    assert (np.abs(libm_log(x) - exact) <= np.spacing(np.abs(exact).astype(real))).all()
    assert libm_log(x).dtype == real
