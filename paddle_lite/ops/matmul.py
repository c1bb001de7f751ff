"""Matrix products."""

from __future__ import annotations

from math import prod
from typing import Any

from ..core.errors import ShapeError, message
from .elementwise import same_dtype
from .math import rounded
from .spec import MKLDNN, Declaration, Floats, Grad, Ints, Meta, op


def matrices(X: Any, Y: Any, transpose_X: bool, transpose_Y: bool) -> tuple[Any, Any]:
    """X and Y as matrices, or as [batch, rows, columns], ready to be multiplied.

    A vector stands for a row in X and for a column in Y (before it is transposed).
    """
    x = X.reshape(1, -1) if X.ndim == 1 else X.reshape(prod(X.shape[:-2]), *X.shape[-2:]) if X.ndim > 3 else X
    y = Y.reshape(-1, 1) if Y.ndim == 1 else Y.reshape(prod(Y.shape[:-2]), *Y.shape[-2:]) if Y.ndim > 3 else Y
    return x.swapaxes(-1, -2) if transpose_X else x, y.swapaxes(-1, -2) if transpose_Y else y


def product_shape(x: tuple, y: tuple, transpose_X: bool, transpose_Y: bool) -> tuple[int, ...]:
    """The shape of the product; raises where X and Y do not fit."""
    a, b = (1, *x) if len(x) == 1 else x, (*y, 1) if len(y) == 1 else y
    m, k = (a[-1], a[-2]) if transpose_X else (a[-2], a[-1])
    rows_of_y, n = (b[-1], b[-2]) if transpose_Y else (b[-2], b[-1])
    shapes = f"X of shape {list(x)}{' transposed' * transpose_X}, Y of shape {list(y)}{' transposed' * transpose_Y}"
    if k != rows_of_y and -1 not in (k, rows_of_y):
        raise ShapeError(
            message(
                "matmul",
                "Input(Y)",
                f"{rows_of_y} rows ({shapes})",
                f"{k}, the number of columns of X",
                "Transpose or reshape one of them.",
            )
        )
    p, q = prod(a[:-2]), prod(b[:-2])
    if len(a) > 2 and len(b) > 2 and p != q and p > 0 and q > 0:
        raise ShapeError(
            message(
                "matmul",
                "Input(Y)",
                f"a batch of {q} matrices ({shapes})",
                f"{p} matrices as in X, or only one matrix",
                "Batches are not broadcast: use expand().",
            )
        )
    batch = a[:-2] or b[:-2]
    rows = () if len(x) == 1 and m == 1 else (m,)
    columns = () if len(y) == 1 and n == 1 else (n,)
    return (*batch, *rows, *columns) or (1,)


def swap(x: Any) -> Any:
    return x.swapaxes(-1, -2)


@op(
    "matmul", inputs="X Y", outputs="Out",
    attrs={
        "transpose_X": False, "transpose_Y": False, "alpha": 1.0, **MKLDNN, "fused_reshape_Out": Ints([]),
        "fused_transpose_Out": Ints([]), "use_quantizer": False, "Scale_x": 1.0, "Scale_y": 1.0, "Scale_out": 1.0,
        "force_fp32_output": False, "head_number": 1,
    },
)  # fmt: skip
class matmul(Declaration):
    """Out = alpha * X @ Y of vectors, matrices or batches of matrices, each transposed if so asked."""

    def infer(X, Y, *, transpose_X, transpose_Y, alpha):
        same_dtype("matmul", X, Y)
        return Meta(product_shape(X.shape, Y.shape, transpose_X, transpose_Y), X.dtype, X.lod_level)

    def reference(xp, X, Y, *, transpose_X, transpose_Y, alpha):
        same_dtype("matmul", X, Y)
        shape = product_shape(X.shape, Y.shape, transpose_X, transpose_Y)
        out = xp.matmul(*matrices(X, Y, transpose_X, transpose_Y)).reshape(shape)
        return out if alpha == 1.0 else out * X.dtype.type(rounded(alpha, X.dtype))

    def gradient(xp, X, Y, dOut, *, transpose_X, transpose_Y, alpha, need=(True, True)):
        x, y = matrices(X, Y, transpose_X, transpose_Y)
        batch = (
            () if x.ndim == y.ndim == 2 else (max(x.shape[0] if x.ndim == 3 else 0, y.shape[0] if y.ndim == 3 else 0),)
        )
        dout = dOut.reshape(*batch, x.shape[-2], y.shape[-1])
        if alpha != 1.0:
            dout = dout * X.dtype.type(rounded(alpha, X.dtype))
        dx = dy = None
        if need[0]:
            dx = xp.matmul(dout, swap(y))
            dx = dx.sum(axis=0) if dx.ndim > x.ndim else dx
            dx = xp.ascontiguousarray(swap(dx) if transpose_X else dx).reshape(X.shape)
        if need[1]:
            dy = xp.matmul(swap(x), dout)
            dy = dy.sum(axis=0) if dy.ndim > y.ndim else dy
            dy = xp.ascontiguousarray(swap(dy) if transpose_Y else dy).reshape(Y.shape)
        return dx, dy

    grad = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient)


def flattened(array: Any, columns: int) -> Any:
    """The array as a matrix whose rows are its first `columns` dimensions."""
    return array.reshape(prod(array.shape[:columns]), prod(array.shape[columns:]))


def flat_product_shape(X: Any, Y: Any, x_num_col_dims: int, y_num_col_dims: int) -> tuple[int, ...]:
    """The shape of `mul`; raises where X and Y do not fit."""
    same_dtype("mul", X, Y)
    for slot, v, dims in (("x", X, x_num_col_dims), ("y", Y, y_num_col_dims)):
        if not 0 < dims < len(v.shape):
            needs = f"1 to {len(v.shape) - 1} for shape {list(v.shape)}"
            raise ShapeError(message("mul", f"attribute '{slot}_num_col_dims'", dims, needs))
    x, y = X.shape[x_num_col_dims:], Y.shape[:y_num_col_dims]
    if prod(x) != prod(y) and -1 not in (*x, *y):
        got = f"{prod(y)} rows (shape {list(Y.shape)}, {y_num_col_dims} of its dimensions make the rows)"
        needs = f"{prod(x)}, the columns of X of shape {list(X.shape)} after {x_num_col_dims} dimensions"
        raise ShapeError(message("mul", "Input(Y)", got, needs))
    return tuple(X.shape[:x_num_col_dims]) + tuple(Y.shape[y_num_col_dims:])


@op(
    "mul", inputs="X Y", outputs="Out",
    attrs={
        **MKLDNN, "x_num_col_dims": 1, "y_num_col_dims": 1, "scale_x": 1.0, "scale_y": Floats([1.0]), "scale_out": 1.0,
        "force_fp32_output": False,
    },
)  # fmt: skip
class mul(Declaration):
    """Out = X @ Y, with X and Y flattened to matrices after their first `..._num_col_dims` dimensions."""

    def infer(X, Y, *, x_num_col_dims, y_num_col_dims):
        return Meta(flat_product_shape(X, Y, x_num_col_dims, y_num_col_dims), X.dtype, X.lod_level)

    def reference(xp, X, Y, *, x_num_col_dims, y_num_col_dims):
        shape = flat_product_shape(X, Y, x_num_col_dims, y_num_col_dims)
        return xp.matmul(flattened(X, x_num_col_dims), flattened(Y, y_num_col_dims)).reshape(shape)

    def gradient(xp, X, Y, dOut, *, x_num_col_dims, y_num_col_dims, need=(True, True)):
        x, y, dout = flattened(X, x_num_col_dims), flattened(Y, y_num_col_dims), flattened(dOut, x_num_col_dims)
        return (
            xp.matmul(dout, y.T).reshape(X.shape) if need[0] else None,
            xp.matmul(x.T, dout).reshape(Y.shape) if need[1] else None,
        )

    grad = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient)
