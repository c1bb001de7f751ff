"""Sequences of several lengths: their rows one behind the other, beside a vector of lengths."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .call import INT64, OnnxCall, converts
from .windows import LOWEST


class Rows(NamedTuple):
    """Where the rows of sequences are: vectors of int64, one number for each sequence but for `ids`.

    lengths, starts, ends: of each sequence.
    ids: the sequence of each row.
    """

    lengths: str
    starts: str
    ends: str

    def ids(self, call: OnnxCall, value: str) -> str:
        """Return the sequence of each row of a value."""
        row = call.node("Unsqueeze", upto(call, call.dims(value, 0, 1)), call.ints(1))
        passed = call.node("GreaterOrEqual", row, call.node("Unsqueeze", self.ends, call.ints(0)))
        return call.node("ReduceSum", call.cast(passed, INT64), call.ints(1), keepdims=0)


def rows_of(call: OnnxCall, lengths: str) -> Rows:
    """Return where the rows of sequences are."""
    ends = call.node("CumSum", lengths, call.constant(0, INT64))
    return Rows(lengths, call.node("Sub", ends, lengths), ends)


def upto(call: OnnxCall, count: str) -> str:
    """Return 0, 1, ... up to a number, a vector of one."""
    return call.node("Range", call.constant(0, INT64), call.scalar(count), call.constant(1, INT64))


class Padded(NamedTuple):
    """Sequences side by side: [T, N, ...], T the longest length.

    rows: the row of each place [T, N].
    inside: whether a place [T, N] belongs to its sequence.
    """

    value: str
    rows: str
    inside: str


def padded(call: OnnxCall, value: str, lengths: str) -> Padded:
    """Return the rows of a value as sequences side by side; places behind the end of one hold another row."""
    rows = rows_of(call, lengths)
    longest = call.node("ReduceMax", lengths, call.ints(0), keepdims=1)
    step = call.node("Unsqueeze", upto(call, longest), call.ints(1))
    index = call.node("Add", step, call.node("Unsqueeze", rows.starts, call.ints(0)))
    last = call.node("Sub", call.dims(value, 0, 1), call.ints(1))
    index = call.node("Min", index, last)
    inside = call.node("Less", step, call.node("Unsqueeze", lengths, call.ints(0)))
    return Padded(call.node("Gather", value, index, axis=0), index, inside)


def unpadded(call: OnnxCall, value: str, inside: str, rank: int) -> str:
    """Return the rows of sequences [T, N, ...], one sequence behind the other.

    Arguments:
        rank: the number of dimensions of the value.
    """
    turned = call.transpose(value, 1, 0, *range(2, rank))
    places = call.node("NonZero", call.node("Transpose", inside, perm=[1, 0]))
    return call.node("GatherND", turned, call.node("Transpose", places, perm=[1, 0]))


def one_level(call: OnnxCall, slot: str = "X") -> str:
    """Return the lengths of the sequences of an input; raise if there are sequences of sequences."""
    level = call.variable(call.name(slot)).lod_level
    call.need(level <= 1, f"{call.name(slot)} has a LoD of {level} levels; one level can be converted")
    return call.lengths(slot)


@converts("sequence_pool")
def pool(call: OnnxCall) -> None:
    """Convert the pooling of each sequence to one row."""
    x, lengths, kind, rank = call.x(), one_level(call), call.attr("pooltype"), call.rank()
    call.need(not call.used("MaxIndex"), "MaxIndex is read")
    rows = rows_of(call, lengths)
    if kind in ("FIRST", "LAST"):
        at = rows.starts if kind == "FIRST" else call.node("Sub", rows.ends, call.ints(1))
        last = call.node("Sub", call.dims(x, 0, 1), call.ints(1))
        found = call.node("Gather", x, call.node("Max", call.node("Min", at, last), call.ints(0)), axis=0)
    else:
        biggest = kind in ("MAX", "MIN")
        start = {"MAX": LOWEST, "MIN": -LOWEST}.get(kind, 0.0)
        shape = call.vector([call.dims(lengths), call.dims(x, 1)])
        zeros = call.node("Expand", call.constant(np.full(1, start, call.dtype()), call.dtype()), shape)
        ids = call.node("Unsqueeze", rows.ids(call, x), call.ints(1))
        found = call.node("ScatterND", zeros, ids, x, reduction=kind.lower() if biggest else "add")
        if kind in ("AVERAGE", "SQRT"):
            count = call.node("Unsqueeze", call.cast(lengths, call.dtype()), call.ints(*range(1, rank)))
            found = call.node("Div", found, call.node("Sqrt", count) if kind == "SQRT" else count)
    filled = call.node("Unsqueeze", call.node("Greater", lengths, call.ints(0)), call.ints(*range(1, rank)))
    call.out_sequences(call.node("Where", filled, found, call.like(call.attr("pad_value"))), None)


@converts("sequence_softmax")
def softmax(call: OnnxCall) -> None:
    """Convert softmax over the rows of each sequence."""
    x, lengths = call.reshape(call.x(), -1), one_level(call)
    side = padded(call, x, lengths)
    lowest = call.constant(-np.inf, call.dtype())
    found = call.node("Softmax", call.node("Where", side.inside, side.value, lowest), axis=0)
    call.out_sequences(call.node("Reshape", unpadded(call, found, side.inside, 2), call.dims(call.x())), lengths)


@converts("sequence_expand_as", "sequence_expand")
def expand(call: OnnxCall) -> None:
    """Convert the repetition of row i of X as often as sequence i of Y is long."""
    lengths = one_level(call, "Y")
    call.need(call.graph.find_lengths(call.name("X")) is None or call.op.type == "sequence_expand_as",
              f"{call.name('X')} has a LoD, too")  # fmt: skip
    ids = rows_of(call, lengths).ids(call, call.x("Y"))
    call.out_sequences(call.node("Gather", call.x("X"), ids, axis=0), lengths)


@converts("sequence_reverse")
def reverse(call: OnnxCall) -> None:
    """Convert the reversal of the rows of each sequence."""
    x, lengths = call.x(), one_level(call)
    rows = rows_of(call, lengths)
    ids = rows.ids(call, x)
    ends = call.node("Add", call.node("Gather", rows.starts, ids), call.node("Gather", rows.ends, ids))
    at = call.node("Sub", call.node("Sub", ends, call.ints(1)), upto(call, call.dims(x, 0, 1)))
    call.out_sequences(call.node("Gather", x, at, axis=0), lengths, "Y")


@converts("sequence_conv")
def conv(call: OnnxCall) -> None:
    """Convert a product of the rows around each row with a matrix; zeros beyond the ends of its sequence."""
    call.need(not call.attr("paddingTrainable"), "its padding is trained")
    call.need(int(call.attr("contextStride")) == 1, "contextStride is not 1")
    x, lengths = call.x(), one_level(call)
    rows, row = rows_of(call, lengths), upto(call, call.dims(call.x(), 0, 1))
    ids = rows.ids(call, x)
    start, end = call.node("Gather", rows.starts, ids), call.node("Gather", rows.ends, ids)
    last, parts = call.node("Sub", call.dims(x, 0, 1), call.ints(1)), []
    for k in range(int(call.attr("contextLength"))):
        at = call.node("Add", row, call.ints(k + int(call.attr("contextStart"))))
        inside = call.node("And", call.node("GreaterOrEqual", at, start), call.node("Less", at, end))
        at = call.node("Max", call.node("Min", at, last), call.ints(0))
        part = call.node("Gather", x, at, axis=0)
        parts.append(call.node("Where", call.node("Unsqueeze", inside, call.ints(1)), part, call.like(0.0)))
    wide = parts[0] if len(parts) == 1 else call.node("Concat", *parts, axis=1)
    call.out_sequences(call.node("MatMul", wide, call.x("Filter")), lengths)


@converts("sequence_pad")
def pad(call: OnnxCall) -> None:
    """[N, T, ...] with a number behind the end of each sequence."""
    x, lengths, rank = call.x(), one_level(call), call.rank()
    call.need(int(call.attr("padded_length")) < 0, "padded_length is set")
    side = padded(call, x, lengths)
    inside = call.node("Unsqueeze", side.inside, call.ints(*range(2, rank + 1)))
    value = call.x("PadValue") if call.shape("PadValue") != (1,) else call.scalar(call.x("PadValue"))
    found = call.node("Where", inside, side.value, value)
    call.out_sequences(call.transpose(found, 1, 0, *range(2, rank + 1)), None)
    call.out_sequences(lengths, None, "Length")


@converts("sequence_unpad")
def unpad(call: OnnxCall) -> None:
    """Convert the selection of the rows of [N, T, ...] that belong to a sequence."""
    x, lengths = call.x(), call.reshape(call.int64(call.x("Length"), "Length"), -1)
    step = call.node("Unsqueeze", upto(call, call.dims(x, 1, 2)), call.ints(0))
    inside = call.node("Less", step, call.node("Unsqueeze", lengths, call.ints(1)))
    places = call.node("Transpose", call.node("NonZero", inside), perm=[1, 0])
    call.out_sequences(call.node("GatherND", x, places), lengths)


@converts("lod_reset")
def reset(call: OnnxCall) -> None:
    """Convert the division of the same rows into other sequences: those of Y."""
    lengths = call.graph.find_lengths(call.name("Y")) if call.has("Y") else None
    call.need(lengths is not None, "its sequences are not those of another input")
    call.out_sequences(call.node("Identity", call.x()), lengths)
