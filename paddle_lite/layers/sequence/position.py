"""Sinusoidal position encoding."""

from __future__ import annotations

from ...core.typing import Variable
from ...ops.sequence import position as ops
from ..support.arguments import check_number, check_variable

__all__ = ["add_position_encoding"]


def add_position_encoding(input: Variable, alpha: float, beta: float, name: str | None = None) -> Variable:
    """Compute alpha * input + beta * encoding, with the sinusoidal encoding of each position.

    The first half of the encoding of position p is sin(p / 10000**(i / (size / 2 - 1))) for i = 0 ... size / 2 - 1; the
    second half has the cosines.

    Source: Vaswani et al., "Attention Is All You Need", 2017.

    Arguments:
        input: [N, length, size], or [rows, size] with a LoD of one level; float32 or float64, size even.
        alpha, beta: numbers, at least 0.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or alpha or beta is not a number.
        ArgumentValueError: alpha or beta is negative.
        ShapeError: input has another rank without a LoD, or its size is odd.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([1, 2, 4], 'float32'))
    ...     fluid.layers.add_position_encoding(x, alpha=1.0, beta=1.0).numpy().round(2)
    array([[[0.  , 0.  , 1.  , 1.  ],
            [0.84, 0.  , 0.54, 1.  ]]], dtype=float32)
    """
    where = "add_position_encoding"
    attrs = {"alpha": check_number(where, "alpha", alpha), "beta": check_number(where, "beta", beta)}
    return ops.add_position_encoding.call(check_variable(where, "input", input), **attrs)
