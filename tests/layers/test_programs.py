"""Functions that own parameters build the Programs of PaddlePaddle 1.8.5: parameters, operators, what fills them."""

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

from . import layer_cases, program_cases
from .program_cases import describe, feed, numbers

CASES = {**program_cases.CASES, **layer_cases.CASES}

RECORDED = json.loads((Path(__file__).parent / "programs.json").read_text())
NUMBERS = np.load(Path(__file__).parent / "programs.npz")


@pytest.fixture(autouse=True)
def static(imperative: None) -> Any:
    with switched(static_mode, fluid.CPUPlace(), None):
        yield


def without(operators: list[Any]) -> list[Any]:
    """The operators without what is done otherwise here.

    Paddle's inplace_abn overwrites its input; its hierarchical_sigmoid says that it writes the weights, which it does not.
    """
    kept = []
    for type, inputs, outputs, attrs in operators:
        left = {"inplace_abn": "Y", "hierarchical_sigmoid": "W_Out"}.get(type)
        kept.append([type, inputs, {slot: names for slot, names in outputs.items() if slot != left}, attrs])
    return kept


UNUSED_BIAS = "layer_conv3d_transpose"  # Paddle makes the bias, but adds it only where bias_attr is given


def plain(description: dict[str, Any]) -> Any:
    return json.loads(json.dumps(description, sort_keys=True))


@pytest.mark.parametrize("name", sorted(CASES))
def test_programs_are_those_of_paddle(name: str) -> None:
    got, want = plain(describe(fluid, CASES[name])), RECORDED[name]
    for part in ("parameters", "persistable", "startup"):
        assert got[part] == want[part], part
    if name == UNUSED_BIAS:
        assert got["operators"][:1] == want["operators"] and got["operators"][1][0] == "elementwise_add"
        return
    assert without(got["operators"]) == without(want["operators"])
    if name != "inplace_abn":
        assert [name for name, _ in got["results"]] == [name for name, _ in want["results"]]
        assert got["kinds"] == want["kinds"], "dtype, lod_level, stop_gradient"
        for (_, here), (_, there) in zip(got["results"], want["results"], strict=True):
            assert [n for n, m in zip(here, there, strict=True) if m != -1] == [m for m in there if m != -1]


@pytest.mark.parametrize("name", sorted(CASES))
def test_numbers_are_those_of_paddle(name: str) -> None:
    got = numbers(fluid, CASES[name])
    want = {key.split(": ", 1)[1]: NUMBERS[key] for key in NUMBERS.files if key.startswith(f"{name}: ")}
    if name in ("inplace_abn", UNUSED_BIAS):
        want = {key: value for key, value in want.items() if not key.startswith("result ")}
    for key, value in want.items():
        assert got[key].dtype == value.dtype, key
        if key.startswith("result ") or key.endswith("_g"):  # computed, the latter the length of a weight
            np.testing.assert_allclose(got[key], value, rtol=2e-5, atol=2e-6, err_msg=key)
        else:
            np.testing.assert_array_equal(got[key], value, err_msg=key)


STATIC_ONLY = {
    "create_variables": "no operator",
    "create_parameter": "no operator",
    "step_counter": "counts runs",
    "weight_norm": "a function cannot keep two parts of a weight",
    "weight_norm_columns": "a function cannot keep two parts of a weight",
    "weight_norm_of_filters": "a function cannot keep two parts of a weight",
    "weight_norm_rows": "a function cannot keep two parts of a weight",
    "fc_sharing": "a name that is given twice",
    "layer_batch_norm_twice": "is_test counts in Programs only",
    UNUSED_BIAS: "",
}


@pytest.mark.parametrize("name", [n for n in sorted(CASES) if n not in STATIC_ONLY])
def test_imperative_mode_gives_the_same_numbers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def data(name: str, shape: Any, dtype: str = "float32", lod_level: int = 0) -> Any:
        shape = [2 if n in (None, -1) else n for n in shape]
        return fluid.dygraph.to_variable(feed(Fed(name, shape, to_vartype(dtype))))

    def layers_data(name: str, shape: Any, dtype: str = "float32") -> Any:
        return data(name, [None, *shape], dtype)

    monkeypatch.setattr(fluid, "data", data)
    monkeypatch.setattr(fluid.layers, "data", layers_data)
    with fluid.dygraph.guard():
        fluid.default_main_program().random_seed = 5
        results = CASES[name](fluid)
        got = [v.numpy() for v in (results if isinstance(results, (list, tuple)) else [results])]
    fetched = [key for key in NUMBERS.files if key.startswith(f"{name}: result ")]
    order = [f"{name}: result {result}" for result, _ in RECORDED[name]["results"]]
    for value, key in zip(got, order, strict=True):
        if key in fetched and name != "inplace_abn":
            np.testing.assert_allclose(value, NUMBERS[key], rtol=2e-5, atol=2e-6, err_msg=key)


class Fed(NamedTuple):
    """What `feed` looks at."""

    name: str
    shape: list[int]
    dtype: Any
