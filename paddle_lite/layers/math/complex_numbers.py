"""The functions of `paddle.complex`: arithmetic, products and shapes of complex Variables, in both modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...ops.framework import complex_variable as formulas
from ...ops.framework.complex_variable import ComplexVariable, is_part
from ..shape import shape as shapes
from . import elementwise, linalg
from . import matmul as products
from .reduce import reduce_sum

__all__ = [
    "elementwise_add", "elementwise_div", "elementwise_mul", "elementwise_sub",
    "kron", "matmul", "reshape", "sum", "trace", "transpose",
]  # fmt: skip


def is_complex(x: Any) -> bool:
    """Return whether x is a ComplexVariable."""
    return isinstance(x, ComplexVariable)


def is_real(x: Any) -> bool:
    """Return whether x is a Variable that is not complex."""
    return is_part(x)


def complex_variable_exists(inputs: Any, layer_name: str) -> None:
    """Raise unless the inputs are Variables of which one at least is complex.

    Arguments:
        inputs: a list of them.
        layer_name: the name of the function, for the error.

    Raises:
        ArgumentTypeError: none is complex, or one is no Variable.
    """
    call = f"paddle.complex.{layer_name}"
    for each in inputs:
        if not (is_complex(each) or is_real(each)):
            raise ArgumentTypeError(message(call, "input", describe(each), "a Variable or a ComplexVariable"))
    if not any(map(is_complex, inputs)):
        fix = f"For real numbers call fluid.layers.{layer_name}."
        raise ArgumentTypeError(message(call, "inputs", "real Variables", "a ComplexVariable among them", fix))


_DOC = """Compute {formula} of complex Variables, with broadcasting.

    Arguments:
        x, y: ComplexVariables; one of them may be a real Variable.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        name: accepted for Fluid code, ignored.

    Returns:
        A ComplexVariable of the broadcast shape.

    Raises:
        ArgumentTypeError: neither is complex, or one is no Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes of the parts differ.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1 + 2j, 4]))
    >>> y = paddle.imperative.to_variable(np.array([2j, 2.]))
    >>> paddle.complex.{name}(x, y).numpy()
    {result}
    """


def _elementwise(kind: str, words: str, result: str, formula: Callable[..., Any], *parts: str) -> Callable[..., Any]:
    """Make the public function of a complex elementwise operator from the real ones of `parts`."""
    name = f"elementwise_{kind}"
    real = [getattr(elementwise, f"elementwise_{part}") for part in parts]

    def function(x: Any, y: Any, axis: int = -1, name: str | None = None) -> ComplexVariable:
        complex_variable_exists([x, y], f"elementwise_{kind}")
        return formula(x, y, *(lambda a, b, f=f: f(a, b, axis=axis) for f in real))

    function.__doc__ = _DOC.format(formula=words, name=name, result=result)
    function.__name__ = function.__qualname__ = name
    return function


elementwise_add = _elementwise("add", "x + y", "array([1.+4.j, 6.+0.j])", formulas.add, "add")
elementwise_sub = _elementwise("sub", "x - y", "array([1.+0.j, 2.+0.j])", formulas.subtract, "sub")
elementwise_mul = _elementwise("mul", "x * y", "array([-4.+2.j,  8.+0.j])", formulas.product, "mul")
elementwise_div = _elementwise("div", "x / y", "array([1.-0.5j, 2.+0.j ])", formulas.divide, "mul", "div")


def kron(x: Any, y: Any, name: str | None = None) -> ComplexVariable:
    """Compute the Kronecker product of complex Variables: the blocks of the result are x[i, j] * y.

    Arguments:
        x, y: ComplexVariables; one of them may be a real Variable.
        name: accepted for Fluid code, ignored.

    Returns:
        A ComplexVariable whose sizes are the products of the sizes of x and y.

    Raises:
        ArgumentTypeError: neither is complex, or one is no Variable.
        DtypeError: the dtypes of the parts differ.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1, 2j]))
    >>> paddle.complex.kron(x, x).numpy()
    array([ 1.+0.j,  0.+2.j,  0.+2.j, -4.+0.j])
    """
    complex_variable_exists([x, y], "kron")
    return formulas.product(x, y, linalg.kron)


def matmul(
    x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, alpha: float = 1.0, name: str | None = None
) -> ComplexVariable:
    """Compute alpha * x @ y for complex matrices, batches of matrices, or vectors.

    Arguments:
        x: a ComplexVariable or a real Variable [..., n, k] or [k].
        y: a ComplexVariable or a real Variable [..., k, m] or [k]; x or y is complex.
        transpose_x, transpose_y: whether to swap the last two dimensions first; no numbers are conjugated.
        alpha: a real factor of the result.
        name: accepted for Fluid code, ignored.

    Returns:
        A ComplexVariable [..., n, m]; [1] for two vectors.

    Raises:
        ArgumentTypeError: neither is complex, one is no Variable, or alpha is not a number.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes of the parts differ.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([[1, 2j], [0, 1]]))
    >>> paddle.complex.matmul(x, x).numpy()
    array([[1.+0.j, 0.+4.j],
           [0.+0.j, 1.+0.j]])
    """
    complex_variable_exists([x, y], "matmul")
    return formulas.product(x, y, lambda a, b: products.matmul(a, b, transpose_x, transpose_y, alpha))


def _complex_input(x: Any, call: str) -> ComplexVariable:
    complex_variable_exists([x], call)
    return x


def trace(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1, name: str | None = None) -> ComplexVariable:
    """Compute the sums of the diagonals of a complex Variable.

    Arguments:
        input: a ComplexVariable of rank 2 or more.
        offset: which diagonal: above the main one if positive, below it if negative.
        dim1, dim2: the two dimensions of the matrices.
        name: accepted for Fluid code, ignored.

    Returns:
        A ComplexVariable without the two dimensions; [1] for one matrix.

    Raises:
        ArgumentTypeError: input is not a ComplexVariable.
        ShapeError, ArgumentValueError: the rank is below 2, or the two dimensions are out of range or equal.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.complex.trace(paddle.imperative.to_variable(np.array([[1, 2j], [0, 1j]]))).numpy()
    array([1.+1.j])
    """
    return _complex_input(input, "trace").map(lambda part: linalg.trace(part, offset, dim1, dim2))


def sum(input: Any, dim: Any = None, keep_dim: bool = False, name: str | None = None) -> ComplexVariable:
    """Compute the sum of complex numbers over some dimensions.

    Arguments:
        input: a ComplexVariable.
        dim: an int or a list of ints; all dimensions where it is None.
        keep_dim: keep the reduced dimensions with size 1.
        name: accepted for Fluid code, ignored.

    Returns:
        A ComplexVariable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: input is not a ComplexVariable.
        ShapeError, ArgumentValueError: a dimension is out of range.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.complex.sum(paddle.imperative.to_variable(np.array([[1, 2j], [0, 1j]])), dim=0).numpy()
    array([1.+0.j, 0.+3.j])
    """
    return _complex_input(input, "sum").map(lambda part: reduce_sum(part, dim, keep_dim))


def reshape(x: Any, shape: Any, inplace: bool = False, name: str | None = None) -> ComplexVariable:
    """Give the numbers of a complex Variable another shape.

    Arguments:
        x: a ComplexVariable.
        shape: a list of ints: 0 copies the size of x at that place, one -1 is inferred.
        inplace: whether x itself takes the new shape.
        name: accepted for Fluid code, ignored.

    Returns:
        A ComplexVariable; x itself if `inplace`.

    Raises:
        ArgumentTypeError: x is not a ComplexVariable.
        ShapeError: the shape does not hold the same number of elements.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.complex.reshape(paddle.imperative.to_variable(np.array([[1, 2j], [0, 1j]])), [-1]).shape
    [4]
    """
    reshaped = _complex_input(x, "reshape").map(lambda part: shapes.reshape(part, shape, inplace=inplace))
    if not inplace:
        return reshaped
    x.real, x.imag = reshaped.real, reshaped.imag
    return x


def transpose(x: Any, perm: Any, name: str | None = None) -> ComplexVariable:
    """Permute the dimensions of a complex Variable; no numbers are conjugated.

    Arguments:
        x: a ComplexVariable.
        perm: a list of ints: dimension i of the result is dimension perm[i] of x.
        name: accepted for Fluid code, ignored.

    Returns:
        A ComplexVariable.

    Raises:
        ArgumentTypeError: x is not a ComplexVariable.
        ArgumentValueError: perm is not a permutation of the dimensions.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.complex.transpose(paddle.imperative.to_variable(np.array([[1, 2j]])), [1, 0]).numpy()
    array([[1.+0.j],
           [0.+2.j]])
    """
    return _complex_input(x, "transpose").map(lambda part: shapes.transpose(part, perm))
