"""Single time steps of recurrent networks: gru_unit, lstm_unit."""

from __future__ import annotations

import warnings
from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.tracebacks import user_level
from ...core.typing import Variable
from ...ops.rnn import rnn_unit
from ...ops.shape import shape
from ..nn.dense import fc
from ..support.arguments import check_int, check_number, check_variable, flag
from ..support.helper import LayerHelper

__all__ = ["gru_unit", "lstm_unit"]


def activation_code(where: str, argument: str, name: Any) -> int:
    """Return the code of an activation in the attributes of gru_unit."""
    if name not in rnn_unit.ACTIVATIONS:
        needs = " or ".join(f'"{known}"' for known in rnn_unit.ACTIVATIONS)
        raise ArgumentValueError(message(where, argument, repr(name), needs))
    return rnn_unit.ACTIVATIONS[name]


def warn_of_idle(where: str, what: str, remedy: str) -> None:
    """Warn of an argument that 1.8.5 takes no notice of, so that networks trained there compute the same here."""
    text = f"{where}: {what} has no effect, as in PaddlePaddle 1.8.5; {remedy}"
    warnings.warn(text, UserWarning, stacklevel=user_level())


def hidden_size(where: str, size: Any) -> int:
    """Return the size of a hidden state from the total size of its three gates."""
    if check_int(where, "size", size) < 3 or size % 3:
        raise ArgumentValueError(message(where, "size", size, "3 times the size of the hidden state"))
    return size // 3


def gru_unit(
    input: Variable,
    hidden: Variable,
    size: int,
    param_attr: Any = None,
    bias_attr: Any = None,
    activation: str = "tanh",
    gate_activation: str = "sigmoid",
    origin_mode: bool = False,
) -> tuple[Variable, Variable, Variable]:
    """Compute one time step of a gated recurrent unit, with new parameters.

    input = [xu, xr, xc] and h = hidden: u = sigmoid(xu + h Wu + bu), r = sigmoid(xr + h Wr + br),
    c = tanh(xc + (r * h) Wc + bc). The result is (1 - u) * h + u * c; in origin_mode it is u * h + (1 - u) * c.

    Source: Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder", 2014.

    Arguments:
        input: [N, 3 * D], float32 or float64: the input already multiplied by its weights.
        hidden: [N, D], the state of the previous step.
        size: 3 * D.
        param_attr: the ParamAttr of the weights [D, 3 * D]: [D, 2 * D] of the gates, then [D, D] of the candidate.
        bias_attr: the ParamAttr of the bias [1, 3 * D]; False for none.
        activation, gate_activation: "identity", "sigmoid", "tanh" or "relu". They have no effect, as in PaddlePaddle
            1.8.5; `fluid.dygraph.GRUUnit` heeds them.
        origin_mode: which of the two formulas to use; see above.

    Returns:
        (the new hidden state [N, D], r * h [N, D], [u, r, c] [N, 3 * D]).

    Raises:
        ArgumentTypeError: input or hidden is not a Variable, or size is not an int.
        ArgumentValueError: size is not a multiple of 3, or an activation is unknown.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 12], 'float32'))
    ...     h = fluid.dygraph.to_variable(np.ones([2, 4], 'float32'))
    ...     [v.shape for v in fluid.layers.gru_unit(x, h, 12)]
    [[2, 4], [2, 4], [2, 12]]
    """
    where = "gru_unit"
    check_variable(where, "input", input)
    check_variable(where, "hidden", hidden)
    for argument, name, used in (
        ("activation", activation, rnn_unit.TANH),
        ("gate_activation", gate_activation, rnn_unit.SIGMOID),
    ):
        if activation_code(where, argument, name) != used:
            warn_of_idle(where, f"{argument} = {name!r}", "fluid.dygraph.GRUUnit heeds it")
    attrs = {
        "activation": rnn_unit.TANH,
        "gate_activation": rnn_unit.SIGMOID,
        "origin_mode": flag(where, "origin_mode", origin_mode),
    }
    width, helper = hidden_size(where, size), LayerHelper(where)
    weight = helper.create_parameter(param_attr, [width, 3 * width], input.dtype)
    bias = helper.create_parameter(bias_attr, [1, 3 * width], input.dtype, is_bias=True)
    gate, reset, new = helper.run(rnn_unit.gru_unit, input, hidden, weight, bias, **attrs)
    return new, reset, gate


def lstm_unit(
    x_t: Any,
    hidden_t_prev: Any,
    cell_t_prev: Any,
    forget_bias: float = 0.0,
    param_attr: Any = None,
    bias_attr: Any = None,
    name: str | None = None,
) -> tuple[Variable, Variable]:
    """Compute one time step of a long short-term memory, with new parameters.

    [i, f, o, g] = [x_t, hidden_t_prev] W + b. The new cell state is c = sigmoid(f + forget_bias) * cell_t_prev +
    sigmoid(i) * tanh(g), the new hidden state sigmoid(o) * tanh(c).

    Source: Zaremba et al., "Recurrent Neural Network Regularization", 2014.

    Arguments:
        x_t: [N, M], float32 or float64.
        hidden_t_prev, cell_t_prev: [N, D], the states of the previous step.
        forget_bias: the number added to f.
        param_attr: the ParamAttr of the weight [M + D, 4 * D].
        bias_attr: the ParamAttr of the bias [4 * D]; False for none.
        name: accepted for Fluid code, ignored.

    Returns:
        (the new hidden state, the new cell state), each [N, D].

    Raises:
        ArgumentTypeError: x_t, hidden_t_prev or cell_t_prev is not a Variable, or forget_bias is not a number.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     h = fluid.dygraph.to_variable(np.ones([2, 4], 'float32'))
    ...     [v.shape for v in fluid.layers.lstm_unit(x, h, h)]
    [[2, 4], [2, 4]]
    """
    where = "lstm_unit"
    sizes = {}
    for argument, value in (("x_t", x_t), ("hidden_t_prev", hidden_t_prev), ("cell_t_prev", cell_t_prev)):
        sizes[argument] = list(check_variable(where, argument, value).shape)
        if len(sizes[argument]) != 2:
            raise ShapeError(message(where, argument, f"shape {sizes[argument]}", "rank 2, [N, size]"))
    (n, _), (rows, width) = sizes["x_t"], sizes["hidden_t_prev"]
    if sizes["cell_t_prev"] != [rows, width] or rows != n:
        got = ", ".join(f"{argument} {size}" for argument, size in sizes.items())
        raise ShapeError(message(where, "the inputs", f"shapes {got}", "[N, M], [N, D] and [N, D]"))
    bias_value = check_number(where, "forget_bias", forget_bias)
    helper = LayerHelper(where, name=name)
    both = shape.concat.call([x_t, hidden_t_prev], None, axis=1)
    gates = fc(both, 4 * width, param_attr=param_attr, bias_attr=bias_attr)
    cell, hidden = helper.run(rnn_unit.lstm_unit, gates, cell_t_prev, forget_bias=bias_value)
    return hidden, cell
