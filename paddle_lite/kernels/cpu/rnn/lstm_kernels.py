"""CPU kernels of lstm and lstmp over ragged batches: a BLAS product and one pass over the gates for each time step.

Only the usual activations (sigmoid, tanh, tanh) are compiled; the reference handles others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....ops.support.time_steps import Steps, steps_of
from ...numba_jit import jit
from ...registry import kernel
from ..math.packed_matrix import Factor
from ..support.scratch import scratch
from ..vecmath import sigmoid, tanh
from .initial_states import initial_state, initial_state_gradient, previous_rows, read_only


def _left(Input: Any, lod: Any, attrs: dict, states: tuple = ()) -> bool:
    """Return whether the reference handles the call: small inputs, other activations, or invalid arguments."""
    acts = attrs["gate_activation"], attrs["cell_activation"], attrs["candidate_activation"]
    return (
        not Input.size
        or Input.dtype.char not in "fd"
        or acts != ("sigmoid", "tanh", "tanh")
        or lod is None
        or len(lod) != 1
        or lod[0][-1] != Input.shape[0]
        or any(state is not None and len(state) != len(lod[0]) - 1 for state in states)
    )


def _peepholes(Bias: np.ndarray, size: int) -> np.ndarray:
    """Return the peephole weights of input, forget and output gate, [3, size]; no rows if there are none."""
    return Bias[0, 4 * size :].reshape(-1, size)


@kernel("lstm")
def lstm(Input, H0, C0, Weight, Bias, *, lod, reference, **attrs):
    if _left(Input, lod, attrs, (H0, C0)):
        return reference(Input, H0, C0, Weight, Bias, lod=lod, **attrs)
    when, size, dtype = steps_of(tuple(lod[0]), attrs["is_reverse"]), Weight.shape[0], Input.dtype
    hidden, cell, squashed = (np.empty((len(Input), size), dtype) for _ in range(3))
    h, gates = initial_state(when, H0, size, dtype), np.empty((len(Input), 4 * size), dtype)
    forward, weight = _Forward(when, np.ascontiguousarray(Input), C0, Bias, cell), Factor(Weight, len(when.spans))
    for t, (start, end) in enumerate(when.spans):
        _into_gates(h, weight, gates[start:end], bool(t) or H0 is not None)
        forward.step(t, start, end, gates[start:end], hidden, squashed[start:end], h)
    return hidden, cell, gates, squashed


def _into_gates(h: np.ndarray, weight: Factor, out: np.ndarray, any: bool) -> None:
    """Compute the state's contribution to the gates of a step; zeros without a state."""
    if any:
        weight.into(h[: len(out)], out)
    else:
        out[:] = 0


class _Forward:
    """The forward pass over one batch, step by step."""

    def __init__(self, when: Steps, x: np.ndarray, C0: Any, Bias: np.ndarray, cell: np.ndarray) -> None:
        size, Bias = cell.shape[1], np.ascontiguousarray(Bias)  # else a step would be compiled for other strides
        self.when, self.x, self.cell, self.bias = when, x, cell, Bias[0, : 4 * size]
        self.peepholes, self.first = _peepholes(Bias, size), initial_state(when, C0, size, cell.dtype)

    def step(self, t: int, start: int, end: int, gates: Any, hidden: Any, squashed: Any, h: Any) -> None:
        """Compute step t: activate `gates`, which hold the state's contribution; write hidden, squashed and h."""
        rows = self.when.rows[start:end]
        earlier, at = (self.cell, rows - self.when.way) if t else (self.first, np.arange(end - start))
        if len(self.peepholes):
            forward_step_with_peepholes(
                self.x, self.bias, self.peepholes, rows, earlier, at, gates, hidden, self.cell, squashed, h
            )
        else:
            forward_step(self.x, self.bias, rows, earlier, at, gates, hidden, self.cell, squashed, h)


# Steps with and without peepholes are kernels of their own: a program needs one of them, and compiling both takes twice as long.


@jit
def forward_step(x, bias, rows, earlier, at, gates, hidden, cell, squashed, h):
    """Compute one step: activate `gates`, which hold h' Weight, in place; write the new hidden state to h."""
    size = h.shape[1]
    bg, bi, bf, bo = bias[:size], bias[size : 2 * size], bias[2 * size : 3 * size], bias[3 * size :]
    for r in range(rows.size):
        row = rows[r]
        xg, xi, xf, xo = x[row, :size], x[row, size : 2 * size], x[row, 2 * size : 3 * size], x[row, 3 * size :]
        g, i, f, o = gates[r, :size], gates[r, size : 2 * size], gates[r, 2 * size : 3 * size], gates[r, 3 * size :]
        c0, c1, s, new, out = earlier[at[r]], cell[row], squashed[r], h[r], hidden[row]
        for k in range(size):
            a = tanh(g[k] + xg[k] + bg[k])
            b = sigmoid(i[k] + xi[k] + bi[k])
            d = sigmoid(f[k] + xf[k] + bf[k])
            e = sigmoid(o[k] + xo[k] + bo[k])
            c = a * b + c0[k] * d
            t = tanh(c)
            g[k], i[k], f[k], o[k] = a, b, d, e
            c1[k], s[k], new[k], out[k] = c, t, e * t, e * t


@jit
def forward_step_with_peepholes(x, bias, peepholes, rows, earlier, at, gates, hidden, cell, squashed, h):
    """Compute one step as `forward_step` does, with the weights of the cell in the gates, [3, size]."""
    size = h.shape[1]
    bg, bi, bf, bo = bias[:size], bias[size : 2 * size], bias[2 * size : 3 * size], bias[3 * size :]
    pi, pf, po = peepholes[0], peepholes[1], peepholes[2]
    for r in range(rows.size):
        row = rows[r]
        xg, xi, xf, xo = x[row, :size], x[row, size : 2 * size], x[row, 2 * size : 3 * size], x[row, 3 * size :]
        g, i, f, o = gates[r, :size], gates[r, size : 2 * size], gates[r, 2 * size : 3 * size], gates[r, 3 * size :]
        c0, c1, s, new, out = earlier[at[r]], cell[row], squashed[r], h[r], hidden[row]
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
    Input, H0, C0, Weight, Bias, Hidden, Cell, BatchGate, BatchCellPreAct, dHidden, *, lod, reference, **attrs
):
    if _left(BatchGate, lod, attrs):
        return reference(
            Input, H0, C0, Weight, Bias, Hidden, Cell, BatchGate, BatchCellPreAct, dHidden, lod=lod, **attrs
        )
    when, size, dtype = steps_of(tuple(lod[0]), attrs["is_reverse"]), Weight.shape[0], Hidden.dtype
    dh, back = np.zeros((when.alive, size), dtype), Factor(Weight, len(when.spans), transposed=True)
    backward = _Backward(when, C0, Bias, Cell, BatchGate, BatchCellPreAct)
    dHidden = np.ascontiguousarray(dHidden)
    for t, (start, end) in reversed([*enumerate(when.spans)]):
        dgates = backward.step(t, start, end, dh, dHidden, when.rows[start:end])
        if t or H0 is not None:
            back.into(dgates, dh[: end - start])
    dweight = previous_rows(when, H0, Hidden, "lstm_grad hidden").T.dot(backward.dinput)
    return (
        backward.dinput,
        initial_state_gradient(when, H0, dh),
        initial_state_gradient(when, C0, backward.dc),
        dweight,
        backward.dbias(),
    )


class _Backward:
    """The backward pass over one batch, step by step from the last one.

    dinput: the gradients of the gates before activation, in the order of the ragged batch. dc: the gradients of the cells
    before the step that was computed last.
    """

    def __init__(self, when: Steps, C0: Any, Bias: Any, cell: Any, gates: Any, squashed: Any) -> None:
        size, dtype = cell.shape[1], cell.dtype
        self.when, self.cell, self.gates, self.squashed, self.shape = when, cell, gates, squashed, Bias.shape
        self.first, self.peepholes = initial_state(when, C0, size, dtype), _peepholes(np.ascontiguousarray(Bias), size)
        self.dinput, self.dpeepholes = np.empty(gates.shape, dtype), np.zeros(self.peepholes.shape, dtype)
        self.dc, self.dgates = np.zeros((when.alive, size), dtype), scratch("lstm gates", (when.alive, 4 * size), dtype)

    def step(self, t: int, start: int, end: int, dh: Any, dhidden: Any, of: Any) -> np.ndarray:
        """Return the gates' gradients of step t in batch order; the output's gradient is dh plus the rows `of` of dhidden."""
        rows = self.when.rows[start:end]
        earlier, at = (self.cell, rows - self.when.way) if t else (self.first, np.arange(end - start))
        common = (self.gates[start:end], self.squashed[start:end], earlier, at, rows, dhidden, of)
        results = (dh, self.dc, self.dgates, self.dinput)
        if len(self.peepholes):
            backward_step_with_peepholes(self.peepholes, self.dpeepholes, self.cell, *common, *results)
        else:
            backward_step(*common, *results)
        return self.dgates[: end - start]

    def dbias(self) -> np.ndarray:
        """Return the gradient of the bias, peepholes included."""
        sums = np.ones(len(self.dinput), self.dinput.dtype).dot(self.dinput)
        return np.concatenate([sums, self.dpeepholes.reshape(-1)]).reshape(self.shape)


@jit
def backward_step(gates, squashed, earlier, at, rows, dhidden, of, dh, dc, dgates, dinput):
    """Compute one step: write the gates' gradients before activation to dgates and dinput, the previous cell's to dc."""
    size = dh.shape[1]
    one = gates.dtype.type(1)
    for r in range(rows.size):
        row = rows[r]
        g, i, f, o = gates[r, :size], gates[r, size : 2 * size], gates[r, 2 * size : 3 * size], gates[r, 3 * size :]
        dg, di = dgates[r, :size], dgates[r, size : 2 * size]
        df, do = dgates[r, 2 * size : 3 * size], dgates[r, 3 * size :]
        s, c0, late, dout, dcell = squashed[r], earlier[at[r]], dh[r], dhidden[of[r]], dc[r]
        for k in range(size):
            e = late[k] + dout[k]
            q = dcell[k] + e * o[k] * (one - s[k] * s[k])
            do[k] = e * s[k] * o[k] * (one - o[k])
            dg[k] = q * i[k] * (one - g[k] * g[k])
            di[k] = q * g[k] * i[k] * (one - i[k])
            df[k] = q * c0[k] * f[k] * (one - f[k])
            dcell[k] = q * f[k]
        dinput[row] = dgates[r]


@jit
def backward_step_with_peepholes(
    peepholes, dpeepholes, cell, gates, squashed, earlier, at, rows, dhidden, of, dh, dc, dgates, dinput
):
    """Compute one step as `backward_step` does, and add the gradients of the peepholes to dpeepholes."""
    size = dh.shape[1]
    one = gates.dtype.type(1)
    pi, pf, po = peepholes[0], peepholes[1], peepholes[2]
    dpi, dpf, dpo = dpeepholes[0], dpeepholes[1], dpeepholes[2]
    for r in range(rows.size):
        row = rows[r]
        g, i, f, o = gates[r, :size], gates[r, size : 2 * size], gates[r, 2 * size : 3 * size], gates[r, 3 * size :]
        dg, di = dgates[r, :size], dgates[r, size : 2 * size]
        df, do = dgates[r, 2 * size : 3 * size], dgates[r, 3 * size :]
        s, c0, c1, late, dout, dcell = squashed[r], earlier[at[r]], cell[row], dh[r], dhidden[of[r]], dc[r]
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


# --- lstmp ------------------------------------------------------------------------------------------------------------


def _left_projected(Input: Any, lod: Any, attrs: dict, states: tuple = ()) -> bool:
    """Return whether the reference handles the call; it also does for cell clipping and other projection activations."""
    return (
        attrs["cell_clip"] > 0
        or attrs["proj_activation"] not in ("tanh", "identity")
        or _left(Input, lod, attrs, states)
    )


@kernel("lstmp")
def lstmp(Input, H0, C0, Weight, ProjWeight, Bias, *, lod, reference, **attrs):
    if _left_projected(Input, lod, attrs, (H0, C0)):
        return reference(Input, H0, C0, Weight, ProjWeight, Bias, lod=lod, **attrs)
    when, (size, width), dtype = steps_of(tuple(lod[0]), attrs["is_reverse"]), ProjWeight.shape, Input.dtype
    hidden, cell, squashed = (np.empty((len(Input), size), dtype) for _ in range(3))
    gates, projection = np.empty((len(Input), 4 * size), dtype), np.empty((len(Input), width), dtype)
    forward, bound = _Forward(when, np.ascontiguousarray(Input), C0, Bias, cell), attrs["proj_clip"]
    weight, onto = Factor(Weight, len(when.spans)), Factor(ProjWeight, len(when.spans))
    r, by_row = initial_state(when, H0, width, dtype), scratch("lstmp hidden", hidden.shape, dtype)
    for t, (start, end) in enumerate(when.spans):
        _into_gates(r, weight, gates[start:end], bool(t) or H0 is not None)
        forward.step(t, start, end, gates[start:end], by_row, squashed[start:end], hidden[start:end])
        r = r[: end - start]
        onto.into(hidden[start:end], r)
        if attrs["proj_activation"] == "tanh":
            np.tanh(r, out=r)
        if bound > 0:
            np.clip(r, -bound, bound, out=r)
        projection[when.rows[start:end]] = r
    return projection, cell, gates, squashed, hidden


@kernel("lstmp_grad")
def lstmp_grad(
    H0, C0, Weight, ProjWeight, Bias, Projection, Cell, BatchGate, BatchCellPreAct, BatchHidden, dProjection,
    *, lod, reference, **attrs,
):  # fmt: skip
    if _left_projected(BatchGate, lod, attrs):
        return reference(
            H0, C0, Weight, ProjWeight, Bias, Projection, Cell, BatchGate, BatchCellPreAct, BatchHidden, dProjection,
            lod=lod, **attrs,
        )  # fmt: skip
    when, (size, width), dtype = steps_of(tuple(lod[0]), attrs["is_reverse"]), ProjWeight.shape, Cell.dtype
    backward = _Backward(when, C0, Bias, Cell, BatchGate, BatchCellPreAct)
    back, unproject = (Factor(each, len(when.spans), transposed=True) for each in (Weight, ProjWeight))
    dr, dh = np.zeros((when.alive, width), dtype), np.empty((when.alive, size), dtype)
    late, dprojected = dProjection[when.rows], np.empty(Projection.shape, dtype)
    factor = _projection_slope(Projection[when.rows], attrs["proj_activation"], attrs["proj_clip"])
    nothing = np.zeros((1, size), dtype)
    for t, (start, end) in reversed([*enumerate(when.spans)]):
        n, projected = end - start, dprojected[start:end]
        np.add(dr[:n], late[start:end], out=projected)
        projected *= factor[start:end]
        unproject.into(projected, dh[:n])
        dgates = backward.step(t, start, end, dh, nothing, read_only(np.zeros(n, np.int64)))
        if t or H0 is not None:
            back.into(dgates, dr[:n])
    dweight = previous_rows(when, H0, Projection, "lstmp_grad projection").T.dot(backward.dinput)
    dh0, dc0 = initial_state_gradient(when, H0, dr), initial_state_gradient(when, C0, backward.dc)
    return backward.dinput, dh0, dc0, dweight, BatchHidden.T.dot(dprojected), backward.dbias()


def _projection_slope(projection: np.ndarray, activation: str, bound: float) -> np.ndarray:
    """Return the derivative of a projection's activation and clipping, given its result."""
    factor = 1 - projection * projection if activation == "tanh" else np.ones_like(projection)
    if bound > 0:
        factor *= abs(projection) < bound
    return factor
