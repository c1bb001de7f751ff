"""Calls with one input of another shape or dtype: each works, with the results that inference says, or says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.imperative import guard
from paddle_lite.ops.framework import registry
from paddle_lite.ops.framework.dispatch import meta_of
from paddle_lite.ops.framework.spec import OpDef
from tests.ops import damage
from tests.ops.case import Case
from tests.ops.row import Row
from tests.ops.rows_of import FAMILIES, rows_of


@pytest.fixture(autouse=True)
def imperative() -> Iterator[None]:
    with guard(), np.errstate(all="ignore"):
        yield


def called(op: OpDef, case: Case) -> str:
    """Call the operator; what is wrong with the error or the results, "" where nothing is."""
    variables = case.variables([])
    try:
        results = op.call(*variables, **case.attrs)
    except EnforceNotMet as error:
        text = str(error)
        return "" if text.startswith(f"{op.type}: ") and ", needs " in text else text
    inferred = op.infer(*(_metas(v) for v in variables), **case.attrs)
    single = len(op.outputs) == 1
    metas = (inferred,) if single and not op.outputs[0].many else inferred
    pairs = zip(metas, (results,) if single else results, strict=True)
    return "; ".join(_difference(meta, result) for meta, result in pairs if not _as_inferred(meta, result))


def _metas(value: Any) -> Any:
    return None if value is None else [meta_of(v) for v in value] if isinstance(value, list) else meta_of(value)


def _as_inferred(meta: Any, result: Any) -> bool:
    if isinstance(result, list):
        return all(_as_inferred(m, r) for m, r in zip(meta, result, strict=True))
    if result is None or meta is None:
        return True
    shape = result.array.shape
    fits = len(shape) == len(meta.shape) and all(m in (n, -1) for m, n in zip(meta.shape, shape, strict=True))
    return fits and result.array.dtype == meta.dtype


def _difference(meta: Any, result: Any) -> str:
    return f"inferred {meta}, got {result}"


@pytest.mark.parametrize("family", FAMILIES)
def test_damaged_calls(family: str) -> None:
    wrong = []
    for row in rows_of(family):
        op = registry.get(row.op)
        for i, what, sample in damage.of_row(row):
            told = called(op, Case(op, Row(row.op, [sample]), 0))
            wrong += [f"{row.op} sample {i}, {what}: {told}"] if told else []
    assert not wrong, "\n".join(wrong)
