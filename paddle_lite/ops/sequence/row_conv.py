"""row_conv: lookahead convolution, with a weight for each step and feature."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ...core.errors import ShapeError, message
from ..framework.spec import Declaration, Grad, op
from ..support.require import require_floats, require_shape
from ..support.sequence_spans import starts_of_rows
from ..support.shape_rules import UNKNOWN


def _check(X: Any, Filter: Any) -> None:
    require_floats("row_conv", X=X, Filter=Filter)
    if len(X.shape) not in (2, 3):
        needs = "shape [rows, features] with a LoD, or [N, steps, features]"
        raise ShapeError(message("row_conv", "Input(X)", f"shape {list(X.shape)}", needs))
    require_shape("row_conv", "Filter", Filter, (UNKNOWN, X.shape[-1]))


def _sequences(X: Any, lod: Any) -> list[slice]:
    """Return the slices of X that select its sequences; one slice for all if X is [N, steps, features]."""
    return [slice(None)] if len(X.shape) == 3 else [slice(*ends) for ends in pairwise(starts_of_rows(X, lod))]


@op("row_conv", inputs="X Filter", outputs="Out", needs_lod="X")
class row_conv(Declaration):
    """Out[t] = the sum of X[t + w] * Filter[w] over the steps w that the sequence still has (Amodei et al., 2015)."""

    def infer(X, Filter):
        _check(X, Filter)
        return X

    def reference(xp, X, Filter, *, lod):
        out = xp.zeros(X.shape, X.dtype)
        for sequence in _sequences(X, lod):
            x, y = X[sequence], out[sequence]
            for w in range(min(Filter.shape[0], x.shape[-2])):
                y[..., : x.shape[-2] - w, :] += x[..., w:, :] * Filter[w]
        return out

    def gradient(xp, X, Filter, dOut, *, lod, need=(True, True)):
        dx, dfilter = xp.zeros(X.shape, X.dtype), xp.zeros(Filter.shape, Filter.dtype)
        axes = tuple(range(len(X.shape) - 1))
        for sequence in _sequences(X, lod):
            x, dy = X[sequence], dOut[sequence]
            for w in range(min(Filter.shape[0], x.shape[-2])):
                upper = dy[..., : x.shape[-2] - w, :]
                if need[0]:
                    dx[sequence][..., w:, :] += upper * Filter[w]
                if need[1]:
                    dfilter[w] += (upper * x[..., w:, :]).sum(axis=axes)
        return dx if need[0] else None, dfilter if need[1] else None

    grad = Grad("X Filter Out@GRAD", "X@GRAD Filter@GRAD", gradient)
