"""Matrix products."""

from __future__ import annotations

from typing import Any

from ...ops.math import matmul as ops
from ..support.arguments import number

__all__ = ["matmul", "mul"]


def matmul(
    x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, alpha: float = 1.0, name: str | None = None
) -> Any:
    """alpha * x @ y: the product of matrices, of stacks of them, or of vectors.

    Arguments:
        x: [..., n, k] or [k], float32 or float64.
        y: [..., k, m] or [k], of x's dtype.
        transpose_x, transpose_y: swap the last two dimensions first.
        alpha: factor of the result.
        name: kept for Fluid code.

    Returns:
        [..., n, m]; [1] for two vectors.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([5, 2, 3], 'float32'))
    ...     fluid.layers.matmul(x, x, transpose_y=True).shape
    [5, 2, 2]
    """
    return ops.matmul.call(
        x, y, transpose_X=transpose_x, transpose_Y=transpose_y, alpha=number("matmul", "alpha", alpha)
    )


def mul(x: Any, y: Any, x_num_col_dims: int = 1, y_num_col_dims: int = 1, name: str | None = None) -> Any:
    """The product of x and y, each taken for a matrix.

    Arguments:
        x: its first `x_num_col_dims` dimensions are the rows, the others the columns.
        y: its first `y_num_col_dims` dimensions are the rows, the others the columns.
        name: kept for Fluid code.

    Returns:
        The rows' dimensions of x, then the columns' dimensions of y.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([5, 2, 3], 'float32'))
    ...     fluid.layers.mul(x, fluid.dygraph.to_variable(np.ones([6, 4], 'float32'))).shape
    [5, 4]
    """
    return ops.mul.call(x, y, x_num_col_dims=x_num_col_dims, y_num_col_dims=y_num_col_dims)
