"""Cells of recurrent networks, as Layers: each computes one time step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, message
from ...imperative.layer import Layer
from ...layers.math.matmul import matmul
from ...layers.nn.activation import sigmoid, tanh
from ...layers.random.random import dropout as drop
from ...layers.rnn import cells as functional
from ...layers.shape.shape import concat, split
from ...ops.support.nested_structure import flatten
from ...params.initializer import NumpyArrayInitializer
from .attributes import attrs_with_suffixes

__all__ = ["BasicGRUCell", "BasicLSTMCell", "RNNCell", "StackedGRUCell", "StackedLSTMCell", "StackedRNNCell"]

Activation = Callable[[Any], Any] | None


class RNNCell(Layer):
    """Base class of cells: `forward(inputs, states)` returns (outputs, new states).

    A subclass says the shapes of its states by `state_shape`, without the batch: [16], or a nested structure of such
    lists; and their dtype by `state_dtype` if it is not float32.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> cell = paddle.hapi.text.BasicGRUCell(4, 3)
    >>> cell.get_initial_states(paddle.imperative.to_variable(np.zeros([2, 7, 4], 'float32'))).shape
    [2, 3]
    """

    def get_initial_states(
        self, batch_ref: Any, shape: Any = None, dtype: Any = None, init_value: float = 0, batch_dim_idx: int = 0
    ) -> Any:
        """Return states for a batch that are filled with one number.

        Arguments:
            batch_ref: a Variable, or a structure whose first leaf is one, whose dimension `batch_dim_idx` is the batch.
            shape: the shapes of the states without the batch; `state_shape` by default.
            dtype: their dtype; `state_dtype` by default.
            init_value: the number.
            batch_dim_idx: the dimension of the batch in `batch_ref`.

        Returns:
            A Variable, or a structure of Variables like `shape`.

        Raises:
            ArgumentValueError: the states have several dtypes.
        """
        if dtype is None:
            try:
                dtype = self.state_dtype
            except NotImplementedError:
                dtype = "float32"
        dtypes = flatten(dtype)
        if len(set(dtypes)) > 1:
            needs = "one dtype; make states of several dtypes in get_initial_states of your cell"
            raise ArgumentValueError(message(type(self).__name__, "state_dtype", str(dtypes), needs))
        shapes = self.state_shape if shape is None else shape
        make = functional.RNNCell.get_initial_states
        return make(self, batch_ref, shapes, dtypes[0], init_value, batch_dim_idx)  # type: ignore[arg-type]

    @property
    def state_shape(self) -> Any:
        """The shapes of the states without the batch.

        Raises:
            NotImplementedError: the subclass does not say them.
        """
        raise NotImplementedError(f"{type(self).__name__}.state_shape: say it, or give initial states")

    @property
    def state_dtype(self) -> Any:
        """The dtype of the states.

        Raises:
            NotImplementedError: the subclass does not say it; then it is float32.
        """
        raise NotImplementedError(f"{type(self).__name__}.state_dtype: say it where it is not float32")


class BasicLSTMCell(RNNCell):
    """A step of an LSTM: c' = c * s(f + forget_bias) + s(i) * a(j); h' = a(c') * s(o).

    i, j, f and o are the four parts of [x, h] W + b; s is the gate's activation, a the other one.

    Arguments:
        input_size: the size of the inputs [N, input_size].
        hidden_size: the size of the states, [h, c], [N, hidden_size] each. The outputs are h.
        param_attr: the ParamAttr of the weight [input_size + hidden_size, 4 * hidden_size].
        bias_attr: that of the bias [4 * hidden_size].
        gate_activation: a function of a Variable; sigmoid by default.
        activation: a function of a Variable; tanh by default.
        forget_bias: a number that is added to f.
        dtype: the dtype of the parameters.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> cell = paddle.hapi.text.BasicLSTMCell(4, 3)
    >>> x = paddle.imperative.to_variable(np.ones([2, 4], 'float32'))
    >>> outputs, (hidden, cell_state) = cell(x, cell.get_initial_states(x))
    >>> outputs.shape, cell_state.shape
    ([2, 3], [2, 3])
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Activation = None,
        activation: Activation = None,
        forget_bias: float = 1.0,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        self._input_size, self._hidden_size, self._forget_bias = input_size, hidden_size, float(forget_bias)
        self._gate_activation, self._activation = gate_activation or sigmoid, activation or tanh
        self._weight = self.create_parameter([input_size + hidden_size, 4 * hidden_size], param_attr, dtype=self._dtype)
        self._bias = self.create_parameter([4 * hidden_size], bias_attr, is_bias=True, dtype=self._dtype)

    def forward(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Return (h', [h', c']).

        Arguments:
            inputs: a Variable of shape [N, input_size].
            states: the two states h and c, Variables of shape [N, hidden_size].
        """
        hidden, cell = states
        gate, activation = self._gate_activation, self._activation
        parts = matmul(concat([inputs, hidden], 1), self._weight) + self._bias
        i, j, f, o = split(parts, num_or_sections=4, dim=-1)
        cell = cell * gate(f + self._forget_bias) + gate(i) * activation(j)
        hidden = activation(cell) * gate(o)
        return hidden, [hidden, cell]

    @property
    def state_shape(self) -> list[list[int]]:
        """The shapes of h and c."""
        return [[self._hidden_size], [self._hidden_size]]


class BasicGRUCell(RNNCell):
    """A step of a GRU: h' = u * h + (1 - u) * a([x, r * h] W_c + b_c), where r and u are the parts of s([x, h] W_g + b_g).

    Arguments:
        input_size: the size of the inputs [N, input_size].
        hidden_size: the size of the state and of the outputs, h, [N, hidden_size].
        param_attr: the ParamAttr of the weights [input_size + hidden_size, 2 * hidden_size] and [.., hidden_size]; to a
            name "_gate" and "_candidate" are appended.
        bias_attr: that of the biases [2 * hidden_size] and [hidden_size].
        gate_activation: a function of a Variable, s; sigmoid by default.
        activation: a function of a Variable, a; tanh by default.
        dtype: the dtype of the parameters.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> cell = paddle.hapi.text.BasicGRUCell(4, 3)
    >>> x = paddle.imperative.to_variable(np.ones([2, 4], 'float32'))
    >>> outputs, hidden = cell(x, cell.get_initial_states(x))
    >>> outputs.shape, hidden.shape
    ([2, 3], [2, 3])
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Activation = None,
        activation: Activation = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        self._input_size, self._hidden_size = input_size, hidden_size
        self._gate_activation, self._activation = gate_activation or sigmoid, activation or tanh
        gate, candidate = attrs_with_suffixes(param_attr, ["_gate", "_candidate"])
        self._gate_weight = self.create_parameter([input_size + hidden_size, 2 * hidden_size], gate, dtype=self._dtype)
        self._candidate_weight = self.create_parameter(
            [input_size + hidden_size, hidden_size], candidate, dtype=self._dtype
        )
        gate, candidate = attrs_with_suffixes(bias_attr, ["_gate", "_candidate"])
        self._gate_bias = self.create_parameter([2 * hidden_size], gate, is_bias=True, dtype=self._dtype)
        self._candidate_bias = self.create_parameter([hidden_size], candidate, is_bias=True, dtype=self._dtype)

    def forward(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Return (h', h')."""
        gates = self._gate_activation(matmul(concat([inputs, states], 1), self._gate_weight) + self._gate_bias)
        r, u = split(gates, num_or_sections=2, dim=1)
        candidate = matmul(concat([inputs, r * states], 1), self._candidate_weight) + self._candidate_bias
        hidden = u * states + (1 - u) * self._activation(candidate)
        return hidden, hidden

    @property
    def state_shape(self) -> list[int]:
        """The shape of h."""
        return [self._hidden_size]


class StackedRNNCell(RNNCell):
    """Several cells in a row: the outputs of one are the inputs of the next. The states are those of all, in a list.

    Arguments:
        cells: the cells.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> text = paddle.hapi.text
    >>> text.StackedRNNCell([text.BasicGRUCell(4, 3), text.BasicLSTMCell(3, 2)]).state_shape
    [[3], [[2], [2]]]
    """

    def __init__(self, cells: Sequence[Any]) -> None:
        super().__init__()
        self.cells = [self.add_sublayer(f"cell_{number}", cell) for number, cell in enumerate(cells)]

    def forward(self, inputs: Any, states: Any, **kwargs: Any) -> tuple[Any, list[Any]]:
        """Return (outputs of the last cell, new states of all)."""
        new = []
        for cell, state in zip(self.cells, states, strict=True):
            inputs, after = cell(inputs, state, **kwargs)
            new.append(after)
        return inputs, new

    @staticmethod
    def stack_param_attr(param_attr: Any, n: int) -> list[Any]:
        """Return attributes for the parameters of `n` cells: to a name "_0", "_1" ... are appended.

        Arguments:
            param_attr: what a layer takes as `param_attr`; or a list of n such, which is returned.
            n: the number of cells.

        Raises:
            ArgumentValueError: a list has another length.
        """
        return attrs_with_suffixes(param_attr, [f"_{number}" for number in range(n)])

    @property
    def state_shape(self) -> list[Any]:
        """The shapes of the states of all cells."""
        return [cell.state_shape for cell in self.cells]


class _Stacked(RNNCell):
    """Several cells in a row, with dropout behind each."""

    def __init__(self, cells: Sequence[tuple[str, RNNCell]], dropout: Any) -> None:
        super().__init__()
        rates = list(dropout) if isinstance(dropout, (list, tuple)) else [dropout] * len(cells)
        if len(rates) != len(cells):
            needs = f"a number, or {len(cells)} of them, one for each layer"
            raise ArgumentValueError(message(type(self).__name__, "dropout", f"{len(rates)} numbers", needs))
        self.dropout = [float(rate) for rate in rates]
        self.cells = [self.add_sublayer(name, cell) for name, cell in cells]

    def forward(self, inputs: Any, states: Any) -> tuple[Any, list[Any]]:
        """Return (outputs of the last cell, new states of all)."""
        new = []
        for cell, state, rate in zip(self.cells, states, self.dropout, strict=True):
            inputs, after = cell(inputs, state)
            if rate > 0:
                inputs = drop(inputs, rate, dropout_implementation="upscale_in_train")
            new.append(after)
        return inputs, new

    @property
    def state_shape(self) -> list[Any]:
        """The shapes of the states of all cells."""
        return [cell.state_shape for cell in self.cells]


class StackedLSTMCell(_Stacked):
    """Several BasicLSTMCells in a row, with dropout behind each.

    Arguments:
        input_size, hidden_size, gate_activation, activation, dtype: as for BasicLSTMCell.
        forget_bias: a number that is added to f; True: 0, and the bias of f starts with 1.
        num_layers: the number of cells.
        dropout: the probability of dropout, or a list with one for each cell.
        param_attr, bias_attr: of the parameters; to a name "_0", "_1" ... are appended. Or a list for the cells.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.hapi.text.StackedLSTMCell(4, 3, num_layers=2).state_shape
    [[[3], [3]], [[3], [3]]]
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
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
    ) -> None:
        weights = StackedRNNCell.stack_param_attr(param_attr, num_layers)
        biases = StackedRNNCell.stack_param_attr(bias_attr, num_layers)
        if forget_bias is True:
            parts = [np.zeros(2 * hidden_size), np.ones(hidden_size), np.zeros(hidden_size)]
            for bias in biases:
                bias.initializer = NumpyArrayInitializer(np.concatenate(parts).astype(dtype))
            forget_bias = 0.0
        options = (gate_activation, activation, forget_bias, dtype)
        sizes = [input_size, *[hidden_size] * (num_layers - 1)]
        cells = [
            (f"lstm_{number}", BasicLSTMCell(size, hidden_size, weights[number], biases[number], *options))
            for number, size in enumerate(sizes)
        ]
        super().__init__(cells, dropout)


class StackedGRUCell(_Stacked):
    """Several BasicGRUCells in a row, with dropout behind each.

    Arguments:
        input_size, hidden_size, gate_activation, activation, dtype: as for BasicGRUCell.
        num_layers: the number of cells.
        dropout: the probability of dropout, or a list with one for each cell.
        param_attr, bias_attr: of the parameters; to a name "_0", "_1" ... are appended. Or a list for the cells.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.hapi.text.StackedGRUCell(4, 3, num_layers=2).state_shape
    [[3], [3]]
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        gate_activation: Activation = None,
        activation: Activation = None,
        num_layers: int = 1,
        dropout: Any = 0.0,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
    ) -> None:
        weights = StackedRNNCell.stack_param_attr(param_attr, num_layers)
        biases = StackedRNNCell.stack_param_attr(bias_attr, num_layers)
        sizes = [input_size, *[hidden_size] * (num_layers - 1)]
        options = (gate_activation, activation, dtype)
        cells = [
            (f"gru_{number}", BasicGRUCell(size, hidden_size, weights[number], biases[number], *options))
            for number, size in enumerate(sizes)
        ]
        super().__init__(cells, dropout)
