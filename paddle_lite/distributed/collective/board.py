"""A board in memory that the workers of one machine share: each posts a few bytes, and reads those of all others.

That takes some microseconds, where a call of MPI takes 15 to 90.
"""

from __future__ import annotations

import platform
from typing import Any
from zlib import crc32

from ...core.errors import PeerError
from .group import Group
from .meeting import RESUME

LINE = 64  # bytes, a line of the cache
ORDERED = platform.machine().lower() in ("x86_64", "amd64", "i386", "i686")
"""Whether other processors see what this one writes in the order in which it is written; elsewhere MPI sees to that."""


def board_size(workers: int, width: int) -> int:
    """Return the bytes of a board."""
    return 2 * workers * _row(width)


def _row(width: int) -> int:
    return LINE + -(-width // LINE) * LINE


class Board:
    """A board; all workers make it at the same time, in memory that is zero.

    There are two sets of rows, which posts use in turn: who posts for the third time knows that all have read the first post, for they
    have come to the second one. The first line of a row says which post it is, in its upper half, and of what call, in the lower.

    Arguments:
        group: the workers.
        memory: what they share, at least `board_size` bytes.
        width: the most bytes of a post.
    """

    def __init__(self, group: Group, memory: Any, width: int) -> None:
        self._group, self._number = group, 0
        row, size = _row(width), group.size
        whole = memoryview(memory)[: board_size(size, width)]
        starts = [[(half * size + rank) * row for rank in range(size)] for half in range(2)]
        self._marks = [[whole[start : start + 8].cast("q") for start in half] for half in starts]
        self._rows = [[whole[start + LINE : start + row] for start in half] for half in starts]

    def post(self, call: str, flags: bytes = b"") -> list[bytes]:
        """Write the flags of this worker, wait until all workers have come here, and return the flags of all, by worker.

        What a worker has written into shared memory before, others read after.

        Arguments:
            call: what it is a part of, the same in all workers.
            flags: as many bytes as of the other workers.

        Raises:
            PeerError: a worker is lost, does not come in time, or makes another call.
        """
        self._number += 1
        least, marks, rows = self._number << 32, self._marks[self._number % 2], self._rows[self._number % 2]
        count = len(flags)
        rows[self._group.rank][:count] = flags
        if not ORDERED:
            self._group.barrier(call)
            return [bytes(row[:count]) for row in rows]
        own = marks[self._group.rank][0] = least | crc32(call.encode())
        waiting = list(marks)

        def here() -> bool:
            while waiting and waiting[-1][0] >= least:
                waiting.pop()
            return not waiting

        self._group.wait(call, here)
        for rank, mark in enumerate(marks):
            if mark[0] != own:
                raise PeerError(
                    f"workers make different calls: worker {self._group.rank} {call}, worker {rank} another one. All workers need the "
                    f"same calls in the same order. {RESUME}"
                )
        return [bytes(row[:count]) for row in rows]
