"""Matrix products."""

from __future__ import annotations

from ..framework.call import Call
from ..framework.costs import MATMUL, Amount, Product, multiply_adds, result
from ..framework.double_gradients import bilinear
from ..framework.spec import MKLDNN, Declaration, Floats, Grad, Ints, op
from ..framework.traits import Matmul
from ..support.matmul_shapes import (
    as_matrices,
    as_matrix,
    batch_product_shape,
    flat_product_shape,
    product_shape,
    transpose_matrices,
)
from ..support.meta import Meta
from ..support.scalar_inputs import attribute_scalar
from .arithmetic import need_kind
from .elementwise import same_dtype


def _fit(name, X, Y):
    same_dtype(name, X, Y)
    need_kind(name, X, "f", "a float dtype")


@op(
    "matmul", inputs="X Y", outputs="Out",
    attrs={
        "transpose_X": False, "transpose_Y": False, "alpha": 1.0, **MKLDNN, "fused_reshape_Out": Ints([]),
        "fused_transpose_Out": Ints([]), "use_quantizer": False, "Scale_x": 1.0, "Scale_y": 1.0, "Scale_out": 1.0,
        "force_fp32_output": False, "head_number": 1,
    }, flops=MATMUL, fresh=True, algebra=Matmul({"transpose_X": False, "transpose_Y": False, "alpha": 1.0}), captured=True,
)  # fmt: skip
class matmul(Declaration):
    """Out = alpha * X @ Y of vectors, matrices or batches of matrices, each optionally transposed."""

    def infer(X, Y, *, transpose_X, transpose_Y, **_):
        _fit("matmul", X, Y)
        return Meta(product_shape(X.shape, Y.shape, transpose_X, transpose_Y), X.dtype, X.lod_level)

    def reference(xp, X, Y, *, transpose_X, transpose_Y, alpha):
        shape = product_shape(X.shape, Y.shape, transpose_X, transpose_Y)
        out = xp.matmul(*as_matrices(X, Y, transpose_X, transpose_Y)).reshape(shape)
        return out if alpha == 1.0 else out * attribute_scalar(alpha, X.dtype)

    def gradient(xp, X, Y, dOut, *, transpose_X, transpose_Y, alpha, need=(True, True)):
        x, y = as_matrices(X, Y, transpose_X, transpose_Y)
        dout = dOut.reshape(batch_product_shape(x, y))
        if alpha != 1.0:
            dout = dout * attribute_scalar(alpha, X.dtype)
        dx = dy = None
        if need[0]:
            dx = xp.matmul(dout, transpose_matrices(y))
            dx = dx.sum(axis=0) if dx.ndim > x.ndim else dx
            dx = xp.ascontiguousarray(transpose_matrices(dx) if transpose_X else dx).reshape(X.shape)
        if need[1]:
            dy = xp.matmul(transpose_matrices(x), dout)
            dy = dy.sum(axis=0) if dy.ndim > y.ndim else dy
            dy = xp.ascontiguousarray(transpose_matrices(dy) if transpose_Y else dy).reshape(Y.shape)
        return dx, dy

    grad = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient, grad=bilinear("matmul"), fresh=True)


def _mul_flops(call: Call) -> Amount | None:
    y = call.one("Y")
    return None if y is None else multiply_adds(result(call, "Out"), *y.shape[: call.attrs["y_num_col_dims"]])


@op(
    "mul", inputs="X Y", outputs="Out",
    attrs={
        **MKLDNN, "x_num_col_dims": 1, "y_num_col_dims": 1, "scale_x": 1.0, "scale_y": Floats([1.0]), "scale_out": 1.0,
        "force_fp32_output": False,
    }, flops=Product("X Y", _mul_flops), fresh=True, algebra=Matmul({"x_num_col_dims": 1, "y_num_col_dims": 1}), captured=True,
)  # fmt: skip
class mul(Declaration):
    """Out = X @ Y, with X and Y flattened to matrices after their first `..._num_col_dims` dimensions."""

    def infer(X, Y, *, x_num_col_dims, y_num_col_dims):
        _fit("mul", X, Y)
        return Meta(flat_product_shape(X.shape, Y.shape, x_num_col_dims, y_num_col_dims), X.dtype, X.lod_level)

    def reference(xp, X, Y, *, x_num_col_dims, y_num_col_dims):
        shape = flat_product_shape(X.shape, Y.shape, x_num_col_dims, y_num_col_dims)
        return xp.matmul(as_matrix(X, x_num_col_dims), as_matrix(Y, y_num_col_dims)).reshape(shape)

    def gradient(xp, X, Y, dOut, *, x_num_col_dims, y_num_col_dims, need=(True, True)):
        x, y, dout = as_matrix(X, x_num_col_dims), as_matrix(Y, y_num_col_dims), as_matrix(dOut, x_num_col_dims)
        return (
            xp.matmul(dout, y.T).reshape(X.shape) if need[0] else None,
            xp.matmul(x.T, dout).reshape(Y.shape) if need[1] else None,
        )

    grad = Grad("X Y Out@GRAD", "X@GRAD Y@GRAD", gradient, grad=bilinear("mul"), fresh=True)
