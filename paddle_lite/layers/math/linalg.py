"""Linear algebra beyond matmul: batched and bilinear products, triangles, traces, cumulative sums, logsumexp."""

from __future__ import annotations

from typing import Any

from ...core import result_names
from ...core.typing import Variable
from ...ops.math import linalg as ops
from ..nn import activation
from ..support.arguments import check_int, check_number, check_variable, flag, write_to_out
from ..support.helper import LayerHelper
from ..support.taken import inputs_taken, kind_taken, variable_taken
from . import arithmetic, reduce

__all__ = [
    "addmm", "bilinear_tensor_product", "bmm", "cross", "cumsum", "dot", "kron", "logsumexp", "trace", "tril", "triu",
]  # fmt: skip


LARGE = 3e38  # near the largest float32


# --- products ------------------------------------------------------------------------------------------------------------


def bmm(x: Any, y: Variable, name: str | None = None) -> Variable:
    """Compute the matrix products x[i] @ y[i] of two batches of matrices.

    Arguments:
        x: a Variable [B, n, k], float32 or float64.
        y: a Variable [B, k, m] of the dtype of x.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [B, n, m].

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the rank is not 3, or the shapes do not fit.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([5, 2, 3], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.ones([5, 3, 4], 'float32'))
    ...     fluid.layers.bmm(x, y).shape
    [5, 2, 4]
    """
    return ops.bmm.call(x, y)


def dot(x: Any, y: Any, name: str | None = None) -> Variable:
    """Compute the dot product of two vectors, or of corresponding rows of two batches of vectors.

    Arguments:
        x, y: Variables [D] or [N, D] of one shape and dtype: float32, float64, int32 or int64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [1] or [N, 1].

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes differ, or the rank is neither 1 nor 2.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1., 2.], 'float32'))
    ...     fluid.layers.dot(x, x).numpy()
    array([5.], dtype=float32)
    """
    inputs_taken("dot", "x y", x, y)
    return ops.dot.call(x, y)


def kron(x: Variable, y: Variable, out: Any = None, name: str | None = None) -> Variable:
    """Compute the Kronecker product: the blocks of the result are x[i, j] * y.

    Arguments:
        x, y: Variables of one dtype, any but bool; where the ranks differ, the smaller shape gets leading ones.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable whose sizes are the products of the sizes of x and y.

    Raises:
        ArgumentTypeError: x, y or out is not a Variable.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1., 10.], 'float32'))
    ...     fluid.layers.kron(x, fluid.dygraph.to_variable(np.array([1., 2.], 'float32'))).numpy()
    array([ 1.,  2., 10., 20.], dtype=float32)
    """
    return write_to_out(ops.kron.call(x, y), out, "kron")


def cross(input: Any, other: Any, dim: int | None = None) -> Variable:
    """Compute the cross product of vectors of three elements.

    Arguments:
        input, other: Variables of one shape and dtype: float32, float64, int32 or int64.
        dim: the axis of size 3 that holds the vectors; the first one of size 3 where it is None.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input or other is not a Variable, or dim is not an int.
        ShapeError: the shapes differ, or the axis is not of size 3.
        ArgumentValueError: there is no axis `dim`.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1., 0., 0.], 'float32'))
    ...     fluid.layers.cross(x, fluid.dygraph.to_variable(np.array([0., 1., 0.], 'float32'))).numpy()
    array([0., 0., 1.], dtype=float32)
    """
    return ops.cross.call(input, other, dim=ops.FIRST_OF_THREE if dim is None else check_int("cross", "dim", dim))


def addmm(
    input: Variable, x: Any, y: Variable, alpha: float = 1.0, beta: float = 1.0, name: str | None = None
) -> Variable:
    """Compute alpha * x @ y + beta * input.

    Arguments:
        input: a Variable [n, m]; a size of 1 is broadcast.
        x: a Variable [n, k], float32 or float64.
        y: a Variable [k, m]; all have one dtype.
        alpha, beta: numbers.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [n, m].

    Raises:
        ArgumentTypeError: input, x or y is not a Variable, or alpha or beta is not a number.
        ShapeError: the rank is not 2, or the shapes do not fit.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 2], 'float32'))
    ...     fluid.layers.addmm(x, x, x, alpha=0.5, beta=10.).numpy()
    array([[11., 11.],
           [11., 11.]], dtype=float32)
    """
    return ops.addmm.call(
        input, x, y, Alpha=check_number("addmm", "alpha", alpha), Beta=check_number("addmm", "beta", beta)
    )


def bilinear_tensor_product(
    x: Any,
    y: Variable,
    size: int,
    act: str | None = None,
    name: str | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
) -> Variable:
    """Compute x[n] @ weight[i] @ y[n] + bias[i] for `size` matrices; weight and bias are new parameters.

    Source: Socher et al., "Reasoning With Neural Tensor Networks for Knowledge Base Completion", 2013.

    Arguments:
        x: a Variable [N, M], float32 or float64.
        y: a Variable [N, P] of the dtype of x.
        size: the number of matrices, an int.
        act: the name of an activation to apply to the result, or None.
        name: the prefix of the parameters' names.
        param_attr, bias_attr: the ParamAttrs of the weight [size, M, P] and the bias [1, size]; bias_attr=False: no
            bias.

    Returns:
        A Variable [N, size].

    Raises:
        ArgumentTypeError: x or y is not a Variable, or size is not an int.
        ShapeError: the rank of x or y is not 2, or a size is unknown.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.ones([2, 4], 'float32'))
    ...     fluid.layers.bilinear_tensor_product(x, y, size=5).shape
    [2, 5]
    """
    where = "bilinear_tensor_product"
    widths = [list(check_variable(where, n, v).shape)[1:2] for n, v in (("x", x), ("y", y))]
    helper = LayerHelper(where, act=act, name=name)
    weight = helper.create_parameter(param_attr, [check_int(where, "size", size), *widths[0], *widths[1]], x.dtype)
    bias = helper.create_parameter(bias_attr, [1, size], x.dtype, is_bias=True)
    return helper.append_activation(helper.run(ops.bilinear_tensor_product, x, y, weight, bias))


# --- diagonals and triangles ---------------------------------------------------------------------------------------------


def trace(
    input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1, out: Any = None, name: str | None = None
) -> Variable:
    """Sum the elements of a diagonal of each matrix.

    Arguments:
        input: a Variable of rank 2 or more, any dtype but bool.
        offset: which diagonal: 0 the main one, positive above it, negative below it.
        dim1, dim2: the axes of the rows and columns of the matrices.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape of `input` without dim1 and dim2; [1] where nothing is left.

    Raises:
        ArgumentTypeError: input is not a Variable, or offset, dim1 or dim2 is not an int.
        ShapeError: the rank is below 2.
        ArgumentValueError: dim1 or dim2 is not an axis, or they are the same.
        DtypeError: input is bool.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 2.], [3., 4.]], 'float32'))
    ...     fluid.layers.trace(x).numpy(), fluid.layers.trace(x, offset=1).numpy()
    (array([5.], dtype=float32), array([2.], dtype=float32))
    """
    attrs = {k: check_int("trace", k, v) for k, v in (("offset", offset), ("dim1", dim1), ("dim2", dim2))}
    return write_to_out(ops.trace.call(input, **attrs), out, "trace")


def tril(input: Any, diagonal: int = 0, name: str | None = None) -> Variable:
    """Keep the lower triangle of each matrix; set the other elements to 0.

    Arguments:
        input: a Variable of rank 2 or more, any dtype but bool.
        diagonal: the last diagonal to keep: 0 the main one, positive above it, negative below it.
        name: the name of the result in a Program; None for a generated one.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or diagonal is not an int.
        ShapeError: the rank is below 2.
        DtypeError: input is bool.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.tril(fluid.dygraph.to_variable(np.ones([2, 2], 'float32'))).numpy()
    array([[1., 0.],
           [1., 1.]], dtype=float32)
    """
    inputs_taken("tril", "input", input)
    kind_taken("tril", "diagonal", diagonal, int)
    with result_names.only_result(name, "tril"):
        return ops.tril_triu.call(input, diagonal=check_int("tril", "diagonal", diagonal), lower=True)


def triu(input: Any, diagonal: int = 0, name: str | None = None) -> Variable:
    """Keep the upper triangle of each matrix; set the other elements to 0.

    Arguments:
        input: a Variable of rank 2 or more, any dtype but bool.
        diagonal: the first diagonal to keep: 0 the main one, positive above it, negative below it.
        name: the name of the result in a Program; None for a generated one.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or diagonal is not an int.
        ShapeError: the rank is below 2.
        DtypeError: input is bool.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.triu(fluid.dygraph.to_variable(np.ones([2, 2], 'float32')), diagonal=1).numpy()
    array([[0., 1.],
           [0., 0.]], dtype=float32)
    """
    inputs_taken("triu", "input", input)
    kind_taken("triu", "diagonal", diagonal, int)
    with result_names.only_result(name, "triu"):
        return ops.tril_triu.call(input, diagonal=check_int("triu", "diagonal", diagonal), lower=False)


# --- sums ----------------------------------------------------------------------------------------------------------------


def cumsum(
    x: Variable, axis: int | None = None, exclusive: bool | None = None, reverse: bool | None = None
) -> Variable:
    """Compute the cumulative sum along an axis.

    Arguments:
        x: a Variable of any shape, any dtype but bool.
        axis: an int; the last axis where it is None.
        exclusive: do not add the element itself.
        reverse: sum from the end to the start.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or axis is not an int.
        ArgumentValueError: x has no such axis.
        DtypeError: x is bool.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.cumsum(fluid.dygraph.to_variable(np.array([1., 2., 4.], 'float32'))).numpy()
    array([1., 3., 7.], dtype=float32)
    """
    axis = -1 if axis is None else check_int("cumsum", "axis", axis)
    return ops.cumsum.call(
        x, axis=axis, exclusive=flag("cumsum", "exclusive", exclusive), reverse=flag("cumsum", "reverse", reverse)
    )


def logsumexp(
    x: Variable, dim: Any = None, keepdim: bool = False, out: Any = None, name: str | None = None
) -> Variable:
    """Compute log(sum(exp(x))) over dimensions, without overflow.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        dim: the dimensions to sum over, an int or a list of ints; all of them where it is None.
        keepdim: keep the reduced dimensions with size 1.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: x or out is not a Variable, or dim is not an int or a list of ints.
        ShapeError: x has no such dimension.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.logsumexp(fluid.dygraph.to_variable(np.array([1000., 0.], 'float32'))).numpy()
    array([1000.], dtype=float32)
    """
    variable_taken("logsumexp", "x", x)
    peak = arithmetic.clip(reduce.reduce_max(x, dim, keep_dim=True), -LARGE, LARGE)  # inf - inf would be NaN
    peak.stop_gradient = True  # the result does not depend on it
    total = activation.log(reduce.reduce_sum(activation.exp(x - peak), dim, keep_dim=True)) + peak
    if not keepdim:
        total = reduce.reduce_sum(total, dim)  # drops the dimensions, each of size 1
    return write_to_out(total, out, "logsumexp")
