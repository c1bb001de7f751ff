"""Device kernels of LSTM layers over ragged batches: one launch a layer, forward and backward."""

from __future__ import annotations

from ..device.kernel import device_kernel
from ..device.language import block, minimum, shared, thread, threads
from ..device.types import A, T, int64
from .states import GROUP, STATES, activated, earlier_state, into_gates, out_of_gates, slope, summed_gates


@device_kernel(
    x="T[]", weight="T[]", bias="T[]", h0="T[]", c0="T[]", order="int64[]", rows="int64[]", ends="int64[]", hidden="T[]", cell="T[]",
    gates="T[]", squashed="T[]", sums="A[]", size="int64", steps="int64", way="int64", given_h="int64", given_c="int64",
    peepholes="int64", of_gate="int64", of_cell="int64", of_candidate="int64",
)  # fmt: skip
def lstm_sequences(
    x, weight, bias, h0, c0, order, rows, ends, hidden, cell, gates, squashed, sums, size, steps, way, given_h, given_c,
    peepholes, of_gate, of_cell, of_candidate,
):  # fmt: skip
    """Compute all steps of a group of sequences; `sums` [sequences, 4 * size] is scratch."""
    state = shared(A, STATES)
    first = block() * GROUP
    for i in range(thread(), GROUP * size, threads()):
        value = A(0)
        if given_h > 0 and first + i // size < ends[1]:
            value = A(h0[order[first + i // size] * size + i % size])
        state[i] = value
    t = int64(0)
    while t < steps and ends[t] + first < ends[t + 1]:
        at = ends[t] + first
        alive = minimum(ends[t + 1] - at, int64(GROUP))
        yield
        into_gates(state, weight, 0, sums, first * 4 * size, 4 * size, size, 4 * size)
        yield
        for i in range(thread(), alive * size, threads()):
            k = i % size
            row = rows[at + i // size]
            c = earlier_state(cell, (row - way) * size + k, c0, order[first + i // size] * size + k, t, given_c)
            into = (first + i // size) * 4 * size + k
            given = row * 4 * size + k
            g = sums[into] + A(x[given]) + A(bias[k])
            u = sums[into + size] + A(x[given + size]) + A(bias[k + size])
            f = sums[into + 2 * size] + A(x[given + 2 * size]) + A(bias[k + 2 * size])
            o = sums[into + 3 * size] + A(x[given + 3 * size]) + A(bias[k + 3 * size])
            if peepholes > 0:
                u += c * A(bias[k + 4 * size])
                f += c * A(bias[k + 5 * size])
            g = activated(g, of_candidate)
            u = activated(u, of_gate)
            f = activated(f, of_gate)
            c = g * u + c * f
            if peepholes > 0:
                o += c * A(bias[k + 6 * size])
            o = activated(o, of_gate)
            s = activated(c, of_cell)
            place = (at + i // size) * 4 * size + k
            gates[place] = T(g)
            gates[place + size] = T(u)
            gates[place + 2 * size] = T(f)
            gates[place + 3 * size] = T(o)
            squashed[(at + i // size) * size + k] = T(s)
            cell[row * size + k] = T(c)
            hidden[row * size + k] = T(o * s)
            state[i] = o * s
        t = t + 1


@device_kernel(
    weight="T[]", bias="T[]", c0="T[]", order="int64[]", rows="int64[]", ends="int64[]", cell="T[]", gates="T[]", squashed="T[]",
    d_hidden="T[]", d_input="T[]", last="T[]", dh0="T[]", dc0="T[]", deltas="A[]", sums="A[]", size="int64", steps="int64",
    way="int64", given_c="int64", given_last="int64", given_h="int64", peepholes="int64", of_gate="int64", of_cell="int64", of_candidate="int64",
)  # fmt: skip
def lstm_sequences_grad(
    weight, bias, c0, order, rows, ends, cell, gates, squashed, d_hidden, d_input, last, dh0, dc0, deltas, sums, size,
    steps, way, given_c, given_last, given_h, peepholes, of_gate, of_cell, of_candidate,
):  # fmt: skip
    """Compute the gradients of all steps of a group of sequences.

    `weight` is transposed; `last` holds gradients of the last cells; `deltas` and `sums` [sequences, 4 * size] are scratch, which is 0 at first.
    """
    flow = shared(A, STATES)  # the gradient of the cell that a step gets from the next one
    first = block() * GROUP
    begin = first * 4 * size
    for i in range(thread(), GROUP * size, threads()):
        value = A(0)
        if given_last > 0 and first + i // size < ends[1]:
            value = A(last[order[first + i // size] * size + i % size])
        flow[i] = value
    t = steps - 1
    while t >= 0:
        at = ends[t] + first
        if at < ends[t + 1]:
            alive = minimum(ends[t + 1] - at, int64(GROUP))
            for i in range(thread(), alive * size, threads()):
                k = i % size
                row = rows[at + i // size]
                c = earlier_state(cell, (row - way) * size + k, c0, order[first + i // size] * size + k, t, given_c)
                mine = begin + i // size * 4 * size + k
                d = A(d_hidden[row * size + k]) + summed_gates(sums, mine, size, 4)
                place = (at + i // size) * 4 * size + k
                g = A(gates[place])
                u = A(gates[place + size])
                f = A(gates[place + 2 * size])
                o = A(gates[place + 3 * size])
                s = A(squashed[(at + i // size) * size + k])
                d_o = d * s * slope(o, of_gate)
                dc = flow[i] + d * o * slope(s, of_cell)
                if peepholes > 0:
                    dc += d_o * A(bias[k + 6 * size])
                d_u = dc * g * slope(u, of_gate)
                d_f = dc * c * slope(f, of_gate)
                earlier = dc * f
                if peepholes > 0:
                    earlier += d_u * A(bias[k + 4 * size]) + d_f * A(bias[k + 5 * size])
                flow[i] = earlier
                deltas[mine] = dc * u * slope(g, of_candidate)
                deltas[mine + size] = d_u
                deltas[mine + 2 * size] = d_f
                deltas[mine + 3 * size] = d_o
                for gate in range(4):
                    d_input[(row * 4 + gate) * size + k] = T(deltas[mine + gate * size])
            yield
            out_of_gates(deltas, begin, weight, 0, sums, begin, 4 * size, size, 4)
            yield
        t = t - 1
    for i in range(thread(), GROUP * size, threads()):
        if first + i // size < ends[1]:
            state = order[first + i // size] * size + i % size
            if given_h > 0:
                dh0[state] = T(summed_gates(sums, begin + i // size * 4 * size + i % size, size, 4))
            if given_c > 0:
                dc0[state] = T(flow[i])
