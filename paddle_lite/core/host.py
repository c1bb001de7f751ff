"""Copies of arrays to the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

after_copy: list[Callable[[], None]] = []
"""Called after a copy from a GPU, when its kernels have ended: they raise what these have found wrong."""


def to_host(array: Any) -> Any:
    """Return an array as one of NumPy; one of a GPU is copied to the host."""
    if isinstance(array, np.ndarray) or not hasattr(array, "get"):
        return array
    host = array.get()
    for check in after_copy:
        check()
    return host
