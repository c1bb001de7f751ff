"""Device functions of recurrences: activations, and products of the states of a group of sequences with weights.

A block runs all steps of a group of sequences, which are neighbours in the order of lengths, so that no step waits for other
blocks. Weights are read from the L2 cache, once for the whole group and step; neighbouring threads read neighbouring columns.
"""

from __future__ import annotations

from ..device.kernel import device_function
from ..device.language import exp, local, maximum, tanh, thread, threads
from ..device.types import A

GROUP = 4  # sequences of a block
MOST_STATE = 512  # features of a state; larger weights do not stay in the caches, and one product a step is faster
STATES = GROUP * MOST_STATE
MOST_STEP_THREADS = 512  # leaves 128 registers to a thread


@device_function(x="A", code="int64")
def activated(x, code):
    """Return an activation by its number: 0 none, 1 sigmoid, 2 tanh, 3 relu."""
    result = x
    if code == 1:
        result = A(1) / (A(1) + exp(-x))
    elif code == 2:
        result = tanh(x)
    elif code == 3:
        result = maximum(x, A(0))
    return result


@device_function(y="A", code="int64")
def slope(y, code):
    """Return the derivative of an activation, from its result."""
    result = A(1)
    if code == 1:
        result = y * (A(1) - y)
    elif code == 2:
        result = A(1) - y * y
    elif code == 3:
        result = A(y > A(0))
    return result


@device_function(
    state="A[]", weight="T[]", begin="int64", sums="A[]", to="int64", stride="int64", size="int64", width="int64"
)
def into_gates(state, weight, begin, sums, to, stride, size, width):
    """Write, for each sequence of the group, its state [size] times the weight [size, width] to sums[to + s * stride + column]."""
    for column in range(thread(), width, threads()):
        total = local(A, GROUP)
        for j in range(size):
            w = A(weight[begin + j * width + column])
            for s in range(GROUP):
                total[s] = total[s] + state[s * size + j] * w
        for s in range(GROUP):
            sums[to + s * stride + column] = total[s]


@device_function(
    deltas="A[]", at="int64", weight="T[]", begin="int64", sums="A[]", to="int64", stride="int64", size="int64",
    gates="int64",
)  # fmt: skip
def out_of_gates(deltas, at, weight, begin, sums, to, stride, size, gates):
    """Write, for each sequence and gate, the gate's gradient times its part of the transposed weight [gates * size, size].

    Each gate has sums of its own, so that more threads work; who reads them adds them up.
    """
    for column in range(thread(), gates * size, threads()):
        gate = column // size
        total = local(A, GROUP)
        for j in range(size):
            w = A(weight[begin + (gate * size + j) * size + column % size])
            for s in range(GROUP):
                total[s] = total[s] + deltas[at + s * stride + gate * size + j] * w
        for s in range(GROUP):
            sums[to + s * stride + column] = total[s]


@device_function(sums="A[]", at="int64", size="int64", gates="int64")
def summed_gates(sums, at, size, gates):
    """Return the sum over all gates of what `out_of_gates` has written for a feature."""
    total = A(0)
    for gate in range(gates):
        total += sums[at + gate * size]
    return total


@device_function(values="T[]", at="int64", initial="T[]", start="int64", t="int64", given="int64")
def earlier_state(values, at, initial, start, t, given):
    """Return a state before step t: that of the step before, in the first one the initial state if it is given, else 0."""
    found = A(0)
    if t > 0:
        found = A(values[at])
    elif given > 0:
        found = A(initial[start])
    return found
