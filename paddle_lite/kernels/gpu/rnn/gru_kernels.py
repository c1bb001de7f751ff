"""GPU kernels of gru: one launch for all steps of a layer. The reference takes states of more than 512 features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...registry import array_module, kernel
from ..device.kernel import accumulated, launch
from ..support.shape import alike, threads_for
from .batches import CODES, batch_of
from .gru import gru_sequences, gru_sequences_grad
from .states import GROUP, MOST_STATE, MOST_STEP_THREADS


@kernel("gru", device="gpu")
def gru(Input: Any, H0: Any, Weight: Any, Bias: Any, *, lod: Any, reference: Callable, **attrs: Any) -> tuple:
    batch = batch_of(lod, len(Input), attrs["is_reverse"], H0)
    given = [each for each in (H0, Bias) if each is not None]
    if batch is None or not alike(Input, Weight, *given) or len(Weight) > MOST_STATE:
        return reference(Input, H0, Weight, Bias, lod=lod, **attrs)
    xp, size = array_module("gpu"), len(Weight)
    x, weight = xp.ascontiguousarray(Input), xp.ascontiguousarray(Weight)
    bias, h0 = (x if each is None else xp.ascontiguousarray(each) for each in (Bias, H0))
    gates, groups = xp.empty((len(x), 3 * size), x.dtype), -(-batch.steps.alive // GROUP)
    resets, states, hidden = (xp.empty((len(x), size), x.dtype) for _ in range(3))
    sums = xp.empty(groups * GROUP * 3 * size, accumulated({"T": x.dtype}))
    arrays = x, weight, bias, h0, batch.order, batch.rows, batch.ends, gates, resets, states, hidden, sums
    numbers = size, batch.number, int(H0 is not None), int(Bias is not None)
    codes = CODES[attrs["activation"]], CODES[attrs["gate_activation"]], int(attrs["origin_mode"])
    launch(gru_sequences, groups, threads_for(2 * size, MOST_STEP_THREADS), *arrays, *numbers, *codes)
    return gates, resets, states, hidden


@kernel("gru_grad", device="gpu")
def gru_grad(
    Input: Any, H0: Any, Weight: Any, Bias: Any, BatchGate: Any, BatchResetHiddenPrev: Any, BatchHidden: Any, Hidden: Any, dHidden: Any,
    *, lod: Any, reference: Callable, **attrs: Any,
) -> tuple:  # fmt: skip
    batch = batch_of(lod, len(Hidden), attrs["is_reverse"], H0)
    given = [each for each in (H0,) if each is not None]
    if batch is None or not alike(dHidden, Weight, *given) or len(Weight) > MOST_STATE:
        saved = BatchGate, BatchResetHiddenPrev, BatchHidden, Hidden, dHidden
        return reference(Input, H0, Weight, Bias, *saved, lod=lod, **attrs)
    xp, size = array_module("gpu"), len(Weight)
    gates, hidden, d_hidden = map(xp.ascontiguousarray, (BatchGate, Hidden, dHidden))
    flat = xp.ascontiguousarray(Weight).reshape(-1)
    blocks = flat[: 2 * size * size].reshape(size, 2 * size), flat[2 * size * size :].reshape(size, size)
    transposed = xp.concatenate([block.T.reshape(-1) for block in blocks])
    d_input, groups = xp.empty(gates.shape, hidden.dtype), -(-batch.steps.alive // GROUP)
    dh0 = None if H0 is None else xp.zeros(H0.shape, H0.dtype)
    states = (hidden, d_input) if dh0 is None else (xp.ascontiguousarray(H0), dh0)
    scratch = (xp.zeros(groups * GROUP * 3 * size, accumulated({"T": hidden.dtype})) for _ in range(2))
    arrays = states[0], batch.order, batch.rows, batch.ends, gates, hidden, d_hidden, d_input, states[1], *scratch
    numbers = size, batch.number, batch.steps.way, int(H0 is not None)
    codes = CODES[attrs["activation"]], CODES[attrs["gate_activation"]], int(attrs["origin_mode"])
    launch(gru_sequences_grad, groups, threads_for(2 * size, MOST_STEP_THREADS), transposed, *arrays, *numbers, *codes)
    in_batch_order = d_input[batch.rows]
    parts = (
        batch.before(hidden, H0).T @ d_input[:, : 2 * size],
        BatchResetHiddenPrev.T @ in_batch_order[:, 2 * size :],
    )
    d_weight = xp.concatenate([part.reshape(-1) for part in parts]).reshape(Weight.shape)
    return d_input, dh0, d_weight, None if Bias is None else d_input.sum(axis=0).reshape(Bias.shape)
