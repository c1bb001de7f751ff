"""Results of layer functions in Programs declare the dtype of PaddlePaddle 1.8.5, and stop gradients where its do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import WrongCall
from paddle_lite.core.mode import switched
from paddle_lite.static.mode.static_mode import static_mode

from .result_cases import built, calls, described, kinds

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


@pytest.mark.parametrize("call", kinds())
def test_numbers_of_other_kinds_are_taken_as_in_paddle(call: str, imperative: None) -> None:
    with switched(static_mode, fluid.CPUPlace(), None):
        got = json.loads(json.dumps(built(fluid, call)))
    assert got == RECORDED[call]


WRONG = {
    "layers.scale(V([2], 'float32'), 'two')": "scale: scale got str 'two', needs a number",
    "layers.fc(V([2, 3], 'float32'), 2.0)": "fc: size got 2.0, needs an int of 1 or more",
    "layers.pad(V([2], 'float32'), np.array([0.0, 1.0]))": "pad: paddings got list",
    "fluid.data('x', [2], 'float32', 1.0)": "data: lod_level got float 1.0, needs the number of levels",
    "layers.embedding(V([2, 1], 'int64'), [10.0, 4])": "embedding: size got list .*, needs .rows, width.",
}


@pytest.mark.parametrize("call", WRONG)
def test_what_paddle_refuses_is_refused(call: str, imperative: None) -> None:
    with switched(static_mode, fluid.CPUPlace(), None), pytest.raises(WrongCall, match=WRONG[call]):
        built(fluid, call)
