"""Epilogue of convolutions and poolings: bias and activation, applied while the outputs are still in the cache."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from paddle_lite.core.errors import ArgumentValueError, ShapeError, message
from paddle_lite.kernels.cpu.vecmath import sigmoid, tanh
from paddle_lite.kernels.numba_jit import inline, jit
from paddle_lite.kernels.threads import parallel_for

__all__ = [
    "ACTIVATIONS",
    "Epilogue",
    "activation_code",
    "epilogue",
    "finish",
    "finish_block",
    "finish_flat",
    "limits",
    "remaining_code",
]

ACTIVATIONS = {None: 0, "relu": 1, "relu6": 2, "sigmoid": 3, "tanh": 4}
LIMITS = {"relu": (0.0, np.inf), "relu6": (0.0, 6.0)}  # activations that only clamp their argument


class Epilogue(NamedTuple):
    """The operations after the sum over the taps.

    Attributes:
        bias: [filters], zeros if there is none.
        low, high: the bounds of the results, in the arrays' dtype.
        code: the code of the activation for `finish`.
        rest: the code of the activation that remains after clamping to [low, high].
        empty: whether there is neither bias nor activation.

    Kernels with sums in registers add the bias and clamp the result there; `finish_rest` follows.
    """

    bias: np.ndarray
    low: Any
    high: Any
    code: int
    rest: int
    empty: bool

    def operands(self, x: np.ndarray, w: np.ndarray, y: np.ndarray, added: np.ndarray | None) -> tuple[Any, ...]:
        """Return the first arguments of a kernel that finishes its sums in registers.

        They are the flat input, the filters, the bias, what is added to the results (the results themselves where `added` is
        None), the flat results, whether anything is added, and the bounds.
        """
        out = y.reshape(-1)
        more = out if added is None else added.reshape(-1)
        return x.reshape(-1), w, self.bias, more, out, added is not None, self.low, self.high

    def finish_rest(self, y: np.ndarray) -> None:
        """Apply the rest of the activation to a clamped result with bias: only sigmoid and tanh have one."""
        if self.rest:
            finish_flat(y, self.rest)


@lru_cache(maxsize=64)
def limits(act: str | None, dtype: np.dtype) -> tuple[Any, Any]:
    """Return the bounds to which an activation clamps its argument; infinite ones if it does more than clamping, or nothing."""
    low, high = LIMITS.get(act or "", (-np.inf, np.inf))
    return dtype.type(low), dtype.type(high)


def remaining_code(call: str, act: str | None) -> int:
    """Return the code of the part of an activation that remains after clamping.

    Raises:
        ArgumentValueError: there is no such activation here.
    """
    code = activation_code(call, act)
    return 0 if act in LIMITS else code


def activation_code(call: str, act: str | None) -> int:
    """Return the code of an activation for kernels.

    Raises:
        ArgumentValueError: there is no such activation here.

    Example:
        >>> activation_code("conv2d", "relu")
        1
    """
    if act not in ACTIVATIONS:
        needs = f"None, {', '.join(repr(name) for name in ACTIVATIONS if name)}"
        raise ArgumentValueError(message(call, "act", repr(act), needs, "Apply other activations to the result."))
    return ACTIVATIONS[act]


def epilogue(bias: np.ndarray | None, act: str | None, filters: int, dtype: np.dtype) -> Epilogue:
    """Return the epilogue of a bias and an activation.

    Raises:
        ArgumentValueError: there is no such activation here.
        ShapeError: the bias does not have one number for each filter.
    """
    if bias is None and act is None:
        return _none(filters, dtype)
    code = activation_code("conv2d", act)
    if bias is not None and bias.size != filters:
        got, needs = f"shape {list(bias.shape)}", f"{filters} numbers, one for each filter"
        raise ShapeError(message("conv2d", "Bias", got, needs))
    numbers = np.zeros(filters, dtype) if bias is None else np.ascontiguousarray(bias, dtype).reshape(-1)
    rest = remaining_code("conv2d", act)
    return Epilogue(numbers, *limits(act, dtype), code, rest, bias is None and code == 0)


@lru_cache(maxsize=256)
def _none(filters: int, dtype: np.dtype) -> Epilogue:
    """Return an epilogue without bias and activation."""
    zeros = np.zeros(filters, dtype)
    return Epilogue(zeros, *limits(None, dtype), 0, 0, True)


@inline
def finish(target, source, bias, act):
    """Compute target = act(source + bias) for rows that may alias; code 0 means no activation."""
    zero, six = target.dtype.type(0), target.dtype.type(6)
    if act == 0:
        for k in range(target.size):
            target[k] = source[k] + bias
    elif act == 1:
        for k in range(target.size):
            value = source[k] + bias
            target[k] = zero if value < zero else value
    elif act == 2:
        for k in range(target.size):
            value = source[k] + bias
            value = zero if value < zero else value
            target[k] = six if value > six else value
    elif act == 3:
        for k in range(target.size):
            target[k] = sigmoid(source[k] + bias)
    else:
        for k in range(target.size):
            target[k] = tanh(source[k] + bias)


@jit
def finish_block(y, first, images, image_pitch, filters, pitch, length, bias, act):
    """Apply `finish` in place to a piece of `length` elements of each filter's plane in a flat result.

    The first piece starts at `first`; the distance between filters is `pitch`, that between images `image_pitch`.
    """
    for n in range(images):
        for k in range(filters):
            start = first + n * image_pitch + k * pitch
            row = y[start : start + length]
            finish(row, row, bias[k], act)


def finish_flat(y: np.ndarray, act: int) -> None:
    """Apply an activation to a whole contiguous array in place."""
    flat, no_bias = y.reshape(-1), np.zeros(1, y.dtype)

    def task(first: int, last: int) -> None:
        finish_block(flat, first, 1, 0, 1, 0, last - first, no_bias, act)

    parallel_for(task, y.size, 2 * y.size)
