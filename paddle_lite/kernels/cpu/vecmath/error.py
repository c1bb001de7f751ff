"""The error function."""

from __future__ import annotations

from paddle_lite.kernels.numba_jit import inline, per_dtype

from .exponential import normal_exp32, normal_exp64
from .formats import ONE32, f32, f64, polynomial, with_sign32, with_sign64

# Chebyshev interpolation of erf(x) / x - 1 in x^2 up to 0.95, and of log(erfc(x)) in x from 0.9 to 4
ERF_SPLIT32, ERF_ONE32 = f32(0.9375), f32(4)
small32 = polynomial(
    f32, 0.1283791665, -0.3761263205, 0.1128366947, -0.02685795906, 0.005197487227, -0.0008102915561, 8.204169676e-5
)
log_erfc32 = polynomial(
    f32, 0.0003185396624, -1.130231055, -0.6318239181, -0.1100871665, 0.02642763715, -0.004762625833, 0.0005975857702,
    -4.616385863e-5, 1.643063656e-6,
)  # fmt: skip


@inline(exact=True)
def erf32(x):
    """Return the error function in float32."""
    t = abs(x)
    small = small32(t * t) * t + t
    large = ONE32 - normal_exp32(log_erfc32(ERF_ONE32 if t > ERF_ONE32 else t))
    return with_sign32(large if t > ERF_SPLIT32 else small, x)


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
