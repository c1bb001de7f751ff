"""CPU kernels of matrix products, by register tiles or BLAS.

Each gradient is one product; that of Y, whose product takes working memory, comes before that of X is there. `infer` explains
invalid calls.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....ops.support.matmul_shapes import (
    as_matrices,
    as_matrix,
    batch_product_shape,
    flat_product_shape,
    product_shape,
    transpose_matrices,
)
from ....ops.support.scalar_inputs import attribute_scalar
from ...registry import kernel
from .gemm import stacks_times, times, times_transposed, transposed_times

BOTH = (True, True)


@kernel("matmul", compiled=False)
def matmul(X: Any, Y: Any, transpose_X: bool = False, transpose_Y: bool = False, alpha: float = 1.0) -> Any:
    if X.ndim == 2 and Y.ndim == 2:
        x = X.T if transpose_X else X
        out = times_transposed(x, Y) if transpose_Y else times(x, Y)
    else:
        shape = product_shape(X.shape, Y.shape, transpose_X, transpose_Y)
        x, y = as_matrices(X, Y, transpose_X, transpose_Y)
        if x.ndim == 3 and y.ndim == 2 and not transpose_X:
            x = x.reshape(-1, x.shape[2])  # one large product instead of many small ones
        out = (times(x, y) if x.ndim == y.ndim == 2 else stacks_times(x, y)).reshape(shape)
    if alpha != 1.0:
        out *= attribute_scalar(alpha, out.dtype)
    return out


@kernel("matmul_grad", compiled=False)
def matmul_grad(
    X: Any,
    Y: Any,
    dOut: Any,
    transpose_X: bool = False,
    transpose_Y: bool = False,
    alpha: float = 1.0,
    need: tuple = BOTH,
    into: tuple | None = None,
) -> tuple:
    if alpha != 1.0:
        dOut = dOut * attribute_scalar(alpha, dOut.dtype)
    to = None if into is None else into[1]
    if X.ndim == 2 and Y.ndim == 2:
        return _matrix_gradients(X, Y, dOut, transpose_X, transpose_Y, need, to)
    x, y = as_matrices(X, Y, transpose_X, transpose_Y)
    dout = dOut.reshape(batch_product_shape(x, y))
    dy = _of_right(x, y, dout, transpose_Y, to) if need[1] else None
    dx = _of_left(x, y, dout, transpose_X) if need[0] else None
    return None if dx is None else dx.reshape(X.shape), None if dy is None else dy.reshape(Y.shape)


def _matrix_gradients(
    X: Any, Y: Any, dOut: Any, transpose_X: bool, transpose_Y: bool, need: tuple, to: np.ndarray | None
) -> tuple:
    dx = dy = None
    if need[1]:
        if transpose_X:
            dy = times(dOut.T, X.T) if transpose_Y else times(X, dOut)
        else:
            dy = transposed_times(dOut, X, to) if transpose_Y else transposed_times(X, dOut, to)
    if need[0]:
        if transpose_X:
            dx = times(Y.T if transpose_Y else Y, dOut.T)
        else:
            dx = times(dOut, Y) if transpose_Y else times_transposed(dOut, Y)
    return dx, dy


def _of_left(x: Any, y: Any, dout: Any, transposed: bool) -> Any:
    """Return the gradient of x in x @ y, transposed if x was, and summed over the batch if x has none."""
    if y.ndim == 2 and dout.ndim == 3 and not transposed:
        return times_transposed(dout.reshape(-1, dout.shape[2]), y)
    if x.ndim == 2 and dout.ndim == 3:  # the batch is another summed dimension
        wide, tall = dout.swapaxes(0, 1), transpose_matrices(y)
        left, right = as_matrix(wide, 1), as_matrix(tall, 2)
        return times(right.T, left.T) if transposed else times(left, right)
    return stacks_times(y, transpose_matrices(dout)) if transposed else stacks_times(dout, transpose_matrices(y))


def _of_right(x: Any, y: Any, dout: Any, transposed: bool, to: np.ndarray | None) -> Any:
    """Return the gradient of y in x @ y, transposed if y was, and summed over the batch if y has none."""
    if y.ndim == 2 and dout.ndim == 3:
        left, right = x.reshape(-1, x.shape[2]), dout.reshape(-1, dout.shape[2])
        return transposed_times(right, left, to) if transposed else transposed_times(left, right, to)
    if x.ndim == 2 and dout.ndim == 3:
        x = np.broadcast_to(x, (dout.shape[0], *x.shape))
    return stacks_times(transpose_matrices(dout), x) if transposed else stacks_times(transpose_matrices(x), dout)


@kernel("mul", compiled=False)
def mul(X: Any, Y: Any, x_num_col_dims: int = 1, y_num_col_dims: int = 1) -> Any:
    if X.ndim == 2 and Y.ndim == 2 and x_num_col_dims == 1 and y_num_col_dims == 1:
        return times(X, Y)
    shape = flat_product_shape(X.shape, Y.shape, x_num_col_dims, y_num_col_dims)
    return times(as_matrix(X, x_num_col_dims), as_matrix(Y, y_num_col_dims)).reshape(shape)


@kernel("mul_grad", compiled=False)
def mul_grad(
    X: Any,
    Y: Any,
    dOut: Any,
    x_num_col_dims: int = 1,
    y_num_col_dims: int = 1,
    need: tuple = BOTH,
    into: tuple | None = None,
) -> tuple:
    to = None if into is None else into[1]
    if X.ndim == 2 and Y.ndim == 2:
        dy = transposed_times(X, dOut, to) if need[1] else None
        return times_transposed(dOut, Y) if need[0] else None, dy
    x, y, dout = as_matrix(X, x_num_col_dims), as_matrix(Y, y_num_col_dims), as_matrix(dOut, x_num_col_dims)
    to = None if to is None else to.reshape(y.shape)
    dy = transposed_times(x, dout, to).reshape(Y.shape) if need[1] else None
    return times_transposed(dout, y).reshape(X.shape) if need[0] else None, dy
