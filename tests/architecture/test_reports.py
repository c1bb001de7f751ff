"""What workers of `pytest -n` tell of a test: that its call passed, and all that fails."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_workers_tell_of_calls_and_of_all_that_fails(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks = pytestconfig.pluginmanager.get_plugin(str(ROOT / "conftest.py"))
    reports = [SimpleNamespace(when=w, passed=p) for w in ("setup", "call", "teardown") for p in (True, False)]
    told: list[SimpleNamespace] = []
    monkeypatch.setattr(hooks, "runtestprotocol", lambda item, **given: reports)
    here = SimpleNamespace(pytest_runtest_logreport=lambda report: told.append(report))
    assert hooks.pytest_runtest_protocol(SimpleNamespace(config=SimpleNamespace(workerinput={}), ihook=here), None)
    assert told == [each for each in reports if each.when == "call" or not each.passed]


def test_a_run_without_workers_tells_all(pytestconfig: pytest.Config) -> None:
    hooks = pytestconfig.pluginmanager.get_plugin(str(ROOT / "conftest.py"))
    assert hooks.pytest_runtest_protocol(SimpleNamespace(config=SimpleNamespace()), None) is None
