"""Embedding lookups summed over each sequence."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.spec import Declaration, Grad, Long, op
from ..support.meta import Meta
from ..support.sequence_spans import spans_of
from ..support.shape_rules import UNKNOWN
from .embedding import NO_PADDING, check, gradient, looked_up

WHERE = "fused_embedding_seq_pool"


@op(
    "fused_embedding_seq_pool",
    inputs="W Ids",
    outputs="Out",
    attrs={
        "combiner": "sum",
        "padding_idx": Long(NO_PADDING),
        "grad_inplace": False,
        "is_sparse": False,
        "@ALL_KERNELS_MUST_COMPUTE_RUNTIME_SHAPE@": True,
    },
    lod=None,
    needs_lod="Ids",
)
class fused_embedding_seq_pool(Declaration):
    """Out [sequences, width] = the sums of the rows of W that each sequence of Ids, int64 [rows, 1] with a LoD, names.

    Ids [rows, ..., 1] name several rows of W at once: Out has their sums side by side, [sequences, several * width].
    """

    def infer(W, Ids, *, combiner, **_):
        if combiner != "sum":
            raise ArgumentValueError(message(WHERE, "attribute 'combiner'", repr(combiner), "'sum'"))
        if len(Ids.shape) < 2 or Ids.shape[-1] not in (1, UNKNOWN):
            raise ShapeError(message(WHERE, "Input(Ids)", f"shape {list(Ids.shape)}", "shape [rows, ..., 1]"))
        _, width = check(WHERE, W, Ids, (UNKNOWN,))
        several = Ids.shape[1:-1]
        return Meta((UNKNOWN, UNKNOWN if UNKNOWN in (width, *several) else width * prod(several)), W.dtype)

    def reference(xp, W, Ids, *, lod, combiner, is_sparse, padding_idx):
        rows = looked_up(WHERE, xp, W, Ids, (len(Ids), W.shape[1] * prod(Ids.shape[1:])), padding_idx)
        spans = spans_of(WHERE, "Ids", Ids, lod)
        return xp.stack([rows[start:end].sum(axis=0) for start, end in spans]) if spans else rows[:0]

    def back(xp, W, Ids, dOut, *, lod, is_sparse, padding_idx):
        empty = xp.zeros((0, dOut.shape[1]), dOut.dtype)
        parts = [xp.repeat(dOut[i : i + 1], end - start, axis=0) for i, (start, end) in enumerate(pairwise(lod[0]))]
        return gradient(xp, W, Ids, xp.concatenate([empty, *parts]), is_sparse=is_sparse, padding_idx=padding_idx)

    grad = Grad("W# Ids Out@GRAD", "W@GRAD", back)


def positive(padding_idx: Any, rows: int) -> int:
    """Return the index that reads as zeros, counted from the start; -1 for none."""
    return NO_PADDING if padding_idx is None else padding_idx if padding_idx >= 0 else rows + padding_idx
