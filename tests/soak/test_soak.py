"""The long run: one short cycle of all its work, and the rule that finds what grows."""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.soak import __main__ as soaking
from tests.soak import measure
from tests.soak.__main__ import Soak
from tests.soak.leaking import Nobody
from tests.soak.trends import CERTAIN, Limit, chance, judged, slope, thinned
from tests.soak.work import Killed, kinds, yardstick_of

TIMES = np.arange(200.0)
linux = pytest.mark.skipif(not measure.supported(), reason="needs /proc")


@pytest.fixture(autouse=True)
def none_of_what_was_before() -> None:
    """Leave what other tests have made out of the counts, which take long otherwise."""
    gc.collect()
    gc.freeze()


def noise(seed: int, alike: float = 0.0) -> np.ndarray:
    draws = np.random.RandomState(seed).randn(200)
    for i in range(1, 200):
        draws[i] += alike * draws[i - 1]
    return draws


@pytest.mark.judge
@linux
def test_many_programs_are_judged_by_what_grows() -> None:
    """In a process of its own, in which no other test starts a thread."""
    code = (
        "from tests.soak.growth import one_program, tried\n"
        "held = []\n"
        "tried('first', 30, lambda number: one_program(number, 3))\n"
        "tried('programs', 30, lambda number: one_program(number, 3))\n"
        "tried('leak', 30, lambda number: held.append(open('/dev/null')) or [0.0])"
    )
    command = [sys.executable, "-W", "ignore::ResourceWarning", "-c", code]
    found = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout
    judged = re.findall(r"(\w+): 30 tried, (\d)", found)
    assert judged[1:] == [("programs", "0"), ("leak", "1")], found  # kernels are compiled and read in the first


@pytest.mark.judge
def test_a_cycle(tmp_path: Path) -> None:
    soak = Soak(kinds(), Killed(1), repeats=1)
    soak.cycle()
    text = soak.report(tmp_path)
    assert soak.failures() == [] and soak.kill.kills == 1 and soak.kill.torn == 0, text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["soak.png", "soak.svg", "soak.txt"]
    assert (tmp_path / "soak.txt").read_text() == text + "\n"
    assert all(f"\n{name}" in text for name in (*measure.MEASURED, *kinds()))


@pytest.mark.judge
@linux
def test_leaks_are_found(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore::ResourceWarning", "-m", "tests.soak.leaking", str(tmp_path)]
    subprocess.run(command, check=True, timeout=300)
    found = (tmp_path / "soak.txt").read_text()
    for name in ("file handles", "memory, MiB", "Python objects, thousands"):
        assert f"FAILED: {name} grows by" in found, found
    assert found.count("GROWS") == found.count("FAILED: ") >= 3


def test_other_results_are_found() -> None:
    results = iter([1.0] * 6 + [2.0] + [1.0] * 5)
    soak = Soak({"work": lambda model: [np.array([next(results)])]}, Nobody(1), repeats=1)
    for _ in range(3):
        soak.cycle() if measure.supported() else soak._round(1, "work", soak.work["work"], 2)
    assert [why for why in soak.failures() if "other results" in why]


def test_a_machine_that_gets_busier_within_cycles_makes_no_slower_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each measurement takes longer than the one before it, from the middle of the run on by more."""
    calls, alone = itertools.count(), {"slower": 1.0}

    def seconds(work: Callable[[], None]) -> float:
        work()
        number = next(calls)
        return (1.0 + 1e-3 * number + 1e-6 * number**2) * (alone["slower"] if isinstance(work, partial) else 1.0)

    monkeypatch.setattr(soaking, "_seconds", seconds)
    monkeypatch.setattr(soaking, "yardstick_of", lambda name: lambda: None)
    monkeypatch.setattr(soaking, "measured", dict)
    for slower, failures in ((0.0, 0), (0.02, 3)):
        soak = Soak({name: lambda model: [] for name in ("a", "b", "c")}, Nobody(1), repeats=1)
        for _ in range(60):
            alone["slower"] += slower
            soak.start -= 1.0
            soak.cycle()
        assert len(soak.failures()) == failures, soak.failures()


def test_the_yardstick_of_work_with_processes_leaves_nothing() -> None:
    before = threading.active_count()
    yardstick_of("readers")()
    assert threading.active_count() == before and not multiprocessing.active_children()
    assert yardstick_of("static") is not yardstick_of("readers")


@pytest.mark.parametrize("alike", [0.0, 0.7])
def test_noise_is_no_trend(alike: float) -> None:
    chances = [chance(noise(seed, alike)) for seed in range(300)]
    assert sum(each < CERTAIN for each in chances) <= 3
    assert not any(judged(TIMES, 100 + noise(seed, alike), Limit(5)).failed for seed in range(100))


@pytest.mark.parametrize("alike", [0.0, 0.7])
def test_a_trend_within_the_limit_is_certain_but_does_not_fail(alike: float) -> None:
    grows = 100 + noise(1, alike) + 0.05 * TIMES
    small, large = judged(TIMES, grows, Limit(20)), judged(TIMES, grows, Limit(5))
    assert small.chance < CERTAIN and not small.failed and large.failed
    assert abs(small.growth - 0.05 * 150) < 2.5
    assert not judged(TIMES, -grows, Limit(5)).failed  # what shrinks does not


def test_what_grows_at_the_beginning_only_is_no_trend() -> None:
    values = np.minimum(TIMES, 40) + 0.01 * noise(2)
    assert not judged(TIMES, values, Limit(0.5)).failed
    assert judged(TIMES, TIMES.copy(), Limit(0.5)).failed and judged(TIMES, 0.1 + 0.4 * TIMES, Limit(0.5)).failed


def test_steps_are_found() -> None:
    """A handle that leaks once in a long time."""
    assert judged(TIMES, 5 + np.floor(TIMES / 45), Limit(0.5)).failed


def test_parts() -> None:
    assert slope(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 2.0, 100.0, 6.0])) == pytest.approx(2.0, abs=50)
    times, values = thinned(np.arange(1001.0), np.arange(1001.0), most=400)
    assert len(times) == 333 and values[0] == times[0] == 1.0
    assert chance(np.ones(50)) == 1.0 and chance(np.arange(5.0)) == 1.0
