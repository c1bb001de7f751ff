"""Unseeded dropout in one pass: an element's random number is a hash of its position and of 64 random bits of the call.

The hash applies the 32-bit mixer "lowbias32" of C. Wellons' prospector (https://github.com/skeeto/hash-prospector) twice,
each time after adding a part of the key; LLVM vectorises it. Kernels of fused operators use the same hash
(codegen/loops.py).
"""

from __future__ import annotations

import math

import numpy as np

from ...availability import jit_available
from ...numba_jit import inline, jit
from ..support.kernel_applies import kernel_applies
from .random import generator

__all__ = ["UPSCALE", "apply_mask", "dropout", "following", "kept", "key", "keys", "scale_of", "threshold"]

SHIFT16, SHIFT15, SHIFT32 = np.uint32(16), np.uint32(15), np.uint64(32)
ONE = np.uint32(1)
FACTOR1, FACTOR2 = np.uint32(0x21F0AAAD), np.uint32(0xD35A2D97)


def key() -> np.ndarray:
    """Return the key of a call: 64 bits drawn from the generator, as uint64 [1]."""
    return keys(1)


def keys(count: int) -> np.ndarray:
    """Return the keys of some calls, as uint64 [count].

    >>> keys(3).shape
    (3,)
    """
    return generator().bit_generator.random_raw(count)


def threshold(p: float) -> np.uint32:
    """Return the smallest hash of a kept element, for a drop probability p below 1.

    >>> threshold(0.25)
    np.uint32(1073741824)
    """
    return np.uint32(min(math.ceil(p * 2**32), 2**32 - 1))


UPSCALE = "upscale_in_train"


def scale_of(p: float, implementation: str) -> float:
    """Return the factor of kept elements in training.

    >>> scale_of(0.75, UPSCALE), scale_of(0.75, "downgrade_in_infer")
    (4.0, 1.0)
    """
    return 1.0 / divisor_of(p, implementation)


def divisor_of(p: float, implementation: str) -> float:
    """Return what gradients of kept elements are divided by in training, as PaddlePaddle divides them.

    >>> divisor_of(0.75, UPSCALE), divisor_of(0.75, "downgrade_in_infer")
    (0.25, 1.0)
    """
    return 1.0 - p if implementation == UPSCALE and p < 1 else 1.0


def dropout(x: np.ndarray, p: float, scale: float, drawn: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the elements of x times `scale`, or 0 with probability p, and the mask.

    Args:
        x: float32 or float64.
        p: from 0 to 1; probabilities are multiples of 2 ** -32.
        scale: the factor of kept elements.
        drawn: a `key()`; None draws one if p is below 1.

    Returns:
        An array like x, and the mask: uint8, 1 for kept elements.

    Example:
        >>> y, mask = dropout(np.ones((2, 3), np.float32), 0.0, 2.0)
        >>> y, int(mask.sum())
        (array([[2., 2., 2.],
               [2., 2., 2.]], dtype=float32), 6)
    """
    if p >= 1:
        return np.zeros(x.shape, x.dtype), np.zeros(x.shape, np.uint8)
    drawn = key() if drawn is None else drawn
    if not kernel_applies(x) or not jit_available():
        return _by_numpy(x, drawn, threshold(p), x.dtype.type(scale))
    y, mask = np.empty(x.shape, x.dtype), np.empty(x.shape, np.uint8)
    flat = np.ascontiguousarray(x).reshape(-1)
    _dropout(flat, drawn[0], threshold(p), x.dtype.type(scale), y.reshape(-1), mask.reshape(-1))
    return y, mask


def apply_mask(x: np.ndarray, mask: np.ndarray, divisor: float) -> np.ndarray:
    """Return x * mask / divisor.

    Args:
        x: float32 or float64.
        mask: uint8 of the same shape.
    """
    if not jit_available():
        return x * mask / x.dtype.type(divisor)
    y = np.empty(x.shape, x.dtype)
    flat = np.ascontiguousarray(x).reshape(-1), np.ascontiguousarray(mask).reshape(-1)
    _masked(*flat, x.dtype.type(divisor), y.reshape(-1))
    return y


@inline
def kept(place, key, threshold):
    """Return whether the element at a position (uint32, counted over the whole array) is kept, given the key of the call.

    In Numba, a sum of two uint32 has 64 bits unless NumPy's functions compute it, and a vector holds half as many of those.
    """
    first = _mixed(np.bitwise_xor(place, np.uint32(key)))
    return _mixed(np.add(first, np.uint32(key >> SHIFT32))) >= threshold


@inline
def following(place):
    """Return the next position."""
    return np.add(place, ONE)


@inline
def _mixed(h):
    """Return the lowbias32 hash of h."""
    h = np.uint32(h ^ (h >> SHIFT16))
    h = np.uint32(h * FACTOR1)
    h = np.uint32(h ^ (h >> SHIFT15))
    h = np.uint32(h * FACTOR2)
    return np.uint32(h ^ (h >> SHIFT15))


@jit
def _dropout(x, key, threshold, scale, y, mask):
    zero = x.dtype.type(0)
    for i in range(x.size):
        chosen = kept(np.uint32(i), key, threshold)
        mask[i] = chosen
        y[i] = x[i] * scale if chosen else zero


@jit
def _masked(x, mask, divisor, y):
    for i in range(x.size):
        y[i] = x[i] * mask[i] / divisor


def _by_numpy(
    x: np.ndarray, drawn: np.ndarray, threshold: np.uint32, scale: np.floating
) -> tuple[np.ndarray, np.ndarray]:
    """Compute `_dropout` with NumPy."""
    first, second = drawn.astype(np.uint32), (drawn >> SHIFT32).astype(np.uint32)
    h = np.arange(x.size, dtype=np.uint32)
    h ^= first
    _mix(h)
    h += second
    _mix(h)
    chosen = (h >= threshold).reshape(x.shape)
    return np.where(chosen, x * scale, x.dtype.type(0)), chosen.view(np.uint8)


def _mix(h: np.ndarray) -> None:
    """Apply `_mixed` to all elements of an array in place."""
    h ^= h >> SHIFT16
    h *= FACTOR1
    h ^= h >> SHIFT15
    h *= FACTOR2
    h ^= h >> SHIFT15
