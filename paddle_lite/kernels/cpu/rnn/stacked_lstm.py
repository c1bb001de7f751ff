"""Stacked LSTM layers over steps of equal length, forward and backward, by the kernels of lstm_steps.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...stacked_layers import Sizes
from .lstm_steps import run_backward, run_forward

Weights = Sequence[tuple[Any, Any, Any]]
"""Of each pass the weights of the input and of the state, and its two biases."""


class Pass(NamedTuple):
    """One direction of a layer: its weights in the order i, f, g, o, and its results, with rows ordered by step."""

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

    def run(self, x: np.ndarray) -> None:
        """Compute all steps; x is [rows, features]."""
        np.dot(x, self.of_input.T, self.gates)
        run_forward(
            self.of_state, self.bias, self.h, self.c, self.gates, self.hidden, self.cell, self.squashed, bool(self.way)
        )

    def back(self, dout: np.ndarray, dh: np.ndarray, dc: np.ndarray) -> np.ndarray:
        """Return the gradients of the gates [rows, 4 * H]; replace dh and dc by the gradients of the initial states."""
        return run_backward(self.of_state, self.c, self.gates, self.cell, self.squashed, dout, dh, dc, bool(self.way))

    @property
    def before(self) -> np.ndarray:
        """The hidden state of the previous step for each row."""
        n = len(self.h)
        parts = (self.hidden[n:], self.h) if self.way else (self.h, self.hidden[:-n])
        return np.concatenate(parts)


def trace(
    Input: Any, InitH: Any, InitC: Any, weights: Weights, sizes: Sizes, scales: Sequence[Any],
    kept: np.ndarray | None = None,
) -> tuple[list[np.ndarray], list[Pass], np.ndarray]:  # fmt: skip
    """Return the inputs of each layer followed by the output of the last one, the passes, and their results in one array.

    Args:
        kept: the results of a call with the same inputs, which are not computed again; None to compute them.
        weights: of each pass the weights of the input and of the state, and its two biases. scales: as from `dropout_scales`.
    """
    rows, passes, inputs = Input.shape[0] * Input.shape[1], [], []
    x, InitH, InitC = (
        np.ascontiguousarray(Input).reshape(rows, -1),
        np.ascontiguousarray(InitH),
        np.ascontiguousarray(InitC),
    )
    size = sizes.hidden
    results = np.empty((sizes.layers * sizes.ways, 7 * rows * size), x.dtype) if kept is None else kept
    results = results.reshape(sizes.layers * sizes.ways, -1)
    for k, _, way in sizes.scans:
        if way == 0:
            x = x if isinstance(scales[k // sizes.ways], int) else x * scales[k // sizes.ways].reshape(rows, -1)
            inputs.append(x)
        of_input, of_state, biases = weights[k]
        bias = biases[0] + biases[1]
        hidden, cell, squashed = results[k, : 3 * rows * size].reshape(3, rows, size)
        gates = results[k, 3 * rows * size :].reshape(rows, 4 * size)
        passes.append(Pass(of_input, of_state, bias, InitH[k], InitC[k], hidden, cell, gates, squashed, way))
        if kept is None:
            passes[-1].run(x)
        if way == sizes.ways - 1:
            x = passes[-1].hidden if sizes.ways == 1 else np.concatenate([p.hidden for p in passes[-2:]], axis=1)
    return [*inputs, x], passes, results.reshape(-1)


def last(passes: Sequence[Pass], part: str) -> np.ndarray:
    """Return the last states of all passes; part: "hidden" or "cell"."""
    n = len(passes[0].h)
    return np.stack([getattr(p, part)[:n] if p.way else getattr(p, part)[-n:] for p in passes])


def gradients(
    traced: tuple[list[np.ndarray], list[Pass], np.ndarray], sizes: Sizes, scales: Sequence[Any], dOut: Any, dh: Any, dc: Any,
    into: Weights, of_input_too: bool = True,
) -> np.ndarray | None:  # fmt: skip
    """Return the gradient of the input [rows, features]; None unless `of_input_too`.

    Args:
        traced: what `trace` returned. dh, dc: the gradients of the last states, replaced by those of the first states.
        into: of each pass, where the gradients of its weights are written; both biases have the same.
    """
    inputs, passes, _ = traced
    size, dx = sizes.hidden, dOut.reshape(len(inputs[-1]), -1)
    for layer in reversed(range(sizes.layers)):
        x, dout, parts = inputs[layer], dx, []
        for way in range(sizes.ways):
            k = layer * sizes.ways + way
            one, mine = passes[k], np.ascontiguousarray(dout[:, way * size : (way + 1) * size])
            dgates = one.back(mine, dh[k], dc[k])
            of_input, of_state, biases = into[k]
            np.dot(dgates.T, x, of_input)
            np.dot(dgates.T, one.before, of_state)
            biases[0][:] = biases[1][:] = np.ones(len(dgates), dgates.dtype).dot(dgates)
            if layer or of_input_too:
                parts.append(dgates.dot(one.of_input))
        if not parts:
            return None
        dx = parts[0] if sizes.ways == 1 else parts[0] + parts[1]
        if not isinstance(scales[layer], int):
            dx = dx * scales[layer].reshape(dx.shape)
    return dx
