"""Dropout without a seed in one pass: each element's random number is a hash of its place and of two numbers of the call.

The hash is twice the 32-bit mixer "lowbias32" of C. Wellons' prospector (https://github.com/skeeto/hash-prospector), keyed
before each time, which LLVM turns into vector code.
"""

from __future__ import annotations

import math

import numpy as np

from ..numba_jit import inline, jit
from .random import generator

__all__ = ["dropout", "masked"]

SHIFT16, SHIFT15 = np.uint32(16), np.uint32(15)
FACTOR1, FACTOR2 = np.uint32(0x21F0AAAD), np.uint32(0xD35A2D97)


def dropout(x: np.ndarray, p: float, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Elements of x times `scale`, 0 with probability p.

    Args:
        x: float32 or float64.
        p: from 0 to 1; probabilities are multiples of 2 ** -32.
        scale: of the elements that are kept.

    Returns:
        an array like x, and the mask: uint8, 1 where an element was kept.

    Example:
        >>> y, mask = dropout(np.ones((2, 3), np.float32), 0.0, 2.0)
        >>> y, int(mask.sum())
        (array([[2., 2., 2.],
               [2., 2., 2.]], dtype=float32), 6)
    """
    y, mask = np.empty(x.shape, x.dtype), np.empty(x.shape, np.uint8)
    if p >= 1:
        return np.zeros_like(y), np.zeros_like(mask)
    keys = np.frombuffer(generator().bytes(8), np.uint32)
    flat = np.ascontiguousarray(x).reshape(-1)
    _dropout(
        flat, keys[0], keys[1], np.uint32(math.ceil(p * 2**32)), x.dtype.type(scale), y.reshape(-1), mask.reshape(-1)
    )
    return y, mask


def masked(x: np.ndarray, mask: np.ndarray, scale: float) -> np.ndarray:
    """x * mask * scale.

    Args:
        x: float32 or float64.
        mask: uint8 of the same shape.
    """
    y = np.empty(x.shape, x.dtype)
    flat = np.ascontiguousarray(x).reshape(-1), np.ascontiguousarray(mask).reshape(-1)
    _masked(*flat, x.dtype.type(scale), y.reshape(-1))
    return y


@inline
def _mixed(h):
    """lowbias32."""
    h = np.uint32(h ^ (h >> SHIFT16))
    h = np.uint32(h * FACTOR1)
    h = np.uint32(h ^ (h >> SHIFT15))
    h = np.uint32(h * FACTOR2)
    return np.uint32(h ^ (h >> SHIFT15))


@jit
def _dropout(x, key1, key2, threshold, scale, y, mask):
    zero = x.dtype.type(0)
    for i in range(x.size):
        drawn = _mixed(np.uint32(_mixed(np.uint32(i) ^ key1) + key2))
        kept = drawn >= threshold
        mask[i] = kept
        y[i] = x[i] * scale if kept else zero


@jit
def _masked(x, mask, scale, y):
    for i in range(x.size):
        y[i] = x[i] * mask[i] * scale
