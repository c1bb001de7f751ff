"""Finding elements of Variables."""

from __future__ import annotations

from typing import Any

from ...core.dtype import to_vartype
from ...ops.shape.index import arg_max
from ..support.arguments import deliver

__all__ = ["argmax"]


def argmax(
    input: Any,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """Where the largest elements along an axis are.

    Arguments:
        input: a Variable of rank 1 or more.
        axis: an int, negative ones count from the end; the last axis where it is None.
        dtype: "int64" (where it is None) or "int32".
        out: a Variable that takes the result.
        keepdims: keep the axis, with size 1.
        name: kept for Paddle code.

    Returns:
        Indices of the shape of `input` without the axis; of equal elements the first.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([[1., 5., 3.]], 'float32'))
    >>> paddle.argmax(x, keepdims=True).numpy()
    array([[1]])
    """
    code = -1 if dtype is None else int(to_vartype(dtype, "argmax"))
    found = arg_max.call(input, axis=-1 if axis is None else axis, keepdims=keepdims, dtype=code)
    return deliver(found, out, "argmax")
