"""Linear algebra."""

from __future__ import annotations

from typing import Any

from ..core.errors import ShapeError, describe, message
from ..core.lazy import namespace
from ..layers.arguments import check_variable
from ..layers.shape import transpose
from .names import BY_MODULE

__all__ = ["t"]

__getattr__, __dir__ = namespace(__name__, BY_MODULE["linalg"])


def t(input: Any, name: str | None = None) -> Any:
    """The transpose of a matrix; a vector or a single number as it is.

    Arguments:
        input: a Variable of rank 2 or less.
        name: kept for Paddle code.

    Raises:
        ShapeError: the rank is higher.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.t(paddle.imperative.to_variable(np.zeros([2, 3], 'float32'))).shape
    [3, 2]
    """
    rank = len(check_variable("t", "input", input).shape)
    if rank > 2:
        raise ShapeError(message("t", "input", describe(input), "rank 2 or less", "Use transpose()."))
    return transpose(input, [1, 0]) if rank == 2 else input
