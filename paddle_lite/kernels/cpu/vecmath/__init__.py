"""Elementary functions for Numba kernels, which LLVM vectorises inside loops.

Numba's own versions call the C library for each element. These have neither calls nor branches: values outside the range
of a formula are replaced at the end, including large angles of sin and cos. The versions for float32 and float64 are
selected by the type of the arguments. The largest errors found, in units of the last place (ulp), over the whole range,
subnormals included:

    =======  =======  =======       =======  =======  =======
    .        float32  float64       .        float32  float64
    =======  =======  =======       =======  =======  =======
    exp      1.1      1.0           sin      1.6      1.1
    expm1    1.7      1.9           cos      1.6      1.1
    log      0.9      0.8           asin     1.2      1.3
    log1p    0.9      0.9           acos     1.2      1.2
    pow      0.6      1.2           atan     1.9      1.7
    tanh     2.5      2.6           sinh     2.2      2.5
    sigmoid  2.0      2.0           cosh     1.5      1.5
    erf      1.2      3.4
    =======  =======  =======       =======  =======  =======

The results for NaN, infinities, signed zeros and subnormals are those of C and NumPy (so 1^NaN = NaN^0 = (-1)^inf = 1,
and a negative number to an integer power has the right sign). np.sqrt needs no version here: it is an exact instruction.

formats.py        the two floating-point formats: constants, powers of two, signs, polynomials
exponential.py    exp, expm1, tanh, sigmoid, sinh, cosh
logarithm.py      log, log1p
power.py          pow
error.py          erf
quarter_turns.py  argument reduction of angles of any size to quarter turns
trigonometric.py  sin, cos, asin, acos, atan
"""

from .error import erf
from .exponential import cosh, exp, expm1, sigmoid, sinh, tanh
from .logarithm import log, log1p
from .power import pow
from .trigonometric import acos, asin, atan, cos, sin

__all__ = [
    "FUNCTIONS", "acos", "asin", "atan", "cos", "cosh", "erf", "exp", "expm1", "log", "log1p", "pow", "sigmoid", "sin",
    "sinh", "tanh",
]  # fmt: skip

FUNCTIONS = {
    "acos": acos,
    "asin": asin,
    "atan": atan,
    "cos": cos,
    "cosh": cosh,
    "erf": erf,
    "exp": exp,
    "expm1": expm1,
    "log": log,
    "log1p": log1p,
    "pow": pow,
    "sigmoid": sigmoid,
    "sin": sin,
    "sinh": sinh,
    "tanh": tanh,
}
