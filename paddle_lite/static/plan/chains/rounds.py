"""Repetitions in the sequence of a Plan's parts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

LEAST = 4
"""The least number of rounds for which a kernel of its own pays."""
LONGEST = 16
"""The limit of parts in a round."""


class Rounds(NamedTuple):
    """Rounds that repeat: `number` times the same `period` parts, from the part `first` on."""

    first: int
    period: int
    number: int


def rounds_of(signatures: Sequence[Hashable], first: int, spans: Sequence[Sequence[int]]) -> Iterator[Rounds]:
    """Yield the repetitions that begin with a part, those with short rounds first; spans: as from `repeats`."""
    for period, repeated in enumerate(spans, 1):
        count = repeated[first] // period + 1
        if count >= LEAST:
            yield Rounds(first, period, count)


def repeats(signatures: Sequence[Hashable]) -> list[list[int]]:
    """Return for each period, from 1 on, how many parts from each one on equal the part that many places later.

    >>> repeats("abababab")[1]
    [6, 5, 4, 3, 2, 1, 0, 0]
    """
    numbers: dict[Hashable, int] = {}
    keys = [numbers.setdefault(signature, len(numbers)) for signature in signatures]
    size, found = len(keys), []
    for period in range(1, min(LONGEST, size // LEAST) + 1):
        spans = [0] * size
        for i in range(size - period - 1, -1, -1):
            spans[i] = spans[i + 1] + 1 if keys[i] == keys[i + period] else 0
        found.append(spans)
    return found
