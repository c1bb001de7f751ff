"""Rows of sequences: checks of LoDs, and the runs of rows that sequence operators copy.

A span (source, target, count) says that `count` rows of one array, starting at `source`, are copied to another array,
starting at `target`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any

from ...core.errors import ArgumentValueError, LoDError, ShapeError, message
from ...core.lod import LoD

Starts = Sequence[int]
Span = tuple[int, int, int]


# --- checks of LoDs -------------------------------------------------------------------------------------------------------


def starts_of(where: str, slot: str, lod: LoD | None, rows: int, most: int = 1) -> Starts:
    """Return the offsets of the last level: the first row of each sequence, and the end of the last one.

    Arguments:
        where, slot: the operator and its input, for error texts.
        lod: the LoD of the input.
        rows: the number of rows of the input.
        most: the largest permitted number of levels.

    Raises:
        LoDError: the LoD is missing, has too many levels, or covers another number of rows.

    >>> starts_of("sequence_softmax", "X", ((0, 2, 3),), rows=3)
    (0, 2, 3)
    """
    if lod is None:
        fix = "Feed a LoDTensor, or make the Variable of one with to_variable."
        raise LoDError(message(where, f"Input({slot})", "no LoD", "a LoD that tells the sequences apart", fix))
    if len(lod) > most:
        needs = f"{most} at most" if most > 1 else "one, with the rows of each sequence"
        raise LoDError(message(where, f"Input({slot})", f"{len(lod)} LoD levels", needs))
    if lod[-1][-1] != rows:
        got = f"last offset {lod[-1][-1]} at position {len(lod[-1]) - 1} of level {len(lod) - 1}"
        raise LoDError(message(where, f"Input({slot})", got, f"{rows}, its number of rows"))
    return lod[-1]


def require_one_each(where: str, slot: str, starts: Starts, rows: int, what: str) -> None:
    """Raise unless the number of sequences equals the number of rows of another input."""
    if len(starts) - 1 != rows:
        raise LoDError(message(where, f"Input({slot})", f"a LoD of {len(starts) - 1} sequences", f"{rows}, {what}"))


def lengths_of(starts: Starts) -> list[int]:
    """Return the number of rows of each sequence."""
    return [b - a for a, b in pairwise(starts)]


def offsets_of(lengths: Iterable[int]) -> tuple[int, ...]:
    """Return the offsets of sequences of these lengths."""
    return tuple(accumulate(lengths, initial=0))


# --- the spans of each operator -------------------------------------------------------------------------------------------


def consecutive_spans(pieces: Iterable[tuple[int, int]]) -> list[Span]:
    """Return the spans that copy pieces (source, count) one after another."""
    spans, target = [], 0
    for source, count in pieces:
        spans.append((source, target, count))
        target += count
    return spans


def repetitions(where: str, x_rows: int, lods: Any, ref_level: int, y_rows: int) -> tuple[Starts, list[int]]:
    """Return, for sequence_expand, the offsets of the sequences of X (of its rows, without a LoD) and their repetitions."""
    x_lod, y_lod = lods
    starts_of(where, "Y", y_lod, y_rows, most=len(y_lod or ()))
    if not -1 <= ref_level < len(y_lod):
        needs = f"-1 for the last, or 0 to {len(y_lod) - 1}, the levels of Input(Y)"
        raise ArgumentValueError(message(where, "attribute 'ref_level'", ref_level, needs))
    times = lengths_of(y_lod[ref_level])
    starts = range(x_rows + 1) if x_lod is None else starts_of(where, "X", x_lod, x_rows)
    if len(starts) - 1 != len(times):
        got = f"{x_rows} rows without a LoD" if x_lod is None else f"a LoD of {len(starts) - 1} sequences"
        what = f"of which level {ref_level % len(y_lod)} of Input(Y) has {len(times)}"
        raise LoDError(message(where, "Input(X)", got, f"as many sequences as repetitions, {what}"))
    return starts, times


def repeat_spans(starts: Starts, times: Sequence[int], grouped: bool) -> tuple[list[Span], LoD | None]:
    """Return, for sequence_expand, the spans that repeat each sequence, and the LoD of the result (None if X has none)."""
    pieces = [(a, b - a) for (a, b), count in zip(pairwise(starts), times, strict=True) for _ in range(count)]
    return consecutive_spans(pieces), (offsets_of(count for _, count in pieces),) if grouped else None


def concat_spans(where: str, lods: Sequence[LoD | None], rows: Sequence[int]) -> tuple[list[list[Span]], LoD]:
    """Return, for sequence_concat, the spans from each input into the result, and the LoD of the result."""
    each = [starts_of(where, f"X[{i}]", lod, n) for i, (lod, n) in enumerate(zip(lods, rows, strict=True))]
    count = len(each[0]) - 1
    for i, starts in enumerate(each):
        require_one_each(where, f"X[{i}]", starts, count, "as the first input has")
    spans: list[list[Span]] = [[] for _ in each]
    ends = [0]
    for s in range(count):
        target = ends[-1]
        for mine, starts in zip(spans, each, strict=True):
            length = starts[s + 1] - starts[s]
            mine.append((starts[s], target, length))
            target += length
        ends.append(target)
    return spans, (tuple(ends),)


def slice_spans(X: Any, Offset: Any, Length: Any, lod: LoD | None) -> tuple[list[Span], LoD]:
    """Return, for sequence_slice, the spans of `Length` rows of each sequence from row `Offset`, and the LoD of the result."""
    where = "sequence_slice"
    starts = starts_of(where, "X", lod, X.shape[0])
    offsets, lengths = Offset.reshape(-1).tolist(), Length.reshape(-1).tolist()
    for slot, values in (("Offset", offsets), ("Length", lengths)):
        if len(values) != len(starts) - 1:
            needs = f"{len(starts) - 1}, one for each sequence of X"
            raise ShapeError(message(where, f"Input({slot})", f"{len(values)} numbers", needs))
        for i, value in enumerate(values):
            if value < 0:
                raise ArgumentValueError(message(where, f"Input({slot})", f"{value} for sequence {i}", "0 or more"))
    for i, (rows, offset, length) in enumerate(zip(lengths_of(starts), offsets, lengths, strict=True)):
        if offset + length > rows:
            got = f"{length} rows from {offset} on of sequence {i}"
            raise ArgumentValueError(message(where, "Input(Length)", got, f"no more than the {rows} rows that it has"))
    pieces = [(start + offset, length) for start, offset, length in zip(starts, offsets, lengths)]
    return consecutive_spans(pieces), (offsets_of(lengths),)


def pad_spans(where: str, starts: Starts, padded_length: int) -> tuple[list[Span], int]:
    """Return, for sequence_pad, the spans from the rows into [sequences * length] rows, and that length."""
    longest = max(lengths_of(starts), default=0)
    if padded_length != -1 and padded_length < longest:
        needs = f"-1, or at least {longest}, the length of the longest sequence"
        raise ArgumentValueError(message(where, "attribute 'padded_length'", padded_length, needs))
    length = longest if padded_length == -1 else padded_length
    return [(a, i * length, b - a) for i, (a, b) in enumerate(pairwise(starts))], length


def unpad_spans(where: str, lengths: Sequence[int], width: int) -> tuple[list[Span], LoD]:
    """Return, for sequence_unpad, the spans of the valid rows among [sequences * width] rows, and their LoD."""
    for i, length in enumerate(lengths):
        if not 0 <= length <= width:
            needs = f"0 to {width}, the padded length"
            raise ArgumentValueError(message(where, "Input(Length)", f"{length} for sequence {i}", needs))
    return consecutive_spans([(i * width, length) for i, length in enumerate(lengths)]), (offsets_of(lengths),)


def reshaped_lod(where: str, starts: Starts, width: int, new_dim: int) -> LoD:
    """Return, for sequence_reshape, the LoD after rows of `width` numbers became rows of `new_dim`."""
    for i, length in enumerate(lengths_of(starts)):
        if length * width % new_dim:
            needs = f"a multiple of {new_dim}, the attribute 'new_dim'"
            raise ShapeError(message(where, "Input(X)", f"{length * width} numbers in sequence {i}", needs))
    return (tuple(start * width // new_dim for start in starts),)


def scatter_offsets(lods: Any, count: int, rows: int) -> Starts:
    """Return, for sequence_scatter, the offsets of each row's ids; raise unless the LoDs of Ids and Updates fit the rows."""
    where = "sequence_scatter"
    starts = starts_of(where, "Ids", lods[0], count)
    updates = starts_of(where, "Updates", lods[1], count)
    if tuple(starts) != tuple(updates):
        raise LoDError(message(where, "Input(Updates)", f"LoD {[list(updates)]}", f"the LoD of Ids, {[list(starts)]}"))
    if len(starts) - 1 > rows:
        needs = f"a row for each of the {len(starts) - 1} sequences of Ids"
        raise ShapeError(message(where, "Input(X)", f"{rows} rows", needs))
    return starts


# --- copying of spans, with any array module --------------------------------------------------------------------------------


def copy_spans(xp: Any, x: Any, spans: Iterable[Span], out: Any) -> Any:
    """Copy the spans of rows of x into `out` and return it."""
    for source, target, count in spans:
        out[target : target + count] = x[source : source + count]
    return out


def add_spans(xp: Any, dout: Any, spans: Iterable[Span], dx: Any) -> Any:
    """Add the spans of rows of a result's gradient to the rows of `dx` that they were copied from, and return it."""
    for source, target, count in spans:
        dx[source : source + count] += dout[target : target + count]
    return dx


def rows_in(spans: Sequence[Span]) -> int:
    """Return the number of rows that consecutive spans fill."""
    return spans[-1][1] + spans[-1][2] if spans else 0
