"""Steps of a GRU and an LSTM that are written with basic operators, as Layers: `fluid.contrib.layers.BasicGRUUnit` ..."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...core.typing import Variable
from ...imperative.layer import Layer
from ...params.attr import ParamAttr, to_attr
from ..math.matmul import matmul
from ..nn.activation import sigmoid, tanh
from ..shape.fill import fill_constant
from ..shape.shape import concat, split
from ..support.arguments import check_int, check_variable, parsed_number

__all__ = ["BasicGRUUnit", "BasicLSTMUnit"]


def named(attr: Any, suffix: str, where: str) -> Any:
    """Return the attributes of one of several parameters: a given name gets a suffix.

    Raises:
        ArgumentTypeError: there are no attributes, since there is to be no parameter.
    """
    made = to_attr(attr, where)
    if made is None:
        raise ArgumentTypeError(message(where, "param_attr or bias_attr", "False", "a ParamAttr or None"))
    if made.name is None:
        return made
    own: ParamAttr = copy.copy(made)
    own.name = f"{made.name}{suffix}"
    return own


class _Unit(Layer):
    """A step whose parameters are made in its first call."""

    def __init__(
        self,
        name_scope: str,
        hidden_size: int,
        param_attr: Any,
        bias_attr: Any,
        gate_activation: Callable[[Any], Any] | None,
        activation: Callable[[Any], Any] | None,
        dtype: Any,
    ) -> None:
        super().__init__(f"{name_scope}/{type(self).__name__}", dtype)
        for name, function in (("gate_activation", gate_activation), ("activation", activation)):
            if function is not None and not callable(function):
                fix = "Write fluid.layers.relu rather than 'relu'."
                where = type(self).__name__
                raise ArgumentTypeError(message(where, name, describe(function), "a function of a Variable", fix))
        self._hiden_size = check_int(
            type(self).__name__, "hidden_size", hidden_size
        )  # Fluid's spelling, which subclasses read
        self._param_attr = param_attr
        self._bias_attr = bias_attr
        self._gate_activation = gate_activation or sigmoid
        self._activation = activation or tanh

    def _measure(self, input: Any) -> None:
        """Keep the size of the inputs."""
        self._input_size = check_variable(type(self).__name__, "input", input).shape[-1]

    def _weight_of(self, gates: int, suffix: str = "") -> Any:
        """Return a new weight."""
        shape = [self._input_size + self._hiden_size, gates * self._hiden_size]
        return self.create_parameter(shape, named(self._param_attr, suffix, type(self).__name__), dtype=self._dtype)

    def _bias_of(self, gates: int, suffix: str = "") -> Any:
        """Return a new bias."""
        attr = named(self._bias_attr, suffix, type(self).__name__)
        return self.create_parameter([gates * self._hiden_size], attr, is_bias=True, dtype=self._dtype)


class BasicGRUUnit(_Unit):
    """Compute a step of a GRU: u, r = gates([x, h] W + b); h' = u h + (1 - u) act([x, r h] V + c).

    Arguments:
        name_scope: the first part of the names of the parameters.
        hidden_size: the size of h.
        param_attr, bias_attr: of the parameters; a name gets the suffixes _gate and _candidate.
        gate_activation: a function of a Variable; `layers.sigmoid` by default.
        activation: a function of a Variable; `layers.tanh` by default.
        dtype: "float32" or "float64".

    Raises:
        ArgumentTypeError: an activation is no function, or an input no Variable.

    Shapes:
        x [N, columns], h [N, hidden_size] -> h' [N, hidden_size].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     unit = fluid.contrib.layers.BasicGRUUnit('gru', 3)
    ...     x, h = (fluid.dygraph.to_variable(np.ones([2, n], 'float32')) for n in (4, 3))
    ...     unit(x, h).shape
    [2, 3]
    """

    def __init__(
        self,
        name_scope: str,
        hidden_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Callable[[Any], Any] | None = None,
        activation: Callable[[Any], Any] | None = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(name_scope, hidden_size, param_attr, bias_attr, gate_activation, activation, dtype)

    def _build_once(self, input: Any, pre_hidden: Any) -> None:
        """Make the parameters, before the first step."""
        self._measure(input)
        self._gate_weight = self._weight_of(2, "_gate")
        self._candidate_weight = self._weight_of(1, "_candidate")
        self._gate_bias = self._bias_of(2, "_gate")
        self._candidate_bias = self._bias_of(1, "_candidate")

    def forward(self, input: Variable, pre_hidden: Any) -> Variable:
        """Compute a step."""
        gates = self._gate_activation(matmul(concat([input, pre_hidden], 1), self._gate_weight) + self._gate_bias)
        reset, update = split(gates, num_or_sections=2, dim=1)
        candidate = matmul(concat([input, reset * pre_hidden], 1), self._candidate_weight) + self._candidate_bias
        return update * pre_hidden + (1 - update) * self._activation(candidate)


class BasicLSTMUnit(_Unit):
    """Compute a step of an LSTM: i, j, f, o = [x, h] W + b; c' = c gate(f + forget_bias) + gate(i) act(j); h' = act(c') gate(o).

    Arguments:
        name_scope: the first part of the names of the parameters.
        hidden_size: the size of h and c.
        param_attr, bias_attr: of the parameters.
        gate_activation: a function of a Variable; `layers.sigmoid` by default.
        activation: a function of a Variable; `layers.tanh` by default.
        forget_bias: a number that is added to f.
        dtype: "float32" or "float64".

    Raises:
        ArgumentTypeError: an activation is no function, or an input no Variable.

    Shapes:
        x [N, columns], h [N, hidden_size], c [N, hidden_size] -> h' and c' [N, hidden_size].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     unit = fluid.contrib.layers.BasicLSTMUnit('lstm', 3)
    ...     x, h = (fluid.dygraph.to_variable(np.ones([2, n], 'float32')) for n in (4, 3))
    ...     [state.shape for state in unit(x, h, h)]
    [[2, 3], [2, 3]]
    """

    def __init__(
        self,
        name_scope: str,
        hidden_size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        gate_activation: Callable[[Any], Any] | None = None,
        activation: Callable[[Any], Any] | None = None,
        forget_bias: float = 1.0,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(name_scope, hidden_size, param_attr, bias_attr, gate_activation, activation, dtype)
        self._forget_bias = fill_constant([1], dtype, parsed_number("BasicLSTMUnit", "forget_bias", forget_bias))

    def _build_once(self, input: Any, pre_hidden: Any, pre_cell: Any) -> None:
        """Make the parameters, before the first step."""
        self._measure(input)
        self._weight, self._bias = self._weight_of(4), self._bias_of(4)

    def forward(self, input: Any, pre_hidden: Any, pre_cell: Any) -> tuple[Any, Any]:
        """Compute a step."""
        parts = matmul(concat([input, pre_hidden], 1), self._weight) + self._bias
        i, j, f, o = split(parts, num_or_sections=4, dim=-1)
        kept = pre_cell * self._gate_activation(f + self._forget_bias)
        cell = kept + self._gate_activation(i) * self._activation(j)
        return self._activation(cell) * self._gate_activation(o), cell
