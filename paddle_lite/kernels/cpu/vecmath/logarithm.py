"""The natural logarithm of x and of 1 + x."""

from __future__ import annotations

import math

import numpy as np

from paddle_lite.kernels.numba_jit import inline, per_dtype

from .formats import (
    FRACTION_BITS32,
    FRACTION_BITS64,
    HALF32,
    INF32,
    INF64,
    LN2_HIGH32,
    LN2_HIGH64,
    LN2_LOW32,
    LN2_LOW64,
    MANTISSA32,
    MANTISSA64,
    NAN32,
    NAN64,
    ONE32,
    TWO32,
    ZERO32,
    f32,
    f64,
    polynomial,
)

SMALLEST32, SMALLEST64 = np.finfo(f32).tiny, np.finfo(f64).tiny
SCALE32, SCALE64 = f32(2.0**25), f64(2.0**54)  # scales subnormals to normal numbers
SCALE_EXPONENT32, SCALE_EXPONENT64 = f32(25), f64(54)
ROOT_BITS32, ROOT_BITS64 = f32(math.sqrt(0.5)).view(np.int32), f64(math.sqrt(0.5)).view(np.int64)

# log m = 2 artanh(s) for s = (m - 1) / (m + 1), m between sqrt(1/2) and sqrt(2): 2 s + s z series(z) with z = s^2;
# minimax polynomials, with errors of 2^-37 and 2^-59 of the logarithm
series32 = polynomial(f32, 0.6666666, 0.40000334, 0.2853731, 0.23582129)
series64 = polynomial(
    f64, 0.6666666666666734, 0.3999999999941465, 0.28571428742400073, 0.22222198571689958, 0.18183564409256503,
    0.15314048344845625, 0.14795972312096392,
)  # fmt: skip


@inline
def exponent_and_fraction32(x):
    """Return n and f, where x = 2^n (1 + f) with 1 + f between sqrt(1/2) and sqrt(2), for positive finite x."""
    scaled = x * SCALE32 if x < SMALLEST32 else x
    bits = np.int32(f32(scaled).view(np.int32) - ROOT_BITS32)
    n = f32(bits >> MANTISSA32) - (SCALE_EXPONENT32 if x < SMALLEST32 else ZERO32)
    return n, np.int32((bits & FRACTION_BITS32) + ROOT_BITS32).view(np.float32) - ONE32


@inline
def exponent_and_fraction64(x):
    """Return n and f, where x = 2^n (1 + f) with 1 + f between sqrt(1/2) and sqrt(2), for positive finite x."""
    scaled = x * SCALE64 if x < SMALLEST64 else x
    bits = np.int64(f64(scaled).view(np.int64) - ROOT_BITS64)
    n = f64(bits >> MANTISSA64) - (SCALE_EXPONENT64 if x < SMALLEST64 else 0.0)
    return n, np.int64((bits & FRACTION_BITS64) + ROOT_BITS64).view(np.float64) - 1.0


@inline
def log_of_sum32(x, small):
    """Return log(x) + small, for positive finite x and small beside it."""
    n, f = exponent_and_fraction32(x)
    s = f / (TWO32 + f)
    z = s * s
    square = HALF32 * f * f
    return n * LN2_HIGH32 - ((square - (s * (square + z * series32(z)) + (n * LN2_LOW32 + small))) - f)


@inline
def log_of_sum64(x, small):
    """Return log(x) + small, for positive finite x and small beside it."""
    n, f = exponent_and_fraction64(x)
    s = f / (2.0 + f)
    z = s * s
    square = 0.5 * f * f
    return n * LN2_HIGH64 - ((square - (s * (square + z * series64(z)) + (n * LN2_LOW64 + small))) - f)


@inline(exact=True)
def log32(x):
    """Return the natural logarithm in float32."""
    result = log_of_sum32(x, ZERO32)
    result = result if x < INF32 else x  # infinity and NaN
    result = -INF32 if x == ZERO32 else result
    return NAN32 if x < ZERO32 else result


@inline(exact=True)
def log64(x):
    """Return the natural logarithm in float64."""
    result = log_of_sum64(x, 0.0)
    result = result if x < INF64 else x
    result = -INF64 if x == 0.0 else result
    return NAN64 if x < 0.0 else result


@inline(exact=True)
def log1p32(x):
    """Return log(1 + x) in float32: log(w) + (1 + x - w) / w, where w is 1 + x rounded."""
    w = ONE32 + x
    part = w - ONE32
    lost = (ONE32 - (w - part)) + (x - part)
    result = log_of_sum32(w, lost / w)
    result = result if x < INF32 else x
    result = -INF32 if x == -ONE32 else result
    result = NAN32 if x < -ONE32 else result
    return x if x == ZERO32 else result


@inline(exact=True)
def log1p64(x):
    """Return log(1 + x) in float64."""
    w = 1.0 + x
    part = w - 1.0
    lost = (1.0 - (w - part)) + (x - part)
    result = log_of_sum64(w, lost / w)
    result = result if x < INF64 else x
    result = -INF64 if x == -1.0 else result
    result = NAN64 if x < -1.0 else result
    return x if x == 0.0 else result


log = per_dtype(log32, log64)
log1p = per_dtype(log1p32, log1p64)
