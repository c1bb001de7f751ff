"""Stacks of recurrent layers over dense batches, of 1.8.5's cudnn_lstm and of Paddle 2's rnn, in one form."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels.stacked_layers import Sizes, split_weights
from .call import Call
from .problems import Unsupported


class Pass(NamedTuple):
    """The weights of one layer in one direction: of the input, of the state, and the bias of each; gates one below another."""

    of_input: np.ndarray
    of_state: np.ndarray
    input_bias: np.ndarray
    state_bias: np.ndarray


class Stack(NamedTuple):
    """A stack of layers.

    mode: LSTM, GRU, RNN_TANH or RNN_RELU.
    layers, ways: the numbers of layers and of directions.
    passes: the weights, of each layer its directions.
    """

    mode: str
    layers: int
    ways: int
    passes: list[Pass]

    @property
    def size(self) -> int:
        """The size of the state."""
        return int(self.passes[0].of_state.shape[1])

    @property
    def input_size(self) -> int:
        """The size of a step of the input."""
        return int(self.passes[0].of_input.shape[1])


def stack_of(call: Call, held: list[np.ndarray | None]) -> Stack:
    """Return the stack of an operator.

    Arguments:
        call: the operator, cudnn_lstm or rnn.
        held: the arrays of its weights, None for what is computed.
    """
    if call.attr("dropout_prob") and not call.attr("is_test"):
        raise Unsupported("it drops at random between its layers, as in training")
    known = [array for array in held if array is not None]
    if len(known) < len(held):
        raise Unsupported("its weights are computed")
    layers, ways = int(call.attr("num_layers")), 2 if call.attr("is_bidirec") else 1
    if call.op.type == "cudnn_lstm":
        sizes = Sizes(int(call.attr("input_size")), int(call.attr("hidden_size")), layers, ways)
        split = split_weights(known[0], sizes)
        return Stack("LSTM", layers, ways, [Pass(w, r, b[0], b[1]) for w, r, b in split])
    matrices, biases = known[: 2 * layers * ways], known[2 * layers * ways :]
    passes = [Pass(*matrices[2 * k : 2 * k + 2], *biases[2 * k : 2 * k + 2]) for k in range(layers * ways)]
    return Stack(str(call.attr("mode")), layers, ways, passes)
