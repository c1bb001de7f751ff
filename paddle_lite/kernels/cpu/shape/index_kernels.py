"""CPU kernels of operators that gather or find elements."""

from __future__ import annotations

import numpy as np

from ....core.ranges import require_count
from ...registry import kernel
from .indexed_rows import scatter_add_rows, top_k_rows


@kernel("gather_grad")
def gather_grad(X, Index, dOut, *, overwrite):
    index = Index.reshape(-1)
    if not overwrite:
        return scatter_add_rows(X.shape, index, dOut)
    dX = np.zeros(X.shape, dOut.dtype)
    dX[index] = dOut
    return dX


@kernel("top_k")
def top_k(X, K=None, *, k):
    k = k if K is None else K.item()
    require_count("top_k", "k", k, X.shape)
    return top_k_rows(X, k)
