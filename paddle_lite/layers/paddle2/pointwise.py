"""Elementwise functions with an `out` argument, as in 2.0-alpha."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.typing import Variable
from ...ops.nn import activation as ops
from ..support.arguments import write_to_out

__all__ = ["atan", "sin", "sqrt", "tanh"]

_DOC = """Compute {formula}

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Paddle code, ignored.
        out: a Variable to write the result into; a new one where it is None.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x or out is not a Variable.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.{name}(paddle.imperative.to_variable(np.zeros(2, 'float32'))).numpy()
    array([0., 0.], dtype=float32)
    """


def _with_out(name: str) -> Callable[..., Any]:
    """Make the public function of an operator with one input and an `out` argument."""
    op = getattr(ops, name)

    def function(x: Any, name: str | None = None, out: Any = None) -> Variable:
        return write_to_out(op.call(x), out, op.type)

    function.__doc__ = _DOC.format(formula=op.__doc__, name=name)
    function.__name__ = function.__qualname__ = name
    return function


atan = _with_out("atan")
sin = _with_out("sin")
sqrt = _with_out("sqrt")
tanh = _with_out("tanh")
