"""exp, log, tanh, sigmoid and erf for Numba kernels, written so that LLVM turns a loop over them into vector code.

Numba's own call the C library once for each element. These have no calls and no branches: a value outside of the range of
a formula is selected away at the end. `exp`, `log`, `tanh`, `sigmoid` and `erf` take float32 or float64 by the type of
their argument. Largest errors in units of the last place (ulp), over the whole range, subnormal results included:

    =======  =======  =======
    .        float32  float64
    =======  =======  =======
    exp      1        1
    log      1        1
    tanh     2.5      2.5
    sigmoid  2.5      2
    erf      1.5      3
    =======  =======  =======

NaN gives NaN; infinities, zeros and subnormals give what the functions mean. The sign of zero is not kept.
"""

import math

import numpy as np

from paddle_lite.kernels.numba_jit import inline, per_dtype

__all__ = ["FUNCTIONS", "erf", "exp", "log", "sigmoid", "tanh"]

f32 = np.float32
f64 = np.float64

ZERO32, HALF32, ONE32, TWO32 = f32(0), f32(0.5), f32(1), f32(2)
INF32, NAN32 = f32(np.inf), f32(np.nan)
INF64, NAN64 = f64(np.inf), f64(np.nan)
LOG2E32, LOG2E64 = f32(1 / math.log(2)), f64(1 / math.log(2))

# ln 2 in two parts, the first with so few bits that its product with a whole number is exact (Cody and Waite)
LN2_HIGH32, LN2_LOW32 = f32(0.693359375), f32(-2.12194440e-4)
LN2_HIGH64, LN2_LOW64 = f64(float.fromhex("0x1.62e42fefa0000p-1")), f64(float.fromhex("0x1.cf79abc9e3b3ap-40"))

# adding 1.5 * 2^(mantissa bits) rounds to a whole number, which then stands in the low bits
ROUND32, ROUND64 = f32(1.5 * 2**23), f64(1.5 * 2**52)
ROUND_BITS32, ROUND_BITS64 = ROUND32.view(np.int32), ROUND64.view(np.int64)
MANTISSA32, MANTISSA64 = np.int32(23), np.int64(52)
BIAS32, BIAS64 = np.int32(127), np.int64(1023)
SHIFT1_32, SHIFT1_64 = np.int32(1), np.int64(1)

# Taylor: 1 / k!, enough of them for |r| <= ln(2) / 2
E2, E3, E4, E5, E6, E7 = (f32(1 / math.factorial(k)) for k in range(2, 8))
D2, D3, D4, D5, D6, D7, D8, D9, D10, D11, D12, D13 = (f64(1 / math.factorial(k)) for k in range(2, 14))


@inline
def _expm1_reduced32(x):
    """k and e^r - 1, where x = k ln 2 + r."""
    shifted = LOG2E32 * x + ROUND32
    n = shifted - ROUND32
    r = (x - n * LN2_HIGH32) - n * LN2_LOW32
    p = ((((E7 * r + E6) * r + E5) * r + E4) * r + E3) * r + E2
    return np.int32(f32(shifted).view(np.int32) - ROUND_BITS32), p * (r * r) + r


@inline
def _expm1_reduced64(x):
    """k and e^r - 1, where x = k ln 2 + r."""
    shifted = LOG2E64 * x + ROUND64
    n = shifted - ROUND64
    r = (x - n * LN2_HIGH64) - n * LN2_LOW64
    p = ((((((D13 * r + D12) * r + D11) * r + D10) * r + D9) * r + D8) * r + D7) * r + D6
    p = (((p * r + D5) * r + D4) * r + D3) * r + D2
    return np.int64(f64(shifted).view(np.int64) - ROUND_BITS64), p * (r * r) + r


@inline
def _power_of_two32(k):
    """2^k for a normal result."""
    return np.int32((k + BIAS32) << MANTISSA32).view(np.float32)


@inline
def _power_of_two64(k):
    """2^k for a normal result."""
    return np.int64((k + BIAS64) << MANTISSA64).view(np.float64)


EXP_LOW32, EXP_HIGH32 = f32(-105), f32(90)  # beyond, the result is 0 or infinite
EXP_LOW64, EXP_HIGH64 = f64(-746), f64(710)


@inline
def exp32(x):
    """e^x in float32."""
    x = EXP_HIGH32 if x > EXP_HIGH32 else x
    x = EXP_LOW32 if x < EXP_LOW32 else x
    k, p = _expm1_reduced32(x)
    half = np.int32(k >> SHIFT1_32)  # two steps: 2^k itself may be infinite or subnormal
    return (p + ONE32) * _power_of_two32(half) * _power_of_two32(np.int32(k - half))


@inline
def exp64(x):
    """e^x in float64."""
    x = EXP_HIGH64 if x > EXP_HIGH64 else x
    x = EXP_LOW64 if x < EXP_LOW64 else x
    k, p = _expm1_reduced64(x)
    half = np.int64(k >> SHIFT1_64)
    return (p + 1.0) * _power_of_two64(half) * _power_of_two64(np.int64(k - half))


TANH_ONE32, TANH_ONE64 = f32(20), f64(40)  # tanh(x) rounds to 1 where 2 x is above


@inline
def tanh32(x):
    """Hyperbolic tangent in float32: (e^2x - 1) / (e^2x + 1), the numerator without cancellation."""
    x = TWO32 * x
    x = TANH_ONE32 if x > TANH_ONE32 else x
    x = -TANH_ONE32 if x < -TANH_ONE32 else x
    k, p = _expm1_reduced32(x)
    scale = _power_of_two32(k)
    expm1 = scale * p + (scale - ONE32)
    return expm1 / (expm1 + TWO32)


@inline
def tanh64(x):
    """Hyperbolic tangent in float64."""
    x = 2.0 * x
    x = TANH_ONE64 if x > TANH_ONE64 else x
    x = -TANH_ONE64 if x < -TANH_ONE64 else x
    k, p = _expm1_reduced64(x)
    scale = _power_of_two64(k)
    expm1 = scale * p + (scale - 1.0)
    return expm1 / (expm1 + 2.0)


@inline
def sigmoid32(x):
    """1 / (1 + e^-x) in float32; e^-|x| never overflows."""
    e = exp32(x if x < ZERO32 else -x)
    return (e if x < ZERO32 else ONE32) / (ONE32 + e)


@inline
def sigmoid64(x):
    """1 / (1 + e^-x) in float64."""
    e = exp64(x if x < 0.0 else -x)
    return (e if x < 0.0 else 1.0) / (1.0 + e)


# log m = 2 artanh(s) for s = (m - 1) / (m + 1), m between sqrt(1/2) and sqrt(2); the series' coefficients are 2 / (2k + 1)
L1, L2, L3, L4, L5 = (f32(2 / (2 * k + 1)) for k in range(1, 6))
M1, M2, M3, M4, M5, M6, M7, M8, M9, M10 = (f64(2 / (2 * k + 1)) for k in range(1, 11))
SMALLEST32, SMALLEST64 = np.finfo(f32).tiny, np.finfo(f64).tiny
SCALE32, SCALE64 = f32(2.0**25), f64(2.0**54)  # makes subnormals normal
SCALE_EXPONENT32, SCALE_EXPONENT64 = f32(25), f64(54)
ROOT_BITS32, ROOT_BITS64 = f32(math.sqrt(0.5)).view(np.int32), f64(math.sqrt(0.5)).view(np.int64)
FRACTION_BITS32, FRACTION_BITS64 = np.int32(2**23 - 1), np.int64(2**52 - 1)


@inline
def log32(x):
    """Natural logarithm in float32."""
    scaled = x * SCALE32 if x < SMALLEST32 else x
    bits = np.int32(f32(scaled).view(np.int32) - ROOT_BITS32)
    n = f32(bits >> MANTISSA32) - (SCALE_EXPONENT32 if x < SMALLEST32 else ZERO32)
    f = np.int32((bits & FRACTION_BITS32) + ROOT_BITS32).view(np.float32) - ONE32
    s = f / (TWO32 + f)
    z = s * s
    series = ((((L5 * z + L4) * z + L3) * z + L2) * z + L1) * z
    square = HALF32 * f * f
    result = n * LN2_HIGH32 - ((square - (s * (square + series) + n * LN2_LOW32)) - f)
    result = result if x < INF32 else x  # infinity and NaN
    result = -INF32 if x == ZERO32 else result
    return NAN32 if x < ZERO32 else result


@inline
def log64(x):
    """Natural logarithm in float64."""
    scaled = x * SCALE64 if x < SMALLEST64 else x
    bits = np.int64(f64(scaled).view(np.int64) - ROOT_BITS64)
    n = f64(bits >> MANTISSA64) - (SCALE_EXPONENT64 if x < SMALLEST64 else 0.0)
    f = np.int64((bits & FRACTION_BITS64) + ROOT_BITS64).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    series = ((((M10 * z + M9) * z + M8) * z + M7) * z + M6) * z + M5
    series = ((((series * z + M4) * z + M3) * z + M2) * z + M1) * z
    square = 0.5 * f * f
    result = n * LN2_HIGH64 - ((square - (s * (square + series) + n * LN2_LOW64)) - f)
    result = result if x < INF64 else x
    result = -INF64 if x == 0.0 else result
    return NAN64 if x < 0.0 else result


# Chebyshev interpolation of erf(x) / x - 1 in x^2 up to 0.95, and of log(erfc(x)) in x from 0.9 to 4, lowest power first
ERF_SPLIT32, ERF_ONE32 = f32(0.9375), f32(4)
A0, A1, A2, A3, A4, A5, A6 = map(
    f32, (0.1283791665, -0.3761263205, 0.1128366947, -0.02685795906, 0.005197487227, -0.0008102915561, 8.204169676e-5)
)
B0, B1, B2, B3, B4, B5, B6, B7, B8 = map(
    f32,
    (0.0003185396624, -1.130231055, -0.6318239181, -0.1100871665, 0.02642763715, -0.004762625833, 0.0005975857702,
     -4.616385863e-5, 1.643063656e-6),
)  # fmt: skip


@inline
def erf32(x):
    """Error function in float32."""
    z = x * x
    small = ((((((A6 * z + A5) * z + A4) * z + A3) * z + A2) * z + A1) * z + A0) * x + x
    t = -x if x < ZERO32 else x
    clipped = ERF_ONE32 if t > ERF_ONE32 else t
    p = (((B8 * clipped + B7) * clipped + B6) * clipped + B5) * clipped + B4
    p = (((p * clipped + B3) * clipped + B2) * clipped + B1) * clipped + B0
    large = ONE32 - exp32(p)
    large = -large if x < ZERO32 else large
    return large if t > ERF_SPLIT32 else small


# W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23 (1969), 631-637:
# erf(x) = x P(x^2) / Q(x^2) up to 0.46875, erfc(x) = e^(-x^2) R(x) / S(x) up to 4 (and well enough on to 6); highest first
ERF_SPLIT64, ERF_ONE64 = f64(0.46875), f64(6)
P4, P3, P2, P1, P0 = map(
    f64,
    (1.85777706184603153e-1, 3.16112374387056560, 1.13864154151050156e2, 3.77485237685302021e2, 3.20937758913846947e3),
)
Q3, Q2, Q1, Q0 = map(f64, (2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3))
R8, R7, R6, R5, R4, R3, R2, R1, R0 = map(
    f64,
    (2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594, 6.61191906371416295e1, 2.98635138197400131e2,
     8.81952221241769090e2, 1.71204761263407058e3, 2.05107837782607147e3, 1.23033935479799725e3),
)  # fmt: skip
S7, S6, S5, S4, S3, S2, S1, S0 = map(
    f64,
    (1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3,
     3.29079923573345963e3, 4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3),
)  # fmt: skip


@inline
def erf64(x):
    """Error function in float64."""
    z = x * x
    small = x * ((((P4 * z + P3) * z + P2) * z + P1) * z + P0) / ((((z + Q3) * z + Q2) * z + Q1) * z + Q0)
    t = -x if x < 0.0 else x
    t = ERF_ONE64 if t > ERF_ONE64 else t
    r = (((R8 * t + R7) * t + R6) * t + R5) * t + R4
    r = (((r * t + R3) * t + R2) * t + R1) * t + R0
    s = (((t + S7) * t + S6) * t + S5) * t + S4
    s = (((s * t + S3) * t + S2) * t + S1) * t + S0
    large = 1.0 - exp64(-t * t) * (r / s)
    large = -large if x < 0.0 else large
    return large if t > ERF_SPLIT64 else small


exp = per_dtype(exp32, exp64)
log = per_dtype(log32, log64)
tanh = per_dtype(tanh32, tanh64)
sigmoid = per_dtype(sigmoid32, sigmoid64)
erf = per_dtype(erf32, erf64)

FUNCTIONS = {"erf": erf, "exp": exp, "log": log, "sigmoid": sigmoid, "tanh": tanh}
