"""Finds the numbers in the output of a program."""

from __future__ import annotations

import re
from contextlib import suppress

__all__ = ["numbers_in"]


def numbers_in(output: str, patterns: list[str]) -> list[list[float]]:
    """Return the numbers that each regular expression finds in an output; a group that holds none is passed over."""
    return [
        [number for found in re.finditer(pattern, output, re.MULTILINE) for number in _numbers(found.groups())]
        for pattern in patterns
    ]


def _numbers(words: tuple[str | None, ...]) -> list[float]:
    numbers = []
    for word in words:
        with suppress(ValueError):
            numbers.append(float((word or "").strip("[](),;")))
    return numbers
