"""Shapes of products of vectors, matrices and batches of matrices."""

from __future__ import annotations

from math import prod
from typing import Any

from ...core.errors import ShapeError, message

Shape = tuple[int, ...]


def transpose_matrices(x: Any) -> Any:
    """Return a batch with each matrix transposed."""
    return x.swapaxes(-1, -2)


def as_matrices(X: Any, Y: Any, transpose_X: bool, transpose_Y: bool) -> tuple[Any, Any]:
    """Return X and Y as matrices or as batches [batch, rows, columns], ready for multiplication.

    A vector is a row in X and a column in Y (before the transposition).
    """
    x = X.reshape(1, -1) if X.ndim == 1 else X.reshape(prod(X.shape[:-2]), *X.shape[-2:]) if X.ndim > 3 else X
    y = Y.reshape(-1, 1) if Y.ndim == 1 else Y.reshape(prod(Y.shape[:-2]), *Y.shape[-2:]) if Y.ndim > 3 else Y
    return transpose_matrices(x) if transpose_X else x, transpose_matrices(y) if transpose_Y else y


def batch_product_shape(x: Any, y: Any) -> Shape:
    """Return the shape of the product of two results of `as_matrices`."""
    batch = x.shape[:-2] or y.shape[:-2]
    return (*batch, x.shape[-2], y.shape[-1])


def product_shape(x: Shape, y: Shape, transpose_X: bool, transpose_Y: bool) -> Shape:
    """Return the shape of the result of `matmul`; raise if X and Y do not fit."""
    x, y = tuple(x), tuple(y)
    for slot, shape in (("X", x), ("Y", y)):
        if not shape:
            raise ShapeError(message("matmul", f"Input({slot})", "rank 0", "1 dimension or more", "Reshape it to [1]."))
    a, b = (1, *x) if len(x) == 1 else x, (*y, 1) if len(y) == 1 else y
    rows, inner = (a[-1], a[-2]) if transpose_X else (a[-2], a[-1])
    rows_of_y, columns = (b[-1], b[-2]) if transpose_Y else (b[-2], b[-1])
    shapes = f"X of shape {list(x)}{' transposed' if transpose_X else ''}, Y of shape {list(y)}{' transposed' if transpose_Y else ''}"
    if inner != rows_of_y and -1 not in (inner, rows_of_y):
        got, needs = f"{rows_of_y} rows ({shapes})", f"{inner}, the number of columns of X"
        raise ShapeError(message("matmul", "Input(Y)", got, needs, "Transpose or reshape one of them."))
    p, q = prod(a[:-2]), prod(b[:-2])
    if len(a) > 2 and len(b) > 2 and p != q and -1 not in (*a[:-2], *b[:-2]):
        got, needs = f"a batch of {q} matrices ({shapes})", f"{p} matrices as in X, or one without a batch"
        raise ShapeError(message("matmul", "Input(Y)", got, needs, "Batches are not broadcast: use expand()."))
    left = () if len(x) == 1 and rows == 1 else (rows,)
    right = () if len(y) == 1 and columns == 1 else (columns,)
    return (*(a[:-2] or b[:-2]), *left, *right) or (1,)


def as_matrix(array: Any, columns: int) -> Any:
    """Return the array as a matrix whose rows are its first `columns` dimensions flattened."""
    return array.reshape(prod(array.shape[:columns]), prod(array.shape[columns:]))


def flat_product_shape(x: Shape, y: Shape, x_num_col_dims: int, y_num_col_dims: int) -> Shape:
    """Return the shape of the result of `mul`; raise if X and Y do not fit."""
    x, y = tuple(x), tuple(y)
    for slot, shape, dims in (("x", x, x_num_col_dims), ("y", y, y_num_col_dims)):
        if not 0 < dims < len(shape):
            needs = f"1 to {len(shape) - 1} for shape {list(shape)}" if len(shape) > 1 else "an input of rank 2 or more"
            raise ShapeError(message("mul", f"attribute '{slot}_num_col_dims'", dims, needs))
    columns, rows = x[x_num_col_dims:], y[:y_num_col_dims]
    if prod(columns) != prod(rows) and -1 not in (*columns, *rows):
        got = f"{prod(rows)} rows (shape {list(y)}, the first {y_num_col_dims} of its dimensions make the rows)"
        needs = f"{prod(columns)}, the columns of X of shape {list(x)} after its first {x_num_col_dims} dimensions"
        raise ShapeError(message("mul", "Input(Y)", got, needs))
    return x[:x_num_col_dims] + y[y_num_col_dims:]
