"""Arithmetic and reductions with the signatures of 2.0-alpha."""

from __future__ import annotations

from typing import Any

from ...core.dtype import to_numpy, to_vartype
from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.math import reduce as ops
from ..math import arithmetic as fluid_math
from ..math import elementwise as fluid
from ..math import matmul as fluid_matmul
from ..math import reduce as fluid_reduce
from ..support.arguments import check_number, check_variable, write_to_out
from ..support.taken import kind_taken

__all__ = ["add", "addcmul", "clamp", "div", "elementwise_sum", "max", "min", "mm", "mul", "pow", "sum"]


def add(x: Variable, y: Variable, alpha: float = 1, out: Any = None, name: str | None = None) -> Variable:
    """Compute x + alpha * y.

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        alpha: a factor of y; a whole number where y is an integer Variable.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x, y or out is not a Variable.
        ArgumentValueError: alpha is not a whole number where y is an integer Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1., 2.], 'float32'))
    >>> paddle.add(x, x, alpha=10).numpy()
    array([11., 22.], dtype=float32)
    """
    if alpha != 1:
        check_variable("add", "y", y)
        if y.dtype.name.startswith("INT") and alpha != int(alpha):
            raise ArgumentValueError(message("add", "alpha", alpha, "a whole number for integers"))
        y = fluid_math.scale(y, alpha)
    return write_to_out(fluid.elementwise_add(x, y), out, "add")


def div(x: Variable, y: Variable, out: Any = None, name: str | None = None) -> Variable:
    """Compute x / y; the quotient of integers is truncated, as in C.

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x, y or out is not a Variable.
        ArgumentValueError: an integer is divided by 0.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1., 2.], 'float32'))
    >>> paddle.div(x, x).numpy()
    array([1., 1.], dtype=float32)
    """
    return write_to_out(fluid.elementwise_div(x, y), out, "div")


def addcmul(
    input: Variable, tensor1: Variable, tensor2: Variable, value: float = 1.0, out: Any = None, name: str | None = None
) -> Variable:
    """Compute input + value * tensor1 * tensor2.

    Arguments:
        input, tensor1, tensor2: Variables of one dtype; their shapes are broadcast together.
        value: a factor of the product; in a Program a Python int for integers, else a Python float.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: an input is not a Variable, or value is not such a number.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1., 2.], 'float32'))
    >>> paddle.addcmul(x, x, x, value=0.5).numpy()
    array([1.5, 4. ], dtype=float32)
    """
    product = fluid.elementwise_mul(tensor1, tensor2)
    kind_taken("addcmul", "value", value, float if to_numpy(product.dtype).kind == "f" else int)
    return add(input, product, alpha=check_number("addcmul", "value", value), out=out)


def elementwise_sum(inputs: Any, name: str | None = None) -> Variable:
    """Add several Variables of one shape, element by element.

    Arguments:
        inputs: a list of Variables of one shape and dtype, or a single Variable.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of their shape and dtype.

    Raises:
        ArgumentTypeError: the list is empty or holds something other than Variables.
        ShapeError: the shapes differ.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1., 2.], 'float32'))
    >>> paddle.elementwise_sum([x, x, x]).numpy()
    array([3., 6.], dtype=float32)
    """
    return fluid_math.sum(inputs)


def sum(
    input: Variable, dim: Any = None, dtype: Any = None, keep_dim: bool = False, name: str | None = None
) -> Variable:
    """Compute the sum over dimensions.

    Arguments:
        input: a Variable of any shape, float32, float64, int32 or int64.
        dim: the dimensions to reduce, an int or a list of ints; all of them where it is None.
        dtype: the dtype to compute in: "float32", "float64", "int32" or "int64"; that of the input where it is None.
        keep_dim: keep the reduced dimensions with size 1.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: input is not a Variable, or dim is not an int or a list of ints.
        ShapeError: input has no such dimension, or a dimension is named twice.
        DtypeError: input is bool, or there is no such dtype.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([[1, 2], [3, 4]]))
    >>> paddle.sum(x, dim=0, dtype='float64').numpy()
    array([4., 6.])
    """
    check_variable("sum", "input", input)
    attrs = fluid_reduce.reduce_attrs("sum", len(input.shape), dim, keep_dim)
    if dtype is not None:
        attrs.update(in_dtype=int(input.dtype), out_dtype=int(to_vartype(dtype, "sum")))
    return ops.reduce_sum(input, **attrs)


def max(input: Any, dim: Any = None, keep_dim: bool = False, out: Any = None, name: str | None = None) -> Variable:
    """Compute the maximum over dimensions.

    Arguments:
        input: a Variable of any shape, float32, float64, int32 or int64.
        dim: the dimensions to reduce, an int or a list of ints; all of them where it is None.
        keep_dim: keep the reduced dimensions with size 1.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: input is not a Variable, or dim is not an int or a list of ints.
        ShapeError: input has no such dimension, or a dimension is named twice.
        DtypeError: input is bool.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.max(paddle.imperative.to_variable(np.array([[1, 2], [3, 4]])), dim=1).numpy()
    array([2, 4])
    """
    return write_to_out(fluid_reduce.reduce_max(input, dim, keep_dim), out, "max")


def min(input: Any, dim: Any = None, keep_dim: bool = False, out: Any = None, name: str | None = None) -> Variable:
    """Compute the minimum over dimensions.

    Arguments:
        input: a Variable of any shape, float32, float64, int32 or int64.
        dim: the dimensions to reduce, an int or a list of ints; all of them where it is None.
        keep_dim: keep the reduced dimensions with size 1.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: input is not a Variable, or dim is not an int or a list of ints.
        ShapeError: input has no such dimension, or a dimension is named twice.
        DtypeError: input is bool.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.min(paddle.imperative.to_variable(np.array([[1, 2], [3, 4]]))).numpy()
    array([1])
    """
    return write_to_out(fluid_reduce.reduce_min(input, dim, keep_dim), out, "min")


def mm(input: Any, mat2: Any, out: Any = None, name: str | None = None) -> Variable:
    """Compute the matrix product input @ mat2 of matrices, batches of matrices, or vectors.

    Arguments:
        input: [..., n, k] or [k], float32 or float64.
        mat2: [..., k, m] or [k], of the dtype of `input`.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable [..., n, m]; [1] for two vectors.

    Raises:
        ArgumentTypeError: input, mat2 or out is not a Variable.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([[1., 2.], [3., 4.]]))
    >>> paddle.mm(x, x).numpy()
    array([[ 7., 10.],
           [15., 22.]])
    """
    return write_to_out(fluid_matmul.matmul(input, mat2), out, "mm")


def mul(
    x: Any, y: Variable, x_num_col_dims: int = 1, y_num_col_dims: int = 1, out: Any = None, name: str | None = None
) -> Variable:
    """Compute the matrix product of x and y after each is flattened to a matrix.

    Arguments:
        x: a Variable of rank 2 or more, float32 or float64; its first `x_num_col_dims` dimensions are flattened to
            rows, the others to columns.
        y: a Variable of the dtype of x; its first `y_num_col_dims` dimensions are flattened to rows, the others to
            columns.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.
        x_num_col_dims, y_num_col_dims: how many leading dimensions become the rows; at least 1, below the rank.

    Returns:
        A Variable [*x.shape[:x_num_col_dims], *y.shape[y_num_col_dims:]].

    Raises:
        ArgumentTypeError: x, y or out is not a Variable.
        ShapeError: the shapes do not fit, or x_num_col_dims or y_num_col_dims is out of range.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.ones([5, 2, 3], 'float32'))
    >>> paddle.mul(x, paddle.imperative.to_variable(np.ones([6, 4], 'float32'))).shape
    [5, 4]
    """
    return write_to_out(fluid_matmul.mul(x, y, x_num_col_dims, y_num_col_dims), out, "mul")


def pow(input: Variable, exponent: Any, out: Any = None, name: str | None = None) -> Variable:
    """Raise each element of `input` to the power `exponent`.

    Arguments:
        input: a Variable of any shape, any dtype but bool.
        exponent: a number or a Variable [1].
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or exponent is neither a number nor a Variable.
        DtypeError: input is bool.
        ShapeError: exponent is a Variable of more than one element.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.pow(paddle.imperative.to_variable(np.array([2., 3.])), 3).numpy()
    array([ 8., 27.])
    """
    return write_to_out(fluid_math.pow(input, exponent), out, "pow")


def clamp(input: Any, min: Any = None, max: Any = None, output: Any = None, name: str | None = None) -> Variable:
    """Limit the elements of `input` to the range from `min` to `max`.

    Arguments:
        input: a Variable of any shape, float32 or float64.
        min, max: numbers or Variables [1], min below max; None for no limit, but not both.
        output: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or min or max is neither a number nor a Variable.
        ArgumentValueError: both limits are None, or min is not below max.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.clamp(paddle.imperative.to_variable(np.array([-2., 0.5])), min=0).numpy()
    array([0. , 0.5])
    """
    if min is None and max is None:
        raise ArgumentValueError(message("clamp", "min and max", "None", "a number for one of them at least"))
    low, high = float("-inf") if min is None else min, float("inf") if max is None else max
    return write_to_out(fluid_math.clip(input, low, high), output, "clamp")
