"""`randn` of fluid.layers in 1.8.5, whose seed NumPy draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.typing import Variable
from ..paddle2.random import standard_normal

__all__ = ["randn"]


def randn(
    shape: Any,
    out: Any = None,
    dtype: Any = None,
    device: str | None = None,
    stop_gradient: bool = True,
    name: str | None = None,
) -> Variable:
    """Draw numbers from the standard normal distribution, with a seed below 100 that `np.random` draws in this call.

    So `np.random.seed` repeats them, and a Program makes the same numbers at each run (with the seed 0, others).
    `gaussian_random` makes new numbers at each run.

    Arguments:
        shape: a list of ints and Variables of one element, or an int Variable that holds the sizes.
        out: a Variable to write the result into; a new one where it is None.
        dtype: "float32" or "float64"; that of `set_default_dtype` ("float32") where it is None.
        device: "cpu", "gpu" or None; the result is on the device of imperative mode in any case.
        stop_gradient: whether gradients stop at the result.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of this shape and dtype.

    Raises:
        ArgumentTypeError: shape has another form.
        ArgumentValueError: device is unknown.
        ShapeError: a size is negative, or shape is empty.
        DtypeError: dtype is not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> np.random.seed(0)
    >>> paddle.fluid.layers.randn([2]).numpy()
    array([-1.5425386 , -0.23206738], dtype=float32)
    """
    return standard_normal(shape, int(np.random.randint(0, 100)), out, dtype, device, stop_gradient)
