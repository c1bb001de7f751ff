"""Scaling and means on the CPU: what every training step calls on small arrays. Bad calls are explained by `infer`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.selected_rows import SelectedRows
from ..codegen.numpy_form import quiet
from ..registry import kernel
from ..scalars import number_in, rounded


@kernel("scale")
def scale(X: Any, ScaleTensor: Any = None, scale: float = 1.0, bias: float = 0.0, bias_after_scale: bool = True) -> Any:
    dtype = X.dtype
    if ScaleTensor is not None:
        scale = number_in("scale", "ScaleTensor", ScaleTensor)
    if dtype.kind == "b":
        raise TypeError("bool")
    if type(X) is SelectedRows:
        return X.scaled(rounded(scale, dtype))
    run = quiet().run
    factor = rounded(scale, dtype)
    if bias == 0:
        return run(np.multiply, X, factor)
    offset = rounded(bias, dtype)
    if factor == 1:
        return run(np.add, X, offset)
    return run(_scaled, X, factor, offset, bias_after_scale)


def _scaled(x: Any, factor: Any, offset: Any, bias_after_scale: bool) -> Any:
    return x * factor + offset if bias_after_scale else (x + offset) * factor


@kernel("mean")
def mean(X: Any) -> Any:
    if not X.size:
        raise ValueError("empty")
    return quiet().run(_mean, X)


def _mean(x: Any) -> Any:
    out = np.add.reduce(x.reshape(-1), keepdims=True)
    out /= x.size
    return out


@kernel("mean_grad")
def mean_grad(X: Any, dOut: Any) -> Any:
    out = np.empty(X.shape, dOut.dtype)
    out[...] = dOut / X.size
    return out
