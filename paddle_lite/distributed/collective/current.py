"""The groups of this process."""

from __future__ import annotations

from collections.abc import Sequence
from threading import RLock
from typing import Any

from ...core.errors import ArgumentValueError, ModeError, message
from ..environment import Place, place
from .group import Group
from .single_worker import SingleWorker


class _Joined:
    """The group for arrays on CPUs, and that for arrays on GPUs; None until the first call."""

    place: Place | None = None
    groups: dict[str, Group] = {}
    lock = RLock()  # the group for GPUs asks for that for CPUs


def connect(rank: int, size: int, endpoints: Sequence[str] = ()) -> Group:
    """Join the workers of a job, once; a later call with the same workers returns the same group.

    Arguments:
        rank, size: the index of this worker, and the number of workers.
        endpoints: the addresses of all workers; those of the environment by default.

    Returns:
        The group, for arrays on CPUs.

    Raises:
        ArgumentValueError: `rank` is not below `size`, or there are fewer endpoints.
        ModeError: this process has joined other workers.
        PeerError: a worker is lost, or does not come.
    """
    found = place()
    endpoints = list(endpoints or found.endpoints)
    if endpoints and len(endpoints) != size:
        raise ArgumentValueError(message("collective", "endpoints", ",".join(endpoints), f"{size}, one a worker"))
    own = endpoints[rank] if rank < len(endpoints) else ""
    return _join(Place(rank, size, own, endpoints, found.under_mpi and found.size == size))


def group(device: str = "cpu") -> Group:
    """Return the group of this process; the first call joins the workers that the environment names.

    Arguments:
        device: "cpu", or "gpu" for arrays on GPUs.

    Raises:
        ModeError: MPI or NCCL is not available.
        PeerError: a worker is lost, or does not come.
    """
    return _join(_Joined.place or place(), device)


def _join(where: Place, device: str = "cpu") -> Group:
    joined = _Joined.place
    if joined is not None and (joined.rank, joined.size) != (where.rank, where.size):
        raise ModeError(
            f"this process is worker {joined.rank} of {joined.size} already; it cannot become worker {where.rank} of {where.size}"
        )
    if not 0 <= where.rank < where.size:
        raise ArgumentValueError(message("collective", "the rank", where.rank, f"0 to {where.size - 1}"))
    if where.size == 1:
        return SingleWorker()
    with _Joined.lock:
        if device not in _Joined.groups:
            _Joined.groups[device] = _made(where, device)
            _Joined.place = where
        return _Joined.groups[device]


def _made(where: Place, device: str) -> Group:
    if device == "gpu":
        from .nccl import Nccl

        return Nccl(_join(where))
    from .mpi import join

    return join(where)


def group_of(arrays: Sequence[Any]) -> Group:
    """Return the group for some arrays: that of GPUs for CuPy's."""
    on_gpu = any(kind.__module__.partition(".")[0] == "cupy" for kind in set(map(type, arrays)))
    return group("gpu" if on_gpu else "cpu")


def joined() -> bool:
    """Return whether this process has joined other workers."""
    return bool(_Joined.groups)


def leave() -> None:
    """Leave all groups; a later call joins again."""
    while _Joined.groups:
        _Joined.groups.popitem()[1].close()
    _Joined.place = None
