"""The words through which the threads of a pool share the call of a compiled kernel, without Python and its lock.

A thread that serves looks at the words until a call is there, takes parts of it, and goes on looking for some microseconds
more: so it costs less than one to share the next call of the same network. `compiler/sharing.py` writes what it runs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .availability import jit_available
from .numba_jit import Inline, by_numba, jit
from .team_words import EACH, LEAVE_AT, OWN_AT, THREADS_AT, WORDS

__all__ = ["Team", "masks_of", "native"]

LINE = 8  # words of a cache line
PARTS = 4  # of a call, for each thread: one that is held up by other processes leaves its later parts to the others
LOOKING = 100e-6  # seconds that a thread looks for the next call; the gaps between those of a network are shorter


def native() -> bool:
    """Return whether compiled kernels can be shared without Python."""
    return jit_available() and not by_numba()


def masks_of(cut: Sequence[int], own: Sequence[int]) -> int:
    """Return the masks of a shared call.

    Args:
        cut: the positions of the arguments of which a part gets some rows.
        own: those of the arrays of one dimension of which each thread has a piece, all of the same size.

    Example:
        >>> masks_of((0, 2), (1,)) == 0b101 + (0b10 << 32)
        True
    """
    return sum(1 << k for k in cut) + sum(1 << (OWN_AT + k) for k in own)


class _Serve(Inline):
    """A call that takes parts of the calls of a team."""

    __slots__ = ()

    def lower(self, f: Any, arguments: Sequence[Any]) -> Any:
        """Write the call."""
        from .compiler.sharing import call_serve

        return call_serve(f, *arguments)

    def contents(self) -> Iterator[object]:
        """Yield a constant: the cache key of every kernel holds the source of the compiler."""
        yield "serve"


def _nothing(words, thread, most):
    pass


_parts_of = _Serve(_nothing, {})  # type: ignore[arg-type]


@jit
def _serve(words, thread, most):
    """Take parts of calls until none has come for some looks."""
    _parts_of(words, thread, most)


class Team:
    """Threads that share calls of compiled kernels: the calling one, number 0, and those that serve.

    Args:
        count: their number.

    Attributes:
        core: the core of the calling thread, when it last woke the others; -1 if unknown.
    """

    def __init__(self, count: int) -> None:
        self.core = -1
        size = WORDS + EACH * count
        room = np.zeros(size + LINE, np.int64)
        start = -(room.ctypes.data // 8) % LINE
        self.words = room[start : start + size]
        self.words[THREADS_AT] = count
        self.address = self.words.ctypes.data
        self.parts = PARTS * count
        self.looks = self._looks()

    def _looks(self) -> int:
        """Return how many looks take the time that a thread looks for the next call."""
        tries, times = 1000, []
        for _ in range(4):  # the first compiles
            begin = time.perf_counter()
            _serve(self.words, 1, tries)
            times.append(time.perf_counter() - begin)
        return max(tries, int(tries * LOOKING / min(times)))

    def serve(self, thread: int) -> None:
        """Take parts of calls until none has come for a while."""
        _serve(self.words, thread, self.looks)

    def dismiss(self) -> None:
        """Have the threads that serve return."""
        self.words[LEAVE_AT] = 1

    def welcome(self) -> None:
        """Let threads serve again."""
        self.words[LEAVE_AT] = 0

    def call(self, kernel: Any, args: Sequence[Any], masks: int, length: int) -> None:
        """Call a kernel with the option `shared`; whoever serves takes parts of it, too."""
        kernel(*args, self.address, masks, length, min(length, self.parts))
