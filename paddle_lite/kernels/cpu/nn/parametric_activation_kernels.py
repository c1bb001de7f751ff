"""CPU kernels of activations with learned parameters."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from ...registry import kernel
from .prelu import prelu_backward, prelu_forward


def _view(x: np.ndarray, slopes: np.ndarray, mode: str) -> tuple[int, ...] | None:
    """Return the view of X for the kernel; None if it does not support the call."""
    if not (x.size and x.dtype.char in "fd" and slopes.dtype == x.dtype):
        return None
    if mode == "all" and slopes.size == 1:
        return (len(x), 1, x.size // len(x))
    if mode == "channel" and x.ndim > 1 and slopes.size == x.shape[1] == max(slopes.shape, default=0):
        run = prod(x.shape[2:])
        return (*x.shape[:2], run) if run > 1 else x.shape[:2]
    if mode == "element" and slopes.shape == (1, *x.shape[1:]):
        return (x.shape[0], slopes.size)
    return None


@kernel("prelu")
def prelu(X: np.ndarray, Alpha: np.ndarray, *, mode: str, reference: Callable) -> np.ndarray:
    view = _view(X, Alpha, mode)
    if view is None:
        return reference(X, Alpha, mode=mode)
    return prelu_forward(X.reshape(view), Alpha.reshape(-1)).reshape(X.shape)


@kernel("prelu_grad")
def prelu_grad(
    X: np.ndarray, Alpha: np.ndarray, dOut: np.ndarray, *, mode: str, need: tuple = (True, True), reference: Callable
) -> tuple[np.ndarray | None, np.ndarray | None]:
    view = _view(X, Alpha, mode)
    if view is None or dOut.dtype != X.dtype:
        return reference(X, Alpha, dOut, mode=mode, need=need)
    dx, dalpha = prelu_backward(X.reshape(view), Alpha.reshape(-1), dOut.reshape(view))
    return dx.reshape(X.shape) if need[0] else None, dalpha.reshape(Alpha.shape) if need[1] else None
