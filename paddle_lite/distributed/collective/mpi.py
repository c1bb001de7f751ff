"""A group of workers over MPI.

Calls do not block inside of MPI, which could not be left when a worker is lost: they start there, and this process asks for
their end, for lost workers and for the deadline. That takes no longer than calls that block.
"""

from __future__ import annotations

import atexit
import importlib
import os
import socket
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.errors import ModeError, PeerError
from ..environment import Place
from ..rpc.traffic import exchanged, totals
from .bucket import pieces
from .group import Group, checked_operation
from .meeting import RESUME, Meeting, deadline

SPIN = 5e-5  # seconds in which a call is asked for its end without a pause
YIELD = (
    0.1  # then for so many seconds other processes of the machine go first: a worker that computes may be among them
)
PAUSE = 1e-4  # seconds between two questions after that
TELL = 1.0  # seconds of waiting before the others are told
LOOK = 0.02  # seconds between two looks at what the others say
_give_way: Callable[[], None] = getattr(os, "sched_yield", lambda: time.sleep(0))
_NAMES = ("PMI_FD", "PMI_RANK", "PMI_SIZE", "PMI_SPAWNED")
_WIDER = {"float16": "float32", "bool": "uint8"}


def load() -> Any:
    """Return the module `mpi4py.MPI`.

    Raises:
        ModeError: mpi4py or MPI is not installed.
    """
    try:
        importlib.import_module("mpi4py").rc.finalize = False  # a lost worker would never let it end
        return importlib.import_module("mpi4py.MPI")
    except (ImportError, RuntimeError) as error:
        raise ModeError(f"collective training on CPUs needs MPI: pip install 'paddle-lite[mpi]' ({error})") from None


def join(place: Place) -> Mpi:
    """Return the group of all workers of the job.

    Raises:
        ModeError: MPI is not installed, or was started for another number of workers.
        PeerError: a worker is lost, or does not come.
    """
    if place.under_mpi or ((started := sys.modules.get("mpi4py.MPI")) and started.COMM_WORLD.size == place.size):
        return Mpi(load(), place, None)
    if started:
        raise ModeError(
            f"mpi4py.MPI was imported before the {place.size} workers were connected. Call prepare_context() or fleet.init() "
            "before that import, or start the workers by mpiexec."
        )
    if len(place.endpoints) != place.size:
        raise ModeError(
            f"{place.size} workers, and {len(place.endpoints)} endpoints in PADDLE_TRAINER_ENDPOINTS: start the workers by "
            "python -m paddle.distributed.launch, mpiexec or srun, or set it to their HOST:PORT."
        )
    meeting = Meeting(place.rank, place.endpoints)
    with meeting.pmi() as connection:
        fd = os.dup(connection.fileno())
    os.set_inheritable(fd, False)
    variables = {"PMI_FD": str(fd), "PMI_RANK": str(place.rank), "PMI_SIZE": str(place.size)}
    before = {name: os.environ.pop(name, None) for name in _NAMES}
    os.environ.update(variables)
    try:
        made = Mpi(load(), place, meeting, fd)
        meeting.started()
        return made
    finally:  # processes that this one starts are no workers
        for name in _NAMES:
            os.environ.pop(name, None)
        os.environ.update({name: value for name, value in before.items() if value is not None})


class Mpi(Group):
    """The workers of a job, over MPI.

    Arguments:
        mpi: the module `mpi4py.MPI`.
        place: the place of this worker.
        meeting: the connection by which lost workers are found; None: mpiexec ends all workers when one is lost.
        pmi: the file descriptor through which MPI asks for other processes; -1 if mpiexec gave it.
    """

    shares_memory = True

    def __init__(self, mpi: Any, place: Place, meeting: Meeting | None, pmi: int = -1) -> None:
        self._mpi, self._meeting, self._pmi = mpi, meeting, pmi
        world = mpi.COMM_WORLD
        if world.size != place.size:
            raise ModeError(
                f"MPI ({mpi.get_vendor()[0]}) has started {world.size} workers, the job has {place.size}. Start the workers by "
                "mpiexec or `srun --mpi=pmi2`, or install an MPI of MPICH's family: pip install mpich."
            )
        self._comm = world.Split(0, place.rank)  # beside the program's own messages
        self._comm.Set_errhandler(mpi.ERRORS_RETURN)
        self.rank, self.size = self._comm.rank, self._comm.size
        if not totals.role:
            totals.role, totals.number = "worker", self.rank
        self._number = 0
        self._broken: tuple[str, list[Any]] | None = None
        self._closed = False
        atexit.register(self.close)

    # --- one call -----------------------------------------------------------------------------------------------------

    def _begin(self, call: str) -> str:
        if self._broken is not None:
            raise PeerError(self._broken[0])
        self._number += 1
        if self._meeting is not None:
            self._meeting.at(self._number, call)
        return call

    def _run(self, call: str, start: Callable[[], Any], *held: Any) -> None:
        """Start a call of MPI and wait for its end; `held` are its buffers, the first one what this worker gives."""
        since = time.perf_counter()
        try:
            request = start()
            self._until(call, request.Test)
        except PeerError as error:
            self._broken = str(error), [held, request]  # MPI may still write into the buffers
            raise
        except self._mpi.Exception as error:
            self._broken = f"{call} (call {self._number}) failed in MPI: {error}. {RESUME}", [held]
            raise PeerError(self._broken[0]) from None
        amount = sum(getattr(each, "source", each).nbytes for each in held[:1])
        exchanged(f"workers by MPI ({self.size})", call.partition(" ")[0], since, amount)

    def _until(self, call: str, done: Callable[[], bool]) -> None:
        """Wait for the end of a call, also while another worker computes, is lost, or never comes."""
        until = time.perf_counter() + SPIN
        while not done():
            if time.perf_counter() > until:
                return self._patiently(call, done)

    def _patiently(self, call: str, done: Callable[[], bool]) -> None:
        """Wait for the end of a call without occupying the processor."""
        started, told, looked = time.monotonic(), False, 0.0
        while not done():
            now = time.monotonic()
            if self._meeting is not None and now - looked > LOOK:
                looked = now
                self._meeting.check()
                if not told and now - started > TELL:
                    told = True
                    self._meeting.wait(self._number, call)
            if now - started > deadline():
                who = "another worker" if self._meeting is None else self._meeting.missing_in(self._number)
                raise PeerError(
                    f"{who} has not come to call {self._number}, {call}, in which worker {self.rank} has waited for "
                    f"{now - started:.1f} s (FLAGS_rpc_deadline={deadline() * 1000:.0f} ms). Look into its log. {RESUME}"
                )
            if now - started < YIELD:
                _give_way()
            else:
                time.sleep(PAUSE)

    # --- calls --------------------------------------------------------------------------------------------------------

    def allreduce(self, arrays: Sequence[Any], op: str = "sum", out: Sequence[Any] | None = None) -> None:
        """Combine arrays of all workers element by element; see `Group.allreduce`."""
        code = getattr(self._mpi, checked_operation(op).upper())
        arrays, targets = list(arrays), list(arrays if out is None else out)
        call = self._begin(_described(f"allreduce {op}", arrays))
        narrow = [i for i, array in enumerate(arrays) if array.dtype.name in _WIDER]
        results = list(targets)
        for i in narrow:
            arrays[i] = results[i] = arrays[i].astype(_WIDER[arrays[i].dtype.name])
        for piece in pieces(arrays, results):
            if piece.source is not piece.target:  # MPI would copy, too, and reads these pages from other processes
                piece.target[...] = piece.source
            self._run(call, lambda t=piece.target: self._comm.Iallreduce(self._mpi.IN_PLACE, t, code), piece)  # type: ignore[misc]
            piece.finish()
        for i in narrow:
            targets[i][...] = results[i]

    def broadcast(self, arrays: Sequence[Any], root: int = 0) -> None:
        """Write the arrays of worker `root` into those of the others; see `Group.broadcast`."""
        call = self._begin(_described(f"broadcast from {root}", arrays))
        bits = [array.view(np.uint8) if array.dtype.name in _WIDER else array for array in arrays]
        for piece in pieces(bits, bits):
            self._run(call, lambda t=piece.target: self._comm.Ibcast(t, root), piece)  # type: ignore[misc]
            piece.finish()

    def allgather(self, array: Any) -> list[Any]:
        """Return the array of each worker; see `Group.allgather`."""
        array = np.ascontiguousarray(array)
        call = self._begin(f"allgather {array.dtype}{list(array.shape[1:])}")
        rows = np.empty(self.size, np.int64)
        own = np.array([len(array)], np.int64)
        self._run(call, lambda: self._comm.Iallgather(own, rows), own, rows)
        width = array.itemsize * int(np.prod(array.shape[1:], dtype=np.int64))
        whole = np.empty((int(rows.sum()), *array.shape[1:]), array.dtype)
        if whole.nbytes:
            unit = self._mpi.BYTE.Create_contiguous(width).Commit()
            data, into = [array, len(array), unit], [whole, (rows, None), unit]
            try:
                self._run(call, lambda: self._comm.Iallgatherv(data, into), array, whole, rows)
            finally:
                unit.Free()
        ends = rows.cumsum()
        return [whole[end - count : end] for end, count in zip(ends, rows, strict=True)]

    def barrier(self, call: str = "barrier") -> None:
        """Wait until all workers have come here; see `Group.barrier`."""
        self._run(self._begin(call), self._comm.Ibarrier)

    def wait(self, call: str, done: Callable[[], bool]) -> None:
        """Wait for what other workers write into memory that all share; see `Group.wait`."""
        self._begin(call)
        try:
            self._until(call, done)
        except PeerError as error:
            self._broken = str(error), []
            raise

    def check(self) -> None:
        """Raise a PeerError if a worker is known to be lost, or to make another call."""
        if self._broken is not None:
            raise PeerError(self._broken[0])
        if self._meeting is not None:
            self._meeting.check()

    # --- the end ------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Leave the group: wait for the others and end MPI; without that if a worker is lost or this one fails."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(self.close)
        failed = self._broken is not None or getattr(sys, "last_value", None) is not None
        if self._meeting is None:
            if failed:
                sys.stderr.flush()
                self._comm.Abort(1)  # mpiexec would wait for it
            self._mpi.Finalize()
            return
        if not failed and self._meeting.leave():
            self._mpi.Finalize()
        self._meeting.close()
        self._say_goodbye()

    def _say_goodbye(self) -> None:
        """Answer the last request of MPI, which comes at the end of the process; without an answer MPI would abort it."""
        if self._pmi >= 0:
            end, other = socket.socketpair()
            end.sendall(b"cmd=finalize_ack rc=0\n")
            end.detach()  # open until the process has ended
            with other:
                os.dup2(other.fileno(), self._pmi, inheritable=False)


def _described(call: str, arrays: Sequence[Any]) -> str:
    """Return a text that says what a call exchanges, by which calls are told apart."""
    counts: dict[str, int] = {}
    for array in arrays:
        counts[array.dtype.name] = counts.get(array.dtype.name, 0) + array.size
    parts = " and ".join(f"{count} {dtype}" for dtype, count in counts.items())
    return f"{call} of {len(arrays)} arrays, {parts}"
