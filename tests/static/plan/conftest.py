"""All Plans of these tests are looked at by the checker: their graphs after each pass, their functions when they are written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest

from paddle_lite.static.plan import source, split
from paddle_lite.static.plan.graph import Graph
from paddle_lite.static.plan.lint import graph_problems, source_problems
from paddle_lite.static.plan.passes import PASSES


def rewrite(graph: Graph, passes: Collection[str]) -> None:
    """As `passes.rewrite`, with a look behind each pass."""
    for name, run in PASSES.items():
        if name in passes:
            run(graph)
            assert graph_problems(graph) == [], f"behind {name}"


@pytest.fixture(autouse=True)
def checked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def looked_at(write: Callable[[Any], str]) -> Callable[[Any], str]:
        def written(self: Any) -> str:
            text = write(self)
            assert source_problems(self, text) == [], text
            return text

        return written

    monkeypatch.setattr(source, "rewrite", rewrite)
    for kind in (source.Source, split._Halves):
        monkeypatch.setattr(kind, "write", looked_at(kind.write))
    yield
