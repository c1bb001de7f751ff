"""Products with a weight that seldom changes, which is packed once for all runs."""

from __future__ import annotations

from math import prod

import numpy as np

from ..lasting import Lasting
from .block_products import multiply_panels
from .gemm import suitable, times
from .packed_matrix import pack
from .register_blocks import is_faster, panels_are_faster

__all__ = ["WeightProduct"]


class WeightProduct:
    """x @ w for a matrix w that seldom changes: `call(x, w)`.

    A weight that has been the same in a run before is packed and kept (`Lasting`). The result has the same bits before and after.

    Args:
        dims: how many of the dimensions of x are those of rows; the others make the terms of a sum.

    Example:
        >>> call, w = WeightProduct(2), 2 * np.eye(3, dtype=np.float32)
        >>> [call(np.ones((1, 2, 3), np.float32), w).tolist() for _ in range(2)]
        [[[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]], [[[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]]]
    """

    __slots__ = ("dims", "packed")

    def __init__(self, dims: int) -> None:
        self.dims = dims
        self.packed = Lasting()

    def __call__(self, x: np.ndarray, w: np.ndarray) -> np.ndarray:
        rows = x.shape[: self.dims]
        inner, columns = prod(x.shape[self.dims :]), w.shape[1]
        matrix = x.reshape(prod(rows), inner)
        panels = self._panels(matrix, w) if inner == len(w) else None
        if panels is None:
            return times(matrix, w).reshape(*rows, columns)
        out = np.empty((*rows, columns), x.dtype)
        multiply_panels(matrix, panels, columns, out.reshape(matrix.shape[0], columns))
        return out

    def _panels(self, x: np.ndarray, w: np.ndarray) -> np.ndarray | None:
        """Return the packed weight; None where another method is faster."""
        sizes = *x.shape, w.shape[1]
        if not panels_are_faster(*sizes) or not suitable(x, w):
            return None
        panels = self.packed.of((w,), lambda: pack(w))
        return pack(w) if panels is None and not is_faster(*sizes) else panels
