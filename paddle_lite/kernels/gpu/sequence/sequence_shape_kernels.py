"""GPU kernels of operators that move rows of sequences: one launch each, by the row that each row comes from."""

from __future__ import annotations

from typing import Any

from ....ops.support import sequence_rows as seq
from ....ops.support.sequence_rows import Span
from ...registry import array_module, kernel
from .maps import repetitions_summed, sequences_reversed, spans_copied, spans_placed


def _back(spans: list[Span]) -> list[Span]:
    """Return the inverse spans, from target to source."""
    return [(b, a, count) for a, b, count in spans]


@kernel("sequence_expand", device="gpu")
def sequence_expand(X: Any, Y: Any, *, lod: Any, ref_level: int) -> tuple:
    starts, times = seq.repetitions("sequence_expand", X.shape[0], lod, ref_level, Y.shape[0])
    spans, levels = seq.repeat_spans(starts, times, lod[0] is not None)
    return spans_copied(X, spans, (seq.rows_in(spans), *X.shape[1:])), levels


@kernel("sequence_expand_grad", device="gpu")
def sequence_expand_grad(X: Any, Y: Any, dOut: Any, *, lod: Any, ref_level: int) -> Any:
    starts, times = seq.repetitions("sequence_expand", X.shape[0], lod, ref_level, Y.shape[0])
    return repetitions_summed(dOut, starts, times, X.shape)


@kernel("sequence_expand_as", device="gpu")
def sequence_expand_as(X: Any, Y: Any, *, lod: Any) -> Any:
    starts = seq.starts_of("sequence_expand_as", "Y", lod, Y.shape[0])
    seq.require_one_each("sequence_expand_as", "Y", starts, X.shape[0], "the rows of X")
    spans, _ = seq.repeat_spans(range(X.shape[0] + 1), seq.lengths_of(starts), False)
    return spans_copied(X, spans, (starts[-1], *X.shape[1:]))


@kernel("sequence_expand_as_grad", device="gpu")
def sequence_expand_as_grad(X: Any, Y: Any, dOut: Any, *, lod: Any) -> Any:
    return repetitions_summed(dOut, range(X.shape[0] + 1), seq.lengths_of(lod[0]), X.shape)


@kernel("sequence_concat", device="gpu")
def sequence_concat(X: Any, *, lod: Any) -> tuple:
    each, levels = seq.concat_spans("sequence_concat", lod, [len(x) for x in X])
    out = array_module("gpu").empty((sum(len(x) for x in X), *X[0].shape[1:]), X[0].dtype)
    for x, spans in zip(X, each, strict=True):
        spans_placed(x, spans, out)
    return out, levels


@kernel("sequence_concat_grad", device="gpu")
def sequence_concat_grad(X: Any, dOut: Any, *, lod: Any, need: Any = None) -> list:
    each, _ = seq.concat_spans("sequence_concat", lod, [x.shape[0] for x in X])
    wanted = need[0] if need else (True,) * len(X)
    return [
        spans_copied(dOut, _back(spans), x.shape) if wants else None
        for x, spans, wants in zip(X, each, wanted, strict=True)
    ]


@kernel("sequence_slice", device="gpu")
def sequence_slice(X: Any, Offset: Any, Length: Any, *, lod: Any) -> tuple:
    spans, levels = seq.slice_spans(X, Offset, Length, lod)
    return spans_copied(X, spans, (seq.rows_in(spans), *X.shape[1:])), levels


@kernel("sequence_slice_grad", device="gpu")
def sequence_slice_grad(X: Any, Offset: Any, Length: Any, dOut: Any, *, lod: Any) -> Any:
    spans, _ = seq.slice_spans(X, Offset, Length, lod)
    return spans_copied(dOut, _back(spans), X.shape)


@kernel("sequence_pad", device="gpu")
def sequence_pad(X: Any, PadValue: Any, *, lod: Any, padded_length: int) -> tuple:
    starts = seq.starts_of("sequence_pad", "X", lod, X.shape[0])
    spans, length = seq.pad_spans("sequence_pad", starts, padded_length)
    out = spans_copied(X, spans, (len(spans) * length, *X.shape[1:]), PadValue)
    lengths = array_module("gpu").asarray(seq.lengths_of(starts), "int64")
    return out.reshape(len(spans), length, *X.shape[1:]), lengths


@kernel("sequence_pad_grad", device="gpu")
def sequence_pad_grad(X: Any, dOut: Any, *, lod: Any, padded_length: int) -> Any:
    spans, _ = seq.pad_spans("sequence_pad", lod[0], padded_length)
    return spans_copied(dOut, _back(spans), X.shape)


@kernel("sequence_unpad", device="gpu")
def sequence_unpad(X: Any, Length: Any) -> tuple:
    spans, levels = seq.unpad_spans("sequence_unpad", Length.tolist(), X.shape[1])
    return spans_copied(X, spans, (seq.rows_in(spans), *(X.shape[2:] or (1,)))), levels


@kernel("sequence_unpad_grad", device="gpu")
def sequence_unpad_grad(X: Any, Length: Any, dOut: Any) -> Any:
    spans, _ = seq.unpad_spans("sequence_unpad", Length.tolist(), X.shape[1])
    rows = X.shape[0] * X.shape[1], *dOut.shape[1:]
    return spans_copied(dOut, _back(spans), rows).reshape(X.shape)


@kernel("sequence_reverse", device="gpu")
def sequence_reverse(X: Any, *, lod: Any) -> Any:
    starts = seq.starts_of("sequence_reverse", "X", lod, X.shape[0])
    return sequences_reversed(X, starts)
