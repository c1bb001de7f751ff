"""GPU kernels of lstm: one launch for all steps of a layer. The reference takes states of more than 512 features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...registry import array_module, kernel
from ..support.shape import alike
from .batches import CODES, Batch, batch_of
from .layer import Trace, run_layer, run_layer_back
from .states import MOST_STATE


def _codes(attrs: dict[str, Any]) -> tuple[int, int, int]:
    return CODES[attrs["gate_activation"]], CODES[attrs["cell_activation"]], CODES[attrs["candidate_activation"]]


def _takes(*arrays: Any, size: int) -> bool:
    """Return whether the arrays that are given have one dtype, and the kernels take states of this size."""
    return alike(*(each for each in arrays if each is not None)) and size <= MOST_STATE


@kernel("lstm", device="gpu")
def lstm(Input: Any, H0: Any, C0: Any, Weight: Any, Bias: Any, *, lod: Any, reference: Callable, **attrs: Any) -> tuple:
    batch = batch_of(lod, len(Input), attrs["is_reverse"], H0, C0)
    if batch is None or not _takes(Input, H0, C0, Weight, Bias, size=len(Weight)):
        return reference(Input, H0, C0, Weight, Bias, lod=lod, **attrs)
    return run_layer(batch, Input, Weight, Bias, H0, C0, _codes(attrs))


@kernel("lstm_grad", device="gpu")
def lstm_grad(
    Input: Any, H0: Any, C0: Any, Weight: Any, Bias: Any, Hidden: Any, Cell: Any, BatchGate: Any, BatchCellPreAct: Any, dHidden: Any,
    *, lod: Any, reference: Callable, **attrs: Any,
) -> tuple:  # fmt: skip
    batch, trace = (
        batch_of(lod, len(Hidden), attrs["is_reverse"], H0, C0),
        Trace(Hidden, Cell, BatchGate, BatchCellPreAct),
    )
    if batch is None or not _takes(dHidden, H0, C0, Weight, Bias, size=len(Weight)):
        return reference(Input, H0, C0, Weight, Bias, *trace, dHidden, lod=lod, **attrs)
    dx, dh0, dc0 = run_layer_back(batch, Weight, Bias, H0, C0, trace, dHidden, _codes(attrs))
    return dx, dh0, dc0, batch.before(Hidden, H0).T @ dx, _bias_gradient(dx, Cell, C0, batch, Bias)


def _bias_gradient(dx: Any, Cell: Any, C0: Any, batch: Batch, Bias: Any) -> Any:
    """Return the gradient of the bias: sums of the gates' gradients, with peepholes also of those times the cells they saw."""
    parts, size = [dx.sum(axis=0)], Cell.shape[1]
    if Bias.size > 4 * size:
        before = batch.before(Cell, C0)
        seen = (before, before, Cell)
        parts += [(dx[:, k * size : (k + 1) * size] * c).sum(axis=0) for k, c in enumerate(seen, 1)]
    return array_module("gpu").concatenate(parts).reshape(Bias.shape)
