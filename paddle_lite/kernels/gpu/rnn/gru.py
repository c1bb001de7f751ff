"""Device kernels of GRU layers over ragged batches: one launch a layer, forward and backward."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import block, minimum, shared, thread, threads
from ..device.types import A, T, int64
from .states import GROUP, STATES, activated, earlier_state, into_gates, out_of_gates, slope, summed_gates


@device_kernel(
    x="T[]", weight="T[]", bias="T[]", h0="T[]", order="int64[]", rows="int64[]", ends="int64[]", gates="T[]", resets="T[]", batch="T[]",
    hidden="T[]", sums="A[]", size="int64", steps="int64", given_h="int64", biased="int64", of_state="int64", of_gate="int64", origin="int64",
)  # fmt: skip
def gru_sequences(
    x, weight, bias, h0, order, rows, ends, gates, resets, batch, hidden, sums, size, steps, given_h, biased, of_state, of_gate,
    origin,
):  # fmt: skip
    """Compute all steps of a group of sequences; `sums` [sequences, 3 * size] is scratch."""
    state = shared(A, STATES)
    reset = shared(A, STATES)  # r * h'
    first = block() * GROUP
    begin = first * 3 * size
    for i in range(thread(), GROUP * size, threads()):
        value = A(0)
        if given_h > 0 and first + i // size < ends[1]:
            value = A(h0[order[first + i // size] * size + i % size])
        state[i] = value
        reset[i] = A(0)
    t = int64(0)
    while t < steps and ends[t] + first < ends[t + 1]:
        at = ends[t] + first
        alive = minimum(ends[t + 1] - at, int64(GROUP))
        yield
        into_gates(state, weight, 0, sums, begin, 3 * size, size, 2 * size)
        yield
        for i in range(thread(), alive * size, threads()):
            k = i % size
            given = rows[at + i // size] * 3 * size + k
            mine = begin + i // size * 3 * size + k
            u = sums[mine] + A(x[given])
            r = sums[mine + size] + A(x[given + size])
            if biased > 0:
                u += A(bias[k])
                r += A(bias[k + size])
            u = activated(u, of_gate)
            r = activated(r, of_gate)
            place = (at + i // size) * 3 * size + k
            gates[place] = T(u)
            gates[place + size] = T(r)
            resets[(at + i // size) * size + k] = T(r * state[i])
            reset[i] = r * state[i]
            sums[mine] = u
        yield
        into_gates(reset, weight, 2 * size * size, sums, begin + 2 * size, 3 * size, size, size)
        yield
        for i in range(thread(), alive * size, threads()):
            k = i % size
            row = rows[at + i // size]
            mine = begin + i // size * 3 * size + k
            c = sums[mine + 2 * size] + A(x[row * 3 * size + 2 * size + k])
            if biased > 0:
                c += A(bias[k + 2 * size])
            c = activated(c, of_state)
            u = sums[mine]
            h = state[i] + u * (c - state[i])
            if origin > 0:
                h = c + u * (state[i] - c)
            gates[(at + i // size) * 3 * size + 2 * size + k] = T(c)
            batch[(at + i // size) * size + k] = T(h)
            hidden[row * size + k] = T(h)
            state[i] = h
        t = t + 1


@device_kernel(
    weight="T[]", h0="T[]", order="int64[]", rows="int64[]", ends="int64[]", gates="T[]", hidden="T[]", d_hidden="T[]", d_input="T[]",
    dh0="T[]", deltas="A[]", sums="A[]", size="int64", steps="int64", way="int64", given_h="int64", of_state="int64", of_gate="int64",
    origin="int64",
)  # fmt: skip
def gru_sequences_grad(
    weight, h0, order, rows, ends, gates, hidden, d_hidden, d_input, dh0, deltas, sums, size, steps, way, given_h, of_state, of_gate,
    origin,
):  # fmt: skip
    """Compute the gradients of all steps of a group of sequences.

    `weight` holds the transposed blocks of both gates and of the candidate; `deltas` and `sums` [sequences, 3 * size] are
    scratch, which is 0 at first.
    """
    flow = shared(A, STATES)  # the gradient of a state that does not pass through the weights
    first = block() * GROUP
    begin = first * 3 * size
    for i in range(thread(), GROUP * size, threads()):
        flow[i] = A(0)
    t = steps - 1
    while t >= 0:
        at = ends[t] + first
        if at < ends[t + 1]:
            alive = minimum(ends[t + 1] - at, int64(GROUP))
            for i in range(thread(), alive * size, threads()):
                k = i % size
                row = rows[at + i // size]
                mine = begin + i // size * 3 * size + k
                d = A(d_hidden[row * size + k]) + flow[i] + summed_gates(sums, mine, size, 2)
                h = earlier_state(hidden, (row - way) * size + k, h0, order[first + i // size] * size + k, t, given_h)
                u = A(gates[(at + i // size) * 3 * size + k])
                c = A(gates[(at + i // size) * 3 * size + 2 * size + k])
                to_c = u
                to_u = c - h
                if origin > 0:
                    to_c = A(1) - u
                    to_u = h - c
                flow[i] = d * (A(1) - to_c)
                deltas[mine] = d * to_u * slope(u, of_gate)
                deltas[mine + 2 * size] = d * to_c * slope(c, of_state)
            yield
            out_of_gates(deltas, begin + 2 * size, weight, 2 * size * size, sums, begin + 2 * size, 3 * size, size, 1)
            yield
            for i in range(thread(), alive * size, threads()):
                k = i % size
                row = rows[at + i // size]
                mine = begin + i // size * 3 * size + k
                h = earlier_state(hidden, (row - way) * size + k, h0, order[first + i // size] * size + k, t, given_h)
                r = A(gates[(at + i // size) * 3 * size + size + k])
                through = sums[mine + 2 * size]
                flow[i] = flow[i] + through * r
                deltas[mine + size] = through * h * slope(r, of_gate)
                for gate in range(3):
                    d_input[(row * 3 + gate) * size + k] = T(deltas[mine + gate * size])
            yield
            out_of_gates(deltas, begin, weight, 0, sums, begin, 3 * size, size, 2)
            yield
        t = t - 1
    for i in range(thread(), GROUP * size, threads()):
        if given_h > 0 and first + i // size < ends[1]:
            mine = begin + i // size * 3 * size + i % size
            dh0[order[first + i // size] * size + i % size] = T(flow[i] + summed_gates(sums, mine, size, 2))
