"""Operators on the device against their references on the CPU, on the samples of the rows of `tests/ops`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.ops.framework.dispatch import kernel_of
from paddle_lite.ops.framework.spec import OpDef
from tests.ops.case import Case
from tests.ops.loaded import forward_ops
from tests.ops.row import Row
from tests.ops.rows_of import ALL

WITHIN = {"float16": (2e-2, 2e-3), "float32": (2e-4, 1e-5), "float64": (1e-9, 1e-10)}
"""How far a result may be from that of the CPU: relative to it, and absolutely."""


class Failure(NamedTuple):
    """A sample whose result on the device is wrong, or that raised an error there."""

    operator: str
    sample: str
    problem: str


def selected(pattern: str) -> list[tuple[OpDef, Row]]:
    """Return the operators with a row whose names a regular expression finds."""
    rows = {row.op: row for _, row in ALL}
    return [(op, rows[op.type]) for op in forward_ops() if op.type in rows and re.search(pattern, op.type)]


def failures(op: OpDef, row: Row, xp: Any) -> Iterator[Failure]:
    """Run all samples of an operator, and their gradients, on the device.

    Arguments:
        xp: CuPy, or the stand-in.
    """
    for index in range(len(row.samples)):
        case = Case(op, row, index)
        if not case.repeatable:
            continue
        expected = case.reference()
        try:
            given = [to_device(xp, value) for value in case.inputs]
            got = case._outputs(kernel_of(op, "gpu")(*given, **case.keywords()))
            problem = difference(got, expected)
            if not problem:
                there = case.with_inputs(lambda _, array: to_device(xp, array))
                problem = _of_gradients(xp, case, there, expected)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        if problem:
            yield Failure(op.type, str(case), problem[:500])


def _of_gradients(xp: Any, case: Case, there: Case, expected: dict[str, Any]) -> str:
    """Return what is wrong with the gradients of a sample; "" if nothing is."""
    seeds = case.seeds(expected)
    right = case.gradient_kernels(expected, seeds)
    if right is None:
        return ""
    on_device = {name: to_device(xp, value) for name, value in expected.items()}
    arriving = {name: to_device(xp, value) for name, value in seeds.items()}
    got = there.gradients(on_device, arriving, kernel_of(case.op.grad.op, "gpu"), xp)  # type: ignore[union-attr]
    return difference(got, right[0], "gradient of ")


def difference(got: dict[str, Any], expected: dict[str, Any], what: str = "") -> str:
    """Return in which result two runs differ, and how far; "" if they are the same."""
    for name, value in expected.items():
        if not isinstance(value, np.ndarray):
            continue
        actual = to_host(got.get(name))
        if not isinstance(actual, np.ndarray) or (actual.shape, actual.dtype) != (value.shape, value.dtype):
            shown = f"{actual.dtype}{list(actual.shape)}" if isinstance(actual, np.ndarray) else type(actual).__name__
            return f"{what}{name} is {shown}, on the CPU {value.dtype}{list(value.shape)}"
        rtol, atol = WITHIN.get(value.dtype.name, (0.0, 0.0))
        if not np.allclose(actual, value, rtol=rtol, atol=atol, equal_nan=True):
            far = np.nanmax(np.abs(actual.astype("float64") - value.astype("float64")))
            return f"{what}{name} differs by up to {far:.3g}"
    return ""


def to_device(xp: Any, value: Any) -> Any:
    """Return a value of a sample on the device."""
    if isinstance(value, list):
        return [to_device(xp, each) for each in value]
    if isinstance(value, SelectedRows):
        return SelectedRows(xp.asarray(value.rows), xp.asarray(value.values), value.height)
    return xp.asarray(value) if isinstance(value, np.ndarray) else value


def to_host(value: Any) -> Any:
    """Return an array of the device on the host."""
    return value.get() if hasattr(value, "get") and not isinstance(value, dict) else value
