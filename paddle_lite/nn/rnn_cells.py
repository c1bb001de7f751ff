"""Cells of recurrent networks as layers: what one step does, with two ways to lay out the weights."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.typing import Variable
from ..imperative.layer import Layer
from ..layers.nn.activation import sigmoid, tanh
from ..layers.shape.shape import concat, split
from ..layers.support.arguments import check_int
from ..ops.math import elementwise, matmul
from ..params.attr import to_attr


class _Cell(Layer):
    """The base class of both cells."""

    def __init__(
        self,
        hidden_size: int,
        input_size: int,
        gate_activation: Callable[[Any], Any] | None,
        activation: Callable[[Any], Any] | None,
        use_cudnn_impl: bool,
        dtype: Any,
    ) -> None:
        super().__init__(dtype=dtype)
        where = type(self).__name__
        for argument, size in (("hidden_size", hidden_size), ("input_size", input_size)):
            if check_int(where, argument, size) < 1:
                raise ArgumentValueError(message(where, argument, size, "1 or more"))
        for argument, function in (("gate_activation", gate_activation), ("activation", activation)):
            if function is not None and not callable(function):
                needs = "a function of a Variable, e.g. fluid.layers.relu, or None"
                raise ArgumentTypeError(message(where, argument, describe(function), needs))
        self._hidden_size, self._input_size = hidden_size, input_size
        self._gate_activation = gate_activation or sigmoid
        self._activation = activation or tanh
        self._use_cudnn_impl = use_cudnn_impl

    def _make(self, part: str, shape: list[int], attr: Any, is_bias: bool = False) -> None:
        """Make a parameter `_<part>`; the name of the attribute, if it has one, becomes its prefix."""
        attr = to_attr(attr, type(self).__name__)
        if attr is not None and attr.name is not None:
            attr = copy(attr)
            attr.name = f"{attr.name}_{part}"
        setattr(
            self,
            f"_{part}",
            self.create_parameter(shape, False if attr is None else attr, is_bias=is_bias, dtype=self._dtype),
        )

    def _make_separate(self, gates: int, param_attr: Any, bias_attr: Any) -> None:
        """Make weights and biases for the input and for the hidden state, one row for each output."""
        rows = gates * self._hidden_size
        self._make("weight_ih", [rows, self._input_size], param_attr)
        self._make("weight_hh", [rows, self._hidden_size], param_attr)
        self._make("bias_ih", [rows], bias_attr, is_bias=True)
        self._make("bias_hh", [rows], bias_attr, is_bias=True)

    def _separate(self, gates: int, input: Any, hidden: Any) -> tuple[list[Any], list[Any]]:
        """Compute the contributions of the input and of the hidden state to each gate."""
        of_input = _plus(matmul.matmul.call(input, self._weight_ih, transpose_Y=True), self._bias_ih)
        of_hidden = _plus(matmul.matmul.call(hidden, self._weight_hh, transpose_Y=True), self._bias_hh)
        return split(of_input, gates, dim=1), split(of_hidden, gates, dim=1)


def _plus(x: Any, bias: Any) -> Any:
    return x if bias is None else elementwise.elementwise_add.call(x, bias, axis=1)


class LSTMCell(_Cell):
    """Compute one step of a long short-term memory.

    new_cell = f * pre_cell + i * g and new_hidden = o * activation(new_cell), with the gates i, f, o through
    gate_activation and g through activation. (Paddle has it after 1.8.5.)
    Source: Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997.

    Arguments:
        hidden_size: D, the size of the hidden state.
        input_size: M, the size of an input.
        param_attr, bias_attr: of the weights and of the biases; False: no biases.
        gate_activation: sigmoid where it is None.
        activation: tanh where it is None.
        forget_bias: added to f before its activation, where `use_cudnn_impl` is False.
        use_cudnn_impl: the layout of cuDNN: weights [4 * D, M] and [4 * D, D], biases [4 * D] and [4 * D], the gates in
            the order i, f, g, o. Otherwise one weight [M + D, 4 * D] and one bias [4 * D], in the order i, g, f, o.
        dtype: "float32" or "float64".

    Shapes:
        input [N, M], pre_hidden and pre_cell [N, D] -> new_hidden, new_cell [N, D].

    Raises:
        ArgumentValueError: a size is below 1.
        ArgumentTypeError: an activation is not a function.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> cell = paddle.fluid.dygraph.LSTMCell(4, 3)
    >>> x, h = (paddle.imperative.to_variable(np.ones([2, n])) for n in (3, 4))
    >>> [v.shape for v in cell(x, h, h)]
    [[2, 4], [2, 4]]
    """

    def __init__(
        self,
        hidden_size: int,
        input_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Callable[[Any], Any] | None = None,
        activation: Callable[[Any], Any] | None = None,
        forget_bias: float = 1.0,
        use_cudnn_impl: bool = True,
        dtype: Any = "float64",
    ) -> None:
        super().__init__(hidden_size, input_size, gate_activation, activation, use_cudnn_impl, dtype)
        self._forget_bias = float(forget_bias)
        if use_cudnn_impl:
            self._make_separate(4, param_attr, bias_attr)
        else:
            self._make("weight", [input_size + hidden_size, 4 * hidden_size], param_attr)
            self._make("bias", [4 * hidden_size], bias_attr, is_bias=True)

    def forward(self, input: Any, pre_hidden: Any, pre_cell: Any) -> tuple[Any, Any]:
        if self._use_cudnn_impl:
            i, f, g, o = (a + b for a, b in zip(*self._separate(4, input, pre_hidden), strict=True))
        else:
            both = concat([input, pre_hidden], axis=1)
            i, g, f, o = split(_plus(matmul.matmul.call(both, self._weight), self._bias), 4, dim=1)
            f = f + self._forget_bias
        gate = self._gate_activation
        new_cell = gate(f) * pre_cell + gate(i) * self._activation(g)
        return gate(o) * self._activation(new_cell), new_cell


class GRUCell(_Cell):
    """Compute one step of a gated recurrent unit.

    new_hidden = u * pre_hidden + (1 - u) * c, with the gates r (reset) and u (update) through gate_activation and the
    candidate c through activation. (Paddle has it after 1.8.5.)
    Source: Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder", 2014.

    Arguments:
        hidden_size: D, the size of the hidden state.
        input_size: M, the size of an input.
        param_attr, bias_attr: of the weights and of the biases; False: no biases.
        gate_activation: sigmoid where it is None.
        activation: tanh where it is None.
        use_cudnn_impl: the layout of cuDNN: weights [3 * D, M] and [3 * D, D], biases [3 * D] and [3 * D], in the order
            r, u, c; r multiplies what the hidden state gives to c. Otherwise a weight [M + D, 2 * D] for the gates and
            one [M + D, D] for the candidate, with a bias each; r multiplies the hidden state itself.
        dtype: "float32" or "float64".

    Shapes:
        input [N, M], pre_hidden [N, D] -> new_hidden [N, D].

    Raises:
        ArgumentValueError: a size is below 1.
        ArgumentTypeError: an activation is not a function.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> cell = paddle.fluid.dygraph.GRUCell(4, 3)
    >>> cell(*(paddle.imperative.to_variable(np.ones([2, n])) for n in (3, 4))).shape
    [2, 4]
    """

    def __init__(
        self,
        hidden_size: int,
        input_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Callable[[Any], Any] | None = None,
        activation: Callable[[Any], Any] | None = None,
        use_cudnn_impl: bool = True,
        dtype: Any = "float64",
    ) -> None:
        super().__init__(hidden_size, input_size, gate_activation, activation, use_cudnn_impl, dtype)
        if use_cudnn_impl:
            self._make_separate(3, param_attr, bias_attr)
        else:
            self._make("gate_weight", [input_size + hidden_size, 2 * hidden_size], param_attr)
            self._make("candidate_weight", [input_size + hidden_size, hidden_size], param_attr)
            self._make("gate_bias", [2 * hidden_size], bias_attr, is_bias=True)
            self._make("candidate_bias", [hidden_size], bias_attr, is_bias=True)

    def forward(self, input: Variable, pre_hidden: Any) -> Variable:
        gate = self._gate_activation
        if self._use_cudnn_impl:
            (r, u, c), (r_hidden, u_hidden, c_hidden) = self._separate(3, input, pre_hidden)
            reset, update = gate(r + r_hidden), gate(u + u_hidden)
            candidate = self._activation(c + reset * c_hidden)
        else:
            both = concat([input, pre_hidden], axis=1)
            gates = gate(_plus(matmul.matmul.call(both, self._gate_weight), self._gate_bias))
            reset, update = split(gates, 2, dim=1)
            both = concat([input, reset * pre_hidden], axis=1)
            candidate = self._activation(_plus(matmul.matmul.call(both, self._candidate_weight), self._candidate_bias))
        return (pre_hidden - candidate) * update + candidate
