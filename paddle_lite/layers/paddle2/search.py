"""Search functions with the signatures of 2.0-alpha."""

from __future__ import annotations

from typing import Any

from ...core.dtype import to_vartype
from ...core.typing import Variable
from ...ops.shape.index import arg_max
from ..support.arguments import write_to_out

__all__ = ["argmax"]


def argmax(
    input: Any,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Variable:
    """Find the index of the largest element along an axis.

    Arguments:
        input: a Variable of rank 1 or more.
        axis: an int; a negative one counts from the end; the last axis where it is None.
        dtype: "int64" (where it is None) or "int32".
        out: a Variable to write the result into; a new one where it is None.
        keepdims: keep the axis with size 1.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the shape of `input` without the axis; of equal elements the index of the first.

    Raises:
        ArgumentTypeError: input or out is not a Variable, or axis is not an int.
        ShapeError: input has no such axis.
        DtypeError: there is no such dtype.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([[1., 5., 3.]], 'float32'))
    >>> paddle.argmax(x, keepdims=True).numpy()
    array([[1]])
    """
    code = -1 if dtype is None else int(to_vartype(dtype, "argmax"))
    found = arg_max.call(input, axis=-1 if axis is None else axis, keepdims=keepdims, dtype=code)
    return write_to_out(found, out, "argmax")
