"""Device kernels of one step of recurrent networks."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import block, blocks, tanh, thread, threads
from ..device.types import A, T
from .states import activated, slope


@device_kernel(
    x="T[]", before="T[]", c="T[]", h="T[]", size="int64", count="int64", forget_bias="A"
)  # fmt: skip
def lstm_steps(x, before, c, h, size, count, forget_bias):
    """Write the cell and the state of each row of gates [i, f, o, g]."""
    for e in range(block() * threads() + thread(), count, blocks() * threads()):
        at = e // size * 4 * size + e % size
        i = activated(A(x[at]), 1)
        f = activated(A(x[at + size]) + forget_bias, 1)
        o = activated(A(x[at + 2 * size]), 1)
        cell = f * A(before[e]) + i * tanh(A(x[at + 3 * size]))
        c[e] = T(cell)
        h[e] = T(o * tanh(cell))


@device_kernel(
    x="T[]",
    before="T[]",
    c="T[]",
    dc="T[]",
    dh="T[]",
    dx="T[]",
    d_before="T[]",
    size="int64",
    count="int64",
    forget_bias="A",
)
def lstm_steps_grad(x, before, c, dc, dh, dx, d_before, size, count, forget_bias):
    one = A(1)
    for e in range(block() * threads() + thread(), count, blocks() * threads()):
        at = e // size * 4 * size + e % size
        i = activated(A(x[at]), 1)
        f = activated(A(x[at + size]) + forget_bias, 1)
        o = activated(A(x[at + 2 * size]), 1)
        g = tanh(A(x[at + 3 * size]))
        t = tanh(A(c[e]))
        d = A(dc[e]) + A(dh[e]) * o * (one - t * t)
        dx[at] = T(d * g * i * (one - i))
        dx[at + size] = T(d * A(before[e]) * f * (one - f))
        dx[at + 2 * size] = T(A(dh[e]) * t * o * (one - o))
        dx[at + 3 * size] = T(d * i * (one - g * g))
        d_before[e] = T(d * f)


@device_kernel(
    x="T[]", bias="T[]", products="T[]", before="T[]", gates="T[]", resets="T[]", size="int64", count="int64", biased="int64",
    of_gate="int64",
)  # fmt: skip
def gru_gates(x, bias, products, before, gates, resets, size, count, biased, of_gate):
    """Write the update and the reset gate of each row [u, r, c], and r * h'; `products` [rows, 2 * size] are h' times the weights."""
    for e in range(block() * threads() + thread(), count, blocks() * threads()):
        at = e // size * 3 * size + e % size
        product = e // size * 2 * size + e % size
        u = A(x[at]) + A(products[product])
        r = A(x[at + size]) + A(products[product + size])
        if biased > 0:
            u += A(bias[e % size])
            r += A(bias[e % size + size])
        r = activated(r, of_gate)
        gates[at] = T(activated(u, of_gate))
        gates[at + size] = T(r)
        resets[e] = T(r * A(before[e]))


@device_kernel(
    x="T[]", bias="T[]", products="T[]", before="T[]", gates="T[]", hidden="T[]", size="int64", count="int64", biased="int64",
    of_state="int64", origin="int64",
)  # fmt: skip
def gru_states(x, bias, products, before, gates, hidden, size, count, biased, of_state, origin):
    """Write the candidate into the gates, and the new state; `products` [rows, size] are r * h' times the weights."""
    for e in range(block() * threads() + thread(), count, blocks() * threads()):
        at = e // size * 3 * size + e % size
        c = A(x[at + 2 * size]) + A(products[e])
        if biased > 0:
            c += A(bias[e % size + 2 * size])
        c = activated(c, of_state)
        u = A(gates[at])
        h = A(before[e])
        gates[at + 2 * size] = T(c)
        hidden[e] = T(c + u * (h - c) if origin > 0 else h + u * (c - h))


@device_kernel(
    gates="T[]", before="T[]", d_hidden="T[]", d_gates="T[]", flow="T[]", size="int64", count="int64", of_state="int64", of_gate="int64",
    origin="int64",
)  # fmt: skip
def gru_candidates_grad(gates, before, d_hidden, d_gates, flow, size, count, of_state, of_gate, origin):
    """Write the gradients of the candidate and the update gate before activation; flow: of h' by the shortest way."""
    for e in range(block() * threads() + thread(), count, blocks() * threads()):
        at = e // size * 3 * size + e % size
        u = A(gates[at])
        c = A(gates[at + 2 * size])
        d = A(d_hidden[e])
        to_c = u
        to_u = c - A(before[e])
        if origin > 0:
            to_c = A(1) - u
            to_u = A(before[e]) - c
        d_gates[at] = T(d * to_u * slope(u, of_gate))
        d_gates[at + 2 * size] = T(d * to_c * slope(c, of_state))
        flow[e] = T(d * (A(1) - to_c))


@device_kernel(
    gates="T[]", before="T[]", d_resets="T[]", d_gates="T[]", flow="T[]", size="int64", count="int64", of_gate="int64"
)
def gru_resets_grad(gates, before, d_resets, d_gates, flow, size, count, of_gate):
    """Write the gradient of the reset gate before activation, and add what passes through r * h' to `flow`."""
    for e in range(block() * threads() + thread(), count, blocks() * threads()):
        at = e // size * 3 * size + size + e % size
        r = A(gates[at])
        d_gates[at] = T(A(d_resets[e]) * A(before[e]) * slope(r, of_gate))
        flow[e] = T(A(flow[e]) + A(d_resets[e]) * r)
