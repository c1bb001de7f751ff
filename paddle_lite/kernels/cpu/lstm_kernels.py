"""The CPU kernels of lstm over ragged batches: a BLAS product and one pass over the gates for each time step.

Only the activations that nearly every network has (sigmoid, tanh, tanh) are compiled; the reference does the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..numba_jit import jit
from ..ragged import Steps, steps_of
from ..registry import kernel
from .scratch import scratch
from .vecmath import sigmoid, tanh

FEW = 512  # numbers in Input below which Numba's import is never earned back


def _left(Input: Any, lod: Any, acts: tuple, states: tuple = ()) -> bool:
    """Whether the reference does it: few numbers, other activations, or what it has words for."""
    return (
        Input.size < FEW
        or Input.dtype.char not in "fd"
        or acts != ("sigmoid", "tanh", "tanh")
        or lod is None
        or len(lod) != 1
        or any(state is not None and len(state) != len(lod[0]) - 1 for state in states)
    )


def _peepholes(Bias: np.ndarray, size: int) -> np.ndarray:
    """What input, forget and output gate have of the cell, [3, size]; no rows for nothing."""
    return Bias[0, 4 * size :].reshape(-1, size)


@kernel("lstm")
def lstm(
    Input, H0, C0, Weight, Bias,
    *, lod, use_peepholes, is_reverse, gate_activation, cell_activation, candidate_activation, reference,
):  # fmt: skip
    if _left(Input, lod, (gate_activation, cell_activation, candidate_activation), (H0, C0)):
        return reference(
            Input, H0, C0, Weight, Bias, lod=lod, use_peepholes=use_peepholes, is_reverse=is_reverse,
            gate_activation=gate_activation, cell_activation=cell_activation, candidate_activation=candidate_activation,
        )  # fmt: skip
    when, size, dtype = steps_of(tuple(lod[0]), is_reverse), Weight.shape[0], Input.dtype
    Input, bias, peepholes = np.ascontiguousarray(Input), Bias[0, : 4 * size], _peepholes(Bias, size)
    gates = np.empty((len(Input), 4 * size), dtype)
    hidden, cell, squashed = (np.empty((len(Input), size), dtype) for _ in range(3))
    h = np.zeros((when.alive, size), dtype) if H0 is None else H0[when.order[: when.alive]]
    earlier, at = (np.zeros((when.alive, size), dtype), None) if C0 is None else (C0, when.order)
    for t, (start, end) in enumerate(when.spans):
        n, rows = end - start, when.rows[start:end]
        out = gates[start:end]
        if t or H0 is not None:
            np.dot(h[:n], Weight, out)
        else:
            out[:] = 0
        _forward(
            Input,
            bias,
            peepholes,
            rows,
            earlier,
            np.arange(n) if at is None else at[:n],
            out,
            hidden,
            cell,
            squashed[start:end],
            h,
        )
        earlier, at = cell, rows
    return hidden, cell, gates, squashed


@jit
def _forward(x, bias, peepholes, rows, earlier, at, gates, hidden, cell, squashed, h):
    """One step: `gates` has h' Weight, and is activated in place; h becomes the new hidden state."""
    size = h.shape[1]
    bg, bi, bf, bo = bias[:size], bias[size : 2 * size], bias[2 * size : 3 * size], bias[3 * size :]
    for r in range(rows.size):
        row = rows[r]
        xg, xi, xf, xo = x[row, :size], x[row, size : 2 * size], x[row, 2 * size : 3 * size], x[row, 3 * size :]
        g, i, f, o = gates[r, :size], gates[r, size : 2 * size], gates[r, 2 * size : 3 * size], gates[r, 3 * size :]
        c0, c1, s, new, out = earlier[at[r]], cell[row], squashed[r], h[r], hidden[row]
        if peepholes.shape[0] == 0:
            for k in range(size):
                a = tanh(g[k] + xg[k] + bg[k])
                b = sigmoid(i[k] + xi[k] + bi[k])
                d = sigmoid(f[k] + xf[k] + bf[k])
                e = sigmoid(o[k] + xo[k] + bo[k])
                c = a * b + c0[k] * d
                t = tanh(c)
                g[k], i[k], f[k], o[k] = a, b, d, e
                c1[k], s[k], new[k], out[k] = c, t, e * t, e * t
        else:
            pi, pf, po = peepholes[0], peepholes[1], peepholes[2]
            for k in range(size):
                a = tanh(g[k] + xg[k] + bg[k])
                b = sigmoid(i[k] + xi[k] + bi[k] + c0[k] * pi[k])
                d = sigmoid(f[k] + xf[k] + bf[k] + c0[k] * pf[k])
                c = a * b + c0[k] * d
                e = sigmoid(o[k] + xo[k] + bo[k] + c * po[k])
                t = tanh(c)
                g[k], i[k], f[k], o[k] = a, b, d, e
                c1[k], s[k], new[k], out[k] = c, t, e * t, e * t


@kernel("lstm_grad")
def lstm_grad(
    Input, H0, C0, Weight, Bias, Hidden, Cell, BatchGate, BatchCellPreAct, dHidden,
    *, lod, use_peepholes, is_reverse, gate_activation, cell_activation, candidate_activation, reference,
):  # fmt: skip
    if _left(BatchGate, lod, (gate_activation, cell_activation, candidate_activation)):
        return reference(
            Input, H0, C0, Weight, Bias, Hidden, Cell, BatchGate, BatchCellPreAct, dHidden, lod=lod,
            use_peepholes=use_peepholes, is_reverse=is_reverse, gate_activation=gate_activation,
            cell_activation=cell_activation, candidate_activation=candidate_activation,
        )  # fmt: skip
    when, size, dtype = steps_of(tuple(lod[0]), is_reverse), Weight.shape[0], Hidden.dtype
    dHidden, peepholes, back = np.ascontiguousarray(dHidden), _peepholes(Bias, size), np.ascontiguousarray(Weight.T)
    dinput, dpeepholes = np.empty(BatchGate.shape, dtype), np.zeros(peepholes.shape, dtype)
    dh, dc = np.zeros((when.alive, size), dtype), np.zeros((when.alive, size), dtype)
    first = np.zeros((when.alive, size), dtype) if C0 is None else C0[when.order[: when.alive]]
    dgates = scratch("lstm_grad gates", (when.alive, 4 * size), dtype)
    for t in reversed(range(len(when.spans))):
        start, end = when.spans[t]
        n, rows = end - start, when.rows[start:end]
        earlier, at = (Cell, rows - when.way) if t else (first, np.arange(n))
        _backward(
            BatchGate[start:end], BatchCellPreAct[start:end], Cell, earlier, at, peepholes, rows, dHidden,
            dh, dc, dgates, dinput, dpeepholes,
        )  # fmt: skip
        if t or H0 is not None:
            np.dot(dgates[:n], back, dh[:n])
    dweight = _earlier(when, H0, Hidden, "lstm_grad hidden").T.dot(dinput)
    dbias = np.concatenate([np.ones(len(dinput), dtype).dot(dinput), dpeepholes.reshape(-1)])
    return dinput, _first(when, H0, dh), _first(when, C0, dc), dweight, dbias.reshape(Bias.shape)


@jit
def _backward(gates, squashed, cell, earlier, at, peepholes, rows, dhidden, dh, dc, dgates, dinput, dpeepholes):
    """One step: the gradients of its gates, before activation, to dgates and dinput; dc becomes that of the cell before."""
    size = dh.shape[1]
    one = gates.dtype.type(1)
    for r in range(rows.size):
        row = rows[r]
        g, i, f, o = gates[r, :size], gates[r, size : 2 * size], gates[r, 2 * size : 3 * size], gates[r, 3 * size :]
        dg, di, df, do = (
            dgates[r, :size],
            dgates[r, size : 2 * size],
            dgates[r, 2 * size : 3 * size],
            dgates[r, 3 * size :],
        )
        s, c0, c1, late, dout, dcell = squashed[r], earlier[at[r]], cell[row], dh[r], dhidden[row], dc[r]
        if peepholes.shape[0] == 0:
            for k in range(size):
                e = late[k] + dout[k]
                q = dcell[k] + e * o[k] * (one - s[k] * s[k])
                do[k] = e * s[k] * o[k] * (one - o[k])
                dg[k] = q * i[k] * (one - g[k] * g[k])
                di[k] = q * g[k] * i[k] * (one - i[k])
                df[k] = q * c0[k] * f[k] * (one - f[k])
                dcell[k] = q * f[k]
        else:
            pi, pf, po, dpi, dpf, dpo = (
                peepholes[0],
                peepholes[1],
                peepholes[2],
                dpeepholes[0],
                dpeepholes[1],
                dpeepholes[2],
            )
            for k in range(size):
                e = late[k] + dout[k]
                u = e * s[k] * o[k] * (one - o[k])
                q = dcell[k] + e * o[k] * (one - s[k] * s[k]) + u * po[k]
                v = q * g[k] * i[k] * (one - i[k])
                w = q * c0[k] * f[k] * (one - f[k])
                dg[k] = q * i[k] * (one - g[k] * g[k])
                di[k], df[k], do[k] = v, w, u
                dcell[k] = q * f[k] + v * pi[k] + w * pf[k]
            for k in range(size):
                dpi[k] += di[k] * c0[k]
                dpf[k] += df[k] * c0[k]
                dpo[k] += do[k] * c1[k]
        dinput[row] = dgates[r]


def _earlier(when: Steps, first: Any, values: np.ndarray, use: str) -> np.ndarray:
    """For each row of a ragged array the row of the step before; that of `first` (zeros without it) at a sequence's start."""
    before = scratch(use, values.shape, values.dtype)
    if when.way == 1:
        before[1:] = values[:-1]
    else:
        before[:-1] = values[1:]
    n = when.alive
    before[when.rows[:n]] = 0 if first is None else first[when.order[:n]]
    return before


def _first(when: Steps, first: Any, gradient: np.ndarray) -> np.ndarray | None:
    """The gradient of a first state, in the order of the sequences."""
    if first is None:
        return None
    out = np.zeros(first.shape, first.dtype)
    out[when.order[: when.alive]] = gradient
    return out
