"""CPU kernels of gru over ragged batches: two BLAS products and two passes over the gates for each time step.

Only the usual activations (tanh, sigmoid) are compiled; the reference handles others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....ops.support.time_steps import steps_of
from ...numba_jit import jit
from ...registry import kernel
from ..math.packed_matrix import Factor
from ..support.scratch import scratch
from ..vecmath import sigmoid, tanh
from .initial_states import initial_state, initial_state_gradient, previous_rows


def _left(Input: Any, lod: Any, attrs: dict, H0: Any) -> bool:
    """Return whether the reference handles the call: small inputs, other activations, or invalid arguments."""
    return (
        not Input.size
        or Input.dtype.char not in "fd"
        or (attrs["activation"], attrs["gate_activation"]) != ("tanh", "sigmoid")
        or lod is None
        or len(lod) != 1
        or lod[0][-1] != Input.shape[0]
        or (H0 is not None and len(H0) != len(lod[0]) - 1)
    )


def weights_of(Weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of both gates, [size, 2 * size], and of the candidate, [size, size], which are stored one after another."""
    size, flat = Weight.shape[0], np.ascontiguousarray(Weight).reshape(-1)
    return flat[: 2 * size * size].reshape(size, 2 * size), flat[2 * size * size :].reshape(size, size)


@kernel("gru")
def gru(Input, H0, Weight, Bias, *, lod, reference, **attrs):
    if _left(Input, lod, attrs, H0):
        return reference(Input, H0, Weight, Bias, lod=lod, **attrs)
    origin_mode = attrs["origin_mode"]
    when, size, dtype = steps_of(tuple(lod[0]), attrs["is_reverse"]), Weight.shape[0], Input.dtype
    of_gates, of_candidate = (Factor(block, len(when.spans)) for block in weights_of(Weight))
    x, bias = np.ascontiguousarray(Input), np.zeros(3 * size, dtype) if Bias is None else Bias[0]
    gates = np.empty((len(x), 3 * size), dtype)
    resets, batch, hidden = (np.empty((len(x), size), dtype) for _ in range(3))
    ur = scratch("gru gates", (when.alive, 2 * size), dtype)
    candidate = scratch("gru candidate", (when.alive, size), dtype)
    h = initial_state(when, H0, size, dtype)
    for start, end in when.spans:
        n, rows, h = end - start, when.rows[start:end], h[: end - start]
        of_gates.into(h, ur[:n])
        open_gates(x, bias, rows, ur, h, gates[start:end], resets[start:end])
        of_candidate.into(resets[start:end], candidate[:n])
        new_state(x, bias, rows, candidate, h, gates[start:end], batch[start:end], hidden, origin_mode)
        h = batch[start:end]
    return gates, resets, batch, hidden


@jit
def open_gates(x, bias, rows, ur, h, gates, resets):
    """Compute the update and reset gates of a step, and r * h'."""
    size = h.shape[1]
    bu, br = bias[:size], bias[size : 2 * size]
    for n in range(rows.size):
        xu, xr = x[rows[n], :size], x[rows[n], size : 2 * size]
        hu, hr, gu, gr = ur[n, :size], ur[n, size:], gates[n, :size], gates[n, size : 2 * size]
        before, reset = h[n], resets[n]
        for k in range(size):
            r = sigmoid(hr[k] + xr[k] + br[k])
            gu[k] = sigmoid(hu[k] + xu[k] + bu[k])
            gr[k] = r
            reset[k] = r * before[k]


@jit
def new_state(x, bias, rows, candidate, h, gates, batch, hidden, origin_mode):
    """Compute the candidate and the new state of a step."""
    size = h.shape[1]
    bc = bias[2 * size :]
    for n in range(rows.size):
        xc, hc, gu, gc = x[rows[n], 2 * size :], candidate[n], gates[n, :size], gates[n, 2 * size :]
        before, new, out = h[n], batch[n], hidden[rows[n]]
        if origin_mode:
            for k in range(size):
                c = tanh(hc[k] + xc[k] + bc[k])
                v = c + gu[k] * (before[k] - c)
                gc[k], new[k], out[k] = c, v, v
        else:
            for k in range(size):
                c = tanh(hc[k] + xc[k] + bc[k])
                v = before[k] + gu[k] * (c - before[k])
                gc[k], new[k], out[k] = c, v, v


@kernel("gru_grad")
def gru_grad(
    Input, H0, Weight, Bias, BatchGate, BatchResetHiddenPrev, BatchHidden, Hidden, dHidden,
    *, lod, reference, **attrs,
):  # fmt: skip
    if _left(BatchGate, lod, attrs, H0):
        return reference(
            Input, H0, Weight, Bias, BatchGate, BatchResetHiddenPrev, BatchHidden, Hidden, dHidden, lod=lod, **attrs
        )
    origin_mode = attrs["origin_mode"]
    when, size, dtype = steps_of(tuple(lod[0]), attrs["is_reverse"]), Weight.shape[0], Hidden.dtype
    gates_back, candidate_back = (Factor(block, len(when.spans), transposed=True) for block in weights_of(Weight))
    first, dHidden = initial_state(when, H0, size, dtype), np.ascontiguousarray(dHidden)
    dinput, dh = np.empty(BatchGate.shape, dtype), np.zeros((when.alive, size), dtype)
    dur, dc, dreset, late = (
        scratch(f"gru_grad {use}", (when.alive, width * size), dtype)
        for use, width in (("gates", 2), ("candidate", 1), ("reset", 1), ("late", 1))
    )
    for t, (start, end) in reversed([*enumerate(when.spans)]):
        n, rows, gates = end - start, when.rows[start:end], BatchGate[start:end]
        earlier, at = (Hidden, rows - when.way) if t else (first, np.arange(n))
        candidate_gradient(gates, earlier, at, rows, dHidden, dh, dur, dc, dinput, origin_mode)
        candidate_back.into(dc[:n], dreset[:n])
        gates_gradient(gates, earlier, at, rows, dreset, dh, dur, dinput)
        if t or H0 is not None:
            gates_back.into(dur[:n], late[:n])
            dh[:n] += late[:n]
    before, resets = previous_rows(when, H0, Hidden, "gru_grad hidden"), scratch("gru_grad resets", Hidden.shape, dtype)
    resets[when.rows] = BatchResetHiddenPrev
    blocks = (before.T.dot(dinput[:, : 2 * size]), resets.T.dot(dinput[:, 2 * size :]))
    dweight = np.concatenate([block.reshape(-1) for block in blocks]).reshape(Weight.shape)
    dbias = None if Bias is None else np.ones(len(dinput), dtype).dot(dinput).reshape(Bias.shape)
    return dinput, initial_state_gradient(when, H0, dh), dweight, dbias


@jit
def candidate_gradient(gates, earlier, at, rows, dhidden, dh, dur, dc, dinput, origin_mode):
    """Compute the gradients of candidate and update gate before activation.

    dh is replaced by the part of the state's gradient that does not pass through the gates.
    """
    size = dh.shape[1]
    one = gates.dtype.type(1)
    for n in range(rows.size):
        u, c = gates[n, :size], gates[n, 2 * size :]
        before, out, flow, du, to_c = earlier[at[n]], dhidden[rows[n]], dh[n], dur[n, :size], dc[n]
        if origin_mode:
            for k in range(size):
                e = flow[k] + out[k]
                to_c[k] = e * (one - u[k]) * (one - c[k] * c[k])
                du[k] = e * (before[k] - c[k]) * u[k] * (one - u[k])
                flow[k] = e * u[k]
        else:
            for k in range(size):
                e = flow[k] + out[k]
                to_c[k] = e * u[k] * (one - c[k] * c[k])
                du[k] = e * (c[k] - before[k]) * u[k] * (one - u[k])
                flow[k] = e * (one - u[k])
        dinput[rows[n], :size] = du
        dinput[rows[n], 2 * size :] = to_c


@jit
def gates_gradient(gates, earlier, at, rows, dreset, dh, dur, dinput):
    """Compute the gradient of the reset gate before activation, and add its part of the state's gradient to dh."""
    size = dh.shape[1]
    one = gates.dtype.type(1)
    for n in range(rows.size):
        r, before, through, flow, dr = gates[n, size : 2 * size], earlier[at[n]], dreset[n], dh[n], dur[n, size:]
        for k in range(size):
            dr[k] = through[k] * before[k] * r[k] * (one - r[k])
            flow[k] += through[k] * r[k]
        dinput[rows[n], size : 2 * size] = dr
