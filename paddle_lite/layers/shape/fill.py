"""Variables filled with one number, and sequences of numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.dtype import to_numpy, to_vartype
from ...core.errors import ArgumentTypeError, describe, message
from ...ops.math import arithmetic as math_ops
from ...ops.shape import fill as ops
from ..support.arguments import deliver, ints, is_variable, shape_inputs
from .shape import expand, reshape

__all__ = [
    "eye", "fill_constant", "fill_constant_batch_size_like", "linspace", "ones", "ones_like", "range", "zeros", "zeros_like",
]  # fmt: skip


def _number(where: str, value: Any, dtype: Any) -> dict[str, Any]:
    """The attributes that say a number: `value` as a float32, `str_value` exactly."""
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


def fill_constant(shape: Any, dtype: Any, value: Any, force_cpu: bool = False, out: Any = None) -> Any:
    """A Variable whose elements are all one number.

    Arguments:
        shape: its sizes: a list of ints (or Variables of one element), or an integer Variable.
        dtype: any spelling of a dtype, e.g. "float32".
        value: a number (cut off for an integer dtype), or a Variable of one element.
        force_cpu: kept for Fluid code.
        out: a Variable that takes the result.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.fill_constant([2, 1], 'int64', 5).numpy()
    array([[5],
           [5]])
    """
    sizes, tensor, tensors = shape_inputs("fill_constant", shape)
    code = int(to_vartype(dtype, "fill_constant"))
    if is_variable(value):
        made = ops.fill_constant.call(value, tensor, tensors, shape=sizes, dtype=code)
    else:
        number = _number("fill_constant", value, dtype)
        made = ops.fill_constant.call(None, tensor, tensors, shape=sizes, dtype=code, **number)
    return deliver(made, out, "fill_constant")


def fill_constant_batch_size_like(
    input: Any,
    shape: Any,
    dtype: Any,
    value: Any,
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
    force_cpu: bool = False,
) -> Any:
    """A Variable whose elements are all one number, with one dimension as long as one of another Variable's.

    Arguments:
        input: the other Variable; one with LoD counts its sequences rather than its rows.
        shape: a list of sizes; what stands at `output_dim_idx` does not matter.
        dtype: any spelling of a dtype, e.g. "float32".
        value: a number.
        input_dim_idx: the dimension of `input` whose size is taken.
        output_dim_idx: the dimension of the result that gets it.
        force_cpu: kept for Fluid code.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([3, 2], 'float32'))
    ...     fluid.layers.fill_constant_batch_size_like(x, [-1, 4], 'float32', 0.5).shape
    [3, 4]
    """
    where = "fill_constant_batch_size_like"
    return ops.fill_constant_batch_size_like.call(
        input,
        shape=ints(where, "shape", shape),
        input_dim_idx=input_dim_idx,
        output_dim_idx=output_dim_idx,
        dtype=int(to_vartype(dtype, where)),
        **_number(where, value, dtype),
    )


def ones(shape: Any, dtype: Any, force_cpu: bool = False) -> Any:
    """A Variable of ones.

    Arguments:
        shape: its sizes: a list of ints (or Variables of one element), or an integer Variable.
        dtype: any spelling of a dtype, e.g. "float32".
        force_cpu: kept for Fluid code.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.ones([3], 'int64').numpy()
    array([1, 1, 1])
    """
    return fill_constant(shape, dtype, 1.0, force_cpu)


def zeros(shape: Any, dtype: Any, force_cpu: bool = False) -> Any:
    """A Variable of zeros.

    Arguments:
        shape: its sizes: a list of ints (or Variables of one element), or an integer Variable.
        dtype: any spelling of a dtype, e.g. "float32".
        force_cpu: kept for Fluid code.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.zeros([3], 'int64').numpy()
    array([0, 0, 0])
    """
    return fill_constant(shape, dtype, 0.0, force_cpu)


def ones_like(x: Any, out: Any = None) -> Any:
    """Ones of the shape and dtype of a Variable.

    Arguments:
        x: the Variable.
        out: a Variable that takes the result.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.ones_like(fluid.dygraph.to_variable(np.zeros(2, 'float32'))).numpy()
    array([1., 1.], dtype=float32)
    """
    return deliver(ops.fill_any_like.call(x, value=1.0), out, "ones_like")


def zeros_like(x: Any, out: Any = None) -> Any:
    """Zeros of the shape and dtype of a Variable.

    Arguments:
        x: the Variable.
        out: a Variable that takes the result.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.zeros_like(fluid.dygraph.to_variable(np.ones(2, 'float32'))).numpy()
    array([0., 0.], dtype=float32)
    """
    return deliver(ops.fill_zeros_like.call(x), out, "zeros_like")


def _scalar(where: str, value: Any, dtype: Any) -> Any:
    """A Variable [1] of a dtype from a number or a Variable."""
    if not is_variable(value):
        return fill_constant([1], dtype, value)
    code = int(to_vartype(dtype, where))
    return value if value.dtype == code else math_ops.cast.call(value, in_dtype=int(value.dtype), out_dtype=code)


def range(start: Any, end: Any, step: Any, dtype: Any) -> Any:
    """start, start + step, ... as long as end is not reached.

    Arguments:
        start, end, step: numbers or Variables of one element; the step leads from start towards end.
        dtype: of the result, "float32", "float64", "int32" or "int64".

    Returns:
        A Variable of rank 1.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.range(0, 10, 3, 'int64').numpy()
    array([0, 3, 6, 9])
    """
    return ops.range_.call(*(_scalar("range", number, dtype) for number in (start, end, step)))


def linspace(start: Any, stop: Any, num: Any, dtype: Any) -> Any:
    """Numbers at equal distances.

    Arguments:
        start, stop: the first and the last, numbers or Variables of one element.
        num: how many, an int or a Variable of one element.
        dtype: "float32" or "float64".

    Returns:
        A Variable [num].

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.linspace(0, 1, 5, 'float32').numpy()
    array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """
    first, last = _scalar("linspace", start, dtype), _scalar("linspace", stop, dtype)
    return ops.linspace.call(first, last, _scalar("linspace", num, "int32"))


def eye(num_rows: int, num_columns: int | None = None, batch_shape: Any = None, dtype: Any = "float32") -> Any:
    """A matrix with ones on its diagonal and zeros elsewhere.

    Arguments:
        num_rows, num_columns: its sizes; square where only one is given.
        batch_shape: as many such matrices, a list of sizes.
        dtype: any spelling of a dtype, e.g. "float32".

    Returns:
        [*batch_shape, num_rows, num_columns].

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.eye(2, 3, dtype='int32').numpy()
    array([[1, 0, 0],
           [0, 1, 0]], dtype=int32)
    """
    columns = num_rows if num_columns is None else num_columns
    out = ops.eye.call(num_rows=num_rows, num_columns=columns, dtype=int(to_vartype(dtype, "eye")))
    if not batch_shape:
        return out
    batch = ints("eye", "batch_shape", batch_shape)
    return expand(reshape(out, [1] * len(batch) + [num_rows, columns]), [*batch, 1, 1])
