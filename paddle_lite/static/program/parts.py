"""Variables that parameter servers hold, whole or as blocks of rows."""

from __future__ import annotations

from typing import NamedTuple


class Part(NamedTuple):
    """A part of a variable on one server.

    Attributes:
        name: its name there.
        endpoint: the server, "HOST:PORT".
        begin: its first row in the variable.
        rows: the number of its rows; None for the whole variable, which several servers may hold.
        needed: whether a checkpoint must have it; those of PaddlePaddle 1.8.5 lack learning rates and their counter.
    """

    name: str
    endpoint: str
    begin: int = 0
    rows: int | None = None
    needed: bool = True
