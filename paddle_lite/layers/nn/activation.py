"""Activations and other elementwise functions of one Variable; softmax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.calls.former import formerly
from ...core.errors import DtypeError
from ...core.typing import Variable
from ...ops.nn import activation as ops
from ...ops.support.meta import Meta
from ..math.arithmetic import assign, cast
from ..math.reduce import reduce_max, reduce_sum
from ..support.arguments import write_to_out

__all__ = [
    "abs", "acos", "asin", "atan", "ceil", "cos", "erf", "exp", "floor", "gelu", "hard_shrink", "leaky_relu", "log", "log1p",
    "log_softmax", "logsigmoid", "reciprocal", "relu", "round", "rsqrt", "sigmoid", "sign", "sin", "softmax", "softplus",
    "softshrink", "softsign", "sqrt", "square", "tanh", "tanh_shrink", "thresholded_relu",
]  # fmt: skip

_DOC = """Compute {formula}

    Arguments:
        x: a Variable of any shape, {dtypes}.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.{name}(x).shape
    [2]
    """


def _takes_integers(op: Any) -> bool:
    """Return whether inference accepts integers for the input of a unary operator."""
    try:
        op.infer(Meta((), np.dtype("int64")))
    except DtypeError:
        return False
    return True


def _unary(name: str) -> Callable[..., Any]:
    """Make the public function of an operator with one input, one output and no attributes."""
    op = getattr(ops, name)

    def function(x: Any, name: str | None = None) -> Variable:
        return op.call(x)

    dtypes = "float32, float64 or integers" if _takes_integers(op) else "float32 or float64"
    function.__doc__ = _DOC.format(formula=op.__doc__, name=name, dtypes=dtypes)
    function.__name__ = function.__qualname__ = name
    return function


abs = _unary("abs")
acos = _unary("acos")
asin = _unary("asin")
atan = _unary("atan")
ceil = _unary("ceil")
cos = _unary("cos")
exp = _unary("exp")
floor = _unary("floor")
log = _unary("log")
logsigmoid = _unary("logsigmoid")
reciprocal = _unary("reciprocal")
relu = _unary("relu")
round = _unary("round")
rsqrt = _unary("rsqrt")
sigmoid = _unary("sigmoid")
sin = _unary("sin")
softplus = _unary("softplus")
softsign = _unary("softsign")
sqrt = _unary("sqrt")
square = _unary("square")
tanh = _unary("tanh")
tanh_shrink = _unary("tanh_shrink")


def erf(x: Any) -> Variable:
    """Compute the error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x.

    Arguments:
        x: a Variable of any shape, float32 or float64.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.erf(fluid.dygraph.to_variable(np.array([0., 9.], 'float32'))).numpy()
    array([0., 1.], dtype=float32)
    """
    return ops.erf.call(x)


def sign(x: Any) -> Variable:
    """Compute the sign of each element: -1, 0 or 1.

    Arguments:
        x: a Variable or an ndarray of any shape, float32 or float64.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is neither a Variable nor an ndarray.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.sign(np.array([3., 0., -2.], 'float32')).numpy()
    array([ 1.,  0., -1.], dtype=float32)
    """
    return ops.sign.call(assign(x) if isinstance(x, np.ndarray) else x)


def log1p(x: Any, out: Any = None, name: str | None = None) -> Variable:
    """Compute ln(1 + x), accurately for x near 0.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the shape and dtype of x; `out` where it is given.

    Raises:
        ArgumentTypeError: x or out is not a Variable.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.log1p(fluid.dygraph.to_variable(np.zeros(2, 'float32'))).numpy()
    array([0., 0.], dtype=float32)
    """
    return write_to_out(ops.log1p.call(x), out, "log1p")


def leaky_relu(x: Any, alpha: float = 0.02, name: str | None = None) -> Variable:
    """Compute x where it is positive, alpha * x elsewhere.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        alpha: the slope for negative elements.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or alpha is not a number.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.leaky_relu(fluid.dygraph.to_variable(np.array([-1., 2.], 'float32')), alpha=0.5).numpy()
    array([-0.5,  2. ], dtype=float32)
    """
    return ops.leaky_relu.call(x, alpha=alpha)


def gelu(x: Any, approximate: bool = False) -> Variable:
    """Compute the Gaussian error linear unit: x times the cumulative distribution function of the standard normal
    distribution.

    Source: Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        approximate: use the approximation by tanh.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.gelu(fluid.dygraph.to_variable(np.zeros(2, 'float32'))).numpy()
    array([0., 0.], dtype=float32)
    """
    return ops.gelu.call(x, approximate=approximate)


def softshrink(x: Any, alpha: float | None = None) -> Variable:
    """Compute x - alpha where x > alpha, x + alpha where x < -alpha, and 0 elsewhere.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        alpha: the threshold, 0.5 where it is None.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.softshrink(fluid.dygraph.to_variable(np.array([-2., 0.25], 'float32'))).numpy()
    array([-1.5,  0. ], dtype=float32)
    """
    return ops.softshrink.call(x, lambda_=0.5 if alpha is None else alpha)


def hard_shrink(x: Any, threshold: float | None = None) -> Variable:
    """Compute x where |x| > threshold, 0 elsewhere.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        threshold: a number, 0.5 where it is None.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.hard_shrink(fluid.dygraph.to_variable(np.array([-2., 0.25], 'float32'))).numpy()
    array([-2.,  0.], dtype=float32)
    """
    return ops.hard_shrink.call(x, threshold=0.5 if threshold is None else threshold)


def thresholded_relu(x: Any, threshold: float | None = None) -> Variable:
    """Compute x where x > threshold, 0 elsewhere.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        threshold: a number, 1.0 where it is None.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.thresholded_relu(fluid.dygraph.to_variable(np.array([2., 0.25], 'float32'))).numpy()
    array([2., 0.], dtype=float32)
    """
    return ops.thresholded_relu.call(x, threshold=1.0 if threshold is None else threshold)


@formerly("input param_attr bias_attr use_cudnn name", gone="param_attr bias_attr")
def softmax(input: Any, use_cudnn: bool = False, name: str | None = None, axis: int | None = -1) -> Variable:
    """Compute exp(input) / sum(exp(input)) along `axis`, without overflow.

    Arguments:
        input: a Variable of any shape, float32 or float64.
        use_cudnn: accepted for Fluid code, ignored.
        axis: the axis along which the results sum to 1; None for the last.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ArgumentValueError: input has no such axis.
        ShapeError: the axis has size 0.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.softmax(fluid.dygraph.to_variable(np.zeros([1, 4], 'float32'))).numpy()
    array([[0.25, 0.25, 0.25, 0.25]], dtype=float32)
    """
    return ops.softmax.call(input, axis=-1 if axis is None else axis)


def log_softmax(input: Any, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Variable:
    """Compute log(softmax(input)) along `axis`, without overflow or underflow.

    Arguments:
        input: a Variable of any shape, float32 or float64.
        axis: the axis along which the exponentials sum to 1; the last one where it is None.
        dtype: the dtype to convert `input` to first; None to keep its dtype.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the shape of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ShapeError: input has no such axis.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> with paddle.imperative.guard():
    ...     paddle.nn.functional.log_softmax(paddle.imperative.to_variable(np.zeros([1, 1], 'float32'))).numpy()
    array([[0.]], dtype=float32)
    """
    axis = -1 if axis is None else axis
    x = input if dtype is None else cast(input, dtype)
    peak = reduce_max(x, dim=axis, keep_dim=True)
    peak.stop_gradient = True  # the result does not depend on it
    shifted = x - peak
    return shifted - log(reduce_sum(exp(shifted), dim=axis, keep_dim=True))
