"""x^y, with the special values of C and NumPy for 0, 1, infinities, NaN, and negative x with integer y."""

from __future__ import annotations

import numpy as np

from paddle_lite.kernels.numba_jit import fma, inline, per_dtype

from .exponential import reduced64
from .exponential import series64 as exp_series64
from .formats import (
    FRACTION_BITS32,
    HALF32,
    INF32,
    INF64,
    LN2_HIGH64,
    LN2_LOW64,
    MANTISSA32,
    MANTISSA64,
    NAN32,
    NAN64,
    ONE32,
    ROUND64,
    SIGN_BIT32,
    SIGN_BIT64,
    ZERO32,
    f32,
    f64,
    polynomial,
    times_power_of_two64,
)
from .logarithm import ROOT_BITS32, SCALE32, SMALLEST32, exponent_and_fraction64

# float32 is computed in float64: log2(m) = s series(s^2) for s = (m - 1) / (m + 1), to 2^-38 of it, and 2^r for
# |r| <= 1/2 to 2^-29 of it
log2_series = polynomial(
    f64, 2.8853900817901406, 0.9617966732843503, 0.5770835944521374, 0.41167221829441747, 0.3407383551050965
)
exp2_series = polynomial(
    f64, 1.0000000005637848, 0.6931472060405063, 0.2402264684328394, 0.05550328120133447, 0.00961849194977119,
    0.001340019649753977, 0.0001534555817983124,
)  # fmt: skip
SCALE_EXPONENT32, NO_EXPONENT32 = np.int32(25), np.int32(0)
ONE_BITS64 = f64(1).view(np.int64)
EXP2_LIMIT = f64(200)  # 2^200 is infinite in float32, 2^-200 is 0


@inline
def size_of_power32(x, y):
    """Return x^y for positive finite float32 x."""
    small = x < SMALLEST32
    bits = np.int32(f32(x * SCALE32 if small else x).view(np.int32) - ROOT_BITS32)
    n = np.int32((bits >> MANTISSA32) - (SCALE_EXPONENT32 if small else NO_EXPONENT32))
    f = f64(np.int32((bits & FRACTION_BITS32) + ROOT_BITS32).view(np.float32) - ONE32)
    s = f / (2.0 + f)
    power = f64(y) * (s * log2_series(s * s) + f64(n))
    power = EXP2_LIMIT if power > EXP2_LIMIT else power
    power = -EXP2_LIMIT if power < -EXP2_LIMIT else power
    shifted = power + ROUND64
    scale = np.int64((f64(shifted).view(np.int64) << MANTISSA64) + ONE_BITS64).view(np.float64)
    return f32(exp2_series(power - (shifted - ROUND64)) * scale)


@inline(exact=True)
def pow32(x, y):
    """Return x^y in float32."""
    size = abs(x)
    result = size_of_power32(size, y)
    at_end = (size == ZERO32) | (size == INF32)
    result = (INF32 if (size == ZERO32) == (y < ZERO32) else ZERO32) if at_end else result
    half = y * HALF32
    whole = np.floor(y) == y
    odd = whole & (np.floor(half) != half)
    sign = np.int32((f32(x).view(np.int32) & SIGN_BIT32) if odd else np.int32(0))
    result = np.int32(f32(result).view(np.int32) | sign).view(np.float32)
    no_number = (x != x) | (y != y) | ((x < ZERO32) & (size < INF32) & (not whole))
    result = NAN32 if no_number else result
    one = (y == ZERO32) | (x == ONE32) | ((x == -ONE32) & (abs(y) == INF32))
    return ONE32 if one else result


# log m = 2 s + s z (2/3 + z series(z)), to 2^-80 of it
log_series64 = polynomial(
    f64, 0.4, 0.28571428571428376, 0.22222222222290575, 0.18181818169253608, 0.15384616753143304, 0.13333240440201524,
    0.11768673640421874, 0.10422907111631809, 0.11013287774870366,
)  # fmt: skip
THIRDS_HIGH, THIRDS_LOW = f64(2 / 3), f64(float.fromhex("0x1.5555555555555p-55"))
POWER_LOW, POWER_HIGH = f64(-746), f64(710)


@inline(exact=True)
def log_in_two_parts(x):
    """Return log(x) as a rounded value and its rounding error, for positive finite x, with relative error 2^-65."""
    n, f = exponent_and_fraction64(x)
    below = 2.0 + f
    inverse = 1.0 / below
    s = f * inverse
    s_low = (fma(-s, below, f) - s * (f - (below - 2.0))) * inverse
    z = s * s
    z_low = fma(s, s, -z) + 2.0 * s * s_low
    more = z * log_series64(z)
    c = THIRDS_HIGH + more
    c_low = (THIRDS_HIGH - c) + more + THIRDS_LOW
    w = z * c
    w_low = fma(z, c, -w) + fma(z, c_low, z_low * c)
    v = s * w
    v_low = fma(s, w, -v) + fma(s, w_low, s_low * w)
    start = n * LN2_HIGH64
    first = start + 2.0 * s
    lost = (start - first) + 2.0 * s
    second = first + v
    lost = lost + ((first - second) + v) + (fma(2.0, s_low, v_low) + n * LN2_LOW64)
    high = second + lost
    return high, (second - high) + lost


@inline(exact=True)
def size_of_power64(x, y):
    """Return x^y for x >= 0."""
    high, low = log_in_two_parts(x)
    finite = x < INF64
    high = -INF64 if x == 0.0 else high
    high = high if finite else x  # infinity and NaN
    power = y * high
    rest = fma(y, high, -power) + y * low
    rest = rest if (x > 0.0) & finite & (power > POWER_LOW) & (power < POWER_HIGH) else 0.0
    power = POWER_HIGH if power > POWER_HIGH else power
    power = POWER_LOW if power < POWER_LOW else power
    k, r = reduced64(power)
    r = r + rest
    return times_power_of_two64(1.0 + fma(exp_series64(r), r * r, r), k)


@inline(exact=True)
def pow64(x, y):
    """Return x^y in float64."""
    size = abs(x)
    result = size_of_power64(size, y)
    half = y * 0.5
    whole = np.floor(y) == y
    odd = whole & (np.floor(half) != half)
    sign = np.int64((f64(x).view(np.int64) & SIGN_BIT64) if odd else np.int64(0))
    result = np.int64(f64(result).view(np.int64) | sign).view(np.float64)
    result = NAN64 if (x < 0.0) & (size < INF64) & (not whole) else result
    one = (y == 0.0) | (x == 1.0) | ((x == -1.0) & (abs(y) == INF64))
    return 1.0 if one else result


pow = per_dtype(pow32, pow64)
