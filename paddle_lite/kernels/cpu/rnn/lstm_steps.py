"""The steps of an LSTM over sequences of equal length, forward and backward, as one kernel each, with the products inside.

The gates are in the order i, f, g, o. The rows of arrays are ordered by step; a step has n of them.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ...numba_jit import Jitted, compile_source
from ..math.block_products import product_in_kernels
from ..math.packed_matrix import Factor
from ..vecmath import sigmoid, tanh

LARGEST = 1 << 20
"""The limit of elements of a weight: a kernel reads a larger one from memory in each step, and a BLAS is as fast."""

FORWARD = """\
def forward(weight, bias, h0, c0, gates, hidden, cell, squashed, n, size, first, stop, steps, back, multiply):
    four = 4 * size
    for s in range(first, stop):
        t = steps - 1 - s if back else s
        before = (t + 1 if back else t - 1) * n
        mine = gates[t * n * four : (t + 1) * n * four]
        if multiply and s > 0:
            product(hidden[before * size : (before + n) * size], weight, mine, mine, n, size, four, True)
        elif multiply:
            product(h0, weight, mine, mine, n, size, four, True)
        for r in range(n):
            row, at = t * n + r, r * four
            i, f, g, o = (
                mine[at : at + size], mine[at + size : at + 2 * size], mine[at + 2 * size : at + 3 * size],
                mine[at + 3 * size : at + four],
            )
            bi, bf, bg, bo = bias[0:size], bias[size : 2 * size], bias[2 * size : 3 * size], bias[3 * size : four]
            late = cell[(before + r) * size : (before + r + 1) * size] if s > 0 else c0[r * size : (r + 1) * size]
            c, u = cell[row * size : (row + 1) * size], squashed[row * size : (row + 1) * size]
            h = hidden[row * size : (row + 1) * size]
            for k in range(size):
                a = sigmoid(i[k] + bi[k])
                b = sigmoid(f[k] + bf[k])
                d = tanh(g[k] + bg[k])
                e = sigmoid(o[k] + bo[k])
                new = a * d + late[k] * b
                out = tanh(new)
                i[k], f[k], g[k], o[k] = a, b, d, e
                c[k], u[k], h[k] = new, out, e * out
"""

BACKWARD = """\
def backward(weight, c0, gates, cell, squashed, dout, dh, dc, dgates, n, size, first, stop, steps, back, multiply):
    four = 4 * size
    one = gates.dtype.type(1)
    for s in range(first, stop):
        t = s if back else steps - 1 - s
        before = (t + 1 if back else t - 1) * n
        mine, given = dgates[t * n * four : (t + 1) * n * four], gates[t * n * four : (t + 1) * n * four]
        for r in range(n):
            row, at = t * n + r, r * four
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
        if multiply:
            product(mine, weight, dh, dh, n, four, size, False)
"""


@functools.cache
def _kernel(name: str, product: Jitted) -> Jitted:
    source = {"forward": FORWARD, "backward": BACKWARD}[name]
    return compile_source(name, source, {"product": product, "sigmoid": sigmoid, "tanh": tanh})


def run_forward(
    of_state: np.ndarray, bias: np.ndarray, h0: np.ndarray, c0: np.ndarray, gates: np.ndarray, hidden: np.ndarray,
    cell: np.ndarray, squashed: np.ndarray, back: bool,
) -> None:  # fmt: skip
    """Compute all steps.

    Arguments:
        of_state: the weight of the state, [4 * H, H]. bias: [4 * H]. h0, c0: the first states, [n, H].
        gates: [rows, 4 * H], the contribution of the input; becomes the gates. hidden, cell, squashed: [rows, H], where the states,
            and tanh of the cells, are written.
        back: whether the last step is the first.
    """
    n, size = h0.shape
    steps = len(hidden) // n
    run = _kernel("forward", product_in_kernels(4 * size, gates.itemsize))
    fixed: list[Any] = [bias, *(each.reshape(-1) for each in (h0, c0, gates, hidden, cell, squashed)), n, size]
    if of_state.size <= LARGEST:
        run(np.ascontiguousarray(of_state.T).reshape(-1), *fixed, 0, steps, steps, back, True)
        return
    into, product = Factor(of_state, steps, transposed=True), np.empty((n, 4 * size), gates.dtype)
    h = h0
    for s in range(steps):
        t = steps - 1 - s if back else s
        into.into(h, product)
        gates[t * n : (t + 1) * n] += product
        run(bias, *fixed, s, s + 1, steps, back, False)
        h = hidden[t * n : (t + 1) * n]


def run_backward(
    of_state: np.ndarray, c0: np.ndarray, gates: np.ndarray, cell: np.ndarray, squashed: np.ndarray, dout: np.ndarray,
    dh: np.ndarray, dc: np.ndarray, back: bool,
) -> np.ndarray:  # fmt: skip
    """Return the gradients of the gates before activation, [rows, 4 * H]; replace dh and dc by those of the first states.

    Arguments:
        dout: the gradients of the states, [rows, H]. dh, dc: those of the last states, [n, H]. The others are those of `run_forward`.
    """
    n, size = dh.shape
    steps = len(cell) // n
    dgates = np.empty(gates.shape, gates.dtype)
    run = _kernel("backward", product_in_kernels(size, gates.itemsize))
    flat = [each.reshape(-1) for each in (c0, gates, cell, squashed, dout, dh, dc, dgates)]
    if of_state.size <= LARGEST:
        run(np.ascontiguousarray(of_state).reshape(-1), *flat, n, size, 0, steps, steps, back, True)
        return dgates
    into = Factor(np.ascontiguousarray(of_state), steps)
    for s in range(steps):
        run(flat[0], *flat, n, size, s, s + 1, steps, back, False)
        t = s if back else steps - 1 - s
        into.into(dgates[t * n : (t + 1) * n], dh)
    return dgates
