"""Recurrent layers over ragged batches: dynamic_lstm, dynamic_lstmp, dynamic_gru."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.rnn import gru, lstm
from ..support.arguments import check_int, check_number, check_variable, flag
from ..support.helper import LayerHelper

__all__ = ["dynamic_gru", "dynamic_lstm", "dynamic_lstmp"]


def _cell_size(where: str, size: Any, bias_attr: Any) -> int:
    """Return the size of the cell from the total size of its four gates."""
    if check_int(where, "size", size) < 4 or size % 4:
        raise ArgumentValueError(message(where, "size", size, "4 times the size of the hidden state"))
    if bias_attr is False:
        fix = "Leave it out, or give a ParamAttr with trainable=False."
        raise ArgumentValueError(message(where, "bias_attr", "False", "a bias, which has the peepholes too", fix))
    return size // 4


def _clip(where: str, name: str, value: Any) -> float:
    """Return a clipping limit as a float: 0 for None; raise if it is negative."""
    if value is not None and check_number(where, name, value) < 0:
        raise ArgumentValueError(message(where, name, value, "0 or more", "Leave it out for no bounds."))
    return float(value or 0.0)


def dynamic_lstm(
    input: Variable,
    size: int,
    h_0: Any = None,
    c_0: Any = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_peepholes: bool = True,
    is_reverse: bool = False,
    gate_activation: str = "sigmoid",
    cell_activation: str = "tanh",
    candidate_activation: str = "tanh",
    dtype: Any = "float32",
    name: str | None = None,
) -> tuple[Variable, Variable]:
    """Run a long short-term memory over the sequences of a ragged batch, with new parameters.

    x is the input, h' and c' are the states of the previous step, act is the gate_activation, p the peephole weights (or 0):

        g = candidate_activation(x_g + h' W_g + b_g)          i = act(x_i + h' W_i + b_i + p_i c')
        c = g i + c' f                                         f = act(x_f + h' W_f + b_f + p_f c')
        h = o cell_activation(c)                               o = act(x_o + h' W_o + b_o + p_o c)

    No gradient flows through the returned cell states, as in PaddlePaddle.

    Sources: Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997; Graves, "Generating Sequences With Recurrent
    Neural Networks", 2013.

    Arguments:
        input: [rows, 4 * D], float32 or float64, with a LoD of one level: the inputs already multiplied by their
            weights.
        size: 4 * D.
        h_0: [sequences, D], the hidden state before the first step of each sequence; None for 0. It needs c_0.
        c_0: [sequences, D], the cell state before the first step; None for 0.
        param_attr: the ParamAttr of the weights [D, 4 * D], in the order g, i, f, o.
        bias_attr: the ParamAttr of the bias [1, 7 * D]: b and p; [1, 4 * D] without peepholes.
        use_peepholes: whether the gates also read the cell state.
        is_reverse: whether to run from the last row of each sequence to the first.
        gate_activation, cell_activation, candidate_activation: "sigmoid", "tanh", "relu" or "identity".
        dtype: the dtype of the parameters.
        name: the prefix of the parameters' names.

    Returns:
        (hidden states, cell states), each [rows, D] with the LoD of the input.

    Raises:
        ArgumentTypeError: input is not a Variable, size is not an int, or h_0 is given without c_0.
        ArgumentValueError: size is not a multiple of 4, bias_attr is False, or an activation is unknown.
        LoDError: input has no LoD of one level.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     x = Variable(np.ones([5, 12], 'float32'), lod=((0, 2, 5),))
    ...     hidden, cell = fluid.layers.dynamic_lstm(x, 12)
    ...     hidden.shape, hidden.lod()
    ([5, 3], [[0, 2, 5]])
    """
    where = "dynamic_lstm"
    check_variable(where, "input", input)
    width, helper = _cell_size(where, size, bias_attr), LayerHelper("lstm", name=name)
    weight = helper.create_parameter(param_attr, [width, 4 * width], dtype)
    bias = helper.create_parameter(bias_attr, [1, (7 if use_peepholes else 4) * width], dtype, is_bias=True)
    return helper.run(
        lstm.lstm, input, h_0, c_0, weight, bias, use_peepholes=flag(where, "use_peepholes", use_peepholes), is_reverse=flag(where, "is_reverse", is_reverse),
        gate_activation=gate_activation, cell_activation=cell_activation, candidate_activation=candidate_activation,
    )[:2]  # fmt: skip


def dynamic_lstmp(
    input: Variable,
    size: int,
    proj_size: int,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_peepholes: bool = True,
    is_reverse: bool = False,
    gate_activation: str = "sigmoid",
    cell_activation: str = "tanh",
    candidate_activation: str = "tanh",
    proj_activation: str = "tanh",
    dtype: Any = "float32",
    name: str | None = None,
    h_0: Any = None,
    c_0: Any = None,
    cell_clip: float | None = None,
    proj_clip: float | None = None,
) -> tuple[Variable, Variable]:
    """Run a long short-term memory with a projection over the sequences of a ragged batch, with new parameters.

    The gates read the projection r = proj_activation(h W_r) of the hidden state h, instead of h itself.

    No gradient flows through the returned cell states, as in PaddlePaddle.

    Source: Sak et al., "Long Short-Term Memory Recurrent Neural Network Architectures for Large Scale Acoustic Modeling",
    2014.

    Arguments:
        input: [rows, 4 * D], float32 or float64, with a LoD of one level: the inputs already multiplied by their
            weights.
        size: 4 * D.
        proj_size: P, the size of the projection.
        param_attr: the ParamAttr of the weights [P, 4 * D] and of those of the projection [D, P].
        bias_attr, use_peepholes, is_reverse: as in `dynamic_lstm`.
        gate_activation, cell_activation, candidate_activation, proj_activation: "sigmoid", "tanh", "relu" or
            "identity". (PaddlePaddle 1.8.5 applies cell_activation to the projection, unless proj_activation is
            "identity".)
        dtype: the dtype of the parameters.
        name: the prefix of the parameters' names.
        h_0: [sequences, P], the projection before the first step of each sequence; None for 0. It needs c_0.
        c_0: [sequences, D], the cell state before the first step; None for 0.
        cell_clip: limits the cell states to [-cell_clip, cell_clip]; None or 0 for no limit.
        proj_clip: the same for the projections.

    Returns:
        (projections [rows, P], cell states [rows, D]), with the LoD of the input.

    Raises:
        ArgumentTypeError: input is not a Variable, a size is not an int, or h_0 is given without c_0.
        ArgumentValueError: a size does not fit, bias_attr is False, an activation is unknown, or a limit is negative.
        LoDError: input has no LoD of one level.
        ShapeError: the shapes do not fit.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     x = Variable(np.ones([5, 12], 'float32'), lod=((0, 2, 5),))
    ...     projection, cell = fluid.layers.dynamic_lstmp(x, 12, 2)
    ...     projection.shape, cell.shape
    ([5, 2], [5, 3])
    """
    where = "dynamic_lstmp"
    check_variable(where, "input", input)
    width, helper = _cell_size(where, size, bias_attr), LayerHelper("lstmp", name=name)
    if check_int(where, "proj_size", proj_size) < 1:
        raise ArgumentValueError(message(where, "proj_size", proj_size, "1 or more"))
    clips = {n: _clip(where, n, v) for n, v in (("cell_clip", cell_clip), ("proj_clip", proj_clip))}
    weight = helper.create_parameter(param_attr, [proj_size, 4 * width], dtype)
    projection = helper.create_parameter(param_attr, [width, proj_size], dtype)
    bias = helper.create_parameter(bias_attr, [1, (7 if use_peepholes else 4) * width], dtype, is_bias=True)
    return helper.run(
        lstm.lstmp, input, h_0, c_0, weight, projection, bias, use_peepholes=flag(where, "use_peepholes", use_peepholes),
        is_reverse=flag(where, "is_reverse", is_reverse), gate_activation=gate_activation, cell_activation=cell_activation,
        candidate_activation=candidate_activation, proj_activation=proj_activation, **clips,
        order="Projection Cell BatchHidden BatchGate BatchCellPreAct",
    )[:2]  # fmt: skip


def dynamic_gru(
    input: Variable,
    size: int,
    param_attr: Any = None,
    bias_attr: Any = None,
    is_reverse: bool = False,
    gate_activation: str = "sigmoid",
    candidate_activation: str = "tanh",
    h_0: Any = None,
    origin_mode: bool = False,
) -> Variable:
    """Run gated recurrent units over the sequences of a ragged batch, with new parameters.

    x is the input, h' the state of the previous step, act the gate_activation:

        u = act(x_u + h' W_u + b_u)        c = candidate_activation(x_c + (r * h') W_c + b_c)
        r = act(x_r + h' W_r + b_r)        h = (1 - u) * h' + u * c, in origin_mode u * h' + (1 - u) * c

    Source: Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder", 2014.

    Arguments:
        input: [rows, 3 * D], float32 or float64, with a LoD of one level: the inputs already multiplied by their
            weights.
        size: D, the size of the hidden state.
        param_attr: the ParamAttr of the weights [D, 3 * D]: [D, 2 * D] of the gates, then [D, D] of the candidate.
        bias_attr: the ParamAttr of the bias [1, 3 * D]; False for none.
        is_reverse: whether to run from the last row of each sequence to the first.
        gate_activation, candidate_activation: "sigmoid", "tanh", "relu" or "identity".
        h_0: [sequences, D], the hidden state before the first step of each sequence; None for 0.
        origin_mode: which of the two formulas of h to use; see above.

    Returns:
        The hidden states [rows, D], with the LoD of the input.

    Raises:
        ArgumentTypeError: input is not a Variable, or size is not an int.
        ArgumentValueError: size is below 1, or an activation is unknown.
        LoDError: input has no LoD of one level.
        ShapeError: the shapes do not fit.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     x = Variable(np.ones([5, 9], 'float32'), lod=((0, 2, 5),))
    ...     fluid.layers.dynamic_gru(x, 3, is_reverse=True).shape
    [5, 3]
    """
    where = "dynamic_gru"
    dtype = check_variable(where, "input", input).dtype
    if check_int(where, "size", size) < 1:
        raise ArgumentValueError(message(where, "size", size, "1 or more"))
    helper = LayerHelper("gru")
    weight = helper.create_parameter(param_attr, [size, 3 * size], dtype)
    bias = helper.create_parameter(bias_attr, [1, 3 * size], dtype, is_bias=True)
    *_, hidden = helper.run(
        gru.gru, input, h_0, weight, bias, is_reverse=flag(where, "is_reverse", is_reverse), activation=candidate_activation,
        gate_activation=gate_activation, origin_mode=flag(where, "origin_mode", origin_mode),
        order="Hidden BatchGate BatchResetHiddenPrev BatchHidden",
    )  # fmt: skip
    return hidden
