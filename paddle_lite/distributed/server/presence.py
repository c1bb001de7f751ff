"""Which trainers a server has heard of, and when."""

from __future__ import annotations

import time


class Presence:
    """What each trainer did last.

    Arguments:
        count: the number of trainers.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._trainers: dict[str, int] = {}  # address -> the trainer there
        self._latest: dict[int, tuple[float, str]] = {}
        self.gone: set[int] = set()

    def heard(self, address: str, trainer: int, what: str) -> int:
        """Record a call; return the trainer that made it.

        Arguments:
            address: where the call comes from.
            trainer: the trainer that the message names; 0 also where it names none, as barriers do.
            what: the call, for errors.
        """
        if trainer or address not in self._trainers:
            self._trainers[address] = trainer
        known = self._trainers[address]
        self._latest[known] = (time.monotonic(), what)
        return known

    def silent(self, waiting: set[int]) -> str:
        """Return a text about the trainers that are not among those that wait."""
        now, texts = time.monotonic(), []
        for trainer in sorted(set(range(self._count)) - waiting - self.gone):
            if trainer not in self._latest:
                texts.append(f"trainer {trainer} has never been heard of")
                continue
            when, what = self._latest[trainer]
            address = next((a for a, t in self._trainers.items() if t == trainer), "")
            texts.append(f"trainer {trainer} ({address}) has not been heard of for {now - when:.1f} s, last: {what}")
        return "; ".join(texts) or "a trainer is missing"
