"""CPU kernels of sums, means and their gradients. `infer` explains invalid calls."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ....core.dtype import to_numpy
from ....ops.support.reduction_shapes import axes_of, keep_reduced_axes, reduced_shape
from ...codegen.numpy_form import quiet
from ...registry import kernel

FIRST = (0,)


def _sum(name: str, X: Any, dim: Sequence[int], keep_dim: bool, reduce_all: bool, out_dtype: int) -> tuple[Any, int]:
    """Return the sums, and the number of elements of each sum."""
    if out_dtype >= 0:
        X = X.astype(to_numpy(out_dtype, name))
    run = quiet().run
    if reduce_all or not len(dim):
        total = np.empty((1,) * X.ndim if keep_dim and X.ndim else 1, X.dtype)
        total.fill(run(np.add.reduce, X, None, X.dtype))
        return total, X.size
    axes = axes_of(name, X.ndim, dim, False)
    total = run(np.add.reduce, X, axes if len(axes) > 1 else axes[0], X.dtype)
    count = prod([X.shape[i] for i in axes])
    if keep_dim or not total.ndim:
        total = np.asarray(total).reshape(reduced_shape(X.shape, axes, keep_dim))
    return total, count


@kernel("reduce_sum", compiled=False)
def reduce_sum(
    X: Any, dim: Sequence[int] = FIRST, keep_dim: bool = False, reduce_all: bool = False, out_dtype: int = -1
) -> Any:
    return _sum("reduce_sum", X, dim, keep_dim, reduce_all, out_dtype)[0]


@kernel("reduce_mean", compiled=False)
def reduce_mean(
    X: Any, dim: Sequence[int] = FIRST, keep_dim: bool = False, reduce_all: bool = False, out_dtype: int = -1
) -> Any:
    total, count = _sum("reduce_mean", X, dim, keep_dim, reduce_all, out_dtype)
    if not X.size:
        raise ValueError("empty")
    if total.dtype.kind == "f":
        total /= count
        return total
    return np.sign(total) * (abs(total) // count)  # truncated as in C


def _gradient(name: str, X: Any, value: Any, dim: Sequence[int], reduce_all: bool) -> Any:
    """Return the gradient of a reduction, broadcast to the elements of X."""
    out = np.empty(X.shape, X.dtype)
    if value.size == 1:
        out.fill(value.item())
    else:
        out[...] = keep_reduced_axes(value, X.shape, axes_of(name, X.ndim, dim, reduce_all))
    return out


@kernel("reduce_sum_grad", compiled=False)
def reduce_sum_grad(
    X: Any, dOut: Any, dim: Sequence[int] = FIRST, keep_dim: bool = False, reduce_all: bool = False, out_dtype: int = -1
) -> Any:
    return _gradient("reduce_sum", X, dOut, dim, reduce_all)


@kernel("reduce_mean_grad", compiled=False)
def reduce_mean_grad(
    X: Any, dOut: Any, dim: Sequence[int] = FIRST, keep_dim: bool = False, reduce_all: bool = False, out_dtype: int = -1
) -> Any:
    return _gradient("reduce_mean", X, dOut / (X.size // max(dOut.size, 1)), dim, reduce_all)
