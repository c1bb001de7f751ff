"""Arithmetic of Variables: mean, scale, clip, cast, assign, sums, increment, pow."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import result_names
from ...core.dtype import to_vartype
from ...core.errors import ArgumentTypeError, describe, message
from ...core.typing import Variable
from ...ops.math import arithmetic as ops
from ...ops.shape import fill
from ..support.activation_by_name import activate
from ..support.arguments import check_number, is_variable, parsed_number, write_to_out
from ..support.taken import dtype_taken, inputs_taken, variable_taken

__all__ = ["assign", "cast", "clip", "increment", "mean", "pow", "scale", "sum", "sums"]


def mean(x: Any, name: str | None = None) -> Variable:
    """Compute the mean of all elements.

    Arguments:
        x: a Variable of any shape, float32 or float64, with at least one element.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [1] of the dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x is not float32 or float64.
        ShapeError: x has no elements.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.mean(fluid.dygraph.to_variable(np.array([1., 3.], 'float32'))).numpy()
    array([2.], dtype=float32)
    """
    return ops.mean.call(x)


def scale(
    x: Variable,
    scale: Any = 1.0,
    bias: float = 0.0,
    bias_after_scale: bool = True,
    act: str | None = None,
    name: str | None = None,
) -> Variable:
    """Compute scale * x + bias, or scale * (x + bias).

    Arguments:
        x: a Variable of any shape, any dtype but bool.
        scale: a number or a Variable [1].
        bias: a number.
        bias_after_scale: add the bias after the multiplication, rather than before it.
        act: the name of an activation to apply to the result, or None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or scale or bias is not a number.
        DtypeError: x is bool.
        ShapeError: scale is a Variable of more than one element.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.scale(fluid.dygraph.to_variable(np.array([1., 3.], 'float32')), 2.0, 1.0).numpy()
    array([3., 7.], dtype=float32)
    """
    tensor, factor = (scale, 1.0) if is_variable(scale) else (None, parsed_number("scale", "scale", scale))
    offset = parsed_number("scale", "bias", bias)
    out = ops.scale.call(x, tensor, scale=factor, bias=offset, bias_after_scale=bias_after_scale)
    return activate(out, act)


def clip(x: Any, min: Any, max: Any, name: str | None = None) -> Variable:
    """Limit the elements of x to the range from `min` to `max`.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        min, max: numbers or Variables [1], min below max.
        name: the name of the result in a Program; None for a generated one.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or min or max is neither a number nor a Variable.
        ArgumentValueError: min is not below max.
        DtypeError: x is not float32 or float64.
        ShapeError: min or max is a Variable of more than one element.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.clip(fluid.dygraph.to_variable(np.array([-2., 0.5], 'float32')), -1., 1.).numpy()
    array([-1. ,  0.5], dtype=float32)
    """
    low, least = (min, 0.0) if is_variable(min) else (None, check_number("clip", "min", min))
    high, most = (max, 0.0) if is_variable(max) else (None, check_number("clip", "max", max))
    with result_names.only_result(name):
        return ops.clip.call(x, low, high, min=least, max=most)


def cast(x: Variable, dtype: Any) -> Variable:
    """Convert x to another dtype.

    Arguments:
        dtype: a dtype: its name, a NumPy dtype or a VarType.
        x: a Variable of any shape.

    Returns:
        A Variable of the shape of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: there is no such dtype, or a Program does not take it: int16, and int8 as that of x.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.cast(fluid.dygraph.to_variable(np.array([1.7])), 'int64').numpy()
    array([1])
    """
    variable_taken("cast", "x", x)
    dtype_taken("cast", dtype)
    return ops.cast.call(x, in_dtype=int(x.dtype), out_dtype=int(to_vartype(dtype, "cast")))


def assign(input: Any, output: Any = None) -> Variable:
    """Copy a Variable, or make a Variable from an ndarray.

    Arguments:
        input: a Variable, an array of tensors of a Program too; or an ndarray of at most 1M elements: float32, int32, int64 or bool; float64 is converted to
            float32.
        output: a Variable to write the result into; a new one where it is None.

    Returns:
        A Variable with the values of `input`.

    Raises:
        ArgumentTypeError: input is neither a Variable nor such an ndarray, or output is not a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.assign(np.array([1., 2.], 'float32')).shape
    [2]
    """
    if is_variable(input):
        return write_to_out(ops.assign.call(input), output, "assign")
    if not isinstance(input, np.ndarray):
        raise ArgumentTypeError(message("assign", "input", describe(input), "a Variable or an ndarray"))
    return write_to_out(fill.assign_array(input, "assign"), output, "assign")


def sum(x: Any) -> Variable:
    """Add several Variables of one shape, element by element.

    Arguments:
        x: a list of Variables of one shape and dtype, or a single Variable.

    Returns:
        A Variable of their shape and dtype.

    Raises:
        ArgumentTypeError: the list is empty or holds something other than Variables.
        ShapeError: the shapes differ.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones(2, 'float32'))
    ...     fluid.layers.sum([x, x, x]).numpy()
    array([3., 3.], dtype=float32)
    """
    values = [x] if is_variable(x) else x
    if isinstance(values, (list, tuple)):
        inputs_taken("sum", "x", *values)
    return ops.sum.call(values)


def sums(input: Any, out: Any = None) -> Variable:
    """Add several Variables of one shape, element by element.

    Arguments:
        input: a list of Variables of one shape and dtype, or a single Variable. In a Program they may be arrays of tensors:
            the elements at one place are added, where only one array has one it is taken.
        out: a Variable to write the result into; a new one where it is None.

    Returns:
        A Variable of their shape and dtype; `out` where it is given.

    Raises:
        ArgumentTypeError: the list is empty or holds something other than Variables, or out is not a Variable.
        ShapeError: the shapes differ.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones(2, 'float32'))
    ...     fluid.layers.sums([x, x]).numpy()
    array([2., 2.], dtype=float32)
    """
    inputs_taken("sums", "out", out)
    return write_to_out(sum(input), out, "sums")


def increment(x: Variable, value: float = 1.0, in_place: bool = True) -> Variable:
    """Compute x + value for a Variable of one element.

    Arguments:
        x: a Variable of one element, any dtype but bool.
        value: the number to add.
        in_place: whether to write the result into x.

    Returns:
        x, or a new Variable [1] where `in_place` is False.

    Raises:
        ArgumentTypeError: x is not a Variable, or value is not a number.
        ShapeError: x has more than one element.
        DtypeError: x is bool.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.increment(fluid.dygraph.to_variable(np.array([3.], 'float32'))).numpy()
    array([4.], dtype=float32)
    """
    inputs_taken("increment", "x", x)
    return write_to_out(
        ops.increment.call(x, step=parsed_number("increment", "value", value)), x if in_place else None, "increment"
    )


def pow(x: Variable, factor: Any = 1.0, name: str | None = None) -> Variable:
    """Raise each element of x to the power `factor`.

    Arguments:
        x: a Variable of any shape, any dtype but bool.
        factor: the exponent, a number or a Variable [1].
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or factor is neither a number nor a Variable.
        DtypeError: x is bool.
        ShapeError: factor is a Variable of more than one element.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.pow(fluid.dygraph.to_variable(np.array([3.], 'float32')), 2.0).numpy()
    array([9.], dtype=float32)
    """
    if not is_variable(factor):
        return ops.pow.call(x, None, factor=check_number("pow", "factor", factor))
    inputs_taken("pow", "factor", factor)
    return ops.pow.call(x, factor, factor=1.0)
