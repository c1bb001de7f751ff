"""The CPU kernels of the operators that choose among elements by indices."""

from __future__ import annotations

import numpy as np

from ..registry import kernel
from .rows import added_to_rows


@kernel("index_select_grad")
def index_select_grad(X, Index, dOut, *, dim):
    first = np.ascontiguousarray(np.moveaxis(dOut, dim, 0))
    shape = (X.shape[dim], *first.shape[1:])
    return np.moveaxis(added_to_rows(shape, Index.reshape(-1), first), 0, dim)
