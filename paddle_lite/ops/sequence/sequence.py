"""Operators that compute over the rows of each sequence: pooling, softmax, convolution over a window of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, LoDError, ShapeError, message
from ..framework.call import Call
from ..framework.costs import Amount, PerElement, Product, multiply_adds, result
from ..framework.spec import Declaration, Grad, Required, op
from ..framework.traits import ByRows, OfSequences
from ..support import sequence_rows as seq
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from .sequence_shape import require_rank

# --- pooling ----------------------------------------------------------------------------------------------------------------

POOLS = ("AVERAGE", "SUM", "SQRT", "MAX", "MIN", "FIRST", "LAST")
SHARES = {"AVERAGE": "mean", "SUM": "all", "SQRT": "sqrt", "FIRST": "first", "LAST": "last"}


def share(attrs: Mapping[str, Any]) -> str | None:
    """Return the share of a row in the pooled row of its sequence; None for the largest and the smallest."""
    return SHARES.get(attrs["pooltype"]) if attrs.get("pad_value", 0.0) == 0.0 else None


def _keeps_no_index(attrs: Mapping[str, Any]) -> bool:
    """Return whether a pool has no MaxIndex, whose numbers of rows are those of one array."""
    return attrs["pooltype"] not in ("MAX", "MIN")


def pooled(xp: Any, rows: Any, pooltype: str) -> Any:
    """Return the pooled row of one sequence, which has at least one row."""
    if pooltype in ("FIRST", "LAST"):
        return rows[0 if pooltype == "FIRST" else -1]
    if pooltype in ("MAX", "MIN"):
        return rows.max(axis=0) if pooltype == "MAX" else rows.min(axis=0)
    total = rows.sum(axis=0)
    if pooltype == "SUM":
        return total
    return total / rows.dtype.type(len(rows) if pooltype == "AVERAGE" else len(rows) ** 0.5)


@op(
    "sequence_pool", inputs="X", outputs="Out MaxIndex~", attrs={"is_test": False, "pooltype": "AVERAGE", "pad_value": 0.0},
    lod=lambda lods, ins, outs, attrs: ((lods[0] or ())[:-1] or None, None),
    needs_lod="X", flops=PerElement(1), of_sequences=OfSequences("total", of="X", share=share), by_rows=ByRows("X", _keeps_no_index),
    stopped="MaxIndex",
)  # fmt: skip
class sequence_pool(Declaration):
    """One row for each sequence of the last level: the sum, mean, largest, smallest, first or last of its rows; `pad_value`
    for none.

    SQRT divides the sum by the square root of the number of rows. MaxIndex int32: of MAX and MIN the row that each number
    came from, the first of equals, -1 for empty sequences. The result has the levels above. (MIN is ours.)
    """

    def infer(X, *, pooltype, **_):
        require_floats("sequence_pool", X=X)
        require_rank("sequence_pool", "X", X, 2 if pooltype in ("MAX", "MIN") else 1)
        if pooltype not in POOLS:
            needs = f"one of {', '.join(POOLS)}"
            raise ArgumentValueError(message("sequence_pool", "attribute 'pooltype'", repr(pooltype), needs))
        if X.lod_level == 0:
            fix = "Declare lod_level, feed a LoDTensor, or make the Variable of one with to_variable."
            needs = "a LoD that tells the sequences apart"
            raise LoDError(message("sequence_pool", "Input(X)", "no LoD", needs, fix))
        shape = (UNKNOWN, *X.shape[1:])
        return Meta(shape, X.dtype, X.lod_level - 1), Meta(shape, np.dtype("int32"))

    def reference(xp, X, *, lod, pooltype, pad_value):
        starts = seq.starts_of("sequence_pool", "X", lod, X.shape[0], most=len(lod or ()))
        out = xp.full((len(starts) - 1, *X.shape[1:]), pad_value, X.dtype)
        index = xp.full(out.shape, -1, "int32") if pooltype in ("MAX", "MIN") else None
        for i, (a, b) in enumerate(pairwise(starts)):
            if a == b:
                continue
            out[i] = pooled(xp, X[a:b], pooltype)
            if index is not None:
                index[i] = (X[a:b].argmax(axis=0) if pooltype == "MAX" else X[a:b].argmin(axis=0)) + a
        return out, index

    def gradient(xp, X, MaxIndex, dOut, *, lod, pooltype):
        starts = lod[-1]
        dx = xp.zeros(X.shape, dOut.dtype)
        for i, (a, b) in enumerate(pairwise(starts)):
            if a == b:
                continue
            if pooltype in ("MAX", "MIN"):
                dx[a:b] = xp.where(MaxIndex[i] == xp.arange(a, b).reshape(-1, *(1,) * (dx.ndim - 1)), dOut[i], 0)
            elif pooltype in ("FIRST", "LAST"):
                dx[a if pooltype == "FIRST" else b - 1] = dOut[i]
            else:
                share = {"SUM": 1.0, "AVERAGE": 1 / (b - a), "SQRT": (b - a) ** -0.5}[pooltype]
                dx[a:b] = dOut[i] * dx.dtype.type(share)
        return dx

    grad = Grad(
        "X# MaxIndex Out@GRAD", "X@GRAD", gradient, flops=0,
        of_sequences=OfSequences("repeat", of="X", given="Out@GRAD", made="X@GRAD", share=share),
        by_rows=ByRows("Out@GRAD", _keeps_no_index, outlined="X", beside="X MaxIndex"),
    )  # fmt: skip


# --- softmax ----------------------------------------------------------------------------------------------------------------


@op(
    "sequence_softmax", inputs="X", outputs="Out", attrs={"use_cudnn": False, "data_format": "AnyLayout"},
    needs_lod="X", flops=PerElement(5), of_sequences=OfSequences("softmax", of="X"), any_sizes=True,
)  # fmt: skip
class sequence_softmax(Declaration):
    """The softmax of the numbers of each sequence of the last level; X is [rows] or [rows, 1]."""

    def infer(X):
        require_floats("sequence_softmax", X=X)
        if len(X.shape) not in (1, 2) or X.shape[1:] not in ((), (1,), (UNKNOWN,)):
            got = f"shape {list(X.shape)}"
            raise ShapeError(message("sequence_softmax", "Input(X)", got, "shape [rows] or [rows, 1]"))
        return X

    def reference(xp, X, *, lod):
        starts = seq.starts_of("sequence_softmax", "X", lod, X.shape[0], most=len(lod or ()))
        out = xp.empty(X.shape, X.dtype)
        for a, b in pairwise(starts):
            if a < b:
                e = xp.exp(X[a:b] - X[a:b].max())
                out[a:b] = e / e.sum()
        return out

    def gradient(xp, X, Out, dOut, *, lod):
        dx = xp.empty(Out.shape, Out.dtype)
        for a, b in pairwise(lod[-1]):
            y, dy = Out[a:b], dOut[a:b]
            dx[a:b] = y * (dy - (y * dy).sum())
        return dx

    grad = Grad(
        "X# Out Out@GRAD", "X@GRAD", gradient,
        of_sequences=OfSequences("softmax back", of="X", given="Out Out@GRAD", made="X@GRAD"),
    )  # fmt: skip


# --- convolution ------------------------------------------------------------------------------------------------------------


def reach(begin: int, length: int) -> tuple[int, int]:
    """Return the number of rows that windows reach beyond the first and the last row of a sequence."""
    return max(0, -begin), max(0, begin + length - 1)


def seen(starts: Any, begin: int, length: int) -> Iterator[tuple[int, slice, slice, list[tuple[int, int]]]]:
    """(place j in windows, rows whose windows have a row there, these rows, pairs (row, row of padding) of the others)."""
    up, _ = reach(begin, length)
    for a, b in pairwise(starts):
        for j in range(length):
            count, shift = b - a, begin + j
            first = min(max(0, -shift), count)
            last = max(min(count, count - shift), first)
            outside = [*range(first), *range(last, count)]
            others = [(a + t, up + (t + shift if t + shift < 0 else t + shift - count)) for t in outside]
            yield j, slice(a + first, a + last), slice(a + first + shift, a + last + shift), others


def windows(xp: Any, X: Any, padding: Any, starts: Any, begin: int, length: int) -> Any:
    """[rows, length * D]: for each row the rows of its window, those outside of the sequence from `padding`, or 0."""
    col = xp.zeros((X.shape[0], length, X.shape[1]), X.dtype)
    for j, rows, window, others in seen(starts, begin, length):
        if rows.start < rows.stop:
            col[rows, j] = X[window]
        if padding is not None:
            for t, row in others:
                col[t, j] = padding[row]
    return col.reshape(X.shape[0], length * X.shape[1])


def from_windows(xp: Any, dcol: Any, padding: Any, starts: Any, begin: int, length: int) -> tuple[Any, Any]:
    """Return the gradients of the rows and of `padding` from that of their windows."""
    dcol = dcol.reshape(dcol.shape[0], length, -1)
    dx = xp.zeros((dcol.shape[0], dcol.shape[2]), dcol.dtype)
    dpadding = None if padding is None else xp.zeros(padding.shape, dcol.dtype)
    for j, rows, window, others in seen(starts, begin, length):
        if rows.start < rows.stop:
            dx[window] += dcol[rows, j]
        if dpadding is not None:
            for t, row in others:
                dpadding[row] += dcol[t, j]
    return dx, dpadding


def _sequence_conv_flops(call: Call) -> Amount | None:
    kernel = call.one("Filter")
    return None if kernel is None else multiply_adds(result(call, "Out"), kernel.shape[0])


@op(
    "sequence_conv",
    inputs="X PaddingData? Filter",
    outputs="Out",
    attrs={"paddingTrainable": False, "contextLength": Required("INT"), "contextStart": 0, "contextStride": 1},
    needs_lod="X",
    flops=Product("X Filter", _sequence_conv_flops),
)
class sequence_conv(Declaration):
    """Out[t] = the concatenated rows of a window times Filter [contextLength * D, F].

    The window of row t starts at row t + contextStart of the sequence. Rows outside of the sequence are 0, or with
    `paddingTrainable` a row of PaddingData: the first ones stand before the sequence, the last ones behind it.
    """

    def infer(X, PaddingData, Filter, *, paddingTrainable, contextLength, contextStart, contextStride):
        where = "sequence_conv"
        require_floats(where, X=X, Filter=Filter)
        require_shape(where, "X", X, (UNKNOWN, UNKNOWN))
        if contextLength < 1:
            raise ArgumentValueError(message(where, "attribute 'contextLength'", contextLength, "1 or more"))
        if contextStride != 1:
            raise ArgumentValueError(message(where, "attribute 'contextStride'", contextStride, "1"))
        width = X.shape[1]
        require_shape(where, "Filter", Filter, (UNKNOWN if width < 0 else contextLength * width, UNKNOWN))
        if paddingTrainable:
            if PaddingData is None:
                raise ArgumentValueError(message(where, "Input(PaddingData)", "None", "rows for paddingTrainable"))
            require_dtype(where, "PaddingData", PaddingData, X.dtype)
            require_shape(where, "PaddingData", PaddingData, (sum(reach(contextStart, contextLength)), width))
        return Meta((X.shape[0], Filter.shape[1]), X.dtype, X.lod_level)

    def reference(xp, X, PaddingData, Filter, *, lod, paddingTrainable, contextLength, contextStart, contextStride):
        starts = seq.starts_of("sequence_conv", "X", lod, X.shape[0])
        padding = PaddingData if paddingTrainable else None
        return windows(xp, X, padding, starts, contextStart, contextLength) @ Filter

    def gradient(
        xp, X, PaddingData, Filter, dOut, *, lod, paddingTrainable, contextLength, contextStart, need=(True, True, True)
    ):
        padding = PaddingData if paddingTrainable else None
        place = lod[0], contextStart, contextLength
        dfilter = windows(xp, X, padding, *place).T @ dOut if need[2] else None
        if not need[0] and not need[1]:
            return None, None, dfilter
        dx, dpadding = from_windows(xp, dOut @ Filter.T, padding, *place)
        if padding is None and PaddingData is not None:
            dpadding = xp.zeros(PaddingData.shape, PaddingData.dtype)
        return dx, dpadding, dfilter

    grad = Grad("X PaddingData Filter Out@GRAD", "X@GRAD PaddingData@GRAD Filter@GRAD", gradient)
