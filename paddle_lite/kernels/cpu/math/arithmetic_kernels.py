"""CPU kernels of scaling, sums and means, with little overhead for small arrays. `infer` explains invalid calls."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.selected_rows import SelectedRows, sum_of_sparse
from ....ops.support.scalar_inputs import attribute_scalar, scalar_value
from ...codegen.numpy_form import quiet
from ...registry import kernel

FLOAT32 = np.dtype("float32")


@kernel("scale", compiled=False)
def scale(X: Any, ScaleTensor: Any = None, scale: float = 1.0, bias: float = 0.0, bias_after_scale: bool = True) -> Any:
    if ScaleTensor is not None:
        scale = scalar_value("scale", "ScaleTensor", ScaleTensor)
    dtype = X.dtype
    if dtype is FLOAT32:
        factor = np.float32(scale + 0.0)
    else:
        factor = attribute_scalar(scale, dtype)
    if type(X) is SelectedRows:
        return X.scaled(factor, bias)
    if bias == 0:
        return X * factor
    offset = np.float32(bias + 0.0) if dtype is FLOAT32 else attribute_scalar(bias, dtype)
    if factor == 1:
        return X + offset
    return X * factor + offset if bias_after_scale else (X + offset) * factor


@kernel("sum", compiled=False)
def sum(X: Any) -> Any:
    first = X[0].shape
    for x in X:
        if x.shape != first:  # shapes in a Plan can depend on values
            raise ValueError("not alike")
    return quiet().run(_sum, X)


def _sum(arrays: Any) -> Any:
    sparse = [x for x in arrays if type(x) is SelectedRows]
    if sparse:
        rows = sum_of_sparse(sparse, np)
        if len(sparse) == len(arrays):
            return rows.merged(np)  # as in Paddle; on a GPU it would wait for the device
        return rows.added_to(_sum([x for x in arrays if type(x) is not SelectedRows]), np)
    if len(arrays) == 1:
        return arrays[0].copy()
    total = arrays[0] + arrays[1]
    for x in arrays[2:]:
        total += x
    return total


@kernel("mean", compiled=False)
def mean(X: Any) -> Any:
    if not X.size:  # the size in a Plan can depend on values
        raise ValueError("empty")
    return quiet().run(_mean, X)


def _mean(x: Any) -> Any:
    out = np.empty(1, x.dtype)
    out[0] = np.add.reduce(x, None, np.float32 if x.dtype.itemsize < 4 else x.dtype) / x.size
    return out


@kernel("mean_grad", compiled=False)
def mean_grad(X: Any, dOut: Any) -> Any:
    out = np.empty(X.shape, dOut.dtype)
    out.fill(dOut.item() / X.size)
    return out


_amounts: dict[tuple[str, float], Any] = {}  # (dtype, step) -> an array, which NumPy adds faster than a number


@kernel("increment", compiled=False)
def increment(X: Any, *, step: float, reference: Any) -> Any:
    if X.dtype.kind not in "fi":
        return reference(X, step=step)
    amount = _amounts.get((X.dtype.char, step))
    if amount is None:
        amount = _amounts[X.dtype.char, step] = np.array(X.dtype.type(step))
    return X + amount
