"""Constants of the two floating-point formats, powers of two, signs, and polynomials."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paddle_lite.core.generated import define
from paddle_lite.kernels.numba_jit import Inline, inline

f32, f64 = np.float32, np.float64
ZERO32, QUARTER32, HALF32, ONE32, TWO32 = f32(0), f32(0.25), f32(0.5), f32(1), f32(2)
INF32, NAN32 = f32(np.inf), f32(np.nan)
INF64, NAN64 = f64(np.inf), f64(np.nan)

# ln 2 in two parts, the first with so few bits that its product with an integer is exact (Cody and Waite)
LN2_HIGH32, LN2_LOW32 = f32(0.693359375), f32(-2.12194440e-4)
LN2_HIGH64, LN2_LOW64 = f64(float.fromhex("0x1.62e42fefa0000p-1")), f64(float.fromhex("0x1.cf79abc9e3b3ap-40"))
LOG2E32, LOG2E64 = f32(1 / math.log(2)), f64(1 / math.log(2))

# pi / 2 in two parts
PIO2_32, PIO2_LOW32 = f32(math.pi / 2), f32(math.pi / 2 - float(f32(math.pi / 2)))
PIO2_64, PIO2_LOW64 = f64(math.pi / 2), f64(float.fromhex("0x1.1a62633145c07p-54"))

# adding 1.5 * 2^(mantissa bits) rounds to an integer, which is then in the low bits
ROUND32, ROUND64 = f32(1.5 * 2**23), f64(1.5 * 2**52)
ROUND_BITS32, ROUND_BITS64 = ROUND32.view(np.int32), ROUND64.view(np.int64)
MANTISSA32, MANTISSA64 = np.int32(23), np.int64(52)
FRACTION_BITS32, FRACTION_BITS64 = np.int32(2**23 - 1), np.int64(2**52 - 1)
SIGN_BIT32, SIGN_BIT64 = np.int32(-(2**31)), np.int64(-(2**63))
BIAS32, BIAS64 = np.int32(127), np.int64(1023)
SHIFT1_32, SHIFT1_64 = np.int32(1), np.int64(1)


def polynomial(dtype: Any, *coefficients: float) -> Inline:
    """Return an inline function that evaluates `coefficients[0] + coefficients[1] * x + ...` by Horner's rule in `dtype`."""
    names = [f"C{power}" for power in range(len(coefficients))]
    body = names[-1]
    for name in reversed(names[:-1]):
        body = f"({body}) * x + {name}"
    scope: dict[str, Any] = dict(zip(names, map(dtype, coefficients), strict=True))
    scope["__name__"] = __name__
    title = f"polynomial {dtype.__name__} {' '.join(map(repr, coefficients))}"
    return inline(define(title, "polynomial", f"def polynomial(x):\n    return {body}\n", scope))


@inline(exact=True)
def power_of_two32(k):
    """Return 2^k for a normal result."""
    return np.int32((k + BIAS32) << MANTISSA32).view(np.float32)


@inline(exact=True)
def power_of_two64(k):
    """Return 2^k for a normal result."""
    return np.int64((k + BIAS64) << MANTISSA64).view(np.float64)


@inline(exact=True)
def times_power_of_two32(x, k):
    """Return x * 2^k for x around 1 and any result, in two steps, of which the first is exact."""
    half = np.int32(k >> SHIFT1_32)
    return x * power_of_two32(half) * power_of_two32(np.int32(k - half))


@inline(exact=True)
def times_power_of_two64(x, k):
    """Return x * 2^k for x around 1 and any result, in two steps, of which the first is exact."""
    half = np.int64(k >> SHIFT1_64)
    return x * power_of_two64(half) * power_of_two64(np.int64(k - half))


@inline(exact=True)
def with_sign32(size, x):
    """Return `size`, which is not negative, with the sign of x."""
    sign = np.int32(f32(x).view(np.int32) & SIGN_BIT32)
    return np.int32(f32(size).view(np.int32) | sign).view(np.float32)


@inline(exact=True)
def with_sign64(size, x):
    """Return `size`, which is not negative, with the sign of x."""
    sign = np.int64(f64(x).view(np.int64) & SIGN_BIT64)
    return np.int64(f64(size).view(np.int64) | sign).view(np.float64)
