"""Arithmetic of Variables, as 2.0-alpha spells it."""

from __future__ import annotations

from typing import Any

from ...core.dtype import to_vartype
from ...core.errors import ArgumentValueError, message
from ...ops.math import reduce as ops
from ..math import arithmetic as fluid_math
from ..math import elementwise as fluid
from ..math import matmul as fluid_matmul
from ..math import reduce as fluid_reduce
from ..support.arguments import check_variable, deliver, number

__all__ = ["add", "addcmul", "clamp", "div", "elementwise_sum", "max", "min", "mm", "mul", "pow", "sum"]


def add(x: Any, y: Any, alpha: float = 1, out: Any = None, name: str | None = None) -> Any:
    """x + alpha * y.

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        alpha: factor of y; a whole number where y holds integers.
        out: a Variable that takes the result.
        name: kept for Paddle code.

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
    return deliver(fluid.elementwise_add(x, y), out, "add")


def div(x: Any, y: Any, out: Any = None, name: str | None = None) -> Any:
    """x / y; integers stay integers, cut off as in C.

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        out: a Variable that takes the result.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1., 2.], 'float32'))
    >>> paddle.div(x, x).numpy()
    array([1., 1.], dtype=float32)
    """
    return deliver(fluid.elementwise_div(x, y), out, "div")


def addcmul(
    input: Any, tensor1: Any, tensor2: Any, value: float = 1.0, out: Any = None, name: str | None = None
) -> Any:
    """input + value * tensor1 * tensor2.

    Arguments:
        input, tensor1, tensor2: Variables of one dtype; their shapes are broadcast together.
        value: factor of the product.
        out: a Variable that takes the result.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1., 2.], 'float32'))
    >>> paddle.addcmul(x, x, x, value=0.5).numpy()
    array([1.5, 4. ], dtype=float32)
    """
    product = fluid.elementwise_mul(tensor1, tensor2)
    return add(input, product, alpha=number("addcmul", "value", value), out=out)


def elementwise_sum(inputs: Any, name: str | None = None) -> Any:
    """The sum of several Variables of one shape.

    Arguments:
        inputs: a list of Variables, or one of them.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1., 2.], 'float32'))
    >>> paddle.elementwise_sum([x, x, x]).numpy()
    array([3., 6.], dtype=float32)
    """
    return fluid_math.sum(inputs)


def sum(input: Any, dim: Any = None, dtype: Any = None, keep_dim: bool = False, name: str | None = None) -> Any:
    """The sum over dimensions.

    Arguments:
        input: a Variable of numbers.
        dim: the dimensions, an int or a list; all of them where it is None.
        dtype: what to add up in, "float32", "float64", "int32" or "int64"; the input's where it is None.
        keep_dim: keep reduced dimensions with size 1.
        name: kept for Paddle code.

    Returns:
        A Variable; [1] where every dimension is reduced.

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


def max(input: Any, dim: Any = None, keep_dim: bool = False, out: Any = None, name: str | None = None) -> Any:
    """The largest element over dimensions.

    Arguments:
        input: a Variable of numbers.
        dim: the dimensions, an int or a list; all of them where it is None.
        keep_dim: keep reduced dimensions with size 1.
        out: a Variable that takes the result.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.max(paddle.imperative.to_variable(np.array([[1, 2], [3, 4]])), dim=1).numpy()
    array([2, 4])
    """
    return deliver(fluid_reduce.reduce_max(input, dim, keep_dim), out, "max")


def min(input: Any, dim: Any = None, keep_dim: bool = False, out: Any = None, name: str | None = None) -> Any:
    """The smallest element over dimensions.

    Arguments:
        input: a Variable of numbers.
        dim: the dimensions, an int or a list; all of them where it is None.
        keep_dim: keep reduced dimensions with size 1.
        out: a Variable that takes the result.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.min(paddle.imperative.to_variable(np.array([[1, 2], [3, 4]]))).numpy()
    array([1])
    """
    return deliver(fluid_reduce.reduce_min(input, dim, keep_dim), out, "min")


def mm(input: Any, mat2: Any, out: Any = None, name: str | None = None) -> Any:
    """input @ mat2: the product of matrices, of batches of them, or of vectors.

    Arguments:
        input: [..., n, k], float32 or float64.
        mat2: [..., k, m], of the same dtype.
        out: a Variable that takes the result.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([[1., 2.], [3., 4.]]))
    >>> paddle.mm(x, x).numpy()
    array([[ 7., 10.],
           [15., 22.]])
    """
    return deliver(fluid_matmul.matmul(input, mat2), out, "mm")


def mul(
    x: Any, y: Any, x_num_col_dims: int = 1, y_num_col_dims: int = 1, out: Any = None, name: str | None = None
) -> Any:
    """The product of x and y, each taken for a matrix.

    Arguments:
        x: its first `x_num_col_dims` dimensions are the rows, the others the columns.
        y: its first `y_num_col_dims` dimensions are the rows, the others the columns.
        out: a Variable that takes the result.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.ones([5, 2, 3], 'float32'))
    >>> paddle.mul(x, paddle.imperative.to_variable(np.ones([6, 4], 'float32'))).shape
    [5, 4]
    """
    return deliver(fluid_matmul.mul(x, y, x_num_col_dims, y_num_col_dims), out, "mul")


def pow(input: Any, exponent: Any, out: Any = None, name: str | None = None) -> Any:
    """input to the power of `exponent`, element by element.

    Arguments:
        input: a Variable of numbers.
        exponent: a number or a [1] Variable.
        out: a Variable that takes the result.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.pow(paddle.imperative.to_variable(np.array([2., 3.])), 3).numpy()
    array([ 8., 27.])
    """
    return deliver(fluid_math.pow(input, exponent), out, "pow")


def clamp(input: Any, min: Any = None, max: Any = None, output: Any = None, name: str | None = None) -> Any:
    """The input with values below `min` raised to it, and those above `max` lowered to it.

    Arguments:
        input: a Variable, float32 or float64.
        min, max: numbers or [1] Variables; None for no limit, but not both.
        output: a Variable that takes the result.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.clamp(paddle.imperative.to_variable(np.array([-2., 0.5])), min=0).numpy()
    array([0. , 0.5])
    """
    if min is None and max is None:
        raise ArgumentValueError(message("clamp", "min and max", "None", "a number for one of them at least"))
    low, high = float("-inf") if min is None else min, float("inf") if max is None else max
    return deliver(fluid_math.clip(input, low, high), output, "clamp")
