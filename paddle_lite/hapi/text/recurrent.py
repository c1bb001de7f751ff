"""Recurrent networks, as Layers: a cell, run over the steps of padded sequences."""

from __future__ import annotations

from typing import Any

from ...imperative.layer import Layer
from ...layers.rnn.rnn import rnn
from .cells import Activation, StackedGRUCell, StackedLSTMCell

__all__ = ["GRU", "LSTM", "RNN"]


class RNN(Layer):
    """Runs a cell over the steps of its inputs.

    Arguments:
        cell: an RNNCell: a Layer, or one of `fluid.layers`.
        is_reverse: whether to run from the last step to the first.
        time_major: whether the first two dimensions of inputs and outputs are [steps, N] rather than [N, steps].

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> rnn = paddle.hapi.text.RNN(paddle.hapi.text.BasicLSTMCell(4, 3))
    >>> outputs, (hidden, cell) = rnn(paddle.imperative.to_variable(np.zeros([2, 7, 4], 'float32')))
    >>> outputs.shape, hidden.shape
    ([2, 7, 3], [2, 3])
    """

    def __init__(self, cell: Any, is_reverse: bool = False, time_major: bool = False) -> None:
        super().__init__()
        self.cell, self.is_reverse, self.time_major = cell, is_reverse, time_major

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None, **kwargs: Any) -> Any:
        """Return (the outputs of all steps, the states after the last step).

        Arguments:
            inputs: a Variable [N, steps, ...], or a nested structure of such.
            initial_states: the states before the first step; zeros by default.
            sequence_length: the number of steps of each sample, int64 [N].
            kwargs: passed to the cell in each step.
        """
        return rnn(self.cell, inputs, initial_states, sequence_length, self.time_major, self.is_reverse, **kwargs)


class LSTM(Layer):
    """An LSTM of several layers.

    Arguments:
        input_size, hidden_size, gate_activation, activation, forget_bias, num_layers, dropout, param_attr, bias_attr,
            dtype: as for StackedLSTMCell.
        is_reverse, time_major: as for RNN.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> lstm = paddle.hapi.text.LSTM(4, 3, num_layers=2)
    >>> outputs, states = lstm(paddle.imperative.to_variable(np.zeros([2, 7, 4], 'float32')))
    >>> outputs.shape, len(states)
    ([2, 7, 3], 2)
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        gate_activation: Activation = None,
        activation: Activation = None,
        forget_bias: float | bool = 1.0,
        num_layers: int = 1,
        dropout: Any = 0.0,
        is_reverse: bool = False,
        time_major: bool = False,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        options = (gate_activation, activation, forget_bias, num_layers, dropout, param_attr, bias_attr, dtype)
        self.lstm = RNN(StackedLSTMCell(input_size, hidden_size, *options), is_reverse, time_major)

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> Any:
        """Return (the outputs of all steps, [h, c] of each layer after the last step)."""
        return self.lstm(inputs, initial_states, sequence_length)


class GRU(Layer):
    """A GRU of several layers.

    Arguments:
        input_size, hidden_size, gate_activation, activation, num_layers, dropout, param_attr, bias_attr, dtype: as for
            StackedGRUCell.
        is_reverse, time_major: as for RNN.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> gru = paddle.hapi.text.GRU(4, 3, num_layers=2)
    >>> outputs, states = gru(paddle.imperative.to_variable(np.zeros([2, 7, 4], 'float32')))
    >>> outputs.shape, len(states)
    ([2, 7, 3], 2)
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        gate_activation: Activation = None,
        activation: Activation = None,
        num_layers: int = 1,
        dropout: Any = 0.0,
        is_reverse: bool = False,
        time_major: bool = False,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        options = (gate_activation, activation, num_layers, dropout, param_attr, bias_attr, dtype)
        self.gru = RNN(StackedGRUCell(input_size, hidden_size, *options), is_reverse, time_major)

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> Any:
        """Return (the outputs of all steps, h of each layer after the last step)."""
        return self.gru(inputs, initial_states, sequence_length)
