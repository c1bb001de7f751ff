"""Functions on sequences build PaddlePaddle's Programs, and give its numbers in both modes (record_sequence_programs.py)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.dtype import to_vartype
from paddle_lite.core.mode import switched
from paddle_lite.static.mode.static_mode import static_mode

from .program_cases import describe
from .sequence_cases import CASES, feed, numbers
from .test_detection_programs import wired

RECORDED = json.loads((Path(__file__).parent / "sequence_programs.json").read_text())
NUMBERS = np.load(Path(__file__).parent / "sequence_programs.npz")


def expected(name: str) -> dict[str, np.ndarray]:
    return {key.split(": ", 1)[1]: NUMBERS[key] for key in NUMBERS.files if key.startswith(f"{name}: ")}


@pytest.mark.parametrize("name", sorted(CASES))
def test_programs_are_those_of_paddle(name: str) -> None:
    with switched(static_mode, fluid.CPUPlace(), None):
        got: dict[str, Any] = json.loads(json.dumps(describe(fluid, CASES[name])))
    assert wired(got) == wired(RECORDED[name])
    assert [got[part] for part in ("parameters", "startup")] == [
        RECORDED[name][part] for part in ("parameters", "startup")
    ]


@pytest.mark.parametrize("name", sorted(CASES))
def test_numbers_in_programs_are_those_of_paddle(name: str) -> None:
    with switched(static_mode, fluid.CPUPlace(), None):
        got = numbers(fluid, name)
    want = expected(name)
    assert set(got) == set(want)
    for key, value in want.items():
        np.testing.assert_allclose(got[key], value, rtol=2e-5, atol=5e-6, err_msg=key)


class Data(NamedTuple):
    """What `feed` looks at."""

    name: str
    shape: list[int]
    dtype: Any
    lod_level: int


@pytest.mark.parametrize("name", sorted(CASES))
def test_imperative_mode_gives_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results, LoDs and gradients of a call with LoDTensors."""
    fed: list[Any] = []

    def data(name: str, shape: Any, dtype: str = "float32", lod_level: int = 0) -> Any:
        array, lod = feed(Data(name, [-1, *shape[1:]], to_vartype(dtype), lod_level))
        tensor = fluid.LoDTensor()
        tensor.set(array, fluid.CPUPlace())
        tensor.set_lod(lod)
        fed.append(fluid.dygraph.to_variable(tensor, name))
        fed[-1].stop_gradient = dtype != "float32"
        return fed[-1]

    monkeypatch.setattr(fluid, "data", data)
    want = expected(name)
    with fluid.dygraph.guard():
        fluid.default_main_program().random_seed = 5
        results = CASES[name](fluid)
        results = list(results) if isinstance(results, (list, tuple)) else [results]
        for i, value in enumerate(results):
            np.testing.assert_allclose(value.numpy(), want[f"result {i}"], rtol=2e-5, atol=5e-6)
            levels = [want[key].tolist() for key in sorted(want) if key.startswith(f"result {i}, level")]
            assert value.lod() == levels
        sums = [fluid.layers.reduce_sum(fluid.layers.square(v)) for v in results if not v.stop_gradient]
        if sums:
            fluid.layers.sums(sums).backward()
        for variable in fed:
            if f"gradient of {variable.name}" in want:
                slope = want[f"gradient of {variable.name}"]
                np.testing.assert_allclose(variable.gradient(), slope, rtol=2e-5, atol=5e-6)
