"""All Plans of these tests are looked at by the checker: their graphs after each pass, their functions when they are written.

Their kernels are run by Python, which costs no time to compile, unless a test asks for the fixture `compiled`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest

from paddle_lite.static.plan.loops.body import Body
from tests.static.plan.running import interpreted, looked_at


@pytest.fixture(autouse=True)
def checked(request: pytest.FixtureRequest) -> Iterator[None]:
    with (
        nullcontext() if "unchecked" in request.fixturenames else looked_at(),
        nullcontext() if "compiled" in request.fixturenames else interpreted(),
    ):
        yield


@pytest.fixture
def unchecked() -> None:
    """Plans are not looked at."""


@pytest.fixture
def compiled() -> None:
    """Kernels are compiled."""


@pytest.fixture
def bodies(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The blocks that are compiled, those of gradients too."""
    found = []
    write = Body._write_functions

    def noted(self: Any) -> None:
        write(self)
        found.append(self)

    monkeypatch.setattr(Body, "_write_functions", noted)
    return found
