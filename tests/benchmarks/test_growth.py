"""The fit of exponents, and a measurement of the smallest sizes."""

import math

import pytest

from benchmarks import bench_growth


@pytest.mark.parametrize("power", [0.0, 1.0, 2.0])
def test_the_exponent_is_that_of_the_largest_sizes(power):
    seconds = {10: 1.0, 100: 1.0, **{n: 1e-4 * n**power for n in (1000, 4000, 16000)}}
    assert bench_growth.exponent(seconds) == pytest.approx(power)


def test_times_that_are_too_short_have_no_exponent():
    row = bench_growth.Row("a Program", "operators", "build", 1.0, {10: 1e-5, 100: 1e-4, 1000: 2e-3})
    assert math.isnan(row.exponent) and "| 1,000 operators | 2.0 ms | too short | 1 |" in bench_growth.table([row])


def test_subjects_are_measured_by_phase():
    rows = bench_growth.measured(["chain", "tape", "sparse_words"], 10)
    phases = {(row.of, row.phase) for row in rows}
    assert {("operators", "minimize"), ("operators", "plan"), ("operators", "backward")} <= phases
    assert all(row.seconds[10] > 0 for row in rows if row.phase in ("build", "plan"))
