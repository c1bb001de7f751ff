"""The logarithm of the gamma function, its derivative, and the inverse of the error function.

Slots, attributes and results are those of PaddlePaddle 2.6.2. All is computed in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..framework.costs import PerElement
from ..framework.spec import Grad, OpDef, op
from ..math.arithmetic import need_kind

HALF_LOG, HALF_ROOT, ROOT_OF_PI = 0.5 * math.log(2 * math.pi), math.sqrt(0.5), math.sqrt(math.pi)
SHIFT = 8  # the series below are exact to 1e-15 from here on
LOG_GAMMA = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)  # of 1 / z, 1 / z^3, ...
DIGAMMA = (-1 / 12, 1 / 120, -1 / 252, 1 / 240, -1 / 132, 691 / 32760, -1 / 12)  # of 1 / z^2, 1 / z^4, ...
TRIGAMMA = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)  # of 1 / z^3, 1 / z^5, ...


def polynomial(x: Any, coefficients: Sequence[float]) -> Any:
    """Return the sum of coefficients[i] x^i."""
    total = coefficients[-1]
    for each in reversed(coefficients[:-1]):
        total = total * x + each
    return total


def _reflected(xp: Any, x: Any) -> tuple[Any, Any, Any]:
    """Return (where x is below 0.5, 1 - x there and x elsewhere, pi times the distance of x from a whole number)."""
    below = x < 0.5
    return below, xp.where(below, 1 - x, x), math.pi * (x - xp.rint(x))


def log_gamma(xp: Any, x: Any) -> Any:
    """Return log |gamma(x)|: Stirling's series, of x moved up where it is small, and reflected where it is below 0.5."""
    below, up, angle = _reflected(xp, x)
    small = up < SHIFT
    z = xp.where(small, up + SHIFT, up)
    product = polynomial(xp.where(small, up, 0.0), (0.0, 1.0))
    for i in range(1, SHIFT):
        product = product * (up + i)
    found = (z - 0.5) * xp.log(z) - z + HALF_LOG + polynomial(1 / (z * z), LOG_GAMMA) / z
    found = xp.where(small, found - xp.log(xp.where(small, product, 1.0)), found)
    found = xp.where(below, xp.log(math.pi / abs(xp.sin(angle))) - found, found)
    return xp.where(xp.isinf(x), math.inf, found)


def digamma_of(xp: Any, x: Any) -> Any:
    """Return the derivative of log gamma(x); NaN at whole numbers below 1."""
    below, z, angle = _reflected(xp, x)
    before = 0.0
    for i in range(SHIFT):
        before = before - 1 / (z + i)
    z = z + SHIFT
    inverse = 1 / (z * z)
    found = before + xp.log(z) - 0.5 / z + inverse * polynomial(inverse, DIGAMMA)
    found = xp.where(below, found - math.pi / xp.tan(angle), found)
    return xp.where(below & (x == xp.rint(x)), math.nan, found)


def trigamma_of(xp: Any, x: Any) -> Any:
    """Return the second derivative of log gamma(x)."""
    below, z, angle = _reflected(xp, x)
    before = 0.0
    for i in range(SHIFT):
        before = before + 1 / (z + i) ** 2
    z = z + SHIFT
    inverse = 1 / (z * z)
    found = before + 1 / z + 0.5 * inverse + inverse / z * polynomial(inverse, TRIGAMMA)
    return xp.where(below, (math.pi / xp.sin(angle)) ** 2 - found, found)


# Wichura's algorithm AS 241 for quantiles of the normal distribution: numerators and denominators, lowest power first.
MIDDLE = (
    (3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125, 45921.953931549871457,
     67265.770927008700853, 33430.575583588128105, 2509.0809287301226727),
    (1.0, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077, 21213.794301586595867,
     39307.895800092710610, 28729.085735721942674, 5226.4952788528545610),
)  # fmt: skip
TAIL = (
    (1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
     1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4),
    (1.0, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
     1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9),
)  # fmt: skip
FAR = (
    (6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 2.96560571828504891230e-1,
     2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7),
    (1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
     1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15),
)  # fmt: skip


def _ratio(x: Any, terms: tuple) -> Any:
    return polynomial(x, terms[0]) / polynomial(x, terms[1])


def erfinv_of(xp: Any, x: Any) -> Any:
    """Return the number whose error function is x: infinity at 1 and -1, NaN beyond."""
    half, rest = 0.5 * x, 0.5 * (1 - abs(x))
    root = xp.sqrt(-xp.log(rest))
    tail = xp.where(root <= 5, _ratio(root - 1.6, TAIL), _ratio(root - 5, FAR))
    tail = xp.where(rest == 0, math.inf, tail)
    quantile = xp.where(abs(half) <= 0.425, half * _ratio(0.180625 - half * half, MIDDLE), xp.copysign(tail, x))
    return quantile * HALF_ROOT


def _special(name: str, doc: str, compute: Callable, slope: Callable, reads: str) -> OpDef:
    """Declare Out = a function of X, whose slope is computed from what `reads` names."""

    class body:
        def infer(X):
            need_kind(name, X, "f", "a float dtype")
            return X

        @np.errstate(all="ignore")
        def reference(xp, X):
            return compute(xp, X.astype("float64")).astype(X.dtype)

        @np.errstate(all="ignore")
        def gradient(xp, Known, dOut):
            return (dOut * slope(xp, Known.astype("float64"))).astype(dOut.dtype)

        grad = Grad(f"{reads} Out@GRAD", "X@GRAD", gradient)

    body.__doc__ = doc
    return op(name, inputs="X", outputs="Out", flops=PerElement(60))(body)


lgamma = _special("lgamma", "Out = log |gamma(X)|.", log_gamma, digamma_of, "X")
digamma = _special("digamma", "Out = the derivative of log gamma at X.", digamma_of, trigamma_of, "X")
erfinv = _special(
    "erfinv",
    "Out = the number whose error function is X.",
    erfinv_of,
    lambda xp, out: ROOT_OF_PI / 2 * xp.exp(out * out),
    "Out",
)
