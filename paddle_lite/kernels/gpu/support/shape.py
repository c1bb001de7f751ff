"""Shapes of grids and of rows."""

from __future__ import annotations

import math
from typing import Any

from ...registry import array_module
from ..device.kernel import WARP

MOST_THREADS = 256
MOST_BLOCKS = 4096  # of a kernel whose threads stride over the elements


def threads_for(width: int, most: int = MOST_THREADS) -> int:
    """Return the number of threads of a block that works on `width` elements: a multiple of 32, at most `most`."""
    return max(WARP, min(most, -(-width // WARP) * WARP))


def blocks_for(size: int) -> int:
    """Return the number of blocks of 256 threads whose threads stride over `size` elements."""
    return min(MOST_BLOCKS, -(-size // MOST_THREADS))


def rows_and_width(x: Any, axis: int) -> tuple[int, int] | None:
    """Return the number of rows along the last axis and their length; None if `axis` is another one, or x is empty."""
    if x.ndim == 0 or axis not in (-1, x.ndim - 1) or not x.size:
        return None
    return math.prod(x.shape[:-1]), x.shape[-1]


def alike(*arrays: Any) -> bool:
    """Return whether arrays have one floating dtype, and the first has elements."""
    return len({array.dtype for array in arrays}) == 1 and arrays[0].dtype.kind == "f" and arrays[0].size > 0


def current_device() -> int:
    """Return the number of the device that kernels run on; arrays that are kept for later belong to one device."""
    xp = array_module("gpu")
    return xp.cuda.runtime.getDevice() if xp.__name__ == "cupy" else 0
