"""Matrix products."""

from __future__ import annotations

from typing import Any

from ...core.typing import Variable
from ...ops.math import matmul as ops
from ..support.arguments import parsed_number

__all__ = ["matmul", "mul"]


def matmul(
    x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, alpha: float = 1.0, name: str | None = None
) -> Variable:
    """Compute alpha * x @ y for matrices, batches of matrices, or vectors.

    Arguments:
        x: a Variable [..., n, k] or [k], float32 or float64.
        y: a Variable [..., k, m] or [k] of the dtype of x.
        transpose_x, transpose_y: whether to swap the last two dimensions first.
        alpha: a factor of the result.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [..., n, m]; [1] for two vectors.

    Raises:
        ArgumentTypeError: x or y is not a Variable, or alpha is not a number.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([5, 2, 3], 'float32'))
    ...     fluid.layers.matmul(x, x, transpose_y=True).shape
    [5, 2, 2]
    """
    return ops.matmul.call(
        x, y, transpose_X=transpose_x, transpose_Y=transpose_y, alpha=parsed_number("matmul", "alpha", alpha)
    )


def mul(x: Any, y: Variable, x_num_col_dims: int = 1, y_num_col_dims: int = 1, name: str | None = None) -> Variable:
    """Compute the matrix product of x and y after each is flattened to a matrix.

    Arguments:
        x: a Variable of rank 2 or more, float32 or float64; its first `x_num_col_dims` dimensions are flattened to
            rows, the others to columns.
        y: a Variable of the dtype of x; its first `y_num_col_dims` dimensions are flattened to rows, the others to
            columns.
        name: accepted for Fluid code, ignored.
        x_num_col_dims, y_num_col_dims: how many leading dimensions become the rows; at least 1, below the rank.

    Returns:
        A Variable [*x.shape[:x_num_col_dims], *y.shape[y_num_col_dims:]].

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes do not fit, or x_num_col_dims or y_num_col_dims is out of range.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([5, 2, 3], 'float32'))
    ...     fluid.layers.mul(x, fluid.dygraph.to_variable(np.ones([6, 4], 'float32'))).shape
    [5, 4]
    """
    return ops.mul.call(x, y, x_num_col_dims=x_num_col_dims, y_num_col_dims=y_num_col_dims)
