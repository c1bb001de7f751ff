"""Gated recurrent units over ragged batches."""

from __future__ import annotations

from typing import Any

from ..framework.costs import RECURRENCE
from ..framework.spec import Declaration, Grad, op
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from .ragged_batch import codes, first_state, require_activations, require_gates, steps, to_sequences
from .rnn_unit import activated, gru_blocks, slope


def check_gru(where: str, Input: Any, H0: Any, Weight: Any, Bias: Any, activation: str, gate_activation: str) -> int:
    """Return the size of the hidden state; raise unless the inputs fit."""
    given = {slot: meta for slot, meta in (("H0", H0), ("Bias", Bias)) if meta is not None}
    require_floats(where, Input=Input, Weight=Weight, **given)
    size = Weight.shape[0] if len(Weight.shape) == 2 else UNKNOWN
    gates = UNKNOWN if size == UNKNOWN else 3 * size
    require_shape(where, "Weight", Weight, (size, gates))
    require_gates(where, Input, size, 3)
    for slot, shape in (("H0", (UNKNOWN, size)), ("Bias", (1, gates))):
        if slot in given:
            require_shape(where, slot, given[slot], shape)
    require_activations(where, activation=activation, gate_activation=gate_activation)
    return size


@op(
    "gru",
    inputs="Input H0? Weight Bias?",
    outputs="BatchGate~ BatchResetHiddenPrev~ BatchHidden~ Hidden",
    attrs={"activation": "tanh", "gate_activation": "sigmoid", "is_reverse": False, "origin_mode": False},
    needs_lod="Input",
    lod=lambda lods, ins, outs, attrs: (None, None, None, lods[0]),
    flops=RECURRENCE,
)
class gru(Declaration):
    """Run a gated recurrent unit over the sequences of Input = x W (Cho et al., 2014).

    Input [rows, 3 * D] and Bias [1, 3 * D] hold the update gate u, the reset gate r and the candidate c; Weight [D, 3 *
    D] consists of a block [D, 2 * D] for both gates, followed by a block [D, D] for the candidate. In each step c is
    computed from the input and r * h', and h = (1 - u) * h' + u * c, or u * h' + (1 - u) * c in origin_mode. Hidden
    [rows, D] holds h; BatchGate [u, r, c], BatchResetHiddenPrev r * h' and BatchHidden h, in batch order
    (ops/support/time_steps.py).
    """

    def infer(Input, H0, Weight, Bias, *, activation, gate_activation, **_):
        size = check_gru("gru", Input, H0, Weight, Bias, activation, gate_activation)
        n, dtype = Input.shape[0], Input.dtype
        inner = Meta((n, size), dtype)
        gates = Meta((n, UNKNOWN if size == UNKNOWN else 3 * size), dtype)
        return gates, inner, inner, Meta((n, size), dtype, Input.lod_level)

    def reference(xp, Input, H0, Weight, Bias, *, lod, activation, gate_activation, is_reverse, origin_mode):
        when = steps("gru", Input, lod, is_reverse, H0=H0)
        size, rows, order = Weight.shape[0], xp.asarray(when.rows), xp.asarray(when.order)
        (act, of_gate), (of_gates, of_candidate) = codes(activation, gate_activation), gru_blocks(Weight)
        h = first_state(xp, H0, len(order), Input, size)[order]
        gates = Input[rows] if Bias is None else Input[rows] + Bias
        resets, batch, hidden = (xp.empty((len(Input), size), Input.dtype) for _ in range(3))
        for start, end in when.spans:
            step, h = gates[start:end], h[: end - start]
            step[:, : 2 * size] = activated(xp, step[:, : 2 * size] + h @ of_gates, of_gate)
            u, r = step[:, :size], step[:, size : 2 * size]
            resets[start:end] = r * h
            c = step[:, 2 * size :] = activated(xp, step[:, 2 * size :] + resets[start:end] @ of_candidate, act)
            h = c + u * (h - c) if origin_mode else h + u * (c - h)
            batch[start:end] = hidden[rows[start:end]] = h
        return gates, resets, batch, hidden

    def gradient(
        xp, Input, H0, Weight, Bias, BatchGate, BatchResetHiddenPrev, BatchHidden, Hidden, dHidden,
        *, lod, activation, gate_activation, is_reverse, origin_mode,
    ):  # fmt: skip
        when = steps("gru", Input, lod, is_reverse)
        size, rows, n = Weight.shape[0], xp.asarray(when.rows), len(when.order)
        (act, of_gate), (of_gates, of_candidate) = codes(activation, gate_activation), gru_blocks(Weight)
        before = when.before(xp, first_state(xp, H0, n, Hidden, size), Hidden)
        u, r, c = (BatchGate[:, k * size : (k + 1) * size] for k in range(3))
        (of_c, of_h), sign = ((1 - u, u), -1) if origin_mode else ((u, 1 - u), 1)
        dh, dgates = xp.zeros((when.alive, size), Hidden.dtype), xp.empty(BatchGate.shape, Hidden.dtype)
        for start, end in reversed(when.spans):
            at, alive = slice(start, end), slice(end - start)
            dout, dgate, h = dh[alive] + dHidden[rows[at]], dgates[at], before[at]
            dgate[:, 2 * size :] = dout * of_c[at] * slope(c[at], act)
            dreset = dgate[:, 2 * size :] @ of_candidate.T
            dgate[:, :size] = sign * dout * (c[at] - h) * slope(u[at], of_gate)
            dgate[:, size : 2 * size] = dreset * h * slope(r[at], of_gate)
            dh[alive] = dout * of_h[at] + dreset * r[at] + dgate[:, : 2 * size] @ of_gates.T
        blocks = (before.T @ dgates[:, : 2 * size], BatchResetHiddenPrev.T @ dgates[:, 2 * size :])
        dweight = xp.concatenate([block.reshape(-1) for block in blocks]).reshape(Weight.shape)
        dh0 = None if H0 is None else to_sequences(xp, dh, xp.asarray(when.order[: when.alive]), n)
        dbias = None if Bias is None else dgates.sum(axis=0).reshape(Bias.shape)
        return to_sequences(xp, dgates, rows, len(Hidden)), dh0, dweight, dbias

    grad = Grad(
        "Input# H0? Weight Bias?# BatchGate BatchResetHiddenPrev BatchHidden# Hidden Hidden@GRAD",
        "Input@GRAD H0@GRAD Weight@GRAD Bias@GRAD",
        gradient,
    )
