"""Wrong calls raise what PaddlePaddle 1.8.5 raises, so that the same `except` clauses catch it."""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import EnforceNotMet
from tests.static.exception_cases import imperative_names, static_names

RECORDED = json.loads((Path(__file__).parent / "exceptions.json").read_text())


WORK_HERE = {"row@row", "v(1)", "v([1,2])"}
"""Calls that 1.8.5 refuses and that do what PyTorch and Paddle 2 do here (tests/conveniences)."""


def misses(calls: list[str], error: str, names: dict[str, Any]) -> list[str]:
    """The calls that do not raise an error of a class."""
    expected = EnforceNotMet if error == "EnforceNotMet" else getattr(builtins, error)
    found = []
    for call in calls:
        try:
            eval(call, dict(names))
        except expected:
            continue
        except Exception as other:
            found.append(f"{call} raises {type(other).__name__}")
        else:
            if call not in WORK_HERE:
                found.append(f"{call} raises nothing")
    return found


@pytest.mark.parametrize("error", RECORDED["static"])
def test_wrong_calls_in_programs(error: str) -> None:
    assert misses(RECORDED["static"][error], error, static_names(fluid)) == []


@pytest.mark.parametrize("error", RECORDED["imperative"])
def test_wrong_calls_in_imperative_mode(error: str) -> None:
    with fluid.dygraph.guard():
        assert misses(RECORDED["imperative"][error], error, imperative_names(fluid)) == []
