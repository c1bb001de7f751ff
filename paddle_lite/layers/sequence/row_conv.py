"""Row convolution: a weighted sum of each step and the steps after it."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.sequence import row_conv as ops
from ..support.arguments import check_int, check_variable
from ..support.helper import LayerHelper

__all__ = ["row_conv"]


def filter_shape(where: str, future_context_size: Any, input: Any) -> list[int]:
    """Return the shape of the filter: one weight for each feature of the step itself and of each step after it."""
    if check_int(where, "future_context_size", future_context_size) < 0:
        raise ArgumentValueError(message(where, "future_context_size", future_context_size, "0 or more"))
    return [future_context_size + 1, check_variable(where, "input", input).shape[-1]]


def row_conv(input: Any, future_context_size: int, param_attr: Any = None, act: str | None = None) -> Variable:
    """Compute the weighted sum of each step of a sequence and the steps after it; the weights are a new parameter.

    out[t] = input[t] * w[0] + input[t + 1] * w[1] + ..., up to the end of the sequence, with one weight for each
    feature.

    Source: Amodei et al., "Deep Speech 2", 2015.

    Arguments:
        input: [rows, D] with a LoD of one level, or [N, steps, D]; float32 or float64.
        future_context_size: the number of steps after the current one, at least 0.
        param_attr: the ParamAttr of the weights [future_context_size + 1, D].
        act: the name of an activation to apply to the result, or None.

    Returns:
        A Variable of the shape, dtype and LoD of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or future_context_size is not an int.
        ArgumentValueError: future_context_size is negative.
        LoDError: input of rank 2 has no LoD.
        ShapeError: input has another rank.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[[1.], [10.], [100.]]], 'float32'))
    ...     w = fluid.ParamAttr(initializer=fluid.initializer.Constant(1.0))
    ...     fluid.layers.row_conv(x, 1, param_attr=w).numpy().ravel()
    array([ 11., 110., 100.], dtype=float32)
    """
    shape = filter_shape("row_conv", future_context_size, input)
    helper = LayerHelper("row_conv", act=act)
    weight = helper.create_parameter(param_attr, shape, input.dtype)
    return helper.append_activation(helper.run(ops.row_conv, input, weight))
