"""Variables filled with a constant, and ranges of numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.dtype import name_of, to_numpy, to_vartype
from ...core.errors import ArgumentTypeError, DtypeError, ShapeError, describe, message
from ...core.typing import Variable
from ...ops.math import arithmetic as math_ops
from ...ops.shape import fill as ops
from ...static.program.roles import warn_of_force_cpu
from ..support.arguments import check_int, int_list, is_variable, shape_inputs, truncated, write_to_out
from ..support.taken import check_dtype, dtype_taken, in_programs, inputs_taken
from .shape import expand, reshape

__all__ = [
    "eye", "fill_constant", "fill_constant_batch_size_like", "linspace", "ones", "ones_like", "range", "zeros", "zeros_like",
]  # fmt: skip


def _number(where: str, value: Any, dtype: Any) -> dict[str, Any]:
    """Return the attributes that store a number: `value` rounded to float32, `str_value` exactly."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.size == 1):
        value = value.item()
    if isinstance(value, str):
        return {"value": 0.0, "str_value": value}
    if not isinstance(value, (bool, int, float)):
        raise ArgumentTypeError(message(where, "value", describe(value), "a number"))
    kind = to_numpy(dtype, where).kind
    if kind == "f":
        value = float(value)
    elif isinstance(value, bool) or (kind in "iu" and math.isfinite(value)):
        value = int(value)
    return {"value": float(value), "str_value": repr(value)}


def _check_filled(shape: Any, dtype: Any, force_cpu: Any, out: Any) -> None:
    where = "fill_constant"
    check_dtype(where, dtype)
    if isinstance(shape, (list, tuple)) and not shape:
        raise ShapeError(message(where, "shape", describe(shape), "at least one size", "[1] holds one number."))
    if is_variable(out) and out.dtype != to_vartype(dtype, where):
        raise DtypeError(message(where, "out", f"dtype {name_of(out.dtype)}", f"that of dtype, {name_of(dtype)}"))

    if force_cpu:
        warn_of_force_cpu(where)


_filled = in_programs(_check_filled)


def fill_constant(shape: Any, dtype: Any, value: Any, force_cpu: bool = False, out: Any = None) -> Variable:
    """Make a Variable that is filled with one number.

    Arguments:
        shape: its sizes: a list of ints and Variables of one element, or an integer Variable.
        dtype: a dtype: its name, a NumPy dtype or a VarType.
        value: a number (truncated for an integer dtype), or a Variable of one element.
        force_cpu: accepted for Fluid code, ignored.
        out: a Variable to write the result into; a new one where it is None.

    Returns:
        A Variable of this shape and dtype.

    Raises:
        ArgumentTypeError: value is not a number, or shape has another form.
        ArgumentValueError: the dtype cannot hold the value.
        ShapeError: a size is negative.
        DtypeError: there is no such dtype.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.fill_constant([2, 1], 'int64', 5).numpy()
    array([[5],
           [5]])
    """
    _filled(shape, dtype, force_cpu, out)
    sizes, tensor, tensors = shape_inputs("fill_constant", truncated(shape))
    code = int(to_vartype(dtype, "fill_constant"))
    if is_variable(value):
        made = ops.fill_constant.call(value, tensor, tensors, shape=sizes, dtype=code)
    else:
        number = _number("fill_constant", value, dtype)
        made = ops.fill_constant.call(None, tensor, tensors, shape=sizes, dtype=code, **number)
    return write_to_out(made, out, "fill_constant")


def fill_constant_batch_size_like(
    input: Any,
    shape: Any,
    dtype: Any,
    value: Any,
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
    force_cpu: bool = False,
) -> Variable:
    """Make a Variable that is filled with one number, and takes one size from another Variable.

    Arguments:
        input: the Variable whose size is taken; where it has a LoD, the size is the number of its sequences.
        shape: a list of ints; the one at `output_dim_idx` is replaced.
        dtype: a dtype: its name, a NumPy dtype or a VarType.
        value: a number.
        input_dim_idx: the dimension of `input` whose size is taken.
        output_dim_idx: the dimension of the result that gets this size.
        force_cpu: accepted for Fluid code, ignored.

    Returns:
        A Variable of this shape and dtype.

    Raises:
        ArgumentTypeError: input is not a Variable, shape is not a list of ints, or value is not a number.
        ShapeError: input_dim_idx or output_dim_idx is out of range, or a size is negative.
        DtypeError: there is no such dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([3, 2], 'float32'))
    ...     fluid.layers.fill_constant_batch_size_like(x, [-1, 4], 'float32', 0.5).shape
    [3, 4]
    """
    where = "fill_constant_batch_size_like"
    return ops.fill_constant_batch_size_like.call(
        input,
        shape=int_list(where, "shape", shape),
        input_dim_idx=input_dim_idx,
        output_dim_idx=output_dim_idx,
        dtype=int(to_vartype(dtype, where)),
        **_number(where, value, dtype),
    )


def ones(shape: Any, dtype: Any, force_cpu: bool = False) -> Variable:
    """Make a Variable that is filled with ones.

    Arguments:
        shape: its sizes: a list of ints and Variables of one element, or an integer Variable.
        dtype: a dtype: its name, a NumPy dtype or a VarType.
        force_cpu: accepted for Fluid code, ignored.

    Returns:
        A Variable of this shape and dtype.

    Raises:
        ArgumentTypeError: shape has another form.
        ShapeError: a size is negative.
        DtypeError: there is no such dtype.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.ones([3], 'int64').numpy()
    array([1, 1, 1])
    """
    return fill_constant(shape, dtype, 1.0, force_cpu)


def zeros(shape: Any, dtype: Any, force_cpu: bool = False) -> Variable:
    """Make a Variable that is filled with zeros.

    Arguments:
        shape: its sizes: a list of ints and Variables of one element, or an integer Variable.
        dtype: a dtype: its name, a NumPy dtype or a VarType.
        force_cpu: accepted for Fluid code, ignored.

    Returns:
        A Variable of this shape and dtype.

    Raises:
        ArgumentTypeError: shape has another form.
        ShapeError: a size is negative.
        DtypeError: there is no such dtype.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.zeros([3], 'int64').numpy()
    array([0, 0, 0])
    """
    return fill_constant(shape, dtype, 0.0, force_cpu)


def ones_like(x: Variable, out: Any = None) -> Variable:
    """Make a Variable of ones with the shape and dtype of another Variable.

    Arguments:
        x: the Variable whose shape and dtype are taken.
        out: a Variable to write the result into; a new one where it is None.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x or out is not a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.ones_like(fluid.dygraph.to_variable(np.zeros(2, 'float32'))).numpy()
    array([1., 1.], dtype=float32)
    """
    inputs_taken("ones_like", "x", x)
    return write_to_out(ops.fill_any_like.call(x, value=1.0), out, "ones_like")


def zeros_like(x: Variable, out: Any = None) -> Variable:
    """Make a Variable of zeros with the shape and dtype of another Variable.

    Arguments:
        x: the Variable whose shape and dtype are taken.
        out: a Variable to write the result into; a new one where it is None.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x or out is not a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.zeros_like(fluid.dygraph.to_variable(np.ones(2, 'float32'))).numpy()
    array([0., 0.], dtype=float32)
    """
    inputs_taken("zeros_like", "x", x)
    return write_to_out(ops.fill_zeros_like.call(x), out, "zeros_like")


def _scalar(where: str, value: Any, dtype: Any) -> Any:
    """Return a Variable [1] of a dtype from a number or a Variable of one element."""
    if not is_variable(value):
        return fill_constant([1], dtype, value)
    code = int(to_vartype(dtype, where))
    return value if value.dtype == code else math_ops.cast.call(value, in_dtype=int(value.dtype), out_dtype=code)


def range(start: Any, end: Any, step: Any, dtype: Any) -> Variable:
    """Make a Variable of the numbers start, start + step, start + 2 * step, ... up to but not including end.

    Arguments:
        start, end, step: numbers or Variables of one element; step is negative where end is below start.
        dtype: "float32", "float64", "int32" or "int64", or another name of these dtypes.

    Returns:
        A Variable [n] of this dtype.

    Raises:
        ArgumentTypeError: start, end or step is neither a number nor a Variable.
        ArgumentValueError: step is 0 or leads away from end; in a Program raised by `Executor.run`.
        DtypeError: there is no such dtype.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.range(0, 10, 3, 'int64').numpy()
    array([0, 3, 6, 9])
    """
    dtype_taken("range", dtype)
    return ops.range_.call(*(_scalar("range", number, dtype) for number in (start, end, step)))


def linspace(start: Any, stop: Any, num: Any, dtype: Any) -> Variable:
    """Make a Variable of `num` evenly spaced numbers from start to stop.

    Arguments:
        start, stop: the first and the last number: numbers or Variables of one element.
        num: how many: an int or a Variable of one element.
        dtype: "float32" or "float64".

    Returns:
        A Variable [num] of this dtype.

    Raises:
        ArgumentTypeError: start, stop or num is neither a number nor a Variable.
        ArgumentValueError: num is below 1; in a Program raised by `Executor.run`.
        DtypeError: there is no such dtype.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.linspace(0, 1, 5, 'float32').numpy()
    array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """
    dtype_taken("linspace", dtype)
    first, last = _scalar("linspace", start, dtype), _scalar("linspace", stop, dtype)
    return ops.linspace.call(first, last, _scalar("linspace", num, "int32"))


def eye(num_rows: int, num_columns: int | None = None, batch_shape: Any = None, dtype: Any = "float32") -> Variable:
    """Make an identity matrix, or a batch of them.

    Arguments:
        num_rows, num_columns: its sizes; a square matrix where num_columns is None.
        batch_shape: a list of ints: the shape of the batch; None for a single matrix.
        dtype: a dtype: its name, a NumPy dtype or a VarType.

    Returns:
        A Variable [*batch_shape, num_rows, num_columns].

    Raises:
        ArgumentTypeError: a size is not an int.
        ShapeError: a size is negative.
        DtypeError: there is no such dtype.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.eye(2, 3, dtype='int32').numpy()
    array([[1, 0, 0],
           [0, 1, 0]], dtype=int32)
    """
    num_rows = check_int("eye", "num_rows", num_rows)
    columns = num_rows if num_columns is None else check_int("eye", "num_columns", num_columns)
    out = ops.eye.call(num_rows=num_rows, num_columns=columns, dtype=int(to_vartype(dtype, "eye")))
    if not batch_shape:
        return out
    if not isinstance(batch_shape, (list, tuple)):
        raise ArgumentTypeError(message("eye", "batch_shape", describe(batch_shape), "a list of ints"))
    batch = int_list("eye", "batch_shape", batch_shape)
    return expand(reshape(out, [1] * len(batch) + [num_rows, columns]), [*batch, 1, 1])
