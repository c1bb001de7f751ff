"""`fluid.contrib.layers.fused_elemwise_activation`: an elementwise operator and a function as one operator."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, describe, message
from ...core.typing import Variable
from ...ops.math import fused_elementwise as ops
from ..support.arguments import check_int, check_number, check_variable, flag
from ..support.helper import LayerHelper

__all__ = ["fused_elemwise_activation"]


def fused_elemwise_activation(
    x: Variable, y: Variable, functor_list: Any, axis: int = -1, scale: float = 0.0, save_intermediate_out: bool = True
) -> Variable:
    """Compute f(x op y), or x op f(y).

    Arguments:
        x, y: Variables of one floating dtype; the shape of one is a part of that of the other, as elementwise_add has it.
        functor_list: two names, as a list or separated by a comma: ["relu", "elementwise_add"] is relu(x + y),
            ["elementwise_add", "relu"] is x + relu(y). The combinations are elementwise_add with relu or scale on either
            side, tanh(x + y), and x times scale, sigmoid or tanh of y.
        axis: the dimension of the larger operand at which the smaller one starts; -1 for its last dimensions.
        scale: the factor of "scale".
        save_intermediate_out: accepted for Fluid code; the result is the same.

    Returns:
        A Variable of the larger shape.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ArgumentValueError: functor_list is no pair of names, or another combination.
        ShapeError: the shapes do not fit together.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1., -3.], 'float32'))
    ...     fluid.contrib.layers.fused_elemwise_activation(x, x + 1., ['elementwise_add', 'relu']).numpy()
    array([ 3., -3.], dtype=float32)
    """
    where = ops.WHERE
    for name, value in (("x", x), ("y", y)):
        check_variable(where, name, value)
    names = functor_list.split(",") if isinstance(functor_list, str) else functor_list
    if not isinstance(names, (list, tuple)) or len(names) != 2 or not all(isinstance(n, str) for n in names):
        raise ArgumentValueError(message(where, "functor_list", describe(functor_list), "two names"))
    return LayerHelper(where).run(
        ops.fused_elemwise_activation,
        x,
        y,
        functor_list=[name.strip() for name in names],
        axis=check_int(where, "axis", axis),
        scale=check_number(where, "scale", scale),
        recorded={"save_intermediate_out": flag(where, "save_intermediate_out", save_intermediate_out)},
    )[0]
