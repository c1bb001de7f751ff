"""Recurrent networks that read sequences in both directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.errors import ArgumentValueError, describe, message
from ...imperative.layer import Layer
from ...layers.shape.shape import concat
from ...ops.support.nested_structure import map_structure
from .attributes import attrs_with_suffixes
from .cells import Activation, RNNCell, StackedGRUCell, StackedLSTMCell, StackedRNNCell
from .recurrent import RNN

__all__ = ["BidirectionalGRU", "BidirectionalLSTM", "BidirectionalRNN"]

MERGES: dict[str | None, Callable[[Any, Any], Any] | None] = {
    "concat": lambda x, y: concat([x, y], -1),
    "sum": lambda x, y: x + y,
    "ave": lambda x, y: (x + y) * 0.5,
    "mul": lambda x, y: x * y,
    "zip": lambda x, y: (x, y),
    None: None,
}


class BidirectionalRNN(Layer):
    """Runs one cell forwards and another one backwards over the steps of the inputs.

    Arguments:
        cell_fw, cell_bw: RNNCells.
        merge_mode: how outputs of both are merged: "concat", "sum", "ave" (their mean), "mul", "zip" (a pair for each
            output) or None (a pair of both outputs).
        time_major: whether the first two dimensions of inputs and outputs are [steps, N] rather than [N, steps].

    Raises:
        ArgumentValueError: `merge_mode` is something else.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> text = paddle.hapi.text
    >>> rnn = text.BidirectionalRNN(text.BasicGRUCell(4, 3), text.BasicGRUCell(4, 3))
    >>> outputs, (last, first) = rnn(paddle.imperative.to_variable(np.zeros([2, 7, 4], 'float32')))
    >>> outputs.shape, last.shape
    ([2, 7, 6], [2, 3])
    """

    def __init__(
        self,
        cell_fw: Any,
        cell_bw: Any,
        merge_mode: str | None = "concat",
        time_major: bool = False,
        cell_cls: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        if merge_mode not in MERGES:
            needs = "'concat', 'sum', 'ave', 'mul', 'zip' or None"
            raise ArgumentValueError(message("BidirectionalRNN", "merge_mode", describe(merge_mode), needs))
        self.rnn_fw = RNN(cell_fw, is_reverse=False, time_major=time_major)
        self.rnn_bw = RNN(cell_bw, is_reverse=True, time_major=time_major)
        self.merge_func = MERGES[merge_mode]

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None, **kwargs: Any) -> Any:
        """Return (the merged outputs, (the states of cell_fw, those of cell_bw)).

        Arguments:
            inputs, sequence_length, kwargs: as for RNN.
            initial_states: a pair, or the same states for both; zeros by default.

        Raises:
            ArgumentValueError: a list has not two entries.
        """
        pair = initial_states if isinstance(initial_states, (list, tuple)) else [initial_states] * 2
        if len(pair) != 2:
            raise ArgumentValueError(
                message("BidirectionalRNN", "initial_states", f"{len(pair)} entries", "2, one for each direction")
            )
        forth, last = self.rnn_fw(inputs, pair[0], sequence_length, **kwargs)
        back, first = self.rnn_bw(inputs, pair[1], sequence_length, **kwargs)
        merged = (forth, back) if self.merge_func is None else map_structure(self.merge_func, forth, back)
        return merged, (last, first)

    @staticmethod
    def bidirect_param_attr(param_attr: Any) -> list[Any]:
        """Return attributes for the parameters of both directions: to a name "_fw" and "_bw" are appended.

        Arguments:
            param_attr: what a layer takes as `param_attr`; or a pair of such, which is returned.

        Raises:
            ArgumentValueError: a list has not two entries.
        """
        if isinstance(param_attr, (list, tuple)) and len(param_attr) == 2:
            return list(param_attr)  # each may be a list for the layers
        return attrs_with_suffixes(param_attr, ["_fw", "_bw"])


class _Bidirectional(Layer):
    """Several layers in both directions.

    With `merge_each_layer` both directions are merged behind each layer, otherwise behind the last one.
    """

    def __init__(
        self,
        name: str,
        cell: Callable[[int, int, Any, Any], RNNCell],
        input_size: int,
        hidden_size: int,
        num_layers: int,
        merge_mode: str | None,
        merge_each_layer: bool,
        time_major: bool,
        param_attr: Any,
        bias_attr: Any,
    ) -> None:
        super().__init__()
        self.num_layers, self.merge_mode, self.merge_each_layer = num_layers, merge_mode, merge_each_layer
        self._name = name
        weights = BidirectionalRNN.bidirect_param_attr(param_attr)
        biases = BidirectionalRNN.bidirect_param_attr(bias_attr)
        if not merge_each_layer:
            both = [cell(input_size, num_layers, weights[i], biases[i]) for i in range(2)]
            setattr(self, name, BidirectionalRNN(both[0], both[1], merge_mode=merge_mode, time_major=time_major))
            return
        ways = [
            (
                StackedRNNCell.stack_param_attr(weights[i], num_layers),
                StackedRNNCell.stack_param_attr(biases[i], num_layers),
            )
            for i in range(2)
        ]
        merged = hidden_size * 2 if merge_mode == "concat" else hidden_size
        made = []
        for number in range(num_layers):
            size = merged if number else input_size
            both = [cell(size, 1, of_weights[number], of_biases[number]) for of_weights, of_biases in ways]
            layer = BidirectionalRNN(both[0], both[1], merge_mode=merge_mode, time_major=time_major)
            made.append(self.add_sublayer(f"{name}_{number}", layer))
        setattr(self, name, made)

    def forward(self, inputs: Any, initial_states: Any = None, sequence_length: Any = None) -> Any:
        """Return (the outputs, the states): with `merge_each_layer` those of each layer in a list.

        Raises:
            ArgumentValueError: with `merge_each_layer`, a list of initial states has not an entry for each layer.
        """
        layers = getattr(self, self._name)
        if not self.merge_each_layer:
            return layers(inputs, initial_states, sequence_length)
        given = initial_states if isinstance(initial_states, (list, tuple)) else [initial_states] * self.num_layers
        if len(given) != self.num_layers:
            needs = f"{self.num_layers}, one for each layer"
            where = type(self).__name__
            raise ArgumentValueError(message(where, "initial_states", f"{len(given)} entries", needs))
        stacked = []
        for layer, state in zip(layers, given, strict=True):
            inputs, states = layer(inputs, state, sequence_length)
            stacked.append(states)
        return inputs, stacked


class BidirectionalLSTM(_Bidirectional):
    """An LSTM of several layers in both directions.

    Arguments:
        input_size, hidden_size, gate_activation, activation, forget_bias, num_layers, dropout, dtype: as for
            StackedLSTMCell.
        merge_mode, time_major: as for BidirectionalRNN.
        merge_each_layer: whether the directions are merged behind each layer; False: behind the last one.
        param_attr, bias_attr: of the parameters; to a name "_fw" or "_bw" is appended, then "_0", "_1" ...

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> lstm = paddle.hapi.text.BidirectionalLSTM(4, 3, num_layers=2, merge_each_layer=True)
    >>> lstm(paddle.imperative.to_variable(np.zeros([2, 7, 4], 'float32')))[0].shape
    [2, 7, 6]
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
        merge_mode: str | None = "concat",
        merge_each_layer: bool = False,
        time_major: bool = False,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
    ) -> None:
        def cell(size: int, count: int, weight: Any, bias: Any) -> RNNCell:
            options = (gate_activation, activation, forget_bias, count, dropout, weight, bias, dtype)
            return StackedLSTMCell(size, hidden_size, *options)

        merging = (merge_mode, merge_each_layer, time_major, param_attr, bias_attr)
        super().__init__("lstm", cell, input_size, hidden_size, num_layers, *merging)


class BidirectionalGRU(_Bidirectional):
    """A GRU of several layers in both directions.

    Arguments:
        input_size, hidden_size, gate_activation, activation, num_layers, dropout, dtype: as for StackedGRUCell.
        forget_bias: ignored.
        merge_mode, time_major: as for BidirectionalRNN.
        merge_each_layer: whether the directions are merged behind each layer; False: behind the last one.
        param_attr, bias_attr: of the parameters; to a name "_fw" or "_bw" is appended, then "_0", "_1" ...

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> gru = paddle.hapi.text.BidirectionalGRU(4, 3, merge_mode='sum')
    >>> gru(paddle.imperative.to_variable(np.zeros([2, 7, 4], 'float32')))[0].shape
    [2, 7, 3]
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        gate_activation: Activation = None,
        activation: Activation = None,
        forget_bias: float = 1.0,
        num_layers: int = 1,
        dropout: Any = 0.0,
        merge_mode: str | None = "concat",
        merge_each_layer: bool = False,
        time_major: bool = False,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
    ) -> None:
        def cell(size: int, count: int, weight: Any, bias: Any) -> RNNCell:
            options = (gate_activation, activation, count, dropout, weight, bias, dtype)
            return StackedGRUCell(size, hidden_size, *options)

        merging = (merge_mode, merge_each_layer, time_major, param_attr, bias_attr)
        super().__init__("gru", cell, input_size, hidden_size, num_layers, *merging)
