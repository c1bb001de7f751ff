"""Functions of numbers for Numba kernels, written so that LLVM turns a loop over them into vector code.

Numba's own call the C library once for each element. These have no calls and no branches: a value outside of the range of
a formula is selected away at the end, also the large angles of sin and cos. They take float32 or float64 by the type of
their arguments. Largest errors found, in units of the last place (ulp), over the whole range, subnormals included:

    =======  =======  =======       =======  =======  =======
    .        float32  float64       .        float32  float64
    =======  =======  =======       =======  =======  =======
    exp      1.02     0.97          pow      0.54     1.12
    expm1    1.50     1.80          sin      1.55     0.94
    log      0.79     0.78          cos      1.54     1.07
    log1p    0.82     0.82          asin     2.15     2.22
    tanh     2.24     2.47          acos     1.09     1.15
    sigmoid  1.84     1.84          atan     1.77     1.49
    erf      0.95     3.38          sinh     1.98     2.30
    .        .        .             cosh     1.34     1.44
    =======  =======  =======       =======  =======  =======

NaN, infinities, zeros with their signs and subnormals are C's and NumPy's (so 1^NaN = NaN^0 = (-1)^inf = 1, and a negative
number to a whole power has the sign of it). np.sqrt needs no version here: it is an instruction, and exact.

formats.py        the two floating formats: constants, powers of two, signs, polynomials
exponential.py    exp, expm1, tanh, sigmoid, sinh, cosh
logarithm.py      log, log1p
power.py          pow
error.py          erf
quarter_turns.py  angles as quarter turns, for any size of angle
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
