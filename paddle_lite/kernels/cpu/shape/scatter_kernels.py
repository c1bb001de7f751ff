"""CPU kernels of scatter operators."""

from __future__ import annotations

import numpy as np

from ....core.ranges import require_range
from ....ops.support.index_tuples import as_rows, rows_of_tuples
from ...registry import kernel
from .indexed_rows import scatter_add_rows


@kernel("scatter")
def scatter(X, Ids, Updates, *, overwrite):
    require_range("scatter", "Input(Ids)", Ids, X.shape[0])
    if overwrite:
        out = X.copy()
        out[Ids] = Updates
        return out
    out = scatter_add_rows(X.shape, Ids, Updates)
    untouched = np.ones(len(X), bool)
    untouched[Ids] = False
    out[untouched] = X[untouched]
    return out


@kernel("scatter_nd_add")
def scatter_nd_add(X, Index, Updates):
    rows = rows_of_tuples(np, "scatter_nd_add", Index, X.shape)
    matrix = as_rows(X, Index.shape[-1])
    added = scatter_add_rows(matrix.shape, rows, as_rows(Updates, Index.ndim - 1))
    added += matrix
    return added.reshape(X.shape)
