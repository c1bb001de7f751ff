"""Operators on SelectedRows."""

from __future__ import annotations

from ...core.selected_rows import SelectedRows, need_sparse
from ..framework.spec import Declaration, op
from ..support.meta import Meta


@op("merge_selected_rows", inputs="X", outputs="Out", lod=None, flops=0)
class merge_selected_rows(Declaration):
    """Out = X with each row once, in rising order: the values of a row that stands there more than once are added up."""

    def infer(X):
        return X

    def reference(xp, X):
        need_sparse("merge_selected_rows", X)
        merged = X.merged(xp)
        return SelectedRows(merged.rows, merged.values, X.height)


@op("get_tensor_from_selected_rows", inputs="X", outputs="Out", lod=None, flops=0)
class get_tensor_from_selected_rows(Declaration):
    """Out = the values of X [rows that stand there, ...], without what rows they belong to."""

    def infer(X):
        return Meta((-1, *X.shape[1:]), X.dtype)

    def reference(xp, X):
        need_sparse("get_tensor_from_selected_rows", X)
        return X.values.copy()
