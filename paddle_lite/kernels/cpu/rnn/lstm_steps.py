"""The steps of an LSTM over sequences, forward and backward, as one kernel each, with the products inside.

The gates are in the order i, f, g, o. The rows of arrays are ordered by step; a step has n of them. A sequence keeps its state
behind its end.
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
from .sequences import by_sequences

LARGEST = 1 << 20
"""The limit of elements of a weight: a kernel reads a larger one from memory in each step, and a BLAS is as fast."""

FORWARD = """\
def forward(
    first_part, last_part, parts, weight, bias, h0, c0, gates, hidden, cell, squashed, lengths, n, size, first, stop, steps, back, multiply,
):
    four = 4 * size
    top, end = n * first_part // parts, n * last_part // parts
    for s in range(first, stop):
        t = steps - 1 - s if back else s
        before = (t + 1 if back else t - 1) * n
        mine = gates[(t * n + top) * four : (t * n + end) * four]
        if multiply and s > 0:
            product(hidden[(before + top) * size : (before + end) * size], weight, mine, mine, end - top, size, four, True)
        elif multiply:
            product(h0[top * size : end * size], weight, mine, mine, end - top, size, four, True)
        for r in range(top, end):
            row, at = t * n + r, (r - top) * four
            i, f, g, o = (
                mine[at : at + size], mine[at + size : at + 2 * size], mine[at + 2 * size : at + 3 * size],
                mine[at + 3 * size : at + four],
            )
            bi, bf, bg, bo = bias[0:size], bias[size : 2 * size], bias[2 * size : 3 * size], bias[3 * size : four]
            late = cell[(before + r) * size : (before + r + 1) * size] if s > 0 else c0[r * size : (r + 1) * size]
            c, u = cell[row * size : (row + 1) * size], squashed[row * size : (row + 1) * size]
            h = hidden[row * size : (row + 1) * size]
            if t >= lengths[r]:
                old = hidden[(before + r) * size : (before + r + 1) * size] if s > 0 else h0[r * size : (r + 1) * size]
                mine[at : at + four] = 0
                for k in range(size):
                    c[k], u[k], h[k] = late[k], 0, old[k]
                continue
            for k in range(size):
                a = sigmoid(i[k] + bi[k])
                b = sigmoid(f[k] + bf[k])
                d = tanh(g[k] + bg[k])
                e = sigmoid(o[k] + bo[k])
                new = a * d + late[k] * b
                wide = tanh(new)
                i[k], f[k], g[k], o[k] = a, b, d, e
                c[k], u[k], h[k] = new, wide, e * wide
"""

BACKWARD = """\
def backward(
    first_part, last_part, parts, weight, c0, gates, cell, squashed, dout, dh, dc, dgates, lengths, n, size, first, stop, steps, back,
    multiply,
):
    four = 4 * size
    top, end = n * first_part // parts, n * last_part // parts
    one = gates.dtype.type(1)
    for s in range(first, stop):
        t = s if back else steps - 1 - s
        before = (t + 1 if back else t - 1) * n
        mine, given = (
            dgates[(t * n + top) * four : (t * n + end) * four], gates[(t * n + top) * four : (t * n + end) * four]
        )
        for r in range(top, end):
            row, at = t * n + r, (r - top) * four
            if t >= lengths[r]:
                mine[at : at + four] = 0
                continue
            i, f, g, o = (
                given[at : at + size], given[at + size : at + 2 * size], given[at + 2 * size : at + 3 * size],
                given[at + 3 * size : at + four],
            )
            di, df, dg, do = (
                mine[at : at + size], mine[at + size : at + 2 * size], mine[at + 2 * size : at + 3 * size],
                mine[at + 3 * size : at + four],
            )
            late = cell[(before + r) * size : (before + r + 1) * size] if s + 1 < steps else c0[r * size : (r + 1) * size]
            u, due = squashed[row * size : (row + 1) * size], dout[row * size : (row + 1) * size]
            h, c = dh[r * size : (r + 1) * size], dc[r * size : (r + 1) * size]
            for k in range(size):
                e = h[k] + due[k]
                q = c[k] + e * o[k] * (one - u[k] * u[k])
                do[k] = e * u[k] * o[k] * (one - o[k])
                dg[k] = q * i[k] * (one - g[k] * g[k])
                di[k] = q * g[k] * i[k] * (one - i[k])
                df[k] = q * late[k] * f[k] * (one - f[k])
                c[k] = q * f[k]
                h[k] = 0
        if multiply:
            late = dh[top * size : end * size]
            product(mine, weight, late, late, end - top, four, size, True)
"""


@functools.cache
def _kernel(name: str, product: Jitted) -> Jitted:
    source = {"forward": FORWARD, "backward": BACKWARD}[name]
    return compile_source(name, source, {"product": product, "sigmoid": sigmoid, "tanh": tanh}, shared=True)


def run_forward(
    of_state: np.ndarray, bias: np.ndarray, first: Sequence[np.ndarray], parts: Sequence[np.ndarray], lengths: np.ndarray,
    back: bool,
) -> None:  # fmt: skip
    """Compute all steps.

    Arguments:
        of_state: the weight of the state, [4 * H, H]. bias: [4 * H]. first: the first states and cells, [n, H].
        parts: [rows, H], where the states, the cells, and tanh of the cells are written; and [rows, 4 * H], the contribution of the
            input, which becomes the gates; zeros behind the end of a sequence.
        lengths: the number of steps of each sequence, [n]. back: whether the last step is the first.
    """
    hidden, cell, squashed, gates = parts
    n, size = first[0].shape
    steps = len(hidden) // n
    run = _kernel("forward", product_in_kernels(4 * size, gates.itemsize))
    fixed: list[Any] = [bias, *(each.reshape(-1) for each in (*first, gates, hidden, cell, squashed)), lengths, n, size]
    if of_state.size <= LARGEST:
        weight = np.ascontiguousarray(of_state.T).reshape(-1)
        by_sequences(run, n, len(hidden) * of_state.size, [weight, *fixed, 0, steps, steps, back, True])
        return
    into, product = Factor(of_state, steps, transposed=True), np.empty((n, 4 * size), gates.dtype)
    h = first[0]
    for s in range(steps):
        t = steps - 1 - s if back else s
        into.into(h, product)
        gates[t * n : (t + 1) * n] += product
        by_sequences(run, n, of_state.size // size * n, [bias, *fixed, s, s + 1, steps, back, False])
        h = hidden[t * n : (t + 1) * n]


def run_backward(
    of_state: np.ndarray, first: Sequence[np.ndarray], parts: Sequence[np.ndarray], dout: np.ndarray, late: Sequence[np.ndarray],
    lengths: np.ndarray, back: bool,
) -> np.ndarray:  # fmt: skip
    """Return the gradients of the gates before activation, [rows, 4 * H]; replace those of the last states by those of the first ones.

    Arguments:
        dout: the gradients of the outputs, [rows, H]. late: those of the last states and cells, [n, H]. The others are those of
            `run_forward`.
    """
    hidden, cell, squashed, gates = parts
    dh, dc = late
    n, size = dh.shape
    steps = len(hidden) // n
    dgates = np.empty(gates.shape, gates.dtype)
    run = _kernel("backward", product_in_kernels(size, gates.itemsize))
    flat: list[Any] = [
        *(each.reshape(-1) for each in (first[1], gates, cell, squashed, dout, dh, dc, dgates)),
        lengths,
        n,
        size,
    ]
    if of_state.size <= LARGEST:
        weight = np.ascontiguousarray(of_state).reshape(-1)
        by_sequences(run, n, len(hidden) * of_state.size, [weight, *flat, 0, steps, steps, back, True])
        return dgates
    into, handed = Factor(np.ascontiguousarray(of_state), steps), np.empty_like(dh)
    for s in range(steps):
        by_sequences(run, n, of_state.size // size * n, [flat[0], *flat, s, s + 1, steps, back, False])
        t = s if back else steps - 1 - s
        into.into(dgates[t * n : (t + 1) * n], handed)
        dh += handed
    return dgates
