"""sin and cos, and their inverses asin, acos and atan."""

from __future__ import annotations

import math

import numpy as np

from paddle_lite.kernels.numba_jit import fma, inline, per_dtype

from .formats import (
    HALF32,
    ONE32,
    PIO2_32,
    PIO2_64,
    PIO2_LOW32,
    PIO2_LOW64,
    TWO32,
    ZERO32,
    f32,
    f64,
    polynomial,
    with_sign32,
    with_sign64,
)
from .quarter_turns import quarter_turns32, quarter_turns64

# for |r| <= pi / 4 (and a little more in float32), z = r^2: sin r = r + r z sine(z), cos r = 1 - z / 2 + z^2 cosine(z)
sine32 = polynomial(f32, -0.16666667, 0.0083333235, -0.00019837717, 2.7050617e-06)
cosine32 = polynomial(f32, 0.041666668, -0.0013888875, 2.4797633e-05, -2.70786e-07)
sine64 = polynomial(
    f64, -0.16666666666666632, 0.008333333333322316, -0.0001984126982972499, 2.7557313661921602e-06,
    -2.505075323817259e-08, 1.5896503249956407e-10,
)  # fmt: skip
cosine64 = polynomial(
    f64, 0.0416666666666666, -0.001388888888887399, 2.4801587289395014e-05, -2.7557314326049407e-07,
    2.087571956024578e-09, -1.1359448711687689e-11,
)  # fmt: skip
QUADRANT_ODD, QUADRANT_NEGATIVE, ONE_QUADRANT = np.int64(1), np.int64(2), np.int64(1)


@inline
def sin_quadrant32(n, turn):
    """Return sin((n + turn) pi / 2) in float32."""
    r = f32(turn * PIO2_64)
    z = r * r
    sine = sine32(z) * z * r + r
    cosine = cosine32(z) * (z * z) + (ONE32 - HALF32 * z)
    result = cosine if n & QUADRANT_ODD else sine
    return -result if n & QUADRANT_NEGATIVE else result


@inline(exact=True)
def sin32(x):
    """Return sin(x) in float32."""
    n, turn = quarter_turns32(x)
    result = sin_quadrant32(n, turn)
    return x if x == ZERO32 else result


@inline(exact=True)
def cos32(x):
    """Return cos(x) in float32."""
    n, turn = quarter_turns32(x)
    return sin_quadrant32(n + ONE_QUADRANT, turn)


@inline(exact=True)
def sin_quadrant64(n, high, low):
    """Return sin((n + high + low) pi / 2) in float64."""
    r = high * PIO2_64
    more = fma(high, PIO2_64, -r) + fma(low, PIO2_64, high * PIO2_LOW64)
    z = r * r
    sine = r + fma(r * z, sine64(z), more)
    half = 0.5 * z
    w = 1.0 - half
    cosine = w + (((1.0 - w) - half) + fma(z * z, cosine64(z), -r * more))
    result = cosine if n & QUADRANT_ODD else sine
    return -result if n & QUADRANT_NEGATIVE else result


SMALL_ANGLE = f64(2.0**-29)  # below, sin(x) rounds to x and cos(x) to 1


@inline(exact=True)
def sin64(x):
    """Return sin(x) in float64."""
    size = abs(x)
    n, high, low = quarter_turns64(size)
    result = sin_quadrant64(n, high, low)
    return x if size < SMALL_ANGLE else -result if x < 0.0 else result


@inline(exact=True)
def cos64(x):
    """Return cos(x) in float64."""
    size = abs(x)
    n, high, low = quarter_turns64(size)
    result = sin_quadrant64(n + ONE_QUADRANT, high, low)
    return 1.0 if size < SMALL_ANGLE else result


# asin x = x + x z arc_sine(z), z = x^2 <= 1/4; above 1/2, asin x = pi / 2 - 2 asin(sqrt((1 - x) / 2))
arc_sine32 = polynomial(f32, 0.16666754, 0.07495242, 0.04547702, 0.024148004, 0.04221788)
arc_sine64 = polynomial(
    f64, 0.16666666666665383, 0.07500000000343005, 0.04464285682350823, 0.03038195933034886, 0.022371753543033373,
    0.017359770823164224, 0.013884601217322576, 0.012173261368483535, 0.006510931413138615, 0.019573689182526437,
    -0.016293725507941892, 0.031958720680891235,
)  # fmt: skip
TWO_PIO2_32, TWO_PIO2_LOW32 = TWO32 * PIO2_32, TWO32 * PIO2_LOW32
TWO_PIO2_64, TWO_PIO2_LOW64 = f64(2) * PIO2_64, f64(2) * PIO2_LOW64


@inline
def arc_sine_reduced32(size):
    """Return s, which is size up to 1/2 and above it sqrt((1 - size) / 2), and asin(s) - s."""
    z = (ONE32 - size) * HALF32 if size > HALF32 else size * size
    s = np.sqrt(z) if size > HALF32 else size
    return s, arc_sine32(z) * z * s


@inline
def arc_sine_reduced64(size):
    """Return s, which is size up to 1/2 and above it sqrt((1 - size) / 2), and asin(s) - s."""
    z = (1.0 - size) * 0.5 if size > 0.5 else size * size
    s = np.sqrt(z) if size > 0.5 else size
    return s, arc_sine64(z) * z * s


@inline(exact=True)
def asin32(x):
    """Return asin(x) in float32."""
    size = abs(x)
    s, more = arc_sine_reduced32(size)
    start = PIO2_32 - TWO32 * s
    lost = (PIO2_32 - start) - TWO32 * s
    return with_sign32(start - (TWO32 * more - (lost + PIO2_LOW32)) if size > HALF32 else s + more, x)


@inline(exact=True)
def asin64(x):
    """Return asin(x) in float64."""
    size = abs(x)
    s, more = arc_sine_reduced64(size)
    start = PIO2_64 - 2.0 * s
    lost = (PIO2_64 - start) - 2.0 * s
    return with_sign64(start - (2.0 * more - (lost + PIO2_LOW64)) if size > 0.5 else s + more, x)


@inline(exact=True)
def acos32(x):
    """Return acos(x) in float32."""
    size = abs(x)
    s, more = arc_sine_reduced32(size)
    arc = s + more
    double = TWO32 * arc
    near_end = TWO_PIO2_32 - (double - TWO_PIO2_LOW32) if x < ZERO32 else double
    middle = PIO2_32 - (with_sign32(arc, x) - PIO2_LOW32)
    return near_end if size > HALF32 else middle


@inline(exact=True)
def acos64(x):
    """Return acos(x) in float64."""
    size = abs(x)
    s, more = arc_sine_reduced64(size)
    arc = s + more
    double = 2.0 * arc
    near_end = TWO_PIO2_64 - (double - TWO_PIO2_LOW64) if x < 0.0 else double
    middle = PIO2_64 - (with_sign64(arc, x) - PIO2_LOW64)
    return near_end if size > 0.5 else middle


# atan t = t + t z arc_tangent(z) for |t| <= tan(pi / 8), z = t^2; above, atan x = pi / 4 + atan((x - 1) / (x + 1)), and
# from 1 / tan(pi / 8) on, atan x = pi / 2 - atan(1 / x)
arc_tangent32 = polynomial(f32, -0.33333316, 0.19998488, -0.14243828, 0.10595834, -0.06083004)
arc_tangent64 = polynomial(
    f64, -0.333333333333332, 0.19999999999953996, -0.1428571428023952, 0.11111110785671437, -0.09090897822569427,
    0.07692061382344582, -0.06663117403472484, 0.05847986651944211, -0.050397427397404645, 0.03807565106416502,
    -0.01791929460016129,
)  # fmt: skip
EIGHTH32, EIGHTH64 = f32(math.tan(math.pi / 8)), f64(math.tan(math.pi / 8))
THREE_EIGHTHS32, THREE_EIGHTHS64 = f32(1 / math.tan(math.pi / 8)), f64(1 / math.tan(math.pi / 8))
PIO4_32, PIO4_LOW32 = HALF32 * PIO2_32, HALF32 * PIO2_LOW32
PIO4_64, PIO4_LOW64 = f64(0.5) * PIO2_64, f64(0.5) * PIO2_LOW64


@inline(exact=True)
def atan32(x):
    """Return atan(x) in float32."""
    size = abs(x)
    steep, flat = size > THREE_EIGHTHS32, size <= EIGHTH32
    above = -ONE32 if steep else size if flat else size - ONE32
    below = size if steep else ONE32 if flat else size + ONE32
    t = above / below
    z = t * t
    base = PIO2_32 if steep else ZERO32 if flat else PIO4_32
    base_low = PIO2_LOW32 if steep else ZERO32 if flat else PIO4_LOW32
    return with_sign32(base + (fma(t * z, arc_tangent32(z), base_low) + t), x)


@inline(exact=True)
def atan64(x):
    """Return atan(x) in float64."""
    size = abs(x)
    steep, flat = size > THREE_EIGHTHS64, size <= EIGHTH64
    above = -1.0 if steep else size if flat else size - 1.0
    below = size if steep else 1.0 if flat else size + 1.0
    t = above / below
    z = t * t
    base = PIO2_64 if steep else 0.0 if flat else PIO4_64
    base_low = PIO2_LOW64 if steep else 0.0 if flat else PIO4_LOW64
    return with_sign64(base + (fma(t * z, arc_tangent64(z), base_low) + t), x)


sin = per_dtype(sin32, sin64)
cos = per_dtype(cos32, cos64)
asin = per_dtype(asin32, asin64)
acos = per_dtype(acos32, acos64)
atan = per_dtype(atan32, atan64)
