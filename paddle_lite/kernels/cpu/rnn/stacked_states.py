"""Stacked GRU and plain recurrent layers, forward and backward, by the kernels of state_steps.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...stacked_layers import Sizes
from .stacked_lstm import Weights
from .state_steps import GATES, run_backward, run_forward


class StatePass(NamedTuple):
    """One direction of a layer: its weights, and what it computes, with rows ordered by step.

    x: [rows, features]. states, out: [rows, H], the same array where all sequences have all steps.
    """

    mode: str
    x: np.ndarray
    of_input: np.ndarray
    of_state: np.ndarray
    h: np.ndarray
    gates: np.ndarray
    inner: np.ndarray
    states: np.ndarray
    out: np.ndarray
    lengths: np.ndarray
    way: int

    @classmethod
    def run(cls, mode: str, x: np.ndarray, weights: Any, h: np.ndarray, lengths: np.ndarray, way: int) -> StatePass:
        """Compute all steps."""
        of_input, of_state, biases = weights
        rows, size, n = len(x), h.shape[1], len(h)
        gates = x.dot(of_input.T)
        inner = np.empty((rows, size) if mode == "GRU" else 0, x.dtype)
        states = np.empty((rows, size), x.dtype)
        out = states if (lengths >= rows // n).all() else np.empty_like(states)
        run_forward(mode, of_state, biases, h, gates, inner, states, out, lengths, bool(way))
        return cls(mode, x, of_input, of_state, h, gates, inner, states, out, lengths, way)

    @property
    def last(self) -> np.ndarray:
        """The last states, [n, H]."""
        n = len(self.h)
        return self.states[:n] if self.way else self.states[-n:]

    def back(self, dout: np.ndarray, dh: np.ndarray, into: Any, of_x: bool) -> np.ndarray | None:
        """Write the gradients of the weights, replace dh by that of the first states; return that of x, if `of_x`."""
        dgiven, dhanded = run_backward(
            self.mode,
            self.of_state,
            self.h,
            self.gates,
            self.inner,
            self.states,
            dout,
            dh,
            self.lengths,
            bool(self.way),
        )
        of_input, of_state, biases = into
        n, ones = len(self.h), np.ones(len(dgiven), dgiven.dtype)
        before = (self.states[n:], self.h) if self.way else (self.h, self.states[:-n])
        np.dot(dgiven.T, self.x, of_input)
        np.dot(dhanded.T, np.concatenate(before), of_state)
        biases[0][:], biases[1][:] = ones.dot(dgiven), ones.dot(dhanded)
        return dgiven.dot(self.of_input) if of_x else None


def trace(
    mode: str, Input: Any, first: Any, weights: Weights, lengths: Any, sizes: Sizes, scales: Sequence[Any]
) -> tuple[np.ndarray, list[StatePass]]:
    """Return the output [rows, features] of the last layer, and the passes.

    Args:
        first: the first states of all passes. weights: of each pass, as of `stacked_lstm.trace`. lengths: the number of steps of each
            sequence; None if all have all of them. scales: as from `dropout_scales`.
    """
    steps, n = Input.shape[:2]
    x, first = np.ascontiguousarray(Input).reshape(steps * n, -1), np.ascontiguousarray(first)
    lengths = np.full(n, steps, np.int64) if lengths is None else np.array(lengths, np.int64)
    passes: list[StatePass] = []
    for k, _, way in sizes.scans:
        layer = k // sizes.ways
        if way == 0 and not isinstance(scales[layer], int):
            x = x * scales[layer].reshape(x.shape)
        given = tuple(map(np.ascontiguousarray, weights[k][2]))
        passes.append(StatePass.run(mode, x, (*weights[k][:2], given), first[k], lengths, way))
        if way == sizes.ways - 1:
            x = passes[-1].out if sizes.ways == 1 else np.concatenate([one.out for one in passes[-2:]], axis=1)
    return x, passes


def gradients(
    passes: Sequence[StatePass],
    sizes: Sizes,
    scales: Sequence[Any],
    dOut: Any,
    dh: np.ndarray,
    into: Weights,
    of_input_too: bool,
) -> np.ndarray | None:
    """Return the gradient of the input [rows, features]; None unless `of_input_too`.

    Args:
        dh: the gradients of the last states, replaced by those of the first states. into: where those of weights are written.
    """
    size, dx = sizes.hidden, dOut.reshape(len(passes[-1].out), -1)
    for layer in reversed(range(sizes.layers)):
        parts, own = [], range(layer * sizes.ways, (layer + 1) * sizes.ways)
        for way, k in enumerate(own):
            mine = np.ascontiguousarray(dx[:, way * size : (way + 1) * size])
            parts.append(passes[k].back(mine, dh[k], into[k], layer > 0 or of_input_too))
        if parts[0] is None:
            return None
        dx = parts[0] if sizes.ways == 1 else parts[0] + parts[1]
        if not isinstance(scales[layer], int):
            dx = dx * scales[layer].reshape(dx.shape)
    return dx


__all__ = ["GATES", "StatePass", "gradients", "trace"]
