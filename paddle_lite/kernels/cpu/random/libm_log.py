"""The logarithm with the rounding of the C library, which seeded normal numbers need for bitwise equality."""

from __future__ import annotations

import math

import numpy as np

# Single precision logarithm of the ARM optimized routines, S. Nagy (2017), glibc's logf since 2.27: 1 / c for a centre c of each
# sixteenth of an octave, chosen so that c's logarithm is close to a float64; then a polynomial for log(1 + r) - r.
_FIRST = 0x3F330000  # the bits of 0.69921875, the start of the octave
_INVERSE = np.array([float.fromhex(text) for text in (
    "0x1.661ec79f8f3bep+0", "0x1.571ed4aaf883dp+0", "0x1.49539f0f010bp+0", "0x1.3c995b0b80385p+0",
    "0x1.30d190c8864a5p+0", "0x1.25e227b0b8eap+0", "0x1.1bb4a4a1a343fp+0", "0x1.12358f08ae5bap+0",
    "0x1.0953f419900a7p+0", "0x1p+0", "0x1.e608cfd9a47acp-1", "0x1.ca4b31f026aap-1",
    "0x1.b2036576afce6p-1", "0x1.9c2d163a1aa2dp-1", "0x1.886e6037841edp-1", "0x1.767dcf5534862p-1",
)])  # fmt: skip
_LOG = np.array([-math.log(inverse) for inverse in _INVERSE])
_POLYNOMIAL = [
    float.fromhex(text) for text in ("-0x1.00ea348b88334p-2", "0x1.5575b0be00b6ap-2", "-0x1.ffffef20a4123p-2")
]


def libm_log(x: np.ndarray) -> np.ndarray:
    """Return log of each element of a vector of positive, normal numbers, float32 or float64.

    >>> import numpy as np
    >>> libm_log(np.array([1.0, 0.25], np.float32))
    array([ 0.       , -1.3862944], dtype=float32)
    """
    if x.dtype != np.float32:
        return np.fromiter(map(math.log, x.tolist()), np.float64, x.size)
    bits = x.view(np.int32)
    from_first = bits - np.int32(_FIRST)
    part = (from_first >> np.int32(19)) & np.int32(15)
    octave = from_first >> np.int32(23)
    mantissa = (bits - (octave << np.int32(23))).view(np.float32).astype(np.float64)
    r = mantissa * _INVERSE[part] - 1.0
    cubic, square, linear = _POLYNOMIAL
    square_of_r = r * r
    tail = (square * r + linear) + cubic * square_of_r
    return (tail * square_of_r + ((_LOG[part] + octave * math.log(2)) + r)).astype(np.float32)
