"""The error function for NumPy arrays, without SciPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

# W. J. Cody, "Rational Chebyshev approximations for the error function", Mathematics of Computation 23 (1969), 631-637:
# erf(x) = x P(x^2) / Q(x^2) up to 0.46875, erfc(x) = exp(-x^2) P(x) / Q(x) above; highest power first.
_LOW_P = (
    1.85777706184603153e-1,
    3.16112374387056560,
    1.13864154151050156e2,
    3.77485237685302021e2,
    3.20937758913846947e3,
)
_LOW_Q = (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3)
_HIGH_P = (
    2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594, 6.61191906371416295e1, 2.98635138197400131e2,
    8.81952221241769090e2, 1.71204761263407058e3, 2.05107837782607147e3, 1.23033935479799725e3,
)  # fmt: skip
_HIGH_Q = (
    1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3,
    3.29079923573345963e3, 4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3,
)  # fmt: skip
_SPLIT, _ONE_FROM = 0.46875, 6.0  # erf rounds to 1 in float64 from 5.93 on
_FEW = 512  # up to this size, calls of the C library's erf are faster than 60 array operations
_BLOCK = 1 << 14  # elements computed at once, so that intermediate results stay in a core's cache


def erf(x: np.ndarray) -> np.ndarray:
    """Return erf of each element, with relative error 1e-15; floating dtypes are kept, others give float64.

    The second approximation, made for erfc up to 4, is good to 1e-12 of erfc up to 6.
    """
    dtype = x.dtype if x.dtype.kind == "f" else np.dtype(np.float64)
    if x.size <= _FEW:
        return np.fromiter(map(math.erf, x.ravel().tolist()), dtype, x.size).reshape(x.shape)
    out = np.empty(x.shape, dtype)
    flat, to = x.reshape(-1), out.reshape(-1)
    for start in range(0, x.size, _BLOCK):
        to[start : start + _BLOCK] = _erf_of_block(flat[start : start + _BLOCK])
    return out


def _erf_of_block(x: np.ndarray) -> np.ndarray:
    """Return erf of each element, float64."""
    wide = x.astype(np.float64, copy=False)
    size = np.minimum(np.abs(wide), _ONE_FROM)
    square = size * size
    low = size * _ratio(_LOW_P, _LOW_Q, np.minimum(square, _SPLIT * _SPLIT))
    high = 1.0 - np.exp(-square) * _ratio(_HIGH_P, _HIGH_Q, size)
    return np.copysign(np.where(size <= _SPLIT, low, high), wide)


def _ratio(p: tuple[float, ...], q: tuple[float, ...], x: Any) -> Any:
    """Return P(x) / Q(x), both evaluated by Horner's rule."""
    above, below = x * p[0], x * q[0]
    for a, b in zip(p[1:-1], q[1:-1], strict=True):
        above = (above + a) * x
        below = (below + b) * x
    return (above + p[-1]) / (below + q[-1])
