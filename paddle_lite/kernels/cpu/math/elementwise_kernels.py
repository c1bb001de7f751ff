"""CPU kernels of the gradients of elementwise operators, which imperative programs call for nearly every line.

Equal shapes are handled first. An unneeded gradient is skipped only if it costs something.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ....ops.support.broadcasting import align_operand, aligned_shapes
from ...codegen.numpy_form import quiet
from ...registry import kernel

BOTH = (True, True)
LARGE = 1000  # number of elements from which on a BLAS call is worthwhile


@kernel("elementwise_add_grad", compiled=False)
def elementwise_add_grad(X: Any, Y: Any, dOut: Any, axis: int = -1, need: tuple = BOTH) -> tuple:
    shape = dOut.shape
    if X.shape == shape:
        if Y.shape == shape:
            return dOut, dOut
        return dOut, quiet().run(_reduced, dOut, Y.shape, X.shape, axis) if need[1] else None
    return _summed(dOut, dOut, X, Y, axis, need)


@kernel("elementwise_sub_grad", compiled=False)
def elementwise_sub_grad(X: Any, Y: Any, dOut: Any, axis: int = -1, need: tuple = BOTH) -> tuple:
    negative = -dOut if need[1] else None
    if X.shape == Y.shape:
        return dOut, negative
    return _summed(dOut, negative, X, Y, axis, need)


@kernel("elementwise_mul_grad", compiled=False)
def elementwise_mul_grad(X: Any, Y: Any, dOut: Any, axis: int = -1, need: tuple = BOTH) -> tuple:
    if X.shape == Y.shape:
        return dOut * Y if need[0] else None, dOut * X if need[1] else None
    of_x = dOut * align_operand(Y, X, axis) if need[0] else None
    of_y = dOut * align_operand(X, Y, axis) if need[1] else None
    return _summed(of_x, of_y, X, Y, axis, need)


@kernel("elementwise_div_grad", compiled=False)
def elementwise_div_grad(X: Any, Y: Any, Out: Any, dOut: Any, axis: int = -1, need: tuple = BOTH) -> tuple:
    return quiet().run(_div_grad, X, Y, Out, dOut, axis, need)


def _div_grad(X: Any, Y: Any, Out: Any, dOut: Any, axis: int, need: tuple) -> tuple:
    of_x = (dOut / align_operand(Y, X, axis)).astype(dOut.dtype, copy=False)  # truncated for integers
    return _summed(of_x, of_x * -Out if need[1] else None, X, Y, axis, need)


def _summed(of_x: Any, of_y: Any, X: Any, Y: Any, axis: int, need: tuple) -> tuple:
    """Sum gradients of Out's shape over the broadcast dimensions of X and Y."""
    return (
        quiet().run(_reduced, of_x, X.shape, Y.shape, axis) if need[0] else None,
        quiet().run(_reduced, of_y, Y.shape, X.shape, axis) if need[1] else None,
    )


def _reduced(gradient: Any, shape: tuple, other: tuple, axis: int) -> Any:
    """Return a gradient summed over the dimensions along which an operand of this shape was broadcast.

    If the operand is a contiguous block of dimensions, such as a bias, BLAS computes the sum, three times as fast.
    """
    whole = gradient.shape
    if whole == shape:
        return gradient
    start = len(whole) - len(shape) if axis == -1 or len(shape) == len(whole) else axis
    stop = start + len(shape)
    if gradient.size > LARGE and gradient.dtype.kind == "f" and whole[start:stop] == shape:
        total = gradient.reshape(prod(whole[:start]), -1, prod(whole[stop:]))
        total = total.dot(np.ones(total.shape[2], total.dtype)) if stop < len(whole) else total[:, :, 0]
        return np.ones(len(total), total.dtype).dot(total).reshape(shape)
    placed_shape = aligned_shapes("elementwise", shape, other, axis)[0]
    placed_shape = (1,) * (len(whole) - len(placed_shape)) + placed_shape
    axes = tuple([i for i, (n, m) in enumerate(zip(placed_shape, whole)) if n != m])
    total = np.add.reduce(gradient, axes, gradient.dtype) if axes else gradient
    return np.asarray(total).reshape(shape)
