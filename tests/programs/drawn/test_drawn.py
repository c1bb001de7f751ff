"""Some drawn Programs compute the same in every way; a fault is found, and shrunk. `python -m tests.programs.drawn` tries more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.static.plan.running import interpreted

from . import __main__ as command
from . import bounds, ways
from .builder import NoFit
from .feeds import FEEDS
from .kinds import KINDS
from .shrink import shrunk
from .trial import Trial, drawn_trial, program_of, tried


@pytest.fixture(autouse=True)
def _kernels_of_python() -> Iterator[None]:
    with interpreted():
        yield


@pytest.mark.filterwarnings("ignore")  # of infinite numbers that become whole ones
@pytest.mark.parametrize("seed", range(12))
def test_drawn_programs_compute_the_same_in_every_way(seed: int) -> None:
    outcome = tried(drawn_trial(seed))
    assert not outcome.differences, outcome.listing
    assert outcome.tally["fused", "elements"] > outcome.tally["fused", "undecided"]


def test_every_kind_of_step_is_drawn() -> None:
    found: set[str] = set()
    for seed in range(120):
        try:
            with program_of(drawn_trial(seed, "float32")) as drawn:
                found.update(drawn.kinds)
        except NoFit:
            continue
    assert set(KINDS) - found <= {"scattered", "spread", "spread_words", "enumerated", "padded_words", "logical"}


def step(kind: str, *numbers: int) -> tuple:
    return kind, numbers or (0,), ()


PLAN = [
    step("dense", 0),
    step("unary", 0),
    step("binary", 0, 0, 2),
    step("words", 1),
    step("unary", 4),
    step("reduce", 0),
]


def test_a_fault_of_one_way_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fused Programs with a multiplication are off by a thousandth."""
    executed = ways.executed

    def wrong(drawn: Any, feeds: Any, which: str, *more: Any) -> Any:
        made = executed(drawn, feeds, which, *more)
        if which == "all" and any("mul" in str(call.label) for call in drawn.calls):
            made = [
                {k: (np.asarray(a * np.float32(1.001), a.dtype), lod) for k, (a, lod) in each.items()} for each in made
            ]
        return made

    monkeypatch.setattr(ways, "executed", wrong)
    trial = Trial(PLAN, "float32", 1)
    outcome = tried(trial)
    assert {d.way for d in outcome.differences} == {"fused", "reloaded and fused"}
    small = shrunk(trial)
    assert [kind for kind, _, _ in small.plan] == ["dense", "binary"] and len(small.feeds) == 1


def test_an_error_that_is_not_ours_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways, "declared", lambda drawn, feed: KeyError("x"))
    assert {d.way for d in tried(Trial(PLAN, "float32", 1)).differences} == {"declared"}


def test_a_plan_goes_through_json() -> None:
    trial = drawn_trial(3)
    plan, dtype, seed = json.loads(json.dumps([trial.plan, trial.dtype, trial.seed]))
    with program_of(trial) as one:
        first = one.listing(), [v.place for v in one.fetched]
    with program_of(Trial(plan, dtype, seed)) as other:
        assert (other.listing(), [v.place for v in other.fetched]) == first


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--programs", "1", "--seed", "0"]) == 0
    text = capsys.readouterr().out
    assert "1 programs tried, 0 failed" in text and "fused" in text


# --- bounds -----------------------------------------------------------------------------------------------------------


def judged(got: list[float], expected: list[float], *others: list[float]) -> str:
    arrays = [np.array(a, "float32") for a in (got, expected, *others)]
    return bounds.complaint(arrays[0], arrays[1], bounds.bound(arrays[1], arrays[2:]))


def test_bounds_follow_from_the_repetitions() -> None:
    assert judged([1.0], [1.0], [1.0]) == "" and judged([1.0000002], [1.0], [1.0]) == ""
    assert "differ" in judged([1.00001], [1.0], [1.0])
    assert judged([1.00001], [1.0], [1.000002]) == ""
    assert "differ" in judged([np.nan], [1.0], [1.0]) and "differ" in judged([1.0], [np.nan], [np.nan])
    assert "differ" in judged([-np.inf], [np.inf], [np.inf]) and judged([np.nan], [np.nan], [np.nan]) == ""
    assert judged([np.inf], [3e38], [np.inf]) == ""  # undecided
    assert "instead of" in judged([1.0, 2.0], [1.0])


def test_whole_numbers_are_equal_or_undecided() -> None:
    one, two = np.array([1, 2]), np.array([1, 3])
    assert bounds.complaint(two, one, bounds.bound(one, [one])) and not bounds.complaint(
        two, one, bounds.bound(one, [two])
    )


def test_bits_tell_zeros_of_other_signs() -> None:
    assert bounds.same_bits(np.array([np.nan, 0.0]), np.array([np.nan, 0.0]))
    assert not bounds.same_bits(np.array([0.0]), np.array([-0.0]))


def test_feeds_have_what_they_promise() -> None:
    assert any(shape.batch == 0 for shape in FEEDS) and any(shape.special for shape in FEEDS)
    assert any(0 in shape.lengths for shape in FEEDS)
