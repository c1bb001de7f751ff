"""Argument reduction to quarter turns, accurate for angles of any size: x * 2 / pi modulo 4, without a branch.

An angle is m 2^e with an integer m. A table holds 2^e * 2 / pi modulo 4 with the number of bits that the angle nearest to
a multiple of pi / 2 needs; integer multiples of 4 do not change m times the entry modulo 4 (after M. Payne and R. Hanek,
SIGNUM Newsletter 18 (1983), 19-24). float64 loads an entry for each e. float32 needs only five entries, since float64 has
room for factors of 2^22 beside the 24 bits of m; they are selected by comparisons, which is faster.
"""

from __future__ import annotations

import math

import numpy as np

from paddle_lite.kernels.numba_jit import fma, inline

from .formats import ROUND64, f32, f64

POINT = 1280  # fractional bits of 2 / pi; 309 of them remain for its product with 2^971
BITS = 256  # bits from which a table entry is made, which has at most 170


def two_over_pi() -> int:
    """Return 2 / pi * 2^POINT, rounded down, from pi = 16 arctan(1/5) - 4 arctan(1/239) (Machin)."""
    one = 1 << (POINT + 64)

    def arctan_of_inverse(n: int) -> int:
        total, term, k = 0, one // n, 0
        while term:
            total += term // (2 * k + 1) if k % 2 == 0 else -(term // (2 * k + 1))
            term //= n * n
            k += 1
        return total

    return (one << (POINT + 1)) // (16 * arctan_of_inverse(5) - 4 * arctan_of_inverse(239))


def turns(exponent: int, ratio: int) -> int:
    """Return 2^exponent * 2 / pi modulo 4, between -2 and 2, times 2^BITS."""
    rest = (ratio >> (POINT - exponent - BITS)) & ((4 << BITS) - 1)
    return rest - (4 << BITS) if rest >> (BITS + 1) else rest


def leading(number: int) -> tuple[int, int]:
    """Return the leading 53 bits of a number, and the remainder."""
    drop = max(abs(number).bit_length() - 53, 0)
    first = number >> drop << drop
    return first, number - first


def factors32() -> list[np.float64]:
    """Return, for |x| below 2^47, 2^70, 2^93, 2^116 and 2^128, two float64 whose sum is (x * 2 / pi modulo 4) / x."""
    ratio, found = two_over_pi(), []
    for exponent in (-1, 24, 47, 70, 93):
        rest = turns(exponent, ratio)
        for _ in range(2):
            first, rest = leading(rest)
            found.append(f64(math.ldexp(first, -BITS - exponent)))
    return found


WINDOW1, WINDOW2, WINDOW3, WINDOW4 = (f32(2.0**exponent) for exponent in (47, 70, 93, 116))
A_HIGH, A_LOW, B_HIGH, B_LOW, C_HIGH, C_LOW, D_HIGH, D_LOW, E_HIGH, E_LOW = factors32()
SMALLEST_EXPONENT64 = np.uint64(1023 - 30)  # the first exponent of the table; for smaller angles sin(x) = x


def table64() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return, by exponent, 2^e * 2 / pi modulo 4 in three parts: an integer in units of 2^-62, then two float64."""
    ratio, rows = two_over_pi(), 2048 - int(SMALLEST_EXPONENT64)
    first, second, third = np.zeros(rows, np.uint64), np.full(rows, np.nan), np.full(rows, np.nan)
    for row in range(rows - 1):
        number = turns(row + int(SMALLEST_EXPONENT64) - 1075, ratio)
        whole = number >> (BITS - 62)
        middle, rest = leading(number - (whole << (BITS - 62)))
        first[row], second[row], third[row] = whole % 2**64, math.ldexp(middle, -BITS), math.ldexp(rest, -BITS)
    return first, second, third


TURNS64_HIGH, TURNS64_MIDDLE, TURNS64_LOW = table64()

SHIFT64 = np.uint64(52)
FRACTION64 = np.uint64(2**52 - 1)
WHOLE_EXPONENT64 = np.uint64(1075 << 52)  # of a float64 that is its mantissa as a whole number
IMPLICIT_BIT64 = np.uint64(1 << 52)
HALF_TURN64, TURN_SHIFT64 = np.uint64(1 << 61), np.uint64(62)
LOW_BITS64 = np.int64(511)
UNIT64 = f64(2.0**-62)


@inline(exact=True)
def quarter_turns32(x):
    """Return a whole number n (of which the last two bits count), and x * 2 / pi - n, hardly above 1/2, in float64."""
    size, wide = abs(x), f64(x)
    high = D_HIGH if size < WINDOW4 else E_HIGH
    high = C_HIGH if size < WINDOW3 else high
    high = B_HIGH if size < WINDOW2 else high
    high = A_HIGH if size < WINDOW1 else high
    low = D_LOW if size < WINDOW4 else E_LOW
    low = C_LOW if size < WINDOW3 else low
    low = B_LOW if size < WINDOW2 else low
    low = A_LOW if size < WINDOW1 else low
    product = wide * high  # below 2^47, so that rounding it loses no more than 2^-7
    lost = fma(wide, high, -product)
    shifted = product + ROUND64
    return f64(shifted).view(np.int64), (product - (shifted - ROUND64)) + fma(wide, low, lost)


@inline(exact=True)
def quarter_turns64(size):
    """Return an integer n (only its last two bits matter), and size * 2 / pi - n as a sum of two, for size >= 0."""
    bits = f64(size).view(np.uint64)  # unsigned numbers may overflow, here modulo 4 turns
    exponent = np.uint64(bits >> SHIFT64)
    row = np.uint64((exponent if exponent > SMALLEST_EXPONENT64 else SMALLEST_EXPONENT64) - SMALLEST_EXPONENT64)
    mantissa = np.uint64(bits & FRACTION64)
    number = np.uint64(mantissa | WHOLE_EXPONENT64).view(np.float64)
    turns = np.uint64(np.uint64(mantissa | IMPLICIT_BIT64) * TURNS64_HIGH[row])
    n = np.uint64((turns + HALF_TURN64) >> TURN_SHIFT64)
    rest = np.uint64(turns - (n << TURN_SHIFT64)).view(np.int64)
    large = f64(rest & ~LOW_BITS64) * UNIT64
    small = f64(rest & LOW_BITS64) * UNIT64
    middle = TURNS64_MIDDLE[row]
    product = number * middle
    product_low = fma(number, middle, -product)
    sum_, lost = two_sum(small, product)
    high, low = two_sum(large, sum_)
    return np.int64(n), high, low + (lost + product_low + number * TURNS64_LOW[row])


@inline(exact=True)
def two_sum(a, b):
    """Return a + b and its rounding error (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)
