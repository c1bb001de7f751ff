"""CPU kernels of cudnn_lstm, which run the step functions of lstm_kernels.py for steps of equal length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...registry import kernel
from ...stacked_layers import Sizes, dropout_scales, split_weights
from ..math.packed_matrix import Factor
from ..support.scratch import scratch
from ..support.size_threshold import MIN_ELEMENTS
from .initial_states import read_only
from .lstm_kernels import backward_step, forward_step

OURS, THEIRS = [2, 0, 1, 3], [1, 2, 0, 3]  # permutations from cuDNN's gate order i, f, g, o to g, i, f, o and back


def _ordered(values: np.ndarray, order: list[int]) -> np.ndarray:
    """Return the four gates along the first axis in another order."""
    return values.reshape(4, -1, *values.shape[1:])[order].reshape(values.shape)


class _Pass(NamedTuple):
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
        count = len(self.hidden) // n
        for done in range(count):
            t = count - 1 - done if self.way else done
            rows = read_only(np.arange(t * n, (t + 1) * n))
            yield (
                slice(t * n, (t + 1) * n),
                rows,
                *((self.cell, rows + (n if self.way else -n)) if done else (self.c, np.arange(n))),
            )

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
        step = scratch("cudnn_lstm gates", (len(dh), self.gates.shape[1]), dh.dtype)
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


def _trace(Input: Any, InitH: Any, InitC: Any, W: Any, sizes: Sizes, scales: list) -> tuple[list, list[_Pass]]:
    """Return the inputs of each layer followed by the output of the last one, and the passes."""
    rows, weights, passes, inputs = Input.shape[0] * Input.shape[1], split_weights(W, sizes), [], []
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
        passes.append(_Pass(of_input, of_state, bias, InitH[k], InitC[k], hidden, cell, gates, squashed, way))
        passes[-1].run(x)
        if way == sizes.ways - 1:
            x = passes[-1].hidden if sizes.ways == 1 else np.concatenate([p.hidden for p in passes[-2:]], axis=1)
    return [*inputs, x], passes


def _last(passes: list[_Pass], part: str) -> np.ndarray:
    """Return the last states of all passes."""
    n = len(passes[0].h)
    return np.stack([getattr(p, part)[:n] if p.way else getattr(p, part)[-n:] for p in passes])


def _sizes(attrs: dict) -> Sizes:
    return Sizes(attrs["input_size"], attrs["hidden_size"], attrs["num_layers"], 2 if attrs["is_bidirec"] else 1)


def _left(Input: np.ndarray) -> bool:
    return Input.size < MIN_ELEMENTS or Input.dtype.char not in "fd"


@kernel("cudnn_lstm")
def cudnn_lstm(Input, InitH, InitC, W, Cache, *, reference, **attrs):
    if _left(Input):
        return reference(Input, InitH, InitC, W, Cache, **attrs)
    sizes = _sizes(attrs)
    scales = dropout_scales(np, Input, W, sizes, attrs["dropout_prob"], attrs["is_test"], attrs["seed"])
    inputs, passes = _trace(Input, InitH, InitC, W, sizes, scales)
    return inputs[-1].reshape(*Input.shape[:2], -1), _last(passes, "hidden"), _last(passes, "cell")


@kernel("cudnn_lstm_grad")
def cudnn_lstm_grad(Input, InitH, InitC, W, dOut, dlast_h, dlast_c, *, reference, **attrs):
    if _left(Input):
        return reference(Input, InitH, InitC, W, dOut, dlast_h, dlast_c, **attrs)
    sizes = _sizes(attrs)
    scales = dropout_scales(np, Input, W, sizes, attrs["dropout_prob"], attrs["is_test"], attrs["seed"])
    inputs, passes = _trace(Input, InitH, InitC, W, sizes, scales)
    dh, dc, dw, size = dlast_h.copy(), dlast_c.copy(), np.empty_like(W), sizes.hidden
    into, dx = split_weights(dw, sizes), dOut.reshape(len(inputs[-1]), -1)
    for layer in reversed(range(sizes.layers)):
        x, dout, parts = inputs[layer], dx, []
        for way in range(sizes.ways):
            k = layer * sizes.ways + way
            one, mine = passes[k], np.ascontiguousarray(dout[:, way * size : (way + 1) * size])
            dgates = one.back(mine, dh[k], dc[k])
            into[k][0][:] = _ordered(dgates.T.dot(x), THEIRS)
            into[k][1][:] = _ordered(dgates.T.dot(one.before), THEIRS)
            into[k][2][:] = _ordered(np.ones(len(dgates), dgates.dtype).dot(dgates), THEIRS)
            parts.append(dgates.dot(one.of_input))
        dx = parts[0] if sizes.ways == 1 else parts[0] + parts[1]
        if not isinstance(scales[layer], int):
            dx = dx * scales[layer].reshape(dx.shape)
    return dx.reshape(Input.shape), dh, dc, dw
