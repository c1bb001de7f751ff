"""Each operator that has a converter to ONNX gives its numbers in ONNX Runtime: the samples of its test row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite.convert.check import difference
from paddle_lite.convert.model import Model
from paddle_lite.convert.onnx.build import operators, to_onnx
from paddle_lite.convert.onnx.run import run_onnx
from paddle_lite.convert.problems import ConversionError
from paddle_lite.core import unique_name
from paddle_lite.core.mode import switched
from paddle_lite.core.place import CPUPlace
from paddle_lite.core.tensor import LoDTensor
from paddle_lite.ops.framework import registry
from paddle_lite.static import Program, program_guard
from paddle_lite.static.mode.static_mode import static_mode
from tests.ops.case import Case
from tests.ops.programs import Built
from tests.ops.row import Row
from tests.ops.rows_of import ALL

SAMPLES = 5  # of each operator
TRAINING = ("MeanOut", "VarianceOut", "MidOut", "XShape", "SavedMean", "SavedVariance")
"""Results that only training reads."""
CONSTANTS = {
    "rnn": ("WeightList",),
    "cudnn_lstm": ("W",),
    "gru": ("Weight", "Bias"),
    "lstm": ("Weight", "Bias"),
    "linspace": ("Num",),
}
"""Inputs that are weights or constants in every model."""
CONTROL = {
    "conditional_block", "conditional_block_infer", "lod_array_length", "merge_lod_tensor", "merge_lod_tensor_infer",
    "read_from_array", "recurrent", "rnn_memory_helper", "select_input", "split_byref", "split_lod_tensor",
    "tensor_array_to_tensor", "while", "write_to_array",
}  # fmt: skip
"""Operators that only Programs have; test_onnx_models.py runs them."""
ROWS = [row for _, row in ALL if row.op in operators()]


def usable(row: Row) -> list[int]:
    """The samples that inference runs with finite numbers of a dtype which ONNX Runtime has kernels for."""
    found = []
    for index, sample in enumerate(row.samples):
        arrays = [
            np.asarray(v) for value in sample.inputs.values() for v in (value if isinstance(value, list) else [value])
        ]
        floats = [a for a in arrays if a.dtype.kind == "f"]
        training = row.op in ("batch_norm", "dropout", "inplace_abn") and not sample.attrs.get("is_test")
        if training or sample.excluded or any(a.dtype != np.float32 for a in floats):
            continue
        if all(np.isfinite(a).all() and np.abs(a).max(initial=0) < 1e6 for a in floats):
            found.append(index)
    return found[:SAMPLES]


def build(case: Case) -> tuple[Model, dict[str, LoDTensor], list[np.ndarray]] | None:
    """The Program of a sample as a model, what it is fed with, and what it gives; None if there is nothing to compare."""
    with switched(static_mode, CPUPlace(), np), unique_name.guard(), program_guard(Program(), Program()):
        built = Built(case, {}, [])
    if built.scope.values:
        return None
    got = built.run(built.program)
    names = [n for n in built.fetches if n.split(".")[0] not in TRAINING and got[n][0] is not None and got[n][0].size]
    hidden = {slot.name for slot in case.op.outputs if slot.intermediate}
    names = [n for n in names if n.split(".")[0] not in hidden]
    if case.op.type == "lstm":
        names = ["Hidden"]
    feed = {n: v if isinstance(v, LoDTensor) else LoDTensor.of(v) for n, v in built.feed.items()}
    held = {n: v for n, v in feed.items() if n.split(".")[1] in CONSTANTS.get(case.op.type, ())}
    values = {n: np.asarray(v.array) for n, v in held.items()}
    inputs = {n: v for n, v in feed.items() if n not in held}
    outputs: list[Any] = [built.fetches[n] for n in names]
    if not names:
        return None
    return Model(case.op.type, built.program, list(inputs), outputs, values), inputs, [got[n][0] for n in names]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.op)
def test_samples(row: Row) -> None:
    said, compared = [], 0
    for index in usable(row):
        case = Case(registry.get(row.op), row, index)
        ready = build(case) if case.repeatable else None
        if ready is None:
            continue
        model, feed, wanted = ready
        try:
            made = to_onnx(model).SerializeToString()
        except ConversionError as error:
            said.append(str(error))
            assert row.op in str(error)
            continue
        found = run_onnx(made, feed)
        assert [a.dtype for a in found] == [a.dtype for a in wanted]
        assert difference(found, wanted).relative < 1e-4, f"sample {index}: {row.samples[index].attrs}"
        compared += 1
    assert compared or not usable(row), said


def test_every_converter_has_a_test() -> None:
    assert set(operators()) - {row.op for row in ROWS} == CONTROL
