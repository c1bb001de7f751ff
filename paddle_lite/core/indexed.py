"""Sums into elements that indices select, and writes to them, with the same results in each run on every device; checks of indices.

On a GPU `cupy.add.at` adds in any order, and of several writes to one element any one stays; the kernels for GPUs sort the
indices instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import EnforceNotMet


class OnGpu:
    """How arrays of a GPU are written; paddle_lite.kernels sets it.

    functions: returns an object with `add_at`, `write_at` and `check_later`; None if the array module has to do it.
    """

    functions: Callable[[], Any] | None = None


def add_at(xp: Any, out: Any, index: Any, values: Any) -> None:
    """Add values to the elements of `out` at an index, in place; an element may be selected several times.

    Arguments:
        xp: the array module. out: an array. index: what selects elements in NumPy. values: broadcast to what is selected.
    """
    functions = None if xp is np or OnGpu.functions is None else OnGpu.functions()
    if functions is not None:
        functions.add_at(out, index, values)
    elif xp is np and isinstance(index, np.ndarray) and out.ndim > 1 and out.flags.c_contiguous:
        width = math.prod(out.shape[1:])  # NumPy is several times faster for flat arrays
        places = index.astype(np.int64).reshape(-1, 1) * width + np.arange(width)
        given = np.broadcast_to(values, (*index.shape, *out.shape[1:]))
        np.add.at(out.reshape(-1), places.reshape(-1), given.reshape(-1))
    else:
        xp.add.at(out, index, values)


def write_at(xp: Any, out: Any, index: Any, values: Any) -> None:
    """Write values to the elements of `out` at an index; of several for one element the last one stays."""
    functions = None if xp is np or OnGpu.functions is None else OnGpu.functions()
    if functions is None:
        out[index] = values
    else:
        functions.write_at(out, index, values)


def checked_later(where: str, index: Any, end: int, error: Callable[[int, int], EnforceNotMet]) -> bool:
    """Return whether a GPU checks that indices are from 0 to end - 1, without a wait for it; else the caller has to check.

    The error of a wrong index is raised at the next copy to the host. Until then its element is taken modulo the size.

    Arguments:
        where: the operator and its argument. error: makes the error from the wrong index and the end.
    """
    functions = None if isinstance(index, np.ndarray) or OnGpu.functions is None else OnGpu.functions()
    if functions is not None:
        functions.check_later(where, index, end, error)
    return functions is not None
