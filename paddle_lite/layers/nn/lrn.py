"""Local response normalisation."""

from __future__ import annotations

from ...core import result_names
from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.nn import lrn as ops
from ..support.arguments import check_int, check_number, check_variable

__all__ = ["lrn"]


def lrn(
    input: Variable,
    n: int = 5,
    k: float = 1.0,
    alpha: float = 1e-4,
    beta: float = 0.75,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Variable:
    """Compute local response normalisation: input / (k + alpha * s) ** beta, s the sum of the squares of `n`
    neighbouring channels.

    Source: Krizhevsky, Sutskever and Hinton, "ImageNet Classification with Deep Convolutional Neural Networks", 2012.

    Arguments:
        input: [N, C, H, W], or [N, H, W, C] with data_format "NHWC"; float32 or float64.
        n: the number of channels to sum over, an odd int.
        k, alpha, beta: numbers.
        name: accepted for Fluid code, ignored.
        data_format: "NCHW" or "NHWC".

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, n is not an int, or k, alpha or beta is not a number.
        ArgumentValueError: n is not odd or below 1, or data_format is unknown.
        ShapeError: the rank of input is not 4.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1., 2., 2.]).reshape(1, 3, 1, 1))
    ...     fluid.layers.lrn(x, n=3, k=0.0, alpha=1.0, beta=0.5).numpy().ravel().round(3)
    array([0.447, 0.667, 0.707])
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ArgumentValueError(message("lrn", "data_format", repr(data_format), '"NCHW" or "NHWC"'))
    factors = {key: check_number("lrn", key, value) for key, value in (("k", k), ("alpha", alpha), ("beta", beta))}
    x = check_variable("lrn", "input", input)
    with result_names.results(result_names.current().key, ("MidOut",)):
        return ops.lrn.call(x, n=check_int("lrn", "n", n), data_format=data_format, **factors)[0]
