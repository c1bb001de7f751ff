"""Launches of the kernels of an LSTM layer: all steps of a batch, forward and backward."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...registry import array_module
from ..device.kernel import accumulated, launch
from ..support.shape import threads_for
from .batches import Batch
from .lstm import lstm_sequences, lstm_sequences_grad
from .states import GROUP, MOST_STEP_THREADS

Codes = tuple[int, int, int]
"""The activations of the gates, the cell and the candidate."""


class Trace(NamedTuple):
    """What a layer computes: the states by row, and in batch order the gates g, i, f, o and the activated cells."""

    hidden: Any
    cell: Any
    gates: Any
    squashed: Any


def run_layer(batch: Batch, x: Any, weight: Any, bias: Any, h0: Any, c0: Any, codes: Codes) -> Trace:
    """Compute all steps.

    Arguments:
        x: [rows, 4 * size], what enters the gates g, i, f and o.
        weight, bias: [size, 4 * size]; 4 * size numbers, or 7 * size with those of peepholes.
        h0, c0: the first states [sequences, size], or None.
    """
    xp, size = array_module("gpu"), len(weight)
    x, weight, bias = map(xp.ascontiguousarray, (x, weight, bias))
    hidden, cell, squashed = (xp.empty((len(x), size), x.dtype) for _ in range(3))
    gates, groups = xp.empty((len(x), 4 * size), x.dtype), -(-batch.steps.alive // GROUP)
    states = (x if first is None else xp.ascontiguousarray(first) for first in (h0, c0))
    sums = xp.empty(groups * GROUP * 4 * size, accumulated({"T": x.dtype}))
    arrays = x, weight, bias, *states, batch.order, batch.rows, batch.ends, hidden, cell, gates, squashed, sums
    numbers = size, batch.number, batch.steps.way, int(h0 is not None), int(c0 is not None), int(bias.size > 4 * size)
    launch(lstm_sequences, groups, threads_for(4 * size, MOST_STEP_THREADS), *arrays, *numbers, *codes)
    return Trace(hidden, cell, gates, squashed)


def run_layer_back(
    batch: Batch, weight: Any, bias: Any, h0: Any, c0: Any, trace: Trace, d_hidden: Any, codes: Codes, last: Any = None
) -> tuple[Any, Any, Any]:
    """Return the gradients of x, h0 and c0; None for first states that are not given.

    Arguments:
        trace: what `run_layer` has returned.
        d_hidden: the gradient of the hidden states.
        last: the gradient of the last cells [sequences, size], or None.
    """
    xp, size = array_module("gpu"), len(weight)
    transposed, bias = xp.ascontiguousarray(weight.T), xp.ascontiguousarray(bias)
    saved = map(xp.ascontiguousarray, (*trace[1:], d_hidden))
    dx, groups = xp.empty(trace.gates.shape, bias.dtype), -(-batch.steps.alive // GROUP)
    dh0, dc0 = (None if first is None else xp.zeros(first.shape, first.dtype) for first in (h0, c0))
    scratch = (xp.zeros(groups * GROUP * 4 * size, accumulated({"T": bias.dtype})) for _ in range(2))
    firsts, lasts = (bias if each is None else xp.ascontiguousarray(each) for each in (c0, last))
    states = (dx if each is None else each for each in (dh0, dc0))
    arrays = transposed, bias, firsts, batch.order, batch.rows, batch.ends, *saved, dx, lasts, *states, *scratch
    flags = int(c0 is not None), int(last is not None), int(h0 is not None), int(bias.size > 4 * size)
    threads = threads_for(4 * size, MOST_STEP_THREADS)
    launch(lstm_sequences_grad, groups, threads, *arrays, size, batch.number, batch.steps.way, *flags, *codes)
    return dx, dh0, dc0
