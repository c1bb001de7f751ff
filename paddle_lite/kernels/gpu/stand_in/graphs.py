"""CUDA graphs: the operations of a stream, recorded and replayed in the same memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import streams
from .streams import Ledger, Stream


class Step(NamedTuple):
    """An operation: a function with its arguments, and the arrays that its results are written into."""

    function: Callable[..., Any]
    arguments: Sequence[Any]
    keywords: dict[str, Any]
    results: Sequence[np.ndarray | None]


class Graph:
    """What a stream has captured; `launch` does it again.

    Arguments:
        steps: the operations. reads, writes: the memory that they read, and that they write.
    """

    def __init__(self, steps: Sequence[Step], reads: Sequence[Ledger], writes: Sequence[Ledger]) -> None:
        self.steps, self._reads, self._writes = tuple(steps), tuple(reads), tuple(writes)
        self.launches = 0

    def launch(self, stream: Stream | None = None) -> None:
        """Run all operations."""
        stream = streams.current() if stream is None else stream
        stream.start()
        stream.touches((*self._reads, *self._writes), self._writes)
        self.launches += 1
        with np.errstate(all="ignore"):
            for step in self.steps:
                made = step.function(*step.arguments, **step.keywords)
                listed = made if isinstance(made, (tuple, list)) else [made]
                for target, value in zip(step.results, listed, strict=False):
                    if target is not None:
                        target[...] = value

    def upload(self, stream: Stream | None = None) -> None:
        """Bring the graph to the device ahead of its first launch; nothing is to be done here."""


class Recording:
    """The operations of a stream while it is captured.

    A GPU does not run what it captures. The stand-in has to, for the shapes; `graph` undoes it: memory from before gets what it held.
    """

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._reads: dict[int, Ledger] = {}
        self._writes: dict[int, Ledger] = {}
        self._before: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def saves(self, array: np.ndarray) -> None:
        """Keep what an array holds that is written next."""
        start = array.__array_interface__["data"][0]
        if start not in self._before:
            self._before[start] = array, array.copy()

    def add(self, step: Step, ledgers: Iterable[Ledger], writes: Iterable[Ledger]) -> None:
        """Append an operation."""
        self._steps.append(step)
        self._reads.update((id(each), each) for each in ledgers)
        self._writes.update((id(each), each) for each in writes)

    def graph(self) -> Graph:
        """Return the graph."""
        for array, held in reversed(self._before.values()):
            array[...] = held
        return Graph(self._steps, list(self._reads.values()), list(self._writes.values()))
