"""Gradients of elementwise operators on the CPU: they are called for nearly every line of an imperative program.

Equal shapes come first. A gradient that nobody needs is left out only where it costs something.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..broadcasting import placed, reduce_to
from ..codegen.numpy_form import quiet
from ..registry import kernel

BOTH = (True, True)


@kernel("elementwise_add_grad")
def elementwise_add_grad(X: Any, Y: Any, dOut: Any, axis: int = -1, need: tuple = BOTH) -> tuple:
    shape = dOut.shape
    if X.shape == shape:
        if Y.shape == shape:
            return dOut, dOut
        return dOut, quiet().run(reduce_to, dOut, Y, X, axis) if need[1] else None
    return _summed(dOut, dOut, X, Y, axis, need)


@kernel("elementwise_sub_grad")
def elementwise_sub_grad(X: Any, Y: Any, dOut: Any, axis: int = -1, need: tuple = BOTH) -> tuple:
    negative = -dOut if need[1] else None
    if X.shape == Y.shape:
        return dOut, negative
    return _summed(dOut, negative, X, Y, axis, need)


@kernel("elementwise_mul_grad")
def elementwise_mul_grad(X: Any, Y: Any, dOut: Any, axis: int = -1, need: tuple = BOTH) -> tuple:
    run = quiet().run
    if X.shape == Y.shape:
        return run(np.multiply, dOut, Y) if need[0] else None, run(np.multiply, dOut, X) if need[1] else None
    of_x = run(np.multiply, dOut, placed(Y, X, axis)) if need[0] else None
    of_y = run(np.multiply, dOut, placed(X, Y, axis)) if need[1] else None
    return _summed(of_x, of_y, X, Y, axis, need)


@kernel("elementwise_div_grad")
def elementwise_div_grad(X: Any, Y: Any, Out: Any, dOut: Any, axis: int = -1, need: tuple = BOTH) -> tuple:
    return quiet().run(_div_grad, X, Y, Out, dOut, axis, need)


def _div_grad(X: Any, Y: Any, Out: Any, dOut: Any, axis: int, need: tuple) -> tuple:
    of_x = (dOut / placed(Y, X, axis)).astype(dOut.dtype, copy=False)  # that of integers is cut off
    return _summed(of_x, of_x * -Out if need[1] else None, X, Y, axis, need)


def _summed(of_x: Any, of_y: Any, X: Any, Y: Any, axis: int, need: tuple) -> tuple:
    """The gradients in the shape of Out, summed back to X and Y."""
    return (
        quiet().run(reduce_to, of_x, X, Y, axis) if need[0] else None,
        quiet().run(reduce_to, of_y, Y, X, axis) if need[1] else None,
    )
