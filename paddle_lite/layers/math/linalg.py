"""Products of vectors and matrices beyond matmul, triangles and traces, running sums, logarithms of sums."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...ops.math import linalg as ops
from ..nn import activation
from ..support.arguments import check_variable, deliver, is_int, number
from ..support.helper import LayerHelper
from . import arithmetic, reduce

__all__ = [
    "addmm", "bilinear_tensor_product", "bmm", "cross", "cumsum", "dot", "kron", "logsumexp", "trace", "tril", "triu",
]  # fmt: skip


FAR = 3e38  # near the largest float32


def _int(where: str, name: str, value: Any) -> int:
    if not is_int(value):
        raise ArgumentTypeError(message(where, name, describe(value), "an int"))
    return int(value)


# --- products ------------------------------------------------------------------------------------------------------------


def bmm(x: Any, y: Any, name: str | None = None) -> Any:
    """x[i] @ y[i] for each matrix of two batches.

    Arguments:
        x: [B, n, k], float32 or float64.
        y: [B, k, m], of x's dtype.
        name: kept for Fluid code.

    Returns:
        [B, n, m].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([5, 2, 3], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.ones([5, 3, 4], 'float32'))
    ...     fluid.layers.bmm(x, y).shape
    [5, 2, 4]
    """
    return ops.bmm.call(x, y)


def dot(x: Any, y: Any, name: str | None = None) -> Any:
    """The sum of x * y, for two vectors or for each row of two batches of them.

    Arguments:
        x, y: [D] or [N, D], of one shape and dtype: float32, float64, int32 or int64.
        name: kept for Fluid code.

    Returns:
        [1] or [N, 1].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1., 2.], 'float32'))
    ...     fluid.layers.dot(x, x).numpy()
    array([5.], dtype=float32)
    """
    return ops.dot.call(x, y)


def kron(x: Any, y: Any, out: Any = None, name: str | None = None) -> Any:
    """The Kronecker product: each element of x times all of y.

    Arguments:
        x, y: Variables of one dtype, numbers; the smaller rank is filled up with 1 in front.
        out: a Variable that takes the result.
        name: kept for Fluid code.

    Returns:
        A Variable whose sizes are the products of those of x and y.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1., 10.], 'float32'))
    ...     fluid.layers.kron(x, fluid.dygraph.to_variable(np.array([1., 2.], 'float32'))).numpy()
    array([ 1.,  2., 10., 20.], dtype=float32)
    """
    return deliver(ops.kron.call(x, y), out, "kron")


def cross(input: Any, other: Any, dim: int | None = None) -> Any:
    """The cross product of vectors of three numbers.

    Arguments:
        input, other: Variables of one shape and dtype: float32, float64, int32 or int64.
        dim: the dimension along which the vectors stand; the first of size 3 where it is None.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1., 0., 0.], 'float32'))
    ...     fluid.layers.cross(x, fluid.dygraph.to_variable(np.array([0., 1., 0.], 'float32'))).numpy()
    array([0., 0., 1.], dtype=float32)
    """
    return ops.cross.call(input, other, dim=ops.FIRST_OF_THREE if dim is None else _int("cross", "dim", dim))


def addmm(input: Any, x: Any, y: Any, alpha: float = 1.0, beta: float = 1.0, name: str | None = None) -> Any:
    """alpha * x @ y + beta * input.

    Arguments:
        input: [n, m]; 1 in place of a size stands for all rows or columns.
        x: [n, k], float32 or float64.
        y: [k, m], all of one dtype.
        alpha, beta: factors.
        name: kept for Fluid code.

    Returns:
        [n, m].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 2], 'float32'))
    ...     fluid.layers.addmm(x, x, x, alpha=0.5, beta=10.).numpy()
    array([[11., 11.],
           [11., 11.]], dtype=float32)
    """
    return ops.addmm.call(input, x, y, Alpha=number("addmm", "alpha", alpha), Beta=number("addmm", "beta", beta))


def bilinear_tensor_product(
    x: Any,
    y: Any,
    size: int,
    act: str | None = None,
    name: str | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
) -> Any:
    """x[n] @ weight[i] @ y[n] + bias[i] for each of `size` matrices that are learned: new parameters.

    Source: Socher et al., "Reasoning With Neural Tensor Networks for Knowledge Base Completion", 2013.

    Arguments:
        x: [N, M], float32 or float64.
        y: [N, P], of x's dtype.
        size: how many results there are for each n.
        act: name of an activation for the result.
        name: the names of the parameters start with it.
        param_attr, bias_attr: what `ParamAttr` says of the parameters [size, M, P] and [1, size]; False: no bias.

    Returns:
        [N, size].

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
    weight = helper.create_parameter(param_attr, [_int(where, "size", size), *widths[0], *widths[1]], x.dtype)
    bias = helper.create_parameter(bias_attr, [1, size], x.dtype, is_bias=True)
    return helper.append_activation(helper.run(ops.bilinear_tensor_product, x, y, weight, bias))


# --- diagonals and triangles ---------------------------------------------------------------------------------------------


def trace(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1, out: Any = None, name: str | None = None) -> Any:
    """The sum along a diagonal of a matrix, or of each matrix of a batch.

    Arguments:
        input: a Variable of rank 2 or more, numbers.
        offset: how far the diagonal is to the right of the main one; negative for below it.
        dim1, dim2: the dimensions of the matrices; the lesser counts the rows.
        out: a Variable that takes the result.
        name: kept for Fluid code.

    Returns:
        input's shape without dim1 and dim2; [1] for a matrix.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 2.], [3., 4.]], 'float32'))
    ...     fluid.layers.trace(x).numpy(), fluid.layers.trace(x, offset=1).numpy()
    (array([5.], dtype=float32), array([2.], dtype=float32))
    """
    attrs = {k: _int("trace", k, v) for k, v in (("offset", offset), ("dim1", dim1), ("dim2", dim2))}
    return deliver(ops.trace.call(input, **attrs), out, "trace")


def tril(input: Any, diagonal: int = 0, name: str | None = None) -> Any:
    """The lower triangle of each matrix, 0 elsewhere.

    Arguments:
        input: a Variable of rank 2 or more, numbers.
        diagonal: the last diagonal that is kept: 0 the main one, 1 the one above it, -1 the one below it.
        name: kept for Fluid code.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.tril(fluid.dygraph.to_variable(np.ones([2, 2], 'float32'))).numpy()
    array([[1., 0.],
           [1., 1.]], dtype=float32)
    """
    return ops.tril_triu.call(input, diagonal=_int("tril", "diagonal", diagonal), lower=True)


def triu(input: Any, diagonal: int = 0, name: str | None = None) -> Any:
    """The upper triangle of each matrix, 0 elsewhere.

    Arguments:
        input: a Variable of rank 2 or more, numbers.
        diagonal: the first diagonal that is kept: 0 the main one, 1 the one above it, -1 the one below it.
        name: kept for Fluid code.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.triu(fluid.dygraph.to_variable(np.ones([2, 2], 'float32')), diagonal=1).numpy()
    array([[0., 1.],
           [0., 0.]], dtype=float32)
    """
    return ops.tril_triu.call(input, diagonal=_int("triu", "diagonal", diagonal), lower=False)


# --- sums ----------------------------------------------------------------------------------------------------------------


def cumsum(x: Any, axis: int | None = None, exclusive: bool | None = None, reverse: bool | None = None) -> Any:
    """Running sums: each element with all before it along `axis`.

    Arguments:
        x: a Variable of numbers.
        axis: the dimension to sum along; the last where it is None.
        exclusive: leave out the element itself.
        reverse: sum from the end.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.cumsum(fluid.dygraph.to_variable(np.array([1., 2., 4.], 'float32'))).numpy()
    array([1., 3., 7.], dtype=float32)
    """
    axis = -1 if axis is None else _int("cumsum", "axis", axis)
    return ops.cumsum.call(x, axis=axis, exclusive=bool(exclusive), reverse=bool(reverse))


def logsumexp(x: Any, dim: Any = None, keepdim: bool = False, out: Any = None, name: str | None = None) -> Any:
    """log(sum(exp(x))) over dimensions, computed without overflow.

    Arguments:
        x: a Variable, float32 or float64.
        dim: the dimensions to sum over, an int or a list; all of them where it is None.
        keepdim: keep these dimensions with size 1.
        out: a Variable that takes the result.
        name: kept for Fluid code.

    Returns:
        A Variable; [1] where no dimension is left.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.logsumexp(fluid.dygraph.to_variable(np.array([1000., 0.], 'float32'))).numpy()
    array([1000.], dtype=float32)
    """
    check_variable("logsumexp", "x", x)
    peak = arithmetic.clip(reduce.reduce_max(x, dim, keep_dim=True), -FAR, FAR)  # infinite less infinite is no number
    peak.stop_gradient = True  # a shift changes nothing
    total = activation.log(reduce.reduce_sum(activation.exp(x - peak), dim, keep_dim=True)) + peak
    if not keepdim:
        total = reduce.reduce_sum(total, dim)  # of one element each
    return deliver(total, out, "logsumexp")
