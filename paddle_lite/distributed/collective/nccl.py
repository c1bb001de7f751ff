"""A group of workers over NCCL, for arrays on GPUs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from ...core.errors import ArgumentValueError, PeerError, message
from .group import Group, checked_operation
from .meeting import RESUME, deadline


class Nccl(Group):
    """The workers of a job, over NCCL. Through the group for CPUs they find each other, and lost workers.

    Arguments:
        host: the group for arrays on CPUs.
    """

    def __init__(self, host: Group) -> None:
        from ...kernels.gpu import communicator

        self._host = host
        self.rank, self.size = host.rank, host.size
        common = host.share(communicator.unique_id() if host.rank == 0 else None)[0]
        self._connection = communicator.Communicator(host.size, common, host.rank)

    def _call(self, name: str, arrays: Sequence[Any], start: Callable[[], Any]) -> Any:
        """Start a call and wait for its end."""
        for array in arrays:
            if not self._connection.supports(array.dtype):
                raise ArgumentValueError(message(name, "an array", f"dtype {array.dtype}", "a dtype that NCCL knows"))
        started = time.monotonic()

        def look() -> None:
            self._host.check()
            if time.monotonic() - started > deadline():
                raise PeerError(
                    f"another worker has not come to {name} of {len(arrays)} arrays, in which worker {self.rank} has waited for "
                    f"{deadline():.1f} s (FLAGS_rpc_deadline). Look into its log. {RESUME}"
                )

        self._host.check()
        try:
            result = start()
            self._connection.wait(look)
        except PeerError:
            self._connection.abort()
            raise
        return result

    def allreduce(self, arrays: Sequence[Any], op: str = "sum", out: Sequence[Any] | None = None) -> None:
        """Combine arrays of all workers element by element; see `Group.allreduce`."""
        checked_operation(op)
        targets = list(arrays if out is None else out)

        def start() -> None:
            for source, target in zip(arrays, targets, strict=True):
                self._connection.allreduce(_contiguous(source), target, op)

        self._call(f"allreduce {op}", arrays, start)

    def broadcast(self, arrays: Sequence[Any], root: int = 0) -> None:
        """Write the arrays of worker `root` into those of the others; see `Group.broadcast`."""

        def start() -> None:
            for array in arrays:
                self._connection.broadcast(array, root)

        self._call("broadcast", arrays, start)

    def allgather(self, array: Any) -> list[Any]:
        """Return the array of each worker; see `Group.allgather`."""
        rows = self._host.share(len(array))
        padded = array
        if len(set(rows)) > 1:  # NCCL gathers equal shapes
            padded = array.__class__((max(rows), *array.shape[1:]), array.dtype)
            padded[: len(array)] = array
        whole = self._call("allgather", [array], lambda: self._connection.allgather(_contiguous(padded)))
        return [part[:count] for part, count in zip(whole, rows, strict=True)]

    def barrier(self, call: str = "barrier") -> None:
        """Wait until all workers have come here; see `Group.barrier`."""
        self._host.barrier(call)

    def check(self) -> None:
        """Raise a PeerError if a worker is known to be lost."""
        self._host.check()

    def close(self) -> None:
        """Do nothing: the group for CPUs leaves."""


def _contiguous(array: Any) -> Any:
    return array if array.flags.c_contiguous else array.copy(order="C")
