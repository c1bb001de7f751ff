"""Shapes of reductions over some or all dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ShapeError, message

Shape = tuple[int, ...]


def axes_of(where: str, rank: int, dim: Sequence[int], reduce_all: bool) -> tuple[int, ...]:
    """Return the dimensions to reduce as non-negative numbers in increasing order; an empty `dim` means all."""
    if reduce_all or len(dim) == 0:
        return tuple(range(rank))
    axes = tuple(sorted([d + rank if d < 0 else d for d in dim]))
    if axes[0] < 0 or axes[-1] >= rank or len(set(axes)) < len(axes):
        needs = f"different dimensions from {-rank} to {rank - 1}"
        raise ShapeError(message(where, "attribute 'dim'", list(dim), needs))
    return axes


def reduced_shape(shape: Shape, axes: tuple[int, ...], keep_dim: bool) -> Shape:
    """Return the shape of the result; [1] if no dimension is left."""
    if keep_dim:
        return tuple(1 if i in axes else n for i, n in enumerate(shape)) or (1,)
    return tuple(n for i, n in enumerate(shape) if i not in axes) or (1,)


def keep_reduced_axes(array: Any, shape: Shape, axes: tuple[int, ...]) -> Any:
    """Return a result, or its gradient, with each reduced dimension as 1, so that it broadcasts against X."""
    return array.reshape([1 if i in axes else n for i, n in enumerate(shape)])
