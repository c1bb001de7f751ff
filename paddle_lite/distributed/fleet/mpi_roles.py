"""Role makers for processes that MPI started: who is a worker, who a server, and where they are."""

from __future__ import annotations

import atexit
import socket
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, ModeError, message
from ..collective.mpi import load
from .roles import Role, RoleMakerBase

__all__ = ["MPIRoleMaker", "MPISymetricRoleMaker"]

REDUCTIONS = {"sum": "SUM", "max": "MAX", "min": "MIN"}


class MPIRoleMaker(RoleMakerBase):
    """A process that `mpiexec` started: a worker of a job without servers, numbered as MPI does.

    Raises:
        ModeError: mpi4py or MPI is not installed.
    """

    def __init__(self) -> None:
        super().__init__()
        mpi = load()
        if not mpi.Is_initialized():
            mpi.Init()
        atexit.register(self._finalize)
        self._mpi, self._all = mpi, mpi.COMM_WORLD
        self._workers_only = self._all  # the communicator of the processes with the role of this one

    def _finalize(self) -> None:
        """End MPI, unless another part of the program has done so."""
        if not self._mpi.Is_finalized():
            self._mpi.Finalize()

    def generate_role(self) -> None:
        """Ask MPI for the number of this process, and tell the others where it is."""
        self._current_id, self._workers = self._all.Get_rank(), self._all.Get_size()
        self._worker_endpoints = self._all.allgather(_free_endpoint())
        super().generate_role()

    def get_rank(self) -> int:
        """Return the number of this process among all."""
        return self._all.Get_rank()

    def get_size(self) -> int:
        """Return the number of all processes."""
        return self._all.Get_size()

    def get_local_ip(self) -> str:
        """Return the address of this machine."""
        return _own_address()

    def all_gather(self, input: Any) -> list[Any]:
        """Return the value of each worker."""
        return self._among_workers("all_gather").allgather(input)

    def all_reduce_worker(self, input: Any, output: Any, mode: str = "sum") -> None:
        """Write the sum (max, min) over the workers of `input`, an array, into `output`, an array of its shape."""
        if mode not in REDUCTIONS:
            raise ArgumentValueError(message("all_reduce_worker", "mode", repr(mode), "'sum', 'max' or 'min'"))
        total = np.array(input)
        self._among_workers("all_reduce_worker").Allreduce(
            self._mpi.IN_PLACE, total, getattr(self._mpi, REDUCTIONS[mode])
        )
        output[...] = total

    def barrier_worker(self) -> None:
        """Wait for all workers."""
        self._among_workers("barrier_worker").Barrier()

    def barrier_all(self) -> None:
        """Wait for all processes."""
        self._all.Barrier()

    def _among_workers(self, call: str) -> Any:
        if not self.is_worker():
            raise ModeError(f"{type(self).__name__}.{call}: this process is a server. Workers call it.")
        return self._workers_only


class MPISymetricRoleMaker(MPIRoleMaker):
    """A process of a job with servers that `mpiexec` started: those with even numbers are servers, the others workers.

    Raises:
        ModeError: mpi4py or MPI is not installed.

        mpiexec -n 4 python train.py         # two servers and two workers
    """

    def generate_role(self) -> None:
        """Divide the processes, and tell all of them where the servers are.

        Raises:
            ArgumentValueError: the number of processes is odd.
        """
        rank, size = self.get_rank(), self.get_size()
        if size % 2:
            fix = "Start an even number of processes: mpiexec -n 4 ..."
            raise ArgumentValueError(message(type(self).__name__, "the number of processes", size, "2, 4, 6 ...", fix))
        self._role = Role.WORKER if rank % 2 else Role.SERVER
        self._current_id, self._workers = rank // 2, size // 2
        self._workers_only = self._all.Split(self._role, rank)
        endpoints = self._all.allgather(_free_endpoint())
        self._server_endpoints, self._worker_endpoints = endpoints[::2], endpoints[1::2]
        self._role_is_generated = True


def _own_address() -> str:
    """Return the address of this machine that others reach; that of the machine for itself where it has no other."""
    try:
        return socket.gethostbyname(socket.gethostname())
    except OSError:
        return "127.0.0.1"


def _free_endpoint() -> str:
    """Return an address of this machine with a port that nobody uses."""
    address = _own_address()
    with socket.socket() as held:
        held.bind((address, 0))
        return f"{address}:{held.getsockname()[1]}"
