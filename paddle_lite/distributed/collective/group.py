"""The interface of a group of workers."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, message

OPERATIONS = ("sum", "max", "min", "prod")


class Group(ABC):
    """The workers of a job, which make the same calls in the same order.

    Attributes:
        rank, size: the index of this worker, and the number of workers.
        shares_memory: whether workers of one machine may have memory in common; see `shared_sums`.
    """

    rank: int = 0
    size: int = 1
    shares_memory = False

    @abstractmethod
    def allreduce(self, arrays: Sequence[Any], op: str = "sum", out: Sequence[Any] | None = None) -> None:
        """Combine arrays of all workers element by element.

        Arguments:
            arrays: the arrays, of the same shapes and dtypes in each worker.
            op: "sum", "max", "min" or "prod".
            out: contiguous arrays that take the results; `arrays` themselves by default.

        Raises:
            PeerError: a worker is lost, does not come in time, or makes another call.
        """

    @abstractmethod
    def broadcast(self, arrays: Sequence[Any], root: int = 0) -> None:
        """Write the arrays of worker `root` into those of the others; see `allreduce`."""

    @abstractmethod
    def allgather(self, array: Any) -> list[Any]:
        """Return the array of each worker; they may differ in their number of rows. See `allreduce`."""

    @abstractmethod
    def barrier(self, call: str = "barrier") -> None:
        """Wait until all workers have come here; see `allreduce`.

        Arguments:
            call: what it is a part of, by which calls are told apart.
        """

    def wait(self, call: str, done: Callable[[], bool]) -> None:
        """Wait for what other workers write into memory that all share; see `allreduce`.

        Arguments:
            call: what it is a part of, by which calls are told apart.
            done: returns whether they have written it.
        """
        while not done():
            self.check()

    def reduce_scatter(self, array: Any) -> Any:
        """Return this worker's part of the sum of an array over all workers: the rows are divided evenly.

        Raises:
            ArgumentValueError: the number of rows is not divisible by that of the workers.
            PeerError: see `allreduce`.
        """
        rows = len(array)
        if rows % self.size:
            raise ArgumentValueError(message("reduce_scatter", "the rows", rows, f"a multiple of {self.size} workers"))
        total = array.copy()
        self.allreduce([total])
        part = rows // self.size
        return total[self.rank * part : (self.rank + 1) * part]

    def share(self, value: Any) -> list[Any]:
        """Return the value of each worker: what JSON can express.

        Raises:
            PeerError: see `allreduce`.
        """
        data = np.frombuffer(json.dumps(value).encode(), np.uint8)
        return [json.loads(bytes(part)) for part in self.allgather(data)]

    @abstractmethod
    def check(self) -> None:
        """Raise a PeerError if a worker is known to be lost, or to make another call."""

    @abstractmethod
    def close(self) -> None:
        """Leave the group."""


def checked_operation(op: str) -> str:
    """Return the name of an operation.

    Raises:
        ArgumentValueError: there is no such operation.
    """
    if op not in OPERATIONS:
        raise ArgumentValueError(message("allreduce", "op", repr(op), f"one of {', '.join(OPERATIONS)}"))
    return op
