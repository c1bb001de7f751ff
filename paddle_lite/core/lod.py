"""LoD: how the rows of an array are grouped into sequences, sequences into paragraphs, and so on.

A LoD is a tuple of levels, outermost first. A level is a tuple of non-decreasing offsets that starts with 0. The
offsets of the last level count rows; those of every other level count the entries of the next level.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from operator import index
from typing import Any

from .errors import LoDError, describe, message

LoD = tuple[tuple[int, ...], ...]


def from_offsets(levels: Iterable[Sequence[int]], rows: int | None = None, where: str = "LoD") -> LoD | None:
    """Return a validated LoD from offsets; None for no levels. `rows` is the first dimension that it must cover.

    >>> from_offsets([[0, 2, 3], [0, 1, 3, 6]], rows=6)
    ((0, 2, 3), (0, 1, 3, 6))
    """
    lod = _whole_numbers(levels, where)
    if not lod:
        return None
    for depth, level in enumerate(lod):
        if not level or level[0] != 0:
            raise LoDError(message(where, f"level {depth}", list(level), "offsets that start with 0"))
        for i in range(1, len(level)):
            if level[i] < level[i - 1]:
                raise LoDError(
                    message(
                        where,
                        f"level {depth}",
                        f"offset {level[i]} after {level[i - 1]} at position {i}",
                        "offsets that never fall",
                    )
                )
        below = len(lod[depth + 1]) - 1 if depth + 1 < len(lod) else rows
        if below is not None and level[-1] != below:
            what = (
                f"the {below} rows of the array"
                if depth + 1 == len(lod)
                else f"the {below} entries of level {depth + 1}"
            )
            raise LoDError(
                message(
                    where,
                    f"level {depth}",
                    f"last offset {level[-1]}",
                    f"it to equal {what}",
                    "Set lengths that add up with set_recursive_sequence_lengths.",
                )
            )
    return lod


def from_lengths(levels: Iterable[Sequence[int]], rows: int | None = None, where: str = "LoD") -> LoD | None:
    """Return a validated LoD from the lengths of the sequences of each level.

    >>> from_lengths([[2, 1], [1, 2, 3]])
    ((0, 2, 3), (0, 1, 3, 6))
    """
    each = _whole_numbers(levels, where)
    for depth, level in enumerate(each):
        for i, length in enumerate(level):
            if length < 0:
                got = f"length {length} at position {i}"
                raise LoDError(message(where, f"level {depth}", got, "lengths of 0 or more"))
    try:
        return from_offsets([tuple(accumulate(level, initial=0)) for level in each], rows, where)
    except LoDError as error:
        last = each[-1]
        if last[:1] != (0,) or last[-1] != rows or list(last) != sorted(last):
            raise
        raise LoDError(f"{error} {list(last)} are offsets: the lengths are {lengths((last,))[0]}.") from None


def _whole_numbers(levels: Any, where: str) -> LoD:
    """Return the levels as tuples of ints; raises unless they are sequences of integers."""
    try:
        each = [list(level) for level in levels]
    except TypeError:
        needs = "a list with one list of integers for each level"
        raise LoDError(message(where, "levels", describe(levels), needs, "Write [[2, 3]] for one level.")) from None
    for depth, level in enumerate(each):
        for i, number in enumerate(level):
            try:
                level[i] = index(number)
            except TypeError:
                got = f"{describe(number)} at position {i}"
                raise LoDError(message(where, f"level {depth}", got, "integers")) from None
    return tuple(map(tuple, each))


def lengths(lod: LoD | None) -> list[list[int]]:
    """Return the lengths of the sequences of each level, as `recursive_sequence_lengths()` does.

    >>> lengths(((0, 2, 3), (0, 1, 3, 6)))
    [[2, 1], [1, 2, 3]]
    """
    return [[b - a for a, b in pairwise(level)] for level in lod or ()]


def offsets(lod: LoD | None) -> list[list[int]]:
    """Return the LoD as lists, as `lod()` does."""
    return [list(level) for level in lod or ()]


def level_of(lod: Any) -> int:
    """Return the number of levels."""
    return 0 if lod is None else len(lod)
