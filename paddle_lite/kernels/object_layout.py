"""Where Python and NumPy keep the fields of the objects of arrays and tuples, in bytes from their addresses.

NumPy's C API has kept this layout since its first version; `require_known_layout` compares it with an array.
"""

from __future__ import annotations

import ctypes

import numpy as np

__all__ = [
    "BASE_AT",
    "DATA_AT",
    "DIMS_AT",
    "DTYPE_AT",
    "FLAGS_AT",
    "ITEMS_AT",
    "LENGTH_AT",
    "RANK_AT",
    "TYPE_AT",
    "require_known_layout",
]

DATA_AT = object.__basicsize__  # behind the object header; the fields that follow have 8 bytes each
RANK_AT, DIMS_AT, BASE_AT, DTYPE_AT, FLAGS_AT = (DATA_AT + 8 * k for k in (1, 2, 4, 5, 6))
TYPE_AT = DATA_AT - 8
LENGTH_AT, ITEMS_AT = object.__basicsize__, tuple.__basicsize__  # of a tuple


def require_known_layout() -> None:
    """Raise RuntimeError if this Python or NumPy has another layout of array objects."""
    probe, plain = np.empty((3, 1))[::2], np.empty(3)
    here, contiguous, aligned = id(probe), 0x1, 0x100
    sizes = _word(here + DIMS_AT) if _word(here + RANK_AT) & 0xFFFFFFFF == 2 else 0
    known = bool(sizes) and [_word(sizes), _word(sizes + 8)] == [2, 1]
    pair = (sizes, probe)
    known = known and [_word(id(pair) + at) for at in (LENGTH_AT, ITEMS_AT, ITEMS_AT + 8)] == [2, id(sizes), here]
    known = known and _word(here + DATA_AT) == probe.ctypes.data and _word(here + DTYPE_AT) == id(probe.dtype)
    known = known and _word(here + TYPE_AT) == id(np.ndarray)
    both = contiguous | aligned
    known = known and _word(here + FLAGS_AT) & both == aligned and _word(id(plain) + FLAGS_AT) & both == both
    if not known:
        raise RuntimeError(
            "this Python or NumPy lays arrays and tuples out in an unknown way; set PADDLE_LITE_DISABLE_JIT=1 to run without kernels"
        )


def _word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value
