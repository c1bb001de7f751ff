"""Variables that parameter servers hold, whole or as blocks of rows."""

from __future__ import annotations

from typing import Any, NamedTuple

GROWN = "@GROWN"
"""What follows the name of an array of a table in the name of its rows of ids that the Program does not declare."""


class Part(NamedTuple):
    """A part of a variable on one server.

    Attributes:
        name: its name there.
        endpoint: the server, "HOST:PORT".
        begin: its first row in the variable.
        rows: the number of its rows; None for the whole variable, which several servers may hold.
        needed: whether a checkpoint must have it; those of PaddlePaddle 1.8.5 lack learning rates and their counter.
        grows: the number of the part and how many there are, where it gets rows of more ids than the Program declares; else None.
    """

    name: str
    endpoint: str
    begin: int = 0
    rows: int | None = None
    needed: bool = True
    grows: tuple[int, int] | None = None


def part_of_ids(ids: Any, parts: int) -> Any:
    """Return the number of the part of a table that gets the row of each id beyond those that the Program declares."""
    return ids % parts
