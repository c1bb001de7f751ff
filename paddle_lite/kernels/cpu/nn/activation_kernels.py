"""CPU kernels of activations that are not elementwise."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...registry import kernel
from ..loss import softmax as rows
from ..support.kernel_applies import kernel_applies


@kernel("softmax")
def softmax(X: np.ndarray, *, axis: int, reference: Callable) -> np.ndarray:
    return rows.softmax(X) if kernel_applies(X, axis) else reference(X, axis=axis)


@kernel("softmax_grad")
def softmax_grad(Out: np.ndarray, dOut: np.ndarray, *, axis: int, reference: Callable) -> np.ndarray:
    return rows.softmax_grad(Out, dOut) if kernel_applies(Out, axis) else reference(Out, dOut, axis=axis)
