"""Stacked LSTM layers over steps of equal length, forward and backward, by the step functions of lstm_kernels.py."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...stacked_layers import Sizes
from ..math.packed_matrix import Factor
from ..support.scratch import scratch
from .initial_states import read_only
from .lstm_kernels import backward_step, forward_step

Weights = Sequence[tuple[Any, Any, Any]]
"""Of each pass the weights of the input and of the state, and its two biases."""
OURS, THEIRS = [2, 0, 1, 3], [1, 2, 0, 3]  # permutations from cuDNN's gate order i, f, g, o to g, i, f, o and back


def _ordered(values: np.ndarray, order: list[int]) -> np.ndarray:
    """Return the four gates along the first axis in another order."""
    return values.reshape(4, -1, *values.shape[1:])[order].reshape(values.shape)


@functools.lru_cache(maxsize=16)
def _steps(n: int, count: int, way: int) -> list[tuple[slice, np.ndarray, np.ndarray]]:
    """Return the rows of each of `count` steps of n rows as a slice and as indices, and the rows of the cells before it."""
    order = range(count - 1, -1, -1) if way else range(count)
    rows = [read_only(np.arange(t * n, (t + 1) * n)) for t in order]
    before = [read_only(np.arange(n)), *rows]
    return [(slice(t * n, (t + 1) * n), rows[k], before[k]) for k, t in enumerate(order)]


class Pass(NamedTuple):
    """One direction of a layer: its weights in the order g, i, f, o, and its results, with rows ordered by step."""

    of_input: np.ndarray
    of_state: np.ndarray
    bias: np.ndarray
    h: np.ndarray
    c: np.ndarray
    hidden: np.ndarray
    cell: np.ndarray
    gates: np.ndarray
    squashed: np.ndarray
    way: int

    @property
    def steps(self) -> Iterator[tuple[slice, np.ndarray, np.ndarray, np.ndarray]]:
        """Yield, for each step in order, its rows as a slice and as indices; the previous cells, and their rows."""
        n = len(self.h)
        earlier = self.c
        for at, rows, before in _steps(n, len(self.hidden) // n, self.way):
            yield at, rows, earlier, before
            earlier = self.cell

    def run(self, x: np.ndarray) -> None:
        """Compute all steps; x is [rows, features]."""
        h, gates = self.h.copy(), x.dot(self.of_input.T)
        into = Factor(self.of_state, len(gates) // len(h), transposed=True)
        for at, rows, earlier, before in self.steps:
            into.into(h, self.gates[at])
            forward_step(
                gates, self.bias, rows, earlier, before, self.gates[at], self.hidden, self.cell, self.squashed[at], h
            )

    def back(self, dout: np.ndarray, dh: np.ndarray, dc: np.ndarray) -> np.ndarray:
        """Return the gradients of the gates [rows, 4 * H]; replace dh and dc by the gradients of the initial states."""
        dgates = np.empty(self.gates.shape, dh.dtype)
        step = scratch("stacked lstm gates", (len(dh), self.gates.shape[1]), dh.dtype)
        of_state = Factor(self.of_state, len(self.gates) // len(dh))
        for at, rows, earlier, before in reversed([*self.steps]):
            backward_step(self.gates[at], self.squashed[at], earlier, before, rows, dout, rows, dh, dc, step, dgates)
            of_state.into(step, dh)
        return dgates

    @property
    def before(self) -> np.ndarray:
        """The hidden state of the previous step for each row."""
        n = len(self.h)
        parts = (self.hidden[n:], self.h) if self.way else (self.h, self.hidden[:-n])
        return np.concatenate(parts)


def trace(
    Input: Any, InitH: Any, InitC: Any, weights: Weights, sizes: Sizes, scales: Sequence[Any]
) -> tuple[list[np.ndarray], list[Pass]]:
    """Return the inputs of each layer followed by the output of the last one, and the passes.

    Args:
        weights: of each pass the weights of the input and of the state, and its two biases. scales: as from `dropout_scales`.
    """
    rows, passes, inputs = Input.shape[0] * Input.shape[1], [], []
    x, InitH, InitC = (
        np.ascontiguousarray(Input).reshape(rows, -1),
        np.ascontiguousarray(InitH),
        np.ascontiguousarray(InitC),
    )
    for k, _, way in sizes.scans:
        if way == 0:
            x = x if isinstance(scales[k // sizes.ways], int) else x * scales[k // sizes.ways].reshape(rows, -1)
            inputs.append(x)
        of_input, of_state, biases = weights[k]
        of_input, of_state, bias = (_ordered(part, OURS) for part in (of_input, of_state, biases[0] + biases[1]))
        hidden, cell, gates, squashed = (np.empty((rows, n * sizes.hidden), x.dtype) for n in (1, 1, 4, 1))
        passes.append(Pass(of_input, of_state, bias, InitH[k], InitC[k], hidden, cell, gates, squashed, way))
        passes[-1].run(x)
        if way == sizes.ways - 1:
            x = passes[-1].hidden if sizes.ways == 1 else np.concatenate([p.hidden for p in passes[-2:]], axis=1)
    return [*inputs, x], passes


def last(passes: Sequence[Pass], part: str) -> np.ndarray:
    """Return the last states of all passes; part: "hidden" or "cell"."""
    n = len(passes[0].h)
    return np.stack([getattr(p, part)[:n] if p.way else getattr(p, part)[-n:] for p in passes])


def gradients(
    traced: tuple[list[np.ndarray], list[Pass]], sizes: Sizes, scales: Sequence[Any], dOut: Any, dh: Any, dc: Any, into: Weights
) -> np.ndarray:  # fmt: skip
    """Return the gradient of the input [rows, features].

    Args:
        traced: what `trace` returned. dh, dc: the gradients of the last states, replaced by those of the first states.
        into: of each pass, where the gradients of its weights are written; both biases have the same.
    """
    inputs, passes = traced
    size, dx = sizes.hidden, dOut.reshape(len(inputs[-1]), -1)
    for layer in reversed(range(sizes.layers)):
        x, dout, parts = inputs[layer], dx, []
        for way in range(sizes.ways):
            k = layer * sizes.ways + way
            one, mine = passes[k], np.ascontiguousarray(dout[:, way * size : (way + 1) * size])
            dgates = one.back(mine, dh[k], dc[k])
            of_input, of_state, biases = into[k]
            of_input[:] = _ordered(dgates.T.dot(x), THEIRS)
            of_state[:] = _ordered(dgates.T.dot(one.before), THEIRS)
            biases[0][:] = biases[1][:] = _ordered(np.ones(len(dgates), dgates.dtype).dot(dgates), THEIRS)
            parts.append(dgates.dot(one.of_input))
        dx = parts[0] if sizes.ways == 1 else parts[0] + parts[1]
        if not isinstance(scales[layer], int):
            dx = dx * scales[layer].reshape(dx.shape)
    return dx
