"""e^x and the functions derived from it: expm1, tanh, sigmoid, sinh, cosh."""

from __future__ import annotations

import math

import numpy as np

from paddle_lite.kernels.numba_jit import fma, inline, per_dtype

from .formats import (
    HALF32,
    LN2_HIGH32,
    LN2_HIGH64,
    LN2_LOW32,
    LN2_LOW64,
    LOG2E32,
    LOG2E64,
    ONE32,
    QUARTER32,
    ROUND32,
    ROUND64,
    ROUND_BITS32,
    ROUND_BITS64,
    SHIFT1_32,
    SHIFT1_64,
    TWO32,
    ZERO32,
    f32,
    f64,
    polynomial,
    power_of_two32,
    power_of_two64,
    times_power_of_two32,
    times_power_of_two64,
    with_sign32,
    with_sign64,
)

# (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2: Taylor series in float32, minimax polynomial in float64 (error 2^-61 of r)
series32 = polynomial(f32, *(1 / math.factorial(k) for k in range(2, 8)))
series64 = polynomial(
    f64, 0.5, 0.16666666666666677, 0.0416666666666667, 0.008333333333322254, 0.0013888888888868049,
    0.00019841269884794438, 2.4801587358665443e-05, 2.7557245355047015e-06, 2.7557244084421205e-07,
    2.510869383441135e-08, 2.0924099764714623e-09,
)  # fmt: skip


@inline
def reduced32(x):
    """Return k and r, where x = k ln 2 + r."""
    shifted = LOG2E32 * x + ROUND32
    n = shifted - ROUND32
    return np.int32(f32(shifted).view(np.int32) - ROUND_BITS32), (x - n * LN2_HIGH32) - n * LN2_LOW32


@inline
def reduced64(x):
    """Return k and r, where x = k ln 2 + r."""
    shifted = LOG2E64 * x + ROUND64
    n = shifted - ROUND64
    return np.int64(f64(shifted).view(np.int64) - ROUND_BITS64), (x - n * LN2_HIGH64) - n * LN2_LOW64


@inline
def expm1_reduced32(x):
    """Return k and e^r - 1, where x = k ln 2 + r."""
    k, r = reduced32(x)
    return k, series32(r) * (r * r) + r


@inline
def expm1_reduced64(x):
    """Return k and e^r - 1, where x = k ln 2 + r."""
    k, r = reduced64(x)
    return k, series64(r) * (r * r) + r


EXP_LOW32, EXP_HIGH32 = f32(-105), f32(90)  # outside, the result is 0 or infinite
EXP_LOW64, EXP_HIGH64 = f64(-746), f64(710)


@inline
def exp32(x):
    """Return e^x in float32."""
    x = EXP_HIGH32 if x > EXP_HIGH32 else x
    x = EXP_LOW32 if x < EXP_LOW32 else x
    k, p = expm1_reduced32(x)
    return times_power_of_two32(p + ONE32, k)


@inline
def exp64(x):
    """Return e^x in float64."""
    x = EXP_HIGH64 if x > EXP_HIGH64 else x
    x = EXP_LOW64 if x < EXP_LOW64 else x
    k, p = expm1_reduced64(x)
    return times_power_of_two64(p + 1.0, k)


@inline
def normal_exp64(x):
    """Return e^x where that is a normal number."""
    k, p = expm1_reduced64(x)
    return (p + 1.0) * power_of_two64(k)


UP32, DOWN32 = np.int32(64), f32(2.0**-64)
UP64, DOWN64 = np.int64(512), f64(2.0**-512)


@inline
def exp_below_one32(x):
    """Return e^x for x <= 0, subnormal results and 0 included."""
    k, p = expm1_reduced32(EXP_LOW32 if x < EXP_LOW32 else x)
    return (p + ONE32) * power_of_two32(np.int32(k + UP32)) * DOWN32


@inline
def exp_below_one64(x):
    """Return e^x for x <= 0, subnormal results and 0 included."""
    k, p = expm1_reduced64(EXP_LOW64 if x < EXP_LOW64 else x)
    return (p + 1.0) * power_of_two64(np.int64(k + UP64)) * DOWN64


EXPM1_LOW32, EXPM1_LOW64 = f32(-20), f64(-40)  # below, e^x - 1 rounds to -1


@inline(exact=True)
def expm1_32(x):
    """Return e^x - 1 in float32, without cancellation near 0."""
    t = EXP_HIGH32 if x > EXP_HIGH32 else x
    t = EXPM1_LOW32 if t < EXPM1_LOW32 else t
    k, p = expm1_reduced32(t)
    half = np.int32(k >> SHIFT1_32)
    rest = np.int32(k - half)
    first = power_of_two32(half)
    result = fma(first, p, first - power_of_two32(np.int32(-rest))) * power_of_two32(rest)
    return x if x == ZERO32 else result


@inline(exact=True)
def expm1_64(x):
    """Return e^x - 1 in float64, without cancellation near 0."""
    t = EXP_HIGH64 if x > EXP_HIGH64 else x
    t = EXPM1_LOW64 if t < EXPM1_LOW64 else t
    k, p = expm1_reduced64(t)
    half = np.int64(k >> SHIFT1_64)
    rest = np.int64(k - half)
    first = power_of_two64(half)
    result = fma(first, p, first - power_of_two64(np.int64(-rest))) * power_of_two64(rest)
    return x if x == 0.0 else result


TANH_ONE32, TANH_ONE64 = f32(20), f64(40)  # for 2 x above, tanh(x) rounds to 1


@inline(exact=True)
def tanh32(x):
    """Return tanh(x) in float32: (e^2|x| - 1) / (e^2|x| + 1), the numerator without cancellation."""
    t = TWO32 * abs(x)
    t = TANH_ONE32 if t > TANH_ONE32 else t
    k, p = expm1_reduced32(t)
    scale = power_of_two32(k)
    expm1 = fma(scale, p, scale - ONE32)
    return with_sign32(expm1 / (expm1 + TWO32), x)


@inline(exact=True)
def tanh64(x):
    """Return tanh(x) in float64."""
    t = 2.0 * abs(x)
    t = TANH_ONE64 if t > TANH_ONE64 else t
    k, p = expm1_reduced64(t)
    scale = power_of_two64(k)
    expm1 = fma(scale, p, scale - 1.0)
    return with_sign64(expm1 / (expm1 + 2.0), x)


@inline(exact=True)
def sigmoid32(x):
    """Return 1 / (1 + e^-x) in float32; e^-|x| does not overflow, and the rounding error of 1 + e^-|x| is compensated."""
    e = exp_below_one32(-abs(x))
    below = ONE32 + e
    lost = e - (below - ONE32)
    ratio = (e if x < ZERO32 else ONE32) / below
    return ratio - ratio * lost * (ONE32 - ratio if x < ZERO32 else ratio)


@inline(exact=True)
def sigmoid64(x):
    """Return 1 / (1 + e^-x) in float64."""
    e = exp_below_one64(-abs(x))
    below = 1.0 + e
    lost = e - (below - 1.0)
    ratio = (e if x < 0.0 else 1.0) / below
    return ratio - ratio * lost * (1.0 - ratio if x < 0.0 else ratio)


@inline
def half_exp32(x):
    """Return e^x / 2 for x >= 0, infinite only where that is."""
    x = EXP_HIGH32 if x > EXP_HIGH32 else x
    k, p = expm1_reduced32(x)
    return times_power_of_two32(p + ONE32, np.int32(k - SHIFT1_32))


@inline
def half_exp64(x):
    """Return e^x / 2 for x >= 0, infinite only where that is."""
    x = SINH_HIGH64 if x > SINH_HIGH64 else x
    k, p = expm1_reduced64(x)
    return times_power_of_two64(p + 1.0, np.int64(k - SHIFT1_64))


SINH_HIGH64 = f64(711)


@inline(exact=True)
def cosh32(x):
    """Return cosh(x) in float32."""
    half = half_exp32(abs(x))
    return half + QUARTER32 / half


@inline(exact=True)
def cosh64(x):
    """Return cosh(x) in float64."""
    half = half_exp64(abs(x))
    return half + 0.25 / half


SINH_SPLIT32, SINH_SPLIT64 = f32(20), f64(40)  # above, e^-|x| is negligible beside e^|x|


@inline(exact=True)
def sinh32(x):
    """Return sinh(x) in float32: h + h / (2 h + 1) with h = (e^|x| - 1) / 2."""
    size = abs(x)
    k, p = expm1_reduced32(EXP_HIGH32 if size > EXP_HIGH32 else size)
    k = np.int32(k - SHIFT1_32)
    first = np.int32(k >> SHIFT1_32)
    rest = np.int32(k - first)
    scale = power_of_two32(first)
    half = fma(scale, p, scale - HALF32 * power_of_two32(np.int32(-rest))) * power_of_two32(rest)
    return with_sign32(half if size > SINH_SPLIT32 else half + half / (half + half + ONE32), x)


@inline(exact=True)
def sinh64(x):
    """Return sinh(x) in float64."""
    size = abs(x)
    k, p = expm1_reduced64(SINH_HIGH64 if size > SINH_HIGH64 else size)
    k = np.int64(k - SHIFT1_64)
    first = np.int64(k >> SHIFT1_64)
    rest = np.int64(k - first)
    scale = power_of_two64(first)
    half = fma(scale, p, scale - 0.5 * power_of_two64(np.int64(-rest))) * power_of_two64(rest)
    return with_sign64(half if size > SINH_SPLIT64 else half + half / (half + half + 1.0), x)


exp = per_dtype(exp32, exp64)
expm1 = per_dtype(expm1_32, expm1_64)
tanh = per_dtype(tanh32, tanh64)
sigmoid = per_dtype(sigmoid32, sigmoid64)
sinh = per_dtype(sinh32, sinh64)
cosh = per_dtype(cosh32, cosh64)
