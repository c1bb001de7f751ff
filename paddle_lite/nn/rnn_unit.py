"""One step of a gated recurrent unit as a layer."""

from __future__ import annotations

from typing import Any

from ..core.typing import Variable
from ..imperative.layer import Layer
from ..imperative.layers.forms import also_before_1_7
from ..layers.rnn.rnn_unit import activation_code, hidden_size, warn_of_idle
from ..ops.rnn import rnn_unit


@also_before_1_7()
class GRUUnit(Layer):
    """Compute one step of a gated recurrent unit, by the formulas of `fluid.layers.gru_unit`.

    Source: Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder", 2014.

    Arguments:
        size: 3 times the size D of the hidden state.
        param_attr: of the weights [D, 3 * D]: [D, 2 * D] for both gates, and behind it [D, D] for the candidate.
        bias_attr: of the bias [1, 3 * D]; False for none.
        activation, gate_activation: "identity", "sigmoid", "tanh" or "relu".
        origin_mode: has no effect, as in PaddlePaddle 1.8.5: the result is (1 - u) * h + u * c. `fluid.layers.gru_unit`
            heeds it.

    Shapes:
        input [N, 3 * D], hidden [N, D] -> the new hidden state [N, D], r * h [N, D], the gates [u, r, c] [N, 3 * D].

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> gru = paddle.fluid.dygraph.GRUUnit(size=12)
    >>> x, h = (paddle.imperative.to_variable(np.ones([2, n], 'float32')) for n in (12, 4))
    >>> hidden, reset_hidden, gate = gru(x, h)
    >>> hidden.shape
    [2, 4]
    """

    def __init__(
        self,
        size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        activation: str = "tanh",
        gate_activation: str = "sigmoid",
        origin_mode: bool = False,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        self._attrs = {
            "activation": activation_code("GRUUnit", "activation", activation),
            "gate_activation": activation_code("GRUUnit", "gate_activation", gate_activation),
            "origin_mode": False,
        }
        if origin_mode:
            warn_of_idle("GRUUnit", "origin_mode = True", "fluid.layers.gru_unit heeds it")
        self.activation, self.gate_activation = self._attrs["activation"], self._attrs["gate_activation"]
        width = hidden_size("GRUUnit", size)
        self._bias_attr, self._bias_size = bias_attr, [1, 3 * width]
        self.weight = self.create_parameter([width, 3 * width], param_attr, dtype=self._dtype)
        self.bias = self.create_parameter([1, 3 * width], bias_attr, is_bias=True, dtype=self._dtype)

    def forward(self, input: Variable, hidden: Any) -> tuple[Variable, Variable, Variable]:
        gate, reset_hidden, new = rnn_unit.gru_unit.call(input, hidden, self.weight, self.bias, **self._attrs)
        return new, reset_hidden, gate
