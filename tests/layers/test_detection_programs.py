"""The functions for detectors build the Programs of PaddlePaddle 1.8.5 (record_detection_programs.py)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.mode import switched
from paddle_lite.static.mode.static_mode import static_mode

from .detection_cases import CASES
from .program_cases import describe

RECORDED = json.loads((Path(__file__).parent / "detection_programs.json").read_text())


def wired(description: dict[str, Any]) -> list[Any]:
    """The operators and results; a Variable that an operator made is called after it, for names are counted differently."""
    called: dict[str, str] = {}
    found: list[Any] = []
    for place, (type, inputs, outputs, attrs) in enumerate(description["operators"]):
        found.append((type, {slot: [called.get(n, n) for n in names] for slot, names in inputs.items()}, attrs))
        for slot, names in outputs.items():
            called.update({name: f"{place}.{slot}.{i}" for i, name in enumerate(names)})
    return [*found, [called[name] for name, _ in description["results"]]]


@pytest.mark.parametrize("name", sorted(CASES))
def test_programs_are_those_of_paddle(name: str, imperative: None) -> None:
    with switched(static_mode, fluid.CPUPlace(), None):
        got: dict[str, Any] = json.loads(json.dumps(describe(fluid, CASES[name])))
    assert wired(got) == wired(RECORDED[name])
