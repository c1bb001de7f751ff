"""row_conv: what comes next in a sequence, summed."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...ops.sequence import row_conv as ops
from ..support.arguments import check_variable, whole
from ..support.helper import LayerHelper

__all__ = ["row_conv"]


def filter_shape(where: str, future_context_size: Any, input: Any) -> list[int]:
    """The shape of the filter for an input: a weight for the step itself and each that follows, by feature."""
    if whole(where, "future_context_size", future_context_size) < 0:
        raise ArgumentValueError(message(where, "future_context_size", future_context_size, "0 or more"))
    return [future_context_size + 1, check_variable(where, "input", input).shape[-1]]


def row_conv(input: Any, future_context_size: int, param_attr: Any = None, act: str | None = None) -> Any:
    """Each step of a sequence and those that follow it, summed with weights that are learned: a new parameter.

    out[t] = input[t] * w[0] + input[t + 1] * w[1] + ..., with a weight for each feature, to the end of the sequence.
    Source: Amodei et al., "Deep Speech 2", 2015.

    Arguments:
        input: [rows, D] with a LoD of one level that tells sequences apart, or [N, steps, D]; float32 or float64.
        future_context_size: how many steps that follow count.
        param_attr: of the weights [future_context_size + 1, D].
        act: name of an activation.

    Returns:
        The shape of the input, and its LoD.

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
