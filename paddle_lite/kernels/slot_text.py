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
MOST_POWER = 3  # digits of an exponent
COUNT = 9  # digits of a number of values
NEWLINE, SPACE = 10, 32
FAILED = -1  # in the place of where a number ends
POWERS = 10.0 ** np.arange(LARGEST + 1)


@inline
def _space(byte):
    return byte == SPACE or (byte >= 9 and byte <= 13)


@inline
def _digit(byte):
    return byte >= 48 and byte <= 57


@inline
def _byte(text, at):
    """Return text[at]; an index without a sign needs no instructions for what lies before the start."""
    return text[np.uint64(at)]


@inline
def _next(text, at):
    """Return where the next token of a line begins, or where the line ends."""
    while _space(_byte(text, at)) and _byte(text, at) != NEWLINE:
        at += 1
    return at


@inline
def _past(text, at):
    """Return where a token ends that begins at `at`."""
    while not _space(_byte(text, at)):
        at += 1
    return at


@inline
def _number(text, first, last):
    """Return the value of digits, modulo 2**64."""
    value = np.uint64(0)
    for at in range(first, last):
        value = np.uint64(10) * value + (np.uint64(_byte(text, at)) - np.uint64(48))
    return value


@inline
def _whole(text, at, to, place):
    """Write the whole number of 64 bits that begins at `at` into to[place], modulo 2**64; return where it ends, or FAILED."""
    negative = _byte(text, at) == 45
    if negative or _byte(text, at) == 43:
        at += 1
    first = at
    value = np.uint64(0)
    while _digit(_byte(text, at)):
        value = np.uint64(10) * value + (np.uint64(_byte(text, at)) - np.uint64(48))
        at += 1
    if at == first or at - first > MOST_WHOLE or not _space(_byte(text, at)):
        return FAILED
    if at - first == MOST_WHOLE:
        head, digit = _number(text, first, at - 1), np.uint64(_byte(text, at - 1)) - np.uint64(48)
        if head > np.uint64(LIMIT) or (head == np.uint64(LIMIT) and digit > np.uint64(LAST)):
            return FAILED
    if negative:
        if value > np.uint64(1 << 63):
            return FAILED
        value = np.uint64(0) - value
    to[place] = value
    return at


@inline
def _real(text, at, powers, to, place):
    """Write the decimal number of few digits that begins at `at` into to[place]; return where it ends, or FAILED."""
    negative = _byte(text, at) == 45
    if negative or _byte(text, at) == 43:
        at += 1
    first = at
    value, power, digits = np.int64(0), np.int64(0), 0
    while _digit(_byte(text, at)):
        value = 10 * value + (np.int64(_byte(text, at)) - 48)
        at += 1
    digits = at - first
    if _byte(text, at) == 46:
        at += 1
        first = at
        while _digit(_byte(text, at)):
            value = 10 * value + (np.int64(_byte(text, at)) - 48)
            at += 1
        digits += at - first
        power = np.int64(first - at)
    if digits == 0 or digits > MOST_REAL:
        return FAILED
    if _byte(text, at) == 101 or _byte(text, at) == 69:
        at += 1
        minus = _byte(text, at) == 45
        if minus or _byte(text, at) == 43:
            at += 1
        first = at
        more = np.int64(0)
        while _digit(_byte(text, at)):
            more = 10 * more + (np.int64(_byte(text, at)) - 48)
            at += 1
        if at == first or at - first > MOST_POWER:
            return FAILED
        power += -more if minus else more
    if power > LARGEST or power < -LARGEST or not _space(_byte(text, at)):
        return FAILED
    number = np.float64(value)
    number = number * powers[power] if power >= 0 else number / powers[-power]
    to[place] = -number if negative else number
    return at


@jit
def _read(text, kinds, powers, counts, wholes, reals):
    """Read lines, the last of which ends, too.

    Write the number of values of each slot, [slots, lines], into `counts`, and the values in their order into `wholes` and `reals`.
    Return whether all lines have values of all slots, and all are numbers.
    """
    at, whole, real = 0, 0, 0
    for i in range(counts.shape[1]):
        for slot in range(kinds.size):
            first = at = _next(text, at)
            count = np.int64(0)
            while _digit(_byte(text, at)):
                count = 10 * count + (np.int64(_byte(text, at)) - 48)
                at += 1
            if at - first > COUNT or count == 0 or not _space(_byte(text, at)):
                return False
            counts[slot, i] = count
            kind = kinds[slot]
            for _ in range(count):
                at = _next(text, at)
                if _byte(text, at) == NEWLINE:
                    return False
                if kind == WHOLE:
                    at = _whole(text, at, wholes, whole)
                    whole += 1
                elif kind == REAL:
                    at = _real(text, at, powers, reals, real)
                    real += 1
                else:
                    at = _past(text, at)
                if at == FAILED:
                    return False
        while _byte(text, at) != NEWLINE:
            at += 1
        at += 1
    return True


@jit
def _deal(counts, kinds, places, wholes, reals, of_wholes, of_reals):
    """Write the values of slot s, of all lines, into of_wholes[places[s]:] or of_reals[places[s]:]."""
    whole, real = 0, 0
    for i in range(counts.shape[1]):
        for slot in range(kinds.size):
            kind, place, count = kinds[slot], places[slot], counts[slot, i]
            if kind == WHOLE:
                for k in range(count):
                    of_wholes[place + k] = wholes[whole + k]
                whole += count
            elif kind == REAL:
                for k in range(count):
                    of_reals[place + k] = reals[real + k]
                real += count
            places[slot] = place + count


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
    if not text.endswith(b"\n"):
        text += b"\n"
    data = np.frombuffer(text, np.uint8)
    lines = int(np.count_nonzero(data == NEWLINE))
    most = len(data) // 2  # values: each has a digit, and ends at a space
    chosen, counts = np.array(kinds, np.int64), np.empty((len(kinds), lines), np.int64)
    read = np.empty(most, np.uint64), np.empty(most, np.float32)
    if not _read(data, chosen, POWERS, counts, *read):
        return None
    totals = counts.sum(axis=1)
    sizes = {kind: int(totals[chosen == kind].sum()) for kind in (WHOLE, REAL)}
    places = np.zeros(len(kinds), np.int64)
    for kind in sizes:
        of_kind = chosen == kind
        places[of_kind] = np.cumsum(totals[of_kind]) - totals[of_kind]
    begins = places.copy()
    wholes, reals = np.empty(sizes[WHOLE], np.uint64), np.empty(sizes[REAL], np.float32)
    _deal(counts, chosen, places, *read, wholes, reals)
    found: dict[int, np.ndarray] = {WHOLE: wholes.view(np.int64), REAL: reals}
    spans = zip(kinds, begins.tolist(), totals.tolist(), strict=True)
    return counts, [None if kind == UNUSED else found[kind][first : first + count] for kind, first, count in spans]
