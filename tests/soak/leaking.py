"""Leak files, memory and objects in 128 cycles of the long run; write its report: `python -m tests.soak.leaking FOLDER`.

It runs in a process of its own, since the memory of a process that runs other tests falls while it is measured.
"""

from __future__ import annotations

import mmap
import sys
from pathlib import Path
from typing import Any

import numpy as np

from .__main__ import Soak
from .work import Killed

CYCLES, MEMORY, OBJECTS = 128, 2**20, 100


class Nobody(Killed):
    """Kills nobody."""

    def __call__(self) -> None:
        """Do nothing."""


def main(folder: Path) -> None:
    """Leak a file handle, 1 MiB and 100 objects in each cycle."""
    held: list[Any] = []

    def work(model: int) -> list[np.ndarray]:
        if not model:
            held.append(open(__file__, encoding="utf8"))  # noqa: SIM115 - it leaks
            held.append(mmap.mmap(-1, MEMORY, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
            held[-1].write(bytes(MEMORY))
            held.extend([] for _ in range(OBJECTS))
        return []

    soak = Soak({"work": work}, Nobody(1), repeats=1)
    for _ in range(CYCLES):
        soak.cycle()
    soak.report(folder, pictures=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
