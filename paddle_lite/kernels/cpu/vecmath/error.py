"""The error function."""

from __future__ import annotations

import numpy as np

from paddle_lite.kernels.numba_jit import fma, inline, per_dtype

from .exponential import normal_exp64
from .formats import ONE32, ROUND32, ROUND_BITS32, f32, f64, polynomial, power_of_two32, with_sign32, with_sign64

# -log2(erfc(t)) / t for 0 <= t <= 4, fitted so that the relative error of erf is 5e-9, and (2^r - 1) / r for |r| <= 1/2, to 1.3e-8
ERF_ONE32 = f32(4)  # from 3.92 on, erf(x) rounds to 1
slope32 = polynomial(
    f32, 1.627907038, 0.9184474557, 0.1482791666, -0.02764184294, -0.0002095058446, 0.002379288034, -0.0008967564644,
    0.0001645414146, -1.270139867e-05,
)  # fmt: skip
power32 = polynomial(f32, 0.6931471825, 0.240226498, 0.05550366546, 0.00961824827, 0.0013387767, 0.0001539839785)


@inline(exact=True)
def erf32(x):
    """Return the error function in float32: 1 - 2^-y, where 2^-y = 2^k 2^r, without cancellation where k is 0."""
    t = abs(x)
    t = ERF_ONE32 if t > ERF_ONE32 else t
    y = slope32(t) * t
    shifted = ROUND32 - y
    r = (ROUND32 - shifted) - y
    scale = power_of_two32(np.int32(f32(shifted).view(np.int32) - ROUND_BITS32))
    return with_sign32(fma(-scale, power32(r) * r, ONE32 - scale), x)


# W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23 (1969), 631-637:
# erf(x) = x P(x^2) / Q(x^2) up to 0.46875, erfc(x) = e^(-x^2) R(x) / S(x) up to 4 (and well enough on to 6)
ERF_SPLIT64, ERF_ONE64 = f64(0.4769), f64(6)
p64 = polynomial(
    f64,
    3.20937758913846947e3,
    3.77485237685302021e2,
    1.13864154151050156e2,
    3.16112374387056560,
    1.85777706184603153e-1,
)
q64 = polynomial(
    f64, 2.84423683343917062e3, 1.28261652607737228e3, 2.44024637934444173e2, 2.36012909523441209e1, 1.0
)  # fmt: skip
r64 = polynomial(
    f64, 1.23033935479799725e3, 2.05107837782607147e3, 1.71204761263407058e3, 8.81952221241769090e2,
    2.98635138197400131e2, 6.61191906371416295e1, 8.88314979438837594, 5.64188496988670089e-1, 2.15311535474403846e-8,
)  # fmt: skip
s64 = polynomial(
    f64, 1.23033935480374942e3, 3.43936767414372164e3, 4.36261909014324716e3, 3.29079923573345963e3,
    1.62138957456669019e3, 5.37181101862009858e2, 1.17693950891312499e2, 1.57449261107098347e1, 1.0,
)  # fmt: skip


@inline(exact=True)
def erf64(x):
    """Return the error function in float64."""
    t = abs(x)
    z = t * t
    small = t * p64(z) / q64(z)
    t = ERF_ONE64 if t > ERF_ONE64 else t
    large = 1.0 - normal_exp64(-t * t) * (r64(t) / s64(t))
    return with_sign64(large if t > ERF_SPLIT64 else small, x)


erf = per_dtype(erf32, erf64)
