"""CPU kernel of cumulative sums."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from ...registry import kernel
from .cumulative_sum import cumulative_sum


@kernel("cumsum")
def cumsum(X: np.ndarray, *, axis: int, exclusive: bool, reverse: bool, reference: Callable) -> np.ndarray:
    if not (X.size and X.dtype.char in "fd" and -X.ndim <= axis < X.ndim):
        return reference(X, axis=axis, exclusive=exclusive, reverse=reverse)
    axis %= X.ndim
    view = X.reshape(prod(X.shape[:axis]), X.shape[axis], prod(X.shape[axis + 1 :]))
    return cumulative_sum(view, exclusive, reverse).reshape(X.shape)
