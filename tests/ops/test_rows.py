"""Every operator has a row, every row is whole, and nothing is said in a row without need."""

from __future__ import annotations

from typing import Any

import pytest

from paddle_lite.ops.framework import registry
from tests.ops import completeness
from tests.ops.loaded import forward_ops
from tests.ops.protos import protos
from tests.ops.recorded_numbers import FOLDER, leftovers
from tests.ops.row import Row
from tests.ops.rows_of import ALL, FAMILIES, rows_of

ROWS = [row for _, row in ALL]


def proto_of(row: Row) -> dict[str, Any]:
    """Paddle's interface of an operator; nothing for one of our own, of which it asks nothing."""
    return {} if row.own is not None else protos()[row.op]


def test_every_operator_has_one_row() -> None:
    found = completeness.rows_and_operators({op.type: op for op in forward_ops()}, ALL)
    assert not found, "\n".join(found)


def test_operators_are_paddles_or_have_a_formula() -> None:
    assert [each for row in ROWS for each in completeness.own(row, row.op in protos())] == []


def test_gradients_are_declared_and_checked() -> None:
    found = [each for row in ROWS for each in completeness.gradients(registry.get(row.op), row, proto_of(row))]
    assert found == []


def test_samples_cover_the_dtypes() -> None:
    assert [each for row in ROWS for each in completeness.dtypes(row, proto_of(row))] == []


def test_samples_differ() -> None:
    known: dict[tuple, int] = {}
    for row in ROWS:
        for index, sample in enumerate(row.samples):
            key = (row.op, sample.fingerprint(), tuple(sample.sums()))
            assert key not in known, f"{row.op}: samples {known[key]} and {index} are the same"
            known[key] = index


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_is_recorded_that_no_row_has(family: str) -> None:
    assert leftovers(family, {row.op: len(row.samples) for row in rows_of(family) if row.own is None}) == []


def test_every_recording_has_rows() -> None:
    assert {f"{p.parent.name}.{p.stem}" for p in FOLDER.glob("*/*.npz")} <= set(FAMILIES)
