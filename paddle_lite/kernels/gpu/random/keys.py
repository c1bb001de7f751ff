"""Keys of dropout on the device. Kernels read them there, so that a CUDA graph gets others with each replay."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...cpu.random import dropout as by_hash
from ...cpu.random.random import generator
from ...registry import array_module


class KeyRow:
    """The keys that one run draws, side by side: in the same places for each replay.

    Attributes:
        count: how many the latest run inside of `drawing_from` has drawn.
    """

    def __init__(self) -> None:
        self.count = 0
        self._keys: Any = None

    def reserve(self) -> None:
        """Allocate as many as the latest run has drawn."""
        self._keys = array_module("gpu").zeros(self.count, "uint64")

    def draw(self) -> None:
        """Draw new keys, the same as `key()` would one after another, and copy them to the device."""
        if self.count:
            self._keys.set(generator().bit_generator.random_raw(self.count))

    def take(self) -> Any:
        """Return the next key; without reserved ones a new one."""
        place, self.count = self.count, self.count + 1
        return _uploaded() if self._keys is None else self._keys[place : place + 1]


class _Here(threading.local):
    row: KeyRow | None = None


_here = _Here()


@contextmanager
def drawing_from(row: KeyRow) -> Iterator[None]:
    """Take the keys of a block from a row."""
    before, _here.row, row.count = _here.row, row, 0
    try:
        yield
    finally:
        _here.row = before


def _uploaded() -> Any:
    return array_module("gpu").asarray(by_hash.key())


def key() -> Any:
    """Return the key of a call: uint64 [1] on the current device."""
    return _uploaded() if _here.row is None else _here.row.take()


__all__ = ["KeyRow", "drawing_from", "key"]
