"""Results of layer functions in Programs declare the dtype of PaddlePaddle 1.8.5, and stop gradients where its do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.mode import switched
from paddle_lite.static.mode.static_mode import static_mode

from .result_cases import calls, described

RECORDED = json.loads((Path(__file__).parent / "results.json").read_text())

DTYPES_OF_RUNS = {
    "layers.edit_distance": "a float32, though 1.8.5 declares int64",
    "layers.has_inf": "a bool, though 1.8.5 declares float32",
    "layers.filter_by_instag": "float32 weights, though 1.8.5 declares float64",
    "layers.matrix_nms": "int32 indices, though 1.8.5 declares int64",
}
"""Functions whose results have in 1.8.5, too, another dtype when they run than they declare: here they declare that one."""

COMPARED = ("V([2, 3], 'float32') > V([2, 3], 'float32')",)
"""Truth values of Python's operators stop gradients here as those of the functions do; 1.8.5 says that they do not."""


@pytest.mark.parametrize("call", calls())
def test_results_declare_what_those_of_paddle_do(call: str, imperative: None) -> None:
    with switched(static_mode, fluid.CPUPlace(), None):
        got: list[Any] = described(fluid, call)
    want = RECORDED[call]
    if call.split("(")[0] in DTYPES_OF_RUNS:
        got, want = [each[1:] for each in got], [each[1:] for each in want]
    if call in COMPARED:
        got, want = [each[::2] for each in got], [each[::2] for each in want]
    assert got == want
