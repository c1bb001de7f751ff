"""All Plans of these tests are looked at by the checker: their graphs after each pass, their functions when they are written.

Their kernels are run by Python, which costs no time to compile, unless a test asks for the fixture `compiled`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import nullcontext
from typing import Any

import pytest

from paddle_lite.static.plan import source, split
from paddle_lite.static.plan.graph import Graph
from paddle_lite.static.plan.lint import graph_problems, source_problems
from paddle_lite.static.plan.passes import PASSES
from tests.static.plan.running import interpreted


def rewrite(graph: Graph, passes: Collection[str]) -> None:
    """As `passes.rewrite`, with a look behind each pass."""
    for name, run in PASSES.items():
        if name in passes:
            run(graph)
            assert graph_problems(graph) == [], f"behind {name}"


@pytest.fixture(autouse=True)
def checked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def looked_at(write: Callable[[Any], str]) -> Callable[[Any], str]:
        def written(self: Any) -> str:
            text = write(self)
            assert source_problems(self, text) == [], text
            return text

        return written

    monkeypatch.setattr(source, "rewrite", rewrite)
    for kind in (source.Source, split._Halves) if "unchecked" not in request.fixturenames else ():
        monkeypatch.setattr(kind, "write", looked_at(kind.write))
    with nullcontext() if "compiled" in request.fixturenames else interpreted():
        yield


@pytest.fixture
def unchecked() -> None:
    """Functions are not looked at."""


@pytest.fixture
def compiled() -> None:
    """Kernels are compiled."""
