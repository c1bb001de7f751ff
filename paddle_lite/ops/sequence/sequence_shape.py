"""Operators that move whole rows: repeat, concatenate, slice, pad, reverse and reorder sequences; and replace LoDs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, LoDError, ShapeError, message
from ...core.lod import from_offsets
from ...core.ranges import require_integers
from ..framework.spec import Declaration, Grad, Ints, Required, op
from ..framework.traits import OfSequences
from ..support import sequence_rows as seq
from ..support.meta import Meta
from ..support.require import require_dtype, require_shape
from ..support.shape_rules import UNKNOWN, common_shape

INT64 = np.dtype("int64")


def require_rank(where: str, slot: str, meta: Any, least: int) -> None:
    """Raise unless the input has at least this number of dimensions."""
    if len(meta.shape) < least:
        needs = f"{least} dimensions or more, the first for rows"
        raise ShapeError(message(where, f"Input({slot})", f"shape {list(meta.shape)}", needs))


def _of_only_level(attrs: Mapping[str, Any]) -> str | None:
    """Return the share of a row if `ref_level` is that of sequences with one level; None for others."""
    return "all" if attrs["ref_level"] in (-1, 0) else None


# --- repeated ---------------------------------------------------------------------------------------------------------------


@op(
    "sequence_expand", inputs="X Y", outputs="Out", attrs={"ref_level": -1}, lod="made", needs_lod="X Y", flops=0,
    of_sequences=OfSequences("repeat", of="Y", share=_of_only_level),
)  # fmt: skip
class sequence_expand(Declaration):
    """Each sequence of X as often as the same sequence of a level of Y has entries; without a LoD each row of X."""

    def infer(X, Y, **_):
        require_rank("sequence_expand", "X", X, 2)
        return Meta((UNKNOWN, *X.shape[1:]), X.dtype, X.lod_level)

    def reference(xp, X, Y, *, lod, ref_level):
        starts, times = seq.repetitions("sequence_expand", X.shape[0], lod, ref_level, Y.shape[0])
        spans, levels = seq.repeat_spans(starts, times, lod[0] is not None)
        return seq.copy_spans(xp, X, spans, xp.empty((seq.rows_in(spans), *X.shape[1:]), X.dtype)), levels

    def gradient(xp, X, Y, dOut, *, lod, ref_level):
        starts, times = seq.repetitions("sequence_expand", X.shape[0], lod, ref_level, Y.shape[0])
        spans, _ = seq.repeat_spans(starts, times, lod[0] is not None)
        return seq.add_spans(xp, dOut, spans, xp.zeros(X.shape, dOut.dtype))

    grad = Grad(
        "X# Y# Out@GRAD", "X@GRAD", gradient,
        of_sequences=OfSequences("total", of="Y", given="Out@GRAD", made="X@GRAD", share=_of_only_level),
    )  # fmt: skip


@op(
    "sequence_expand_as", inputs="X Y", outputs="Out", lod="Y", needs_lod="Y", flops=0, of_sequences=OfSequences("repeat", of="Y")
)  # fmt: skip
class sequence_expand_as(Declaration):
    """Row i of X as often as sequence i of Y has rows; with Y's LoD."""

    def infer(X, Y):
        require_rank("sequence_expand_as", "X", X, 2)
        return Meta((UNKNOWN, *X.shape[1:]), X.dtype, Y.lod_level)

    def reference(xp, X, Y, *, lod):
        starts = seq.starts_of("sequence_expand_as", "Y", lod, Y.shape[0])
        seq.require_one_each("sequence_expand_as", "Y", starts, X.shape[0], "the rows of X")
        rows = [i for i, count in enumerate(seq.lengths_of(starts)) for _ in range(count)]
        return X[xp.asarray(rows, "int64")]

    def gradient(xp, X, Y, dOut, *, lod):
        dx = xp.zeros(X.shape, dOut.dtype)
        for i, (a, b) in enumerate(pairwise(lod[0])):
            dx[i] = dOut[a:b].sum(axis=0)
        return dx

    grad = Grad(
        "X# Y# Out@GRAD", "X@GRAD", gradient,
        of_sequences=OfSequences("total", of="Y", given="Out@GRAD", made="X@GRAD"),
    )  # fmt: skip


# --- joined and cut ---------------------------------------------------------------------------------------------------------


@op("sequence_concat", inputs="X*", outputs="Out", lod="made", needs_lod="X", flops=0)
class sequence_concat(Declaration):
    """Sequence i of Out = the concatenation of the sequences i of all inputs."""

    def infer(X):
        inner = common_shape("sequence_concat", X, free=0)
        rows = [x.shape[0] for x in X]
        return Meta((UNKNOWN if UNKNOWN in rows else sum(rows), *inner[1:]), X[0].dtype, max(x.lod_level for x in X))

    def reference(xp, X, *, lod):
        each, levels = seq.concat_spans("sequence_concat", lod, [len(x) for x in X])
        out = xp.empty((sum(len(x) for x in X), *X[0].shape[1:]), X[0].dtype)
        for x, spans in zip(X, each, strict=True):
            seq.copy_spans(xp, x, spans, out)
        return out, levels

    def gradient(xp, X, dOut, *, lod, need=None):
        each, _ = seq.concat_spans("sequence_concat", lod, [x.shape[0] for x in X])
        wanted = need[0] if need else (True,) * len(X)
        return [
            seq.add_spans(xp, dOut, spans, xp.zeros(x.shape, dOut.dtype)) if wants else None
            for x, spans, wants in zip(X, each, wanted, strict=True)
        ]

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient)


@op(
    "sequence_slice",
    inputs="X Offset Length",
    outputs="Out",
    lod="made",
    needs_lod="X",
    flops=0,
    captured=False,
    any_sizes=True,
)
class sequence_slice(Declaration):
    """From each sequence of X Length[i] rows, from row Offset[i] of the sequence on."""

    def infer(X, Offset, Length):
        require_rank("sequence_slice", "X", X, 1)
        for slot, meta in (("Offset", Offset), ("Length", Length)):
            require_integers("sequence_slice", f"Input({slot})", meta)
            require_shape("sequence_slice", slot, meta, (UNKNOWN, 1))
        return Meta((UNKNOWN, *X.shape[1:]), X.dtype, 1)

    def reference(xp, X, Offset, Length, *, lod):
        spans, levels = seq.slice_spans(X, Offset, Length, lod)
        return seq.copy_spans(xp, X, spans, xp.empty((seq.rows_in(spans), *X.shape[1:]), X.dtype)), levels

    def gradient(xp, X, Offset, Length, dOut, *, lod):
        spans, _ = seq.slice_spans(X, Offset, Length, lod)
        return seq.add_spans(xp, dOut, spans, xp.zeros(X.shape, dOut.dtype))

    grad = Grad("X# Offset Length Out@GRAD", "X@GRAD", gradient)


# --- padded and not ---------------------------------------------------------------------------------------------------------


@op(
    "sequence_pad", inputs="X PadValue", outputs="Out Length", attrs={"padded_length": -1}, lod=None, needs_lod="X",
    flops=0, captured=False,
    stopped="Length",
)  # fmt: skip
class sequence_pad(Declaration):
    """Out [N, padded_length, ...]: each sequence of X, then PadValue; Length [N]: how many rows each has.

    padded_length -1 stands for the length of the longest sequence. PadValue is one number, or a row of X.
    """

    def infer(X, PadValue, *, padded_length):
        where = "sequence_pad"
        require_rank(where, "X", X, 2)
        require_dtype(where, "PadValue", PadValue, X.dtype)
        require_shape(where, "PadValue", PadValue, (1,), X.shape[1:])
        if padded_length < 1 and padded_length != -1:
            raise ArgumentValueError(message(where, "attribute 'padded_length'", padded_length, "-1, or 1 or more"))
        if X.lod_level == 0:
            raise LoDError(message(where, "Input(X)", "no LoD", "a LoD that tells the sequences apart"))
        return Meta((UNKNOWN, padded_length, *X.shape[1:]), X.dtype), Meta((UNKNOWN,), INT64)

    def reference(xp, X, PadValue, *, lod, padded_length):
        starts = seq.starts_of("sequence_pad", "X", lod, X.shape[0])
        spans, length = seq.pad_spans("sequence_pad", starts, padded_length)
        out = xp.empty((len(spans) * length, *X.shape[1:]), X.dtype)
        out[...] = PadValue
        seq.copy_spans(xp, X, spans, out)
        return out.reshape(len(spans), length, *X.shape[1:]), xp.asarray(seq.lengths_of(starts), "int64")

    def gradient(xp, X, dOut, *, lod, padded_length):
        spans, length = seq.pad_spans("sequence_pad", lod[0], padded_length)
        flat = dOut.reshape(len(spans) * length, *X.shape[1:])
        return seq.copy_spans(xp, flat, [(b, a, n) for a, b, n in spans], xp.empty(X.shape, dOut.dtype))

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient)


@op("sequence_unpad", inputs="X Length", outputs="Out", lod="made", flops=0, captured=False)
class sequence_unpad(Declaration):
    """The first Length[i] rows of X[i], one sequence behind the other: [N, steps, ...] to [rows, ...] with a LoD."""

    def infer(X, Length):
        require_rank("sequence_unpad", "X", X, 2)
        require_integers("sequence_unpad", "Input(Length)", Length)
        require_shape("sequence_unpad", "Length", Length, X.shape[:1])
        return Meta((UNKNOWN, *(X.shape[2:] or (1,))), X.dtype, 1)

    def reference(xp, X, Length):
        spans, levels = seq.unpad_spans("sequence_unpad", Length.tolist(), X.shape[1])
        inner = X.shape[2:] or (1,)
        flat = X.reshape(X.shape[0] * X.shape[1], *inner)
        return seq.copy_spans(xp, flat, spans, xp.empty((seq.rows_in(spans), *inner), X.dtype)), levels

    def gradient(xp, X, Length, dOut):
        spans, _ = seq.unpad_spans("sequence_unpad", Length.tolist(), X.shape[1])
        dx = xp.zeros((X.shape[0] * X.shape[1], *dOut.shape[1:]), dOut.dtype)
        return seq.add_spans(xp, dOut, spans, dx).reshape(X.shape)

    grad = Grad("X# Length Out@GRAD", "X@GRAD", gradient)


# --- the same rows ----------------------------------------------------------------------------------------------------------


@op(
    "sequence_reshape", inputs="X", outputs="Out", attrs={"new_dim": Required("INT")}, lod="made", needs_lod="X",
    flops=0
)  # fmt: skip
class sequence_reshape(Declaration):
    """The elements of each sequence, reshaped to rows of `new_dim` elements."""

    def infer(X, *, new_dim):
        require_shape("sequence_reshape", "X", X, (UNKNOWN, UNKNOWN))
        if new_dim < 1:
            raise ArgumentValueError(message("sequence_reshape", "attribute 'new_dim'", new_dim, "1 or more"))
        rows, width = X.shape
        return Meta((UNKNOWN if UNKNOWN in X.shape else rows * width // new_dim, new_dim), X.dtype, 1)

    def reference(xp, X, *, lod, new_dim):
        starts = seq.starts_of("sequence_reshape", "X", lod, X.shape[0])
        levels = seq.reshaped_lod("sequence_reshape", starts, X.shape[1], new_dim)
        return X.reshape(levels[0][-1], new_dim), levels

    def gradient(xp, X, dOut, *, lod):
        return dOut.reshape(X.shape)

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient)


@op("sequence_reverse", inputs="X", outputs="Y", needs_lod="X", flops=0)
class sequence_reverse(Declaration):
    """The rows of each sequence in reverse order."""

    def infer(X):
        require_rank("sequence_reverse", "X", X, 2)
        return X

    def reference(xp, X, *, lod):
        starts = seq.starts_of("sequence_reverse", "X", lod, X.shape[0])
        out = xp.empty(X.shape, X.dtype)
        for a, b in pairwise(starts):
            out[a:b] = X[a:b][::-1]
        return out

    grad = Grad("Y@GRAD", "X@GRAD", via="sequence_reverse")


@op(
    "lod_reset", inputs="X Y?", outputs="Out", attrs={"target_lod": Ints([]), "append": False}, lod="made",
    needs_lod="X Y", flops=0
)  # fmt: skip
class lod_reset(Declaration):
    """X with another LoD: Y's, or of one level with the offsets that Y (int32) or `target_lod` holds.

    Y may have its LoD from a py_func, of which inference knows nothing, so that its dtype is looked at when it has none.

    With `append` that level goes below the levels that X has.
    """

    def infer(X, Y, *, target_lod, append):
        require_rank("lod_reset", "X", X, 1)
        if Y is not None and Y.lod_level:
            return X._replace(lod_level=Y.lod_level)
        if Y is None and len(target_lod) < 2:
            got, fix = f"{list(target_lod)}", "Give offsets like [0, 2, 6], or Input(Y)."
            raise LoDError(message("lod_reset", "attribute 'target_lod'", got, "at least two offsets", fix))
        return X._replace(lod_level=X.lod_level + 1 if append else 1)

    def reference(xp, X, Y, *, lod, target_lod, append):
        x_lod, y_lod = lod
        if y_lod is not None:
            return X, from_offsets(y_lod, X.shape[0], "lod_reset: LoD of Input(Y)")
        if Y is not None and Y.dtype.kind not in "iu":
            needs = "a LoD, or offsets of int32 or int64 as its values"
            raise LoDError(message("lod_reset", "Input(Y)", f"dtype {Y.dtype} and no LoD", needs))
        level = tuple(target_lod) if Y is None else tuple(Y.reshape(-1).tolist())
        where = "lod_reset: attribute 'target_lod'" if Y is None else "lod_reset: Input(Y)"
        return X, from_offsets((*(x_lod or ()), level) if append else (level,), X.shape[0], where)

    def gradient(xp, X, dOut):
        return dOut

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient)
