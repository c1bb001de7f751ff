"""CPU kernels of gru_unit: the passes over the gates that gru has for a time step of a ragged batch.

Only the usual activations (tanh, sigmoid) are compiled; the reference handles others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...registry import kernel
from ..math.gemm import times, times_transposed, transposed_times
from .gru_kernels import candidate_gradient, gates_gradient, new_state, open_gates, weights_of

USUAL = (2, 1)  # the codes of tanh and sigmoid


def _left(Input: Any, attrs: dict) -> bool:
    """Return whether the reference handles the call: small inputs or other activations."""
    usual = (attrs["activation"], attrs["gate_activation"]) == USUAL
    return not usual or not Input.size or Input.dtype.char not in "fd"


@kernel("gru_unit")
def gru_unit(Input, HiddenPrev, Weight, Bias, *, reference, **attrs):
    if _left(Input, attrs):
        return reference(Input, HiddenPrev, Weight, Bias, **attrs)
    size, dtype, rows = Weight.shape[0], Input.dtype, np.arange(len(Input))
    of_gates, of_candidate = weights_of(Weight)
    bias = np.zeros(3 * size, dtype) if Bias is None else Bias[0]
    x, h = np.ascontiguousarray(Input), np.ascontiguousarray(HiddenPrev)
    gates, reset, hidden = np.empty(x.shape, dtype), np.empty(h.shape, dtype), np.empty(h.shape, dtype)
    open_gates(x, bias, rows, times(h, of_gates), h, gates, reset)
    new_state(x, bias, rows, times(reset, of_candidate), h, gates, hidden, hidden, attrs["origin_mode"])
    return gates, reset, hidden


@kernel("gru_unit_grad")
def gru_unit_grad(Input, HiddenPrev, Weight, Bias, Gate, ResetHiddenPrev, dHidden, *, reference, **attrs):
    if _left(Gate, attrs):
        return reference(Input, HiddenPrev, Weight, Bias, Gate, ResetHiddenPrev, dHidden, **attrs)
    size, dtype, rows = Weight.shape[0], Gate.dtype, np.arange(len(Gate))
    of_gates, of_candidate = weights_of(Weight)
    gates, h, arriving = map(np.ascontiguousarray, (Gate, HiddenPrev, dHidden))
    dgate, dh = np.empty(gates.shape, dtype), np.zeros(h.shape, dtype)
    dur, dc = np.empty((len(h), 2 * size), dtype), np.empty(h.shape, dtype)
    candidate_gradient(gates, h, rows, rows, arriving, dh, dur, dc, dgate, attrs["origin_mode"])
    gates_gradient(gates, h, rows, rows, times_transposed(dc, of_candidate), dh, dur, dgate)
    dh += times_transposed(dur, of_gates)
    blocks = transposed_times(h, dur), transposed_times(np.ascontiguousarray(ResetHiddenPrev), dc)
    dweight = np.concatenate([block.reshape(-1) for block in blocks]).reshape(Weight.shape)
    return dgate, dh, dweight, None if Bias is None else dgate.sum(axis=0).reshape(Bias.shape)
