"""Sequences as spans of rows, from a LoD or from padded rows with a Length input."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ...core.errors import ArgumentValueError, LoDError, message
from .require import require_dtype, require_shape
from .shape_rules import UNKNOWN

Spans = list[tuple[int, int]]


class SpanSteps(NamedTuple):
    """The rows of all sequences step by step, the longest sequence first, so that those of a later step are a prefix.

    order: the non-empty sequences. rows: for each step, the row of each sequence that has so many. last: the last row of
    each sequence.
    """

    order: Any
    rows: list[Any]
    last: Any


def steps_of_spans(xp: Any, spans: Spans) -> SpanSteps:
    """Return the steps of sequences; the indices are int64 arrays of the array module."""
    lengths = [end - start for start, end in spans]
    order = sorted((i for i, length in enumerate(lengths) if length > 0), key=lambda i: -lengths[i])
    firsts, alive, rows = xp.asarray([spans[i][0] for i in order], "int64"), len(order), []
    for step in range(lengths[order[0]] if order else 0):
        while lengths[order[alive - 1]] <= step:
            alive -= 1
        rows.append(firsts[:alive] + step)
    return SpanSteps(xp.asarray(order, "int64"), rows, xp.asarray([spans[i][1] - 1 for i in order], "int64"))


def inside(xp: Any, X: Any, Length: Any) -> Any:
    """Return the elements of X [N, steps] or [N, steps, 1] that belong to sequences, not to what pads them; all where Length is None."""
    if Length is None:
        return X
    rows = X.reshape(X.shape[:2])
    return rows[xp.arange(rows.shape[1]) < Length.reshape(-1, 1)]


def spans_of(where: str, slot: str, X: Any, lod: Any, Length: Any = None, lengths: str = "Length") -> Spans:
    """Return the first row and the end row of each sequence of X.

    With `Length`, X is [N, steps, ...] and rows are numbered over all sequences, padding included. Without it, X is
    [rows, ...] with a LoD of one level.
    """
    if Length is not None:
        steps = X.shape[1]
        wrong = [n for n in Length.reshape(-1).tolist() if not 0 <= n <= steps]
        if wrong:
            needs = f"lengths from 0 to {steps}, the steps of {slot}"
            raise ArgumentValueError(message(where, f"Input({lengths})", wrong[0], needs))
        return [(i * steps, i * steps + n) for i, n in enumerate(Length.reshape(-1).tolist())]
    if lod is None:
        fix = f"Give the rows of each sequence with set_lod or create_lod_tensor, or give {lengths}."
        raise LoDError(message(where, f"Input({slot})", "no LoD", "a LoD that tells the sequences apart", fix))
    if len(lod) != 1:
        raise LoDError(
            message(where, f"Input({slot})", f"{len(lod)} LoD levels", "one, with the rows of each sequence")
        )
    if lod[0][-1] != X.shape[0]:
        needs = f"{X.shape[0]} rows, as {slot} has"
        raise LoDError(message(where, f"Input({slot})", f"LoD {list(lod[0])}", needs))
    return list(pairwise(lod[0]))


def require_as_many(where: str, slot: str, other: str, spans: Spans, others: Spans) -> None:
    """Raise unless two inputs have the same number of sequences."""
    if len(spans) != len(others):
        needs = f"{len(others)}, as many as {other} has"
        raise LoDError(message(where, f"Input({slot})", f"{len(spans)} sequences", needs))


def require_lengths(where: str, X: Any, **lengths: Any) -> None:
    """Raise unless each of the lengths is int64 with one element for each row of X, which is an array or a Meta."""
    for slot, Length in lengths.items():
        require_dtype(where, slot, Length, "int64")
        require_shape(where, slot, Length, (X.shape[0],), (X.shape[0], 1), (1, X.shape[0]))


def require_steps(where: str, slot: str, meta: Any, padded: bool, *features: int) -> None:
    """Raise unless the input is [rows, *features], or [N, steps, *features] if `padded`; -1 stands for any size.

    Features of (1,) may be omitted.
    """
    lead = (UNKNOWN, UNKNOWN) if padded else (UNKNOWN,)
    require_shape(where, slot, meta, (*lead, *features), *([lead] if features == (1,) else []))


def spans_of_both(where: str, Emission: Any, Length: Any, lods: Any) -> Spans:
    """Return the spans of Emission, which Label must share; one of the two LoDs suffices."""
    of_emission, of_label = lods
    if Length is None and of_emission is not None and of_label is not None and of_emission != of_label:
        got, needs = f"LoD {[list(level) for level in of_label]}", [list(level) for level in of_emission]
        raise LoDError(message(where, "Input(Label)", got, f"{needs}, as Emission has"))
    return spans_of(where, "Emission", Emission, of_emission or of_label, Length)


def spans_of_ctc(Logits: Any, Label: Any, LogitsLength: Any, LabelLength: Any, lods: Any) -> tuple[Spans, Spans]:
    """Return the spans of Logits, of padded ones counted sequence by sequence, and of Label."""
    steps_first = Logits.swapaxes(0, 1) if LogitsLength is not None else Logits
    spans = spans_of("warpctc", "Logits", steps_first, lods[0], LogitsLength, "LogitsLength")
    of_label = spans_of("warpctc", "Label", Label, lods[1], LabelLength, "LabelLength")
    require_as_many("warpctc", "Label", "Logits", of_label, spans)
    return spans, of_label


def of_logits(lod: Any) -> Any:
    """Return the LoD of Logits: the gradient gets it alone in a Program, paired with that of Label otherwise."""
    pair = len(lod) == 2 and not isinstance(lod[0][0], int)
    return lod[0] if pair else lod


def starts_of_rows(X: Any, lod: Any) -> Sequence[int]:
    """Return the offsets of the sequences in the rows of X, which has a LoD, or is [N, steps, features]."""
    if len(X.shape) == 3:
        return [n * X.shape[1] for n in range(X.shape[0] + 1)]
    if lod is None or len(lod) != 1:
        got = "no LoD" if lod is None else f"{len(lod)} LoD levels"
        fix = "Give the rows of each sequence with set_lod, or take X as [N, steps, features]."
        raise LoDError(message("row_conv", "Input(X)", got, "one LoD level, with the rows of each sequence", fix))
    if lod[0][-1] != X.shape[0]:
        got = f"a LoD of {lod[0][-1]} rows"
        raise LoDError(message("row_conv", "Input(X)", got, f"{X.shape[0]}, its number of rows"))
    return lod[0]
