"""The MultiSlot text format: a line is a sample, and holds for each slot the number of its values, and the values."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...core.errors import FileFormatError, message
from ...kernels.availability import jit_available
from ...kernels.slot_text import REAL, UNUSED, WHOLE, read_slots
from .slots import DTYPES, Column, Records, Slot, offsets_of, ragged_indices

KINDS = {"uint64": WHOLE, "float": REAL}
_EXACT = 2.0**53  # integers up to here are exact as float64
_SPACES = np.zeros(256, bool)
_SPACES[[9, 10, 11, 12, 13, 32]] = True
_DIGITS = np.zeros(256, bool)
_DIGITS[48:58] = True


class Prefix(NamedTuple):
    """What stands before the slots of a line: strings, each with its number, which is 1.

    ids: whether the instance id is there. logkey: whether a key of a log is there. content: whether a description is there.
    """

    ids: bool = False
    logkey: bool = False
    content: bool = False

    @property
    def strings(self) -> int:
        """The number of strings."""
        return self.ids + self.logkey + self.content


class Format(NamedTuple):
    """How the lines of a data set are read. slots: all slots, also those that are not used. prefix: the strings before them."""

    slots: tuple[Slot, ...]
    prefix: Prefix = Prefix()

    @property
    def used(self) -> tuple[Slot, ...]:
        """The slots that are used."""
        return tuple(slot for slot in self.slots if slot.used)


class _Text:
    """Lines of numbers. starts, ends: the bytes of each token. numbers: their values, as float64. first: the number of the
    first token of each line, and of tokens.
    """

    def __init__(self, text: bytes, source: str, line: int) -> None:
        self.text, self.source, self.line = text, source, line
        bytes_ = np.frombuffer(text, np.uint8)
        spaces = _SPACES[bytes_]
        edges = np.flatnonzero(np.diff(spaces, prepend=True, append=True))
        self.starts, self.ends = edges[0::2], edges[1::2]
        lines = np.flatnonzero(bytes_ == 10) + 1
        if not len(lines) or lines[-1] != len(bytes_):
            lines = np.append(lines, len(bytes_))
        self.first = np.concatenate([[0], np.searchsorted(self.starts, lines)])
        others = np.cumsum(~(spaces | _DIGITS[bytes_]))
        signed = np.isin(bytes_[self.starts], (43, 45))
        self.whole = others[self.ends - 1] - others[self.starts] + (~_DIGITS[bytes_[self.starts]] & ~signed) == 0
        self.whole &= ~signed | (self.ends - self.starts > 1)
        self.numbers = self._numbers()

    def _numbers(self) -> np.ndarray:
        try:
            numbers = np.fromstring(self.text, np.float64, sep=" ")
        except (DeprecationWarning, ValueError):
            numbers = np.empty(0)
        if len(numbers) == len(self.starts):
            return numbers
        return np.array([_number(self.token(i)) for i in range(len(self.starts))])

    def token(self, number: int) -> bytes:
        return self.text[self.starts[number] : self.ends[number]]

    def integers(self, tokens: np.ndarray) -> np.ndarray:
        """Return the values of whole-numbered tokens as int64, or the int64 of the same bits as a uint64."""
        floats = self.numbers[tokens]
        exact = np.abs(floats) < _EXACT
        if exact.all():
            return floats.astype(np.int64)
        found = np.where(exact, floats, 0).astype(np.int64)
        for place in np.flatnonzero(~exact):
            value = int(self.token(tokens[place]))
            if not -(1 << 63) <= value < 1 << 64:
                at = int(np.searchsorted(self.first, tokens[place], side="right")) - 1
                raise self.error(at, f"the id {value}", "64 bits: -2**63 to 2**64 - 1")
            found[place] = value - (1 << 64) if value >= 1 << 63 else value
        return found

    def error(self, line: int, got: str, needs: str, fix: str = "") -> FileFormatError:
        """Return the error about a line."""
        first, last = self.first[line], self.first[line + 1]
        text = self.text[self.starts[first] : self.ends[last - 1]].decode(errors="replace") if first < last else ""
        shown = text if len(text) <= 200 else text[:197] + "..."
        where = f"{self.source}, line {self.line + line}"
        return FileFormatError(message(where, "the line", f"{got}: {shown!r}", needs, fix))


def _number(token: bytes) -> float:
    """Return the value of a token; NaN for what is no number, which `whole` and `_check_floats` find."""
    try:
        return float(token)
    except ValueError:
        return float("nan")


def parse(text: bytes, form: Format, source: str, line: int = 1) -> Records:
    """Return the records of whole lines.

    What follows the last slot of a line is ignored.

    Arguments:
        text: the lines.
        form: the slots.
        source: the name of the file, for errors.
        line: the number of the first line, for errors.

    Raises:
        FileFormatError: a line has fewer values than it says, no values for a slot, or something that is no number of the
            slot's type.

    >>> form = Format((Slot("words", "uint64", False), Slot("price", "float", True, shape=(-1, 1))))
    >>> found = parse(b"2 1926 8 1 0.5\\n1 17 1 2\\n", form, "a file")
    >>> [column.values.tolist() for column in found.columns]
    [[1926, 8, 17], [0.5, 2.0]]
    """
    ids = None
    if form.prefix.strings:
        text, ids = _without_prefix(text, form.prefix, source, line)
    kinds = [KINDS[slot.kind] if slot.used else UNUSED for slot in form.slots]
    found = read_slots(text, kinds) if jit_available() else None
    if found is not None:
        both = zip(*found, strict=True)
        return Records(form.used, [Column(v, offsets_of(counts)) for counts, v in both if v is not None], ids)
    return Records(form.used, _columns(text, form, source, line), ids)


def _columns(text: bytes, form: Format, source: str, line: int) -> list[Column]:
    """Return the columns of lines, also of those with unusual forms of numbers; raise for wrong ones."""
    lines = _Text(text, source, line)
    position, limit = lines.first[:-1], lines.first[1:]
    columns = []
    for slot in form.slots:
        counts = _counts(lines, slot, position, limit)
        if slot.used:
            columns.append(_column(lines, slot, position + 1, counts))
        position = position + 1 + counts
    return columns


def _counts(lines: _Text, slot: Slot, position: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """Return the number of values of a slot in each line."""
    fix = "Write at least one value for each slot: pad it in the data generator."
    needs = f"the number of values of slot {slot.name!r}, 1 or more, and then the values"
    _require(lines, position < limit, lambda i: "nothing for it", needs, fix)
    numbers = lines.numbers[position]
    good = lines.whole[position] & (numbers >= 1) & (numbers < _EXACT)
    _require(lines, good, lambda i: repr(lines.token(position[i]).decode(errors="replace")), needs, fix)
    counts = numbers.astype(np.int64)
    enough = position + 1 + counts <= limit
    _require(
        lines, enough, lambda i: f"{limit[i] - position[i] - 1} of {counts[i]} values of slot {slot.name!r}", needs, fix
    )
    return counts


def _column(lines: _Text, slot: Slot, starts: np.ndarray, counts: np.ndarray) -> Column:
    """Return the values of a slot."""
    tokens = ragged_indices(starts, counts)
    offsets = offsets_of(counts)
    if slot.kind == "uint64":
        bad = ~lines.whole[tokens]
        values = np.empty(0) if bad.any() else lines.integers(tokens)
        needs = "whole numbers: the slot is of type uint64"
    else:
        values = lines.numbers[tokens].astype(DTYPES["float"])
        odd = np.flatnonzero(np.isnan(values))
        bad = np.zeros(len(values), bool)
        bad[odd] = [lines.token(tokens[i]).lower().lstrip(b"+-") != b"nan" for i in odd]
        needs = "numbers"
    if bad.any():
        place = int(np.flatnonzero(bad)[0])
        line = int(np.searchsorted(offsets, place, side="right")) - 1
        got = f"{lines.token(tokens[place]).decode(errors='replace')!r} in slot {slot.name!r}"
        raise lines.error(line, got, needs)
    return Column(values, offsets)


def _require(lines: _Text, good: np.ndarray, got: Callable[[int], str], needs: str, fix: str) -> None:
    if not good.all():
        line = int(np.flatnonzero(~good)[0])
        raise lines.error(line, got(line), needs, fix)


def _without_prefix(text: bytes, prefix: Prefix, source: str, line: int) -> tuple[bytes, np.ndarray | None]:
    """Return the lines without the strings before their slots, and the instance ids."""
    rest, ids = [], []
    for number, each in enumerate(text.splitlines()):
        words = each.split(None, 2 * prefix.strings)
        if len(words) < 2 * prefix.strings or any(word != b"1" for word in words[0 : 2 * prefix.strings : 2]):
            got = f"{each[:200].decode(errors='replace')!r}"
            needs = f"{prefix.strings} strings before the slots, each after a 1"
            raise FileFormatError(message(f"{source}, line {line + number}", "the line", got, needs))
        ids.append(words[1])
        rest.append(words[2 * prefix.strings] if len(words) > 2 * prefix.strings else b"")
    return b"\n".join(rest) + b"\n", _objects(ids) if prefix.ids else None


def _objects(items: list[bytes]) -> np.ndarray:
    array = np.empty(len(items), object)
    array[:] = items
    return array
