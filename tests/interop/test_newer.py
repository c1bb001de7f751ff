"""Operators that came after PaddlePaddle 1.8.5 give the numbers of PaddlePaddle 2.6.2."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paddle_lite.ops.framework import registry
from tests.interop.record_newer import FAMILIES
from tests.ops.case import Case, device
from tests.ops.rows_of import rows_of

NUMBERS = np.load(Path(__file__).parent / "data" / "newer.npz")
ROWS = [row for family in FAMILIES for row in rows_of(family)]
RECORDED = {tuple(name.split("/")[:2]) for name in NUMBERS.files}
SAMPLES = [(row, i) for row in ROWS for i in range(len(row.samples)) if (row.op, str(i)) in RECORDED]


@pytest.mark.parametrize(("row", "index"), SAMPLES, ids=[f"{row.op}-{i}" for row, i in SAMPLES])
@pytest.mark.parametrize("kind", ["cpu", "gpu"])
def test_numbers_of_2_6(row, index: int, kind: str) -> None:
    with device(kind):
        case = Case(registry.get(row.op), row, index)
        outputs = case.call(case.variables([]))
        names = [name.split("/")[2] for name in NUMBERS.files if name.startswith(f"{row.op}/{index}/")]
        for name in names:
            array, known = np.asarray(outputs[name].array), NUMBERS[f"{row.op}/{index}/{name}"]
            assert array.shape == known.shape and array.dtype == known.dtype
            np.testing.assert_allclose(array, known, rtol=2e-6, atol=1e-6)


def test_what_is_not_recorded() -> None:
    """2.6.2 has no kernel for bool there, and drops by other random numbers; operators without results have no numbers."""
    rows = [row for row in ROWS if registry.get(row.op).outputs and row.own is None]
    held = [(row.op, i) for row in rows for i, sample in enumerate(row.samples) if sample.outputs != []]
    lacking = [(op, i) for op, i in held if (op, str(i)) not in RECORDED]
    assert lacking == [("flatten_contiguous_range", 4), ("rnn", 10), ("rnn", 11)]
