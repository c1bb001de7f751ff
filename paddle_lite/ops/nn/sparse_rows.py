"""Operators on SelectedRows."""

from __future__ import annotations

from ...core.selected_rows import SelectedRows, need_sparse
from ..framework.spec import Declaration, op
from ..support.meta import Meta


@op("merge_selected_rows", inputs="X", outputs="Out", lod=None, flops=0)
class merge_selected_rows(Declaration):
    """Out = X with its rows in ascending order; the values of duplicate rows are summed."""

    def infer(X):
        return X

    def reference(xp, X):
        need_sparse("merge_selected_rows", X)
        merged = X.merged(xp)
        return SelectedRows(merged.rows, merged.values, X.height)


@op("get_tensor_from_selected_rows", inputs="X", outputs="Out", lod=None, flops=0)
class get_tensor_from_selected_rows(Declaration):
    """Out = the values of X [number of stored rows, ...], without their row indices."""

    def infer(X):
        return Meta((-1, *X.shape[1:]), X.dtype)

    def reference(xp, X):
        need_sparse("get_tensor_from_selected_rows", X)
        return X.values.copy()
