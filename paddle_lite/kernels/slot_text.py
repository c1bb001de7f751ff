"""Reading of lines of numbers in slots: for each slot the number of its values, and the values.

The kernels read the usual forms of numbers. Of a text with anything else `read_slots` returns None: then the caller reads it in
another way, which also says what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .numba_jit import inline, jit

__all__ = ["REAL", "UNUSED", "WHOLE", "read_slots"]

UNUSED, WHOLE, REAL = 0, 1, 2  # what becomes of the values of a slot
MOST_WHOLE = 20  # digits of a whole number of 64 bits
MOST_REAL = 18  # digits of a mantissa in int64
LARGEST = 22  # the largest power of ten that is exact in float64
LIMIT, LAST = 1844674407370955161, 5  # 2**64 - 1 without its last digit, and that digit
COUNT = 9  # digits of a number of values
POWERS = 10.0 ** np.arange(LARGEST + 1)


@inline
def _space(byte):
    return byte == 32 or (byte >= 9 and byte <= 13)


@inline
def _digit(byte):
    return byte >= 48 and byte <= 57


@inline
def _next(text, at, end):
    """Return where the next token begins, or `end`."""
    while at < end and _space(text[at]):
        at += 1
    return at


@inline
def _past(text, at, end):
    """Return where a token ends that begins at `at`."""
    while at < end and not _space(text[at]):
        at += 1
    return at


@inline
def _count(text, first, last):
    """Return the value of a token of digits; 0 if it is none, or has too many."""
    value = np.int64(0)
    if last - first > COUNT:
        return np.int64(0)
    for at in range(first, last):
        if not _digit(text[at]):
            return np.int64(0)
        value = 10 * value + (np.int64(text[at]) - 48)
    return value


@jit
def _count_values(text, lines, counts):
    """Write the number of values of each slot, [slots, lines], into `counts`; return whether all lines have them."""
    for i in range(counts.shape[1]):
        at, end = lines[i], lines[i + 1]
        for slot in range(counts.shape[0]):
            first = _next(text, at, end)
            at = _past(text, first, end)
            count = _count(text, first, at)
            if count == 0:
                return False
            counts[slot, i] = count
            for _ in range(count):
                first = _next(text, at, end)
                if first == end:
                    return False
                at = _past(text, first, end)
    return True


@inline
def _whole(text, first, last, to, place):
    """Write a whole number, modulo 2**64, into to[place]; return whether it is one."""
    negative = text[first] == 45
    if negative or text[first] == 43:
        first += 1
    if last == first or last - first > MOST_WHOLE:
        return False
    value = np.uint64(0)
    for at in range(first, last):
        digit = text[at]
        if not _digit(digit):
            return False
        digit = np.uint64(digit) - np.uint64(48)
        if at - first == MOST_WHOLE - 1 and (
            value > np.uint64(LIMIT) or (value == np.uint64(LIMIT) and digit > np.uint64(LAST))
        ):
            return False
        value = np.uint64(10) * value + digit
    if negative:
        if value > np.uint64(1 << 63):
            return False
        value = np.uint64(0) - value
    to[place] = value
    return True


@inline
def _real(text, first, last, powers, to, place):
    """Write a decimal number into to[place]; return whether it is one, of few digits."""
    negative = text[first] == 45
    if negative or text[first] == 43:
        first += 1
    value, digits, power, point = np.int64(0), 0, np.int64(0), False
    at = first
    while at < last and (_digit(text[at]) or (text[at] == 46 and not point)):
        if text[at] == 46:
            point = True
        else:
            value = 10 * value + (np.int64(text[at]) - 48)
            digits += 1
            power -= np.int64(point)
            if digits > MOST_REAL:
                return False
        at += 1
    if digits == 0:
        return False
    if at < last:
        if text[at] != 101 and text[at] != 69:
            return False
        minus = at + 1 < last and text[at + 1] == 45
        if minus or (at + 1 < last and text[at + 1] == 43):
            at += 1
        if at + 1 == last or last - at > 4:
            return False
        more = np.int64(0)
        for k in range(at + 1, last):
            if not _digit(text[k]):
                return False
            more = 10 * more + (np.int64(text[k]) - 48)
        power += -more if minus else more
    if power > LARGEST or power < -LARGEST:
        return False
    number = np.float64(value)
    number = number * powers[power] if power >= 0 else number / powers[-power]
    to[place] = -number if negative else number
    return True


@jit
def _read_values(text, lines, kinds, places, powers, wholes, reals):
    """Write the values of slot s into wholes[places[s]:] or reals[places[s]:]; return whether all are numbers."""
    for i in range(lines.size - 1):
        at, end = lines[i], lines[i + 1]
        for slot in range(kinds.size):
            first = _next(text, at, end)
            at = _past(text, first, end)
            kind, place = kinds[slot], places[slot]
            count = _count(text, first, at)
            for k in range(count):
                first = _next(text, at, end)
                at = _past(text, first, end)
                good = True
                if kind == WHOLE:
                    good = _whole(text, first, at, wholes, place + k)
                elif kind == REAL:
                    good = _real(text, first, at, powers, reals, place + k)
                if not good:
                    return False
            places[slot] = place + count
    return True


def read_slots(text: bytes, kinds: Sequence[int]) -> tuple[np.ndarray, list[np.ndarray | None]] | None:
    """Return the values of the slots of lines.

    Arguments:
        text: whole lines.
        kinds: for each slot WHOLE, REAL or UNUSED.

    Returns:
        The numbers of values, int64 [slots, lines]; and for each slot its values of all lines, int64 of the same bits or
        float32, or None if it is unused. None if a line has fewer values, or a number in a form that is not usual.

    >>> read_slots(b"2 7 -8 1 0.5\\n1 9 1 1e3\\n", [WHOLE, REAL])
    (array([[2, 1],
           [1, 1]]), [array([ 7, -8,  9]), array([5.e-01, 1.e+03], dtype=float32)])
    """
    data = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(data == 10) + 1
    lines = np.concatenate([[0], ends, [len(data)] if not len(ends) or ends[-1] != len(data) else []]).astype(np.int64)
    counts = np.empty((len(kinds), len(lines) - 1), np.int64)
    if not _count_values(data, lines, counts):
        return None
    chosen = np.array(kinds, np.int64)
    totals = counts.sum(axis=1)
    sizes = {kind: int(totals[chosen == kind].sum()) for kind in (WHOLE, REAL)}
    places = np.zeros(len(kinds), np.int64)
    for kind in sizes:
        of_kind = chosen == kind
        places[of_kind] = np.cumsum(totals[of_kind]) - totals[of_kind]
    begins = places.copy()
    wholes, reals = np.empty(sizes[WHOLE], np.uint64), np.empty(sizes[REAL], np.float32)
    if not _read_values(data, lines, chosen, places, POWERS, wholes, reals):
        return None
    found: dict[int, np.ndarray] = {WHOLE: wholes.view(np.int64), REAL: reals}
    spans = zip(kinds, begins.tolist(), totals.tolist(), strict=True)
    return counts, [None if kind == UNUSED else found[kind][first : first + count] for kind, first, count in spans]
