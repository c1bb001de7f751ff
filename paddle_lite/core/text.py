"""Formatting of numbers and tables as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def format_bytes(count: int) -> str:
    """Return a number of bytes in a readable unit.

    >>> format_bytes(120), format_bytes(4096), format_bytes(47 << 20)
    ('120 B', '4.0 KiB', '47.0 MiB')
    """
    if count < 1024:
        return f"{count} B"
    power = min(3, (count.bit_length() - 1) // 10)
    return f"{count / 1024**power:.1f} {('KiB', 'MiB', 'GiB')[power - 1]}"


def format_count(count: int) -> str:
    """Return a number in units of thousands, millions or billions.

    >>> format_count(987), format_count(4096), format_count(2_500_000), format_count(7_000_000_000)
    ('987', '4.1 k', '2.5 M', '7.0 G')
    """
    for power, letter in ((9, "G"), (6, "M"), (3, "k")):
        if count >= 10**power:
            return f"{count / 10**power:.1f} {letter}"
    return str(count)


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that a misspelt one most likely stands for, or None.

    >>> closest("learning_rte", ["learning_rate", "loss"]), closest("Sgd", ["SGD"]), closest("x", ["loss"])
    ('learning_rate', 'SGD', None)
    """
    from difflib import get_close_matches  # only an error needs it

    known = list(known)
    same = [each for each in known if each.lower() == name.lower()]
    found = same or get_close_matches(name, known, 1)
    return found[0] if found else None


def format_columns(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as text with aligned columns.

    >>> print(format_columns([["a", "long word", "1"], ["bcd", "", "2"]]))
      a    long word  1
      bcd             2
    """
    rows = [list(row) for row in rows]
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows)
    return "\n".join(f"  {line}" for line in lines)
