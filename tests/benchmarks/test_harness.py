"""The benchmarks' harness: cases are found, numbers are compared, goals are judged, a worker answers."""

from __future__ import annotations

import sys

import pytest

from benchmarks import report
from benchmarks.case import Case, cases, modules
from benchmarks.compare import Result, Settings, disagreements, run
from benchmarks.side import SIDES
from benchmarks.worker import fingerprint

CASE = Case("area", "time_it", (), "it", ("static", "eager", "torch"), (("torch", 0.5), ("", 3e-6)), True)


@pytest.mark.parametrize("module", modules())
def test_every_module_has_cases_with_titles_of_their_own(module: str) -> None:
    found = cases(module)
    assert found
    assert len({(case.function, case.title) for case in found}) == len(found)
    for case in found:
        assert "{" not in case.title
        assert case.sides
        assert set(case.sides) <= set(SIDES)
        assert {peer for peer, _ in case.bars} <= {"", *case.sides}


def test_equal_numbers_agree_and_others_are_named() -> None:
    ours, theirs = fingerprint([1.0, 2.0, 3.0]), fingerprint([1.0, 2.0, 3.1])
    assert disagreements({"static": [ours], "torch": [fingerprint([1.0, 2.0, 3.001])]}) == []
    (complaint,) = disagreements({"static": [ours], "torch": [theirs]})
    assert complaint.startswith("torch and static differ in array 0")
    assert len(disagreements({"static": [ours], "torch": [fingerprint([1.0])]})) == 1
    assert len(disagreements({"static": [ours], "torch": []})) == 1
    assert len(disagreements({"static": [ours], "torch": [fingerprint([float("nan")] * 3)]})) == 1


def test_a_bar_is_met_or_missed_by_the_compiled_side() -> None:
    result = Result(CASE, {"static": [2e-6, 4e-6, 2e-6], "eager": [1e-9] * 3, "torch": [3e-6, 6e-6, 3e-6]}, [])
    assert result.best() == "static"
    assert result.ratio("static", "torch") == pytest.approx(2 / 3)
    _, ratio, seconds = report.bars([result]).splitlines()
    assert ratio.endswith("MISSED")
    assert seconds.endswith("met")
    assert report.readme([result]).splitlines()[-1] == "| it | 2 us | 1 ns | 0.67 |"
    more = Result(CASE, {**result.times, "torch.compile": [4e-6] * 3}, [])
    assert report.readme([more]).splitlines()[-1] == "| it (of torch.compile: 0.50) | 2 us | 1 ns | 0.67 |"


def test_what_is_missing_is_said() -> None:
    result = Result(CASE, {"eager": [1e-9]}, ["static: prepare failed"])
    assert result.best() is None
    assert report.bars([result]).count("not measured") == 2


def test_results_are_saved_and_loaded(tmp_path) -> None:
    result = Result(CASE, {"static": [2e-6]}, ["wrong"])
    report.save([result], str(tmp_path / "saved.json"))
    (found,) = report.load(str(tmp_path / "saved.json"))
    assert found.times == result.times
    assert found.complaints == ["wrong"]
    assert report.bars([found]) == report.bars([result])


@pytest.mark.slow
def test_a_worker_prepares_and_times_a_case() -> None:
    case = next(case for case in cases("mnist") if case.function == "time_inference_of_one")
    settings = Settings({"paddle_lite": sys.executable}, rounds=2, seconds=0.001)
    (result,) = run([case._replace(sides=("static", "eager"))], settings)
    assert result.complaints == []
    assert set(result.times) == {"static", "eager"}
    assert all(0 < time < 10 for times in result.times.values() for time in times)


@pytest.mark.slow
def test_a_case_that_fails_is_reported() -> None:
    settings = Settings({"paddle_lite": sys.executable}, rounds=1, seconds=0.001)
    (result,) = run([CASE._replace(module="mnist", function="time_nothing", sides=("eager",))], settings)
    assert result.times == {}
    assert "time_nothing" in result.complaints[0]
