"""GPU kernel of top_k; the reference sorts the rows of integers, and for more than 64 elements."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ....core.ranges import require_count
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.shape import alike, threads_for
from . import MOST_FOUND
from .largest import largest_of_rows


@kernel("top_k", device="gpu")
def top_k(X: Any, K: Any = None, *, k: int, reference: Callable) -> tuple:
    k = k if K is None else int(K.item())
    require_count("top_k", "k", k, X.shape)
    if k > MOST_FOUND or not alike(X):
        return reference(X, None, k=k)
    xp, x, width = array_module("gpu"), array_module("gpu").ascontiguousarray(X), X.shape[-1]
    out = xp.empty((*X.shape[:-1], k), X.dtype)
    where = xp.empty(out.shape, "int64")
    launch(largest_of_rows, math.prod(X.shape[:-1]), threads_for(width), x, out, where, width, k)
    return out, where
