"""GPU kernels of lstm_unit and gru_unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.shape import MOST_THREADS, alike, blocks_for
from .units import gru_candidates_grad, gru_gates, gru_resets_grad, gru_states, lstm_steps, lstm_steps_grad


@kernel("lstm_unit", device="gpu")
def lstm_unit(X: Any, C_prev: Any, *, forget_bias: float, reference: Callable) -> tuple:
    if not alike(X, C_prev):
        return reference(X, C_prev, forget_bias=forget_bias)
    xp = array_module("gpu")
    x, before = xp.ascontiguousarray(X), xp.ascontiguousarray(C_prev)
    c, h = xp.empty_like(before), xp.empty_like(before)
    given = before.shape[1], before.size, forget_bias
    launch(lstm_steps, blocks_for(before.size), MOST_THREADS, x, before, c, h, *given)
    return c, h


@kernel("lstm_unit_grad", device="gpu")
def lstm_unit_grad(X: Any, C_prev: Any, C: Any, dC: Any, dH: Any, *, forget_bias: float, reference: Callable) -> tuple:
    if not alike(X, C_prev, C, dC, dH):
        return reference(X, C_prev, C, dC, dH, forget_bias=forget_bias)
    xp = array_module("gpu")
    arrays = [xp.ascontiguousarray(each) for each in (X, C_prev, C, dC, dH)]
    dx, d_before = xp.empty_like(arrays[0]), xp.empty_like(arrays[1])
    given = C_prev.shape[1], C_prev.size, forget_bias
    launch(lstm_steps_grad, blocks_for(C_prev.size), MOST_THREADS, *arrays, dx, d_before, *given)
    return dx, d_before


# --- gru_unit: products by cuBLAS, and a launch before and after the second one ---------------------------------------


def _blocks(Weight: Any) -> tuple[Any, Any]:
    """Return the weights of both gates, [size, 2 * size], and of the candidate, [size, size], stored one by one."""
    size, flat = Weight.shape[0], array_module("gpu").ascontiguousarray(Weight).reshape(-1)
    return flat[: 2 * size * size].reshape(size, 2 * size), flat[2 * size * size :].reshape(size, size)


@kernel("gru_unit", device="gpu")
def gru_unit(Input: Any, HiddenPrev: Any, Weight: Any, Bias: Any, *, reference: Callable, **attrs: Any) -> tuple:
    if not alike(HiddenPrev, Input, Weight, *(() if Bias is None else (Bias,))):
        return reference(Input, HiddenPrev, Weight, Bias, **attrs)
    xp, (of_gates, of_candidate) = array_module("gpu"), _blocks(Weight)
    x, before = xp.ascontiguousarray(Input), xp.ascontiguousarray(HiddenPrev)
    bias = x if Bias is None else xp.ascontiguousarray(Bias)
    gates, resets, hidden = xp.empty_like(x), xp.empty_like(before), xp.empty_like(before)
    place = blocks_for(before.size), MOST_THREADS
    sizes = before.shape[1], before.size, int(Bias is not None)
    launch(gru_gates, *place, x, bias, before @ of_gates, before, gates, resets, *sizes, attrs["gate_activation"])
    codes = attrs["activation"], int(attrs["origin_mode"])
    launch(gru_states, *place, x, bias, resets @ of_candidate, before, gates, hidden, *sizes, *codes)
    return gates, resets, hidden


@kernel("gru_unit_grad", device="gpu")
def gru_unit_grad(
    Input: Any, HiddenPrev: Any, Weight: Any, Bias: Any, Gate: Any, ResetHiddenPrev: Any, dHidden: Any,
    *, reference: Callable, **attrs: Any,
) -> tuple:  # fmt: skip
    if not alike(dHidden, HiddenPrev, Weight, Gate):
        return reference(Input, HiddenPrev, Weight, Bias, Gate, ResetHiddenPrev, dHidden, **attrs)
    xp, (of_gates, of_candidate) = array_module("gpu"), _blocks(Weight)
    gates, before, d_hidden = map(xp.ascontiguousarray, (Gate, HiddenPrev, dHidden))
    d_gates, flow, size = xp.empty_like(gates), xp.empty_like(before), before.shape[1]
    place, sizes = (blocks_for(before.size), MOST_THREADS), (size, before.size)
    codes = attrs["activation"], attrs["gate_activation"], int(attrs["origin_mode"])
    launch(gru_candidates_grad, *place, gates, before, d_hidden, d_gates, flow, *sizes, *codes)
    d_resets = xp.ascontiguousarray(d_gates[:, 2 * size :] @ of_candidate.T)
    launch(gru_resets_grad, *place, gates, before, d_resets, d_gates, flow, *sizes, attrs["gate_activation"])
    parts = before.T @ d_gates[:, : 2 * size], ResetHiddenPrev.T @ d_gates[:, 2 * size :]
    d_weight = xp.concatenate([part.reshape(-1) for part in parts]).reshape(Weight.shape)
    d_before = flow + d_gates[:, : 2 * size] @ of_gates.T
    return d_gates, d_before, d_weight, None if Bias is None else d_gates.sum(axis=0).reshape(Bias.shape)
