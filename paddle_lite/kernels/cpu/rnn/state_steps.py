"""The steps of a GRU, or of a plain recurrent layer, over sequences, forward and backward, as one kernel each, with the products inside.

The rows of arrays are ordered by step; a step has n of them. A sequence keeps its state behind its end.
The gates of a GRU are in the order r, z, n; a plain layer has one.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...numba_jit import Jitted, compile_source
from ..math.block_products import product_in_kernels
from ..math.packed_matrix import Factor
from ..vecmath import sigmoid, tanh
from .lstm_steps import LARGEST
from .sequences import by_sequences

GATES = {"GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}

FORWARD = """\
def forward(
    first_part, last_part, parts, weight, bi, bh, h0, gates, inner, states, handed, lengths, n, size, first, stop, steps, back, multiply,
):
    width = {gates} * size
    zero = gates.dtype.type(0)
    top, end = n * first_part // parts, n * last_part // parts
    given = handed[top * width : end * width]
    for s in range(first, stop):
        t = steps - 1 - s if back else s
        before = (t + 1 if back else t - 1) * n
        if multiply and s > 0:
            product(states[(before + top) * size : (before + end) * size], weight, given, given, end - top, size, width, False)
        elif multiply:
            product(h0[top * size : end * size], weight, given, given, end - top, size, width, False)
        for row in range(top, end):
            at, by, to = (t * n + row) * width, (row - top) * width, (t * n + row) * size
            h = states[(before + row) * size : (before + row + 1) * size] if s > 0 else h0[row * size : (row + 1) * size]
            state = states[to : to + size]
            if t >= lengths[row]:
                for k in range(size):
                    state[k] = h[k]
                gates[at : at + width] = 0
{dead}                continue
{step}
"""
STEPS = {
    "GRU": """\
            gr, gz, gn = gates[at : at + size], gates[at + size : at + 2 * size], gates[at + 2 * size : at + 3 * size]
            hr, hz, hn = given[by : by + size], given[by + size : by + 2 * size], given[by + 2 * size : by + 3 * size]
            ar, az, an = bi[0:size], bi[size : 2 * size], bi[2 * size : 3 * size]
            br, bz, bn = bh[0:size], bh[size : 2 * size], bh[2 * size : 3 * size]
            kept = inner[to : to + size]
            for k in range(size):
                own = hn[k] + bn[k]
                r = sigmoid((gr[k] + ar[k]) + (hr[k] + br[k]))
                z = sigmoid((gz[k] + az[k]) + (hz[k] + bz[k]))
                new = tanh((gn[k] + an[k]) + r * own)
                v = (h[k] - new) * z + new
                gr[k], gz[k], gn[k], kept[k] = r, z, new, own
                state[k] = v""",
    "RNN_TANH": """\
            g, b = gates[at : at + size], given[by : by + size]
            for k in range(size):
                v = tanh((g[k] + bi[k]) + (b[k] + bh[k]))
                state[k] = v""",
    "RNN_RELU": """\
            g, b = gates[at : at + size], given[by : by + size]
            for k in range(size):
                v = (g[k] + bi[k]) + (b[k] + bh[k])
                v = v if v > 0 or v != v else zero
                state[k] = v""",
}
"""Mode -> the lines that compute a row of a step."""

BACKWARD = """\
def backward(
    first_part, last_part, parts, weight, h0, gates, inner, states, dout, dh, dgiven, dhanded, lengths, n, size, first, stop, steps,
    back, multiply,
):
    width = {gates} * size
    zero, one = dh.dtype.type(0), dh.dtype.type(1)
    top, end = n * first_part // parts, n * last_part // parts
    late = dh[top * size : end * size]
    for s in range(first, stop):
        t = s if back else steps - 1 - s
        before = (t + 1 if back else t - 1) * n
        mine = dhanded[(t * n + top) * width : (t * n + end) * width]
        for row in range(top, end):
            at, by, to = (t * n + row) * width, (row - top) * width, (t * n + row) * size
            h = states[(before + row) * size : (before + row + 1) * size] if s + 1 < steps else h0[row * size : (row + 1) * size]
            state, due, flow = states[to : to + size], dout[to : to + size], dh[row * size : (row + 1) * size]
            if t >= lengths[row]:
                dgiven[at : at + width] = 0
                mine[by : by + width] = 0
                continue
{step}
        if multiply:
            product(mine, weight, late, late, end - top, width, size, True)
"""
BACK = {
    "GRU": """\
            gr, gz, gn = gates[at : at + size], gates[at + size : at + 2 * size], gates[at + 2 * size : at + 3 * size]
            dr, dz, dn = dgiven[at : at + size], dgiven[at + size : at + 2 * size], dgiven[at + 2 * size : at + 3 * size]
            er, ez, en = mine[by : by + size], mine[by + size : by + 2 * size], mine[by + 2 * size : by + 3 * size]
            own = inner[to : to + size]
            for k in range(size):
                e, r, z, new = flow[k] + due[k], gr[k], gz[k], gn[k]
                to_new = e * (one - z) * (one - new * new)
                to_r, to_z = to_new * own[k] * r * (one - r), e * (h[k] - new) * z * (one - z)
                dr[k], dz[k], dn[k] = to_r, to_z, to_new
                er[k], ez[k], en[k] = to_r, to_z, to_new * r
                flow[k] = e * z""",
    "RNN_TANH": """\
            d, e = dgiven[at : at + size], mine[by : by + size]
            for k in range(size):
                v = (flow[k] + due[k]) * (one - state[k] * state[k])
                d[k], e[k] = v, v
                flow[k] = 0""",
    "RNN_RELU": """\
            d, e = dgiven[at : at + size], mine[by : by + size]
            for k in range(size):
                v = flow[k] + due[k] if state[k] > 0 else zero
                d[k], e[k] = v, v
                flow[k] = 0""",
}
"""Mode -> the lines that compute the gradients of a row of a step."""


@functools.cache
def _kernel(name: str, mode: str, product: Jitted) -> Jitted:
    source, steps = {"forward": (FORWARD, STEPS), "backward": (BACKWARD, BACK)}[name]
    dead = "                inner[to : to + size] = 0\n" if mode == "GRU" else ""
    text = source.format(gates=GATES[mode], step=steps[mode], dead=dead)
    return compile_source(name, text, {"product": product, "sigmoid": sigmoid, "tanh": tanh}, shared=True)


def run_forward(
    mode: str, of_state: np.ndarray, biases: tuple[np.ndarray, np.ndarray], h0: np.ndarray, gates: np.ndarray, parts: Sequence[np.ndarray],
    lengths: np.ndarray, back: bool,
) -> None:  # fmt: skip
    """Compute all steps.

    Arguments:
        of_state: the weight of the state, [G * H, H] for G gates. biases: of the input and of the state, [G * H]. h0: the first states,
            [n, H].
        gates: [rows, G * H], the contribution of the input without its bias; becomes the gates of a GRU. parts: [rows, H], where the
            states are written; of a GRU also where what the state contributes to the candidate is written.
        lengths: the number of steps of each sequence, [n]. back: whether the last step is the first.
    """
    n, size = h0.shape
    states, inner = parts[0], _inner(parts)
    width, steps = GATES[mode] * size, len(states) // n
    run = _kernel("forward", mode, product_in_kernels(width, gates.itemsize))
    handed = np.empty((n, width), gates.dtype)
    arrays: list[Any] = [*biases, *(each.reshape(-1) for each in (h0, gates, inner, states, handed)), lengths, n, size]
    if of_state.size <= LARGEST:
        weight = np.ascontiguousarray(of_state.T).reshape(-1)
        by_sequences(run, n, len(states) * of_state.size, [weight, *arrays, 0, steps, steps, back, True])
        return
    into, h = Factor(of_state, steps, transposed=True), h0
    for s in range(steps):
        t = steps - 1 - s if back else s
        into.into(h, handed)
        by_sequences(run, n, of_state.size // size * n, [biases[0], *arrays, s, s + 1, steps, back, False])
        h = states[t * n : (t + 1) * n]


def run_backward(
    mode: str, of_state: np.ndarray, h0: np.ndarray, gates: np.ndarray, parts: Sequence[np.ndarray], dout: np.ndarray, dh: np.ndarray,
    lengths: np.ndarray, back: bool,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return the gradients of what the input and the state give, [rows, G * H]; replace dh by that of the first states.

    Arguments:
        dout: the gradients of the outputs, [rows, H]. dh: those of the last states, [n, H]. The others are those of `run_forward`.
    """
    n, size = dh.shape
    states, inner = parts[0], _inner(parts)
    width, steps = GATES[mode] * size, len(states) // n
    dgiven, dhanded = (np.empty((len(states), width), states.dtype) for _ in range(2))
    run = _kernel("backward", mode, product_in_kernels(size, states.itemsize))
    flat: list[Any] = [
        *(each.reshape(-1) for each in (h0, gates, inner, states, dout, dh, dgiven, dhanded)),
        lengths,
        n,
        size,
    ]
    if of_state.size <= LARGEST:
        weight = np.ascontiguousarray(of_state).reshape(-1)
        by_sequences(run, n, len(states) * of_state.size, [weight, *flat, 0, steps, steps, back, True])
        return dgiven, dhanded
    into, late = Factor(np.ascontiguousarray(of_state), steps), np.empty_like(dh)
    for s in range(steps):
        by_sequences(run, n, of_state.size // size * n, [flat[0], *flat, s, s + 1, steps, back, False])
        t = s if back else steps - 1 - s
        into.into(dhanded[t * n : (t + 1) * n], late)
        dh += late
    return dgiven, dhanded


def _inner(parts: Sequence[np.ndarray]) -> np.ndarray:
    return parts[1] if len(parts) > 1 else parts[0][:0]
