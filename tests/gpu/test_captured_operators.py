"""What Plans believe of operators in CUDA graphs: each that may be captured is, on samples of its row, and replays to the same numbers."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.kernels.gpu.graphs import capture
from paddle_lite.kernels.gpu.stand_in import StandIn
from paddle_lite.ops.framework.dispatch import kernel_of
from paddle_lite.ops.framework.spec import OpDef
from paddle_lite.static.plan.capturable import obstacle
from tests.ops import case as cases
from tests.ops.case import Case
from tests.ops.loaded import forward_ops
from tests.ops.rows_of import ALL

from .on_stand_in import on_stand_in

ROWS = {row.op: row for _, row in ALL}
SAMPLES = int(os.environ.get("PADDLE_LITE_CAPTURED_SAMPLES", "1"))
"""How many samples of a row are tried."""


def sequence(like: Any, values: list[Any]) -> Any:
    """Values as a list, a tuple or a named tuple."""
    return type(like)(*values) if hasattr(like, "_fields") else type(like)(values)


def on_device(gpu: StandIn, value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return sequence(value, [on_device(gpu, each) for each in value])
    if isinstance(value, SelectedRows):
        return SelectedRows(gpu.asarray(value.rows), gpu.asarray(value.values), value.height)
    return gpu.asarray(value) if isinstance(value, np.ndarray) else value


def on_host(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return sequence(value, [on_host(each) for each in value])
    if isinstance(value, SelectedRows):
        return SelectedRows(on_host(value.rows), on_host(value.values), value.height)
    return value.get() if isinstance(value, StandIn.ndarray) else value


def planned(op: OpDef, slots: list[str], given: tuple, attrs: dict[str, Any]) -> Any:
    """The call as a Plan knows it."""
    read = {slot: value if isinstance(value, list) else [value] for slot, value in zip(slots, given, strict=True)}
    one = lambda slot: read.get(slot, [None])[0]  # noqa: E731
    return SimpleNamespace(attrs=attrs, read=read, one=one, out=lambda slot: None, made={}, used=lambda value: True)


def replayed(gpu: StandIn, tried: list[str]) -> Callable[[OpDef, str], Callable]:
    """What `kernel_of` returns: kernels that run in a graph, where a Plan lets them."""

    def found(op: OpDef, device: str) -> Callable:
        kernel = kernel_of(op, "gpu")

        def run(*given: Any, **keywords: Any) -> Any:
            slots = [slot.name for slot in op.inputs]
            attrs = {name: value for name, value in keywords.items() if name != "lod"}
            ragged = any(isinstance(value, SelectedRows) for value in given)
            if ragged or len(slots) != len(given) or obstacle(op, planned(op, slots, given, attrs), op.effects == ""):
                return on_host(kernel(*on_device(gpu, given), **keywords))
            tried.append(op.type)
            there = on_device(gpu, given)
            made = capture(lambda: kernel(*there, **keywords), lambda result: None)
            made.replay()
            return on_host(made.result)

        return run

    return found


OPS = [op for op in forward_ops() if op.type in ROWS and op.effects == ""]


@pytest.mark.parametrize("part", range(8))
def test_what_may_be_captured_is_replayed(monkeypatch, part):
    tried: list[str] = []
    with on_stand_in(kernels=True) as gpu:
        of = replayed(gpu, tried)
        monkeypatch.setattr(cases, "kernel_of", of)
        for op in OPS[part::8]:
            for index in range(min(SAMPLES, len(ROWS[op.type].samples))):
                case = Case(op, ROWS[op.type], index)
                if any(getattr(value, "size", 0) > 400 for value in case.inputs):
                    continue  # kernels are run thread by thread
                expected = case.reference()
                arrays = [value for value in expected.values() if isinstance(value, np.ndarray)]
                if len(arrays) != len(expected):
                    continue
                got = case._outputs(of(op, "gpu")(*case.inputs, **case.keywords()))
                same(got, expected, case)
                gradients = case.gradient_kernels(expected, case.seeds(expected), "gpu")
                if gradients is not None:
                    same(gradients[1], gradients[0], f"{case}: gradients")
    assert len(set(tried)) > 20, sorted(set(tried))


def same(got: Any, expected: Any, what: Any) -> None:
    for name, value in expected.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_allclose(got[name], value, rtol=2e-3, atol=2e-4, err_msg=f"{what}: {name}")
