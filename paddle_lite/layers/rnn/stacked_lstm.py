"""lstm: stacked layers of long short-term memory over padded sequences."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.typing import Variable
from ...kernels.stacked_layers import Sizes
from ...ops.rnn.cudnn_lstm import cudnn_lstm
from ..support.arguments import check_int, check_number, check_variable, flag
from ..support.helper import LayerHelper

__all__ = ["lstm"]


def lstm(
    input: Any,
    init_h: Any,
    init_c: Any,
    max_len: int,
    hidden_size: int,
    num_layers: int,
    dropout_prob: float = 0.0,
    is_bidirec: bool = False,
    is_test: bool = False,
    name: str | None = None,
    default_initializer: Any = None,
    seed: int = -1,
) -> tuple[Variable, Variable, Variable]:
    """Run stacked layers of long short-term memory over sequences of one length, with new parameters.

    x is the input of a layer, h' and c' are its states of the previous step:

        i = sigmoid(W_ix x + b_ix + W_ih h' + b_ih)        o = sigmoid(W_ox x + b_ox + W_oh h' + b_oh)
        f = sigmoid(W_fx x + b_fx + W_fh h' + b_fh)        c = f c' + i g
        g = tanh(W_gx x + b_gx + W_gh h' + b_gh)           h = o tanh(c)

    The input of the next layer is h; with two directions both are concatenated. PaddlePaddle 1.8.5 has this on a GPU only.
    Source: Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997.

    Arguments:
        input: [steps, N, features], float32 or float64.
        init_h, init_c: [num_layers * directions, N, hidden_size], the states before the first step; directions is 2
            with `is_bidirec`, else 1.
        max_len: accepted for Fluid code, ignored: sequences may have any length.
        hidden_size: H, the size of the states.
        num_layers: the number of layers.
        dropout_prob: the probability of dropout between layers in training; the remaining elements are scaled up.
        is_bidirec: whether each layer runs in both directions.
        is_test: whether this is inference: no dropout.
        name: the prefix of the parameters' names.
        default_initializer: the initializer of the single parameter that holds all weights in cuDNN's order; Xavier by
            default.
        seed: the seed of dropout; different masks in each call where it is not positive.

    Returns:
        (hidden states of the last layer [steps, N, H * directions], last hidden states, last cell states; the last two
            are shaped like init_h).

    Raises:
        ArgumentTypeError: input, init_h or init_c is not a Variable, or a number is not an int.
        ArgumentValueError: a size is below 1, or dropout_prob is not from 0 to 1.
        ShapeError: the shapes do not fit.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([7, 2, 3], 'float32'))
    ...     zeros = fluid.dygraph.to_variable(np.zeros([2, 2, 4], 'float32'))
    ...     out, last_h, last_c = fluid.layers.lstm(x, zeros, zeros, 7, 4, 2)
    ...     out.shape, last_h.shape
    ([7, 2, 4], [2, 2, 4])
    """
    where = "lstm"
    for argument, value in (("input", input), ("init_h", init_h), ("init_c", init_c)):
        check_variable(where, argument, value)
    for argument, size in (("max_len", max_len), ("hidden_size", hidden_size), ("num_layers", num_layers)):
        if check_int(where, argument, size) < 1:
            raise ArgumentValueError(message(where, argument, size, "1 or more"))
    if len(input.shape) != 3 or input.shape[2] < 1:
        needs = "shape [steps, N, features], the number of features known"
        raise ShapeError(message(where, "input", f"shape {list(input.shape)}", needs))
    sizes = Sizes(input.shape[2], hidden_size, num_layers, 2 if is_bidirec else 1)
    helper = LayerHelper("cudnn_lstm", name=name)
    weight = helper.create_parameter(None, [sizes.weights], input.dtype, default_initializer=default_initializer)
    return helper.run(
        cudnn_lstm, input, init_h, init_c, weight, None, dropout_prob=check_number(where, "dropout_prob", dropout_prob),
        is_bidirec=flag(where, "is_bidirec", is_bidirec), input_size=sizes.input, hidden_size=hidden_size, num_layers=num_layers,
        is_test=flag(where, "is_test", is_test), seed=check_int(where, "seed", seed), recorded={"max_len": max_len}, order="Out last_h last_c",
    )  # fmt: skip
