"""Stacked recurrent layers over sequences, forward and backward, by the kernels of lstm_steps.py and state_steps.py."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from ...stacked_layers import KEPT, Sizes
from ..math.gemm import product_into, times, transposed_times
from . import lstm_steps, state_steps

__all__ = ["Stack", "Weights", "gradients", "trace"]

Weights = Sequence[tuple[Any, Any, Any]]
"""Of each pass the weights of the input and of the state, and its two biases."""


class Pass(NamedTuple):
    """One direction of a layer: its weights, and what it computes, with rows ordered by step.

    x: [rows, features]. first: the first states, of an LSTM those of cells, too. parts: what is kept of all steps, as KEPT says; the
    states come first. lengths: the number of steps of each sequence. ragged: whether these may differ. way: 1 if the last step is
    the first.
    """

    mode: str
    x: np.ndarray
    of_input: np.ndarray
    of_state: np.ndarray
    biases: tuple[np.ndarray, np.ndarray]
    first: Sequence[np.ndarray]
    parts: Sequence[np.ndarray]
    lengths: np.ndarray
    ragged: bool
    way: int

    def run(self) -> None:
        """Compute all steps."""
        gates = np.empty((len(self.x), len(self.of_input)), self.x.dtype) if self.gates is None else self.gates
        product_into(self.x, self.of_input.T, gates)
        if self.mode == "LSTM":
            bias = self.biases[0] + self.biases[1]
            lstm_steps.run_forward(self.of_state, bias, self.first, self.parts, self.lengths, bool(self.way))
            return
        state_steps.run_forward(
            self.mode, self.of_state, self.biases, self.first[0], gates, self.parts, self.lengths, bool(self.way)
        )

    @property
    def gates(self) -> np.ndarray | None:
        """The gates, [rows, G * H], if they are kept."""
        return self.parts[-1] if len(self.parts) > 1 else None

    @property
    def out(self) -> np.ndarray:
        """The outputs, [rows, H]: the states, and zeros behind the end of a sequence."""
        hidden = self.parts[0]
        if not self.ragged:
            return hidden
        alive = np.arange(len(hidden) // len(self.lengths))[:, None] < self.lengths
        return np.where(alive.reshape(-1, 1), hidden, hidden.dtype.type(0))

    def last(self, part: int) -> np.ndarray:
        """Return the last states, [n, H]; part: 0 for those of the layer, 1 for the cells of an LSTM."""
        n = len(self.lengths)
        return self.parts[part][:n] if self.way else self.parts[part][-n:]

    def back(
        self, dout: np.ndarray, late: Sequence[np.ndarray], of_x: bool
    ) -> tuple[np.ndarray | None, tuple[Any, Any, Any]]:
        """Return the gradients of x, if `of_x`, and of the weights; replace those of the last states by those of the first ones."""
        hidden, n = self.parts[0], len(self.lengths)
        if self.mode == "LSTM":
            dgiven = dhanded = lstm_steps.run_backward(
                self.of_state, self.first, self.parts, dout, late, self.lengths, bool(self.way)
            )
        else:
            gates = hidden if self.gates is None else self.gates
            dgiven, dhanded = state_steps.run_backward(
                self.mode, self.of_state, self.first[0], gates, self.parts, dout, late[0], self.lengths, bool(self.way)
            )
        before = np.concatenate((hidden[n:], self.first[0]) if self.way else (self.first[0], hidden[:-n]))
        ones = np.ones(len(dgiven), dgiven.dtype)
        bias = ones.dot(dgiven)
        biases = (bias, bias.copy() if dhanded is dgiven else ones.dot(dhanded))
        weights = transposed_times(dgiven, self.x), transposed_times(dhanded, before), biases
        return times(dgiven, self.of_input) if of_x else None, weights


class Stack(NamedTuple):
    """What a run has computed.

    out: [rows, features], of the last layer. passes: those of all layers. kept: what the passes keep, one after another in one array.
    """

    out: np.ndarray
    passes: list[Pass]
    kept: np.ndarray

    def last(self, part: int) -> np.ndarray:
        """Return the last states of all passes; part: 0 for those of the layers, 1 for the cells of LSTMs."""
        found = np.empty((len(self.passes), *self.passes[0].first[0].shape), self.out.dtype)
        for k, each in enumerate(self.passes):
            found[k] = each.last(part)
        return found


def trace(
    mode: str, Input: Any, first: Sequence[Any], weights: Weights, sizes: Sizes, scales: Sequence[Any], lengths: Any = None,
    kept: np.ndarray | None = None,
) -> Stack:  # fmt: skip
    """Run all layers.

    Args:
        mode: "LSTM", "GRU", "RNN_TANH" or "RNN_RELU". first: the first states of all passes, of LSTMs those of cells, too.
        weights: of each pass the weights of the input and of the state, and its two biases. scales: as from `dropout_scales`.
        lengths: the number of steps of each sequence; None if all have all of them.
        kept: what a call with the same inputs has kept, which is not computed again; None to compute it.
    """
    steps, n = Input.shape[:2]
    rows, size, widths = steps * n, sizes.hidden, KEPT[mode]
    x, first = np.ascontiguousarray(Input).reshape(rows, -1), [np.ascontiguousarray(each) for each in first]
    ragged, lengths = lengths is not None, np.array([steps] * n if lengths is None else lengths, np.int64)
    shape = sizes.layers * sizes.ways, sum(widths) * rows * size
    each_pass = np.empty(shape, x.dtype) if kept is None else kept.reshape(shape)
    ends = [0, *(rows * size * end for end in accumulate(widths))]
    passes: list[Pass] = []
    for k, _, way in sizes.scans:
        layer = k // sizes.ways
        if way == 0 and not isinstance(scales[layer], int):
            x = x * scales[layer].reshape(x.shape)
        of_input, of_state, biases = weights[k]
        parts = [each_pass[k, a:b].reshape(rows, w * size) for (a, b), w in zip(pairwise(ends), widths, strict=True)]
        given = np.ascontiguousarray(biases[0]), np.ascontiguousarray(biases[1])
        passes.append(
            Pass(mode, x, of_input, of_state, given, [each[k] for each in first], parts, lengths, ragged, way)
        )
        if kept is None:
            passes[-1].run()
        if way == sizes.ways - 1:
            x = passes[-1].out if sizes.ways == 1 else np.concatenate([one.out for one in passes[-2:]], axis=1)
    return Stack(x, passes, each_pass.reshape(-1))


def gradients(
    passes: Sequence[Pass],
    sizes: Sizes,
    scales: Sequence[Any],
    dOut: Any,
    late: Sequence[np.ndarray],
    of_input_too: bool = True,
) -> tuple[np.ndarray | None, list[tuple[Any, Any, Any]]]:
    """Return the gradients of the input [rows, features], None unless `of_input_too`, and of the weights of each pass.

    Args:
        late: the gradients of the last states, of LSTMs those of cells, too, replaced by those of the first states.
    """
    size, dx = sizes.hidden, dOut.reshape(len(passes[0].x), -1)
    weights: list[tuple[Any, Any, Any]] = []
    for layer in reversed(range(sizes.layers)):
        parts, found = [], []
        for way, k in enumerate(range(layer * sizes.ways, (layer + 1) * sizes.ways)):
            mine = np.ascontiguousarray(dx[:, way * size : (way + 1) * size])
            part, of_weights = passes[k].back(mine, [each[k] for each in late], layer > 0 or of_input_too)
            parts.append(part)
            found.append(of_weights)
        weights = [*found, *weights]
        if parts[0] is None:
            return None, weights
        dx = parts[0] if sizes.ways == 1 else parts[0] + parts[1]
        if not isinstance(scales[layer], int):
            dx = dx * scales[layer].reshape(dx.shape)
    return dx, weights
