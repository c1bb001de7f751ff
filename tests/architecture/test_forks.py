"""Forked processes report what one process reports: each outcome, what was printed, warnings, and tests that end their process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = """
import os, warnings
import pytest

def test_passes(tmp_path): (tmp_path / "x").write_text("y")
def test_fails():
    print("said before")
    assert 1 == 2
@pytest.mark.skip(reason="not today")
def test_skipped(): pass
@pytest.mark.xfail(reason="known")
def test_expected(): assert 0
@pytest.mark.filterwarnings("default")
def test_warns(): warnings.warn("in passing", UserWarning)
def test_warnings_are_errors(): warnings.warn("an error", UserWarning)
def test_ends(): os._exit(3)
def test_is_killed(): os.kill(os.getpid(), 9)
@pytest.fixture
def bad():
    yield
    raise ValueError("when it was taken down")
def test_taken_down(bad): pass
def test_parts(subtests):
    with subtests.test("second"): assert 0
def test_last(): print("of no interest")
"""
ENDING = re.compile(r"def test_(ends|is_killed).*\n")


def outcome(folder: Path, *options: str) -> tuple[str, list[str]]:
    """What pytest says of the tests in a folder, and its summary."""
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-ra", "--tb=short", *options, "."]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": "1"}
    found = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert found.returncode == 1, found.stderr
    last = re.sub(r" in [\d.]+s.*", "", found.stdout.splitlines()[-1])
    summary = [line for line in found.stdout.splitlines() if re.match("FAILED|SUBFAILED|ERROR |SKIPPED|XFAIL", line)]
    return found.stdout, [*sorted(summary), last]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_processes_report_what_one_reports(tmp_path: Path) -> None:
    for name in ("test_one.py", "test_two.py"):
        (tmp_path / name).write_text(ENDING.sub("", TESTS))
    text, expected = outcome(tmp_path)
    forked, found = outcome(tmp_path, "-p", "tests.forks", "--forks", "2")
    assert found == expected
    for each in ("said before", "UserWarning: in passing", "when it was taken down"):
        assert each in text and each in forked
    assert expected[-1].startswith("8 failed, 8 passed, 2 skipped, 2 xfailed, 2 warnings, 2 errors")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_test_that_ends_its_process_fails_and_the_others_run(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(TESTS)
    _, found = outcome(tmp_path, "-p", "tests.forks", "--forks", "2")
    assert "FAILED test_one.py::test_ends - the process of this test ended with exit status 3" in found
    assert "FAILED test_one.py::test_is_killed - the process of this test ended by signal 9" in found
    assert found[-1].startswith("6 failed, 4 passed")
