"""A batch without a row gives an empty result, or an error that says so; no operator fails further down."""

from __future__ import annotations

import pytest

from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.ops.framework import registry
from tests.ops.case import Case, device
from tests.ops.row import Row, Sample, Sparse
from tests.ops.rows_of import FAMILIES, rows_of


def emptied(case: Case) -> Case | None:
    """The case with no rows in each input that has as many as the first matrix; None where no input is one."""
    values = [v for given in case.inputs for v in (given if isinstance(given, list) else [given])]
    sizes = [v.shape[0] for v in values if getattr(v, "ndim", 0) > 1]
    if not sizes:
        return None
    return case.with_inputs(lambda name, array: array[:0] if array.ndim > 1 and len(array) == sizes[0] else array)


def wrong(row: Row, index: int) -> str:
    sample: Sample = row.samples[index]
    if sample.lods or any(isinstance(v, Sparse) for v in sample.inputs.values()):
        return ""
    case = emptied(Case(registry.get(row.op), row, index))
    if case is None:
        return ""
    try:
        with device("cpu"):
            outputs = {name: v.array for name, v in case.call(case.variables([])).items()}
            seeds, wanted = case.seeds(outputs), case.wanted()
            if seeds and wanted:
                case.differentiate(seeds, wanted)
    except EnforceNotMet as error:
        return str(error) if type(error) is EnforceNotMet else ""  # which wraps an error from further down
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


@pytest.mark.filterwarnings("ignore")  # of means of nothing
@pytest.mark.parametrize("family", FAMILIES)
def test_no_rows(family: str) -> None:
    found = {}
    for row in rows_of(family):
        for index in range(len(row.samples)):
            text = wrong(row, index)
            if text:
                found.setdefault(row.op, (index, text.splitlines()[0]))
    assert not found
