"""GPU kernels of activations that are not elementwise; the reference takes other axes than the last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.shape import rows_and_width, threads_for
from .rows import softmax_rows, softmax_rows_grad


@kernel("softmax", device="gpu")
def softmax(X: Any, *, axis: int, reference: Callable) -> Any:
    shape = rows_and_width(X, axis)
    if shape is None:
        return reference(X, axis=axis)
    xp = array_module("gpu")
    x, (rows, width) = xp.ascontiguousarray(X), shape
    out = xp.empty_like(x)
    launch(softmax_rows, rows, threads_for(width), x, out, width)
    return out


@kernel("softmax_grad", device="gpu")
def softmax_grad(Out: Any, dOut: Any, *, axis: int, reference: Callable) -> Any:
    shape = rows_and_width(Out, axis)
    if shape is None or Out.dtype != dOut.dtype:
        return reference(Out, dOut, axis=axis)
    xp = array_module("gpu")
    out, (rows, width) = xp.ascontiguousarray(Out), shape
    dx = xp.empty_like(out)
    launch(softmax_rows_grad, rows, threads_for(width), out, xp.ascontiguousarray(dOut), dx, width)
    return dx
