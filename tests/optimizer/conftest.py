"""What the tests of optimizers share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from paddle_lite.imperative.base import guard
from paddle_lite.optimizer.imperative_step import ImperativeStep
from paddle_lite.static.plan.passes import updates


@pytest.fixture
def imperative() -> Iterator[None]:
    """Imperative mode, with names that start from 0."""
    with guard():
        yield


@pytest.fixture(params=["kernel", "operator"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The test runs twice: parameters are updated together by kernels, and one by one by operators."""
    monkeypatch.setattr(ImperativeStep, "_pays", lambda self, params: request.param == "kernel")
    monkeypatch.setattr(updates, "pays", lambda size: request.param == "kernel")
    monkeypatch.setattr(updates, "SLOW_CHECKS", 0)
    return request.param
