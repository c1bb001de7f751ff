"""CPU kernels of the operators on embedding tables and on their gradients."""

from __future__ import annotations

from typing import Any

from ....core.selected_rows import SelectedRows, need_sparse
from ...registry import kernel
from ..shape.indexed_rows import merge_rows, scatter_add_rows


@kernel("lookup_table_grad", "lookup_table_v2_grad")
def lookup_table_grad(W, Ids, dOut, *, is_sparse, padding_idx):
    rows, values = Ids.reshape(-1), dOut.reshape(-1, W.shape[1])
    if not is_sparse:
        return scatter_add_rows(W.shape, rows, values, padding_idx)
    if padding_idx >= 0:
        trained = rows != padding_idx
        rows, values = rows[trained], values[trained]
    return SelectedRows(rows, values, W.shape[0])


@kernel("merge_selected_rows")
def merge_selected_rows(X: Any) -> SelectedRows:
    need_sparse("merge_selected_rows", X)
    merged = merge_rows(X)
    return SelectedRows(merged.rows, merged.values, X.height)
