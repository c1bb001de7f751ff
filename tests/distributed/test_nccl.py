"""The group of GPUs, with a stand-in for CuPy and NCCL whose GPUs are threads of this process."""

from __future__ import annotations

import ctypes
import importlib
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentValueError, PeerError
from paddle_lite.distributed.collective.nccl import Nccl
from paddle_lite.distributed.collective.single_worker import SingleWorker

TYPES = ("FLOAT16", "FLOAT32", "FLOAT64", "INT8", "UINT8", "INT32", "INT64")
REDUCE = {"SUM": np.add, "MAX": np.maximum, "MIN": np.minimum, "PROD": np.multiply}


class Array(np.ndarray):
    """An array with an address, as CuPy's have it."""

    @property
    def data(self) -> Any:  # type: ignore[override]
        return SimpleNamespace(ptr=self.ctypes.data)


def array(values: Any, dtype: str = "float32") -> Any:
    return np.array(values, dtype).view(Array)


class World:
    """Where threads meet."""

    def __init__(self, size: int) -> None:
        self.slots: list[Any] = [None] * size
        self.barrier = threading.Barrier(size, timeout=10)

    def exchange(self, rank: int, value: Any) -> list[Any]:
        self.slots[rank] = value
        self.barrier.wait()
        every = list(self.slots)
        self.barrier.wait()
        return every


worlds: dict[Any, World] = {}


def at(pointer: int, count: int, type: str) -> Any:
    dtype = np.dtype(type.lower())
    buffer = (ctypes.c_char * (count * dtype.itemsize)).from_address(pointer)
    return np.frombuffer(buffer, dtype)


class Communicator:
    """The calls of `cupy.cuda.nccl.NcclCommunicator` that paddle_lite makes."""

    def __init__(self, size: int, id: Any, rank: int) -> None:
        assert isinstance(id, tuple)
        self.world, self.rank, self.aborted = worlds.setdefault(id, World(size)), rank, False

    def allReduce(self, source: int, target: int, count: int, type: str, op: str, stream: int) -> None:
        every = self.world.exchange(self.rank, at(source, count, type).copy())
        at(target, count, type)[:] = REDUCE[op].reduce(every)

    def broadcast(self, source: int, target: int, count: int, type: str, root: int, stream: int) -> None:
        at(target, count, type)[:] = self.world.exchange(self.rank, at(source, count, type).copy())[root]

    def allGather(self, source: int, target: int, count: int, type: str, stream: int) -> None:
        every = self.world.exchange(self.rank, at(source, count, type).copy())
        at(target, count * len(every), type)[:] = np.concatenate(every)

    def check_async_error(self) -> None:
        """Nothing fails here."""

    def abort(self) -> None:
        self.aborted = True


class Event:
    """An event of a stream that has reached it."""

    done = True

    def __init__(self, disable_timing: bool) -> None:
        assert disable_timing

    def record(self) -> None:
        """Nothing runs later here."""


@pytest.fixture
def gpus(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    cupy, cuda, nccl = ModuleType("cupy"), ModuleType("cupy.cuda"), ModuleType("cupy.cuda.nccl")
    for name in (*TYPES, *REDUCE):
        setattr(nccl, f"NCCL_{name}", name)
    nccl.NcclCommunicator, nccl.get_unique_id = Communicator, lambda: (4, 2)  # type: ignore[attr-defined]
    nccl.available = True  # type: ignore[attr-defined]
    cuda.nccl, cuda.Event = nccl, Event  # type: ignore[attr-defined]
    cuda.get_current_stream = lambda: SimpleNamespace(ptr=0)  # type: ignore[attr-defined]
    cupy.cuda, cupy.ndarray = cuda, Array  # type: ignore[attr-defined]
    cupy.empty = lambda shape, dtype: np.empty(shape, dtype).view(Array)  # type: ignore[attr-defined]
    for module in (cupy, cuda, nccl):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    name = "paddle_lite.kernels.gpu.communicator"
    monkeypatch.delitem(sys.modules, name, raising=False)
    worlds.clear()
    yield importlib.import_module(name)
    sys.modules.pop(name, None)


class Host(SingleWorker):
    """The group for CPUs of a thread."""

    def __init__(self, world: World, rank: int) -> None:
        self.world, self.rank, self.size = world, rank, len(world.slots)
        self.problem = ""

    def share(self, value: Any) -> list[Any]:
        return self.world.exchange(self.rank, value)

    def check(self) -> None:
        if self.problem:
            raise PeerError(self.problem)


def on_two(call: Callable[[Nccl], Any]) -> list[Any]:
    """Call a function in two threads with a group each."""
    world = World(2)
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda rank: call(Nccl(Host(world, rank))), range(2)))


def test_calls_of_two_gpus(gpus: Any) -> None:
    def calls(job: Nccl) -> Sequence[Any]:
        rank = job.rank
        sources = [array([[1, 2], [3, 4]]).T * (rank + 1), array([rank, 5], "int64")]  # the first one is not contiguous
        sums = [array(np.zeros([2, 2])), array([0, 0], "int64")]
        job.allreduce(sources, out=sums)
        largest = array([rank, -rank])
        job.allreduce([largest], "max")
        copied = array([rank])
        job.broadcast([copied], root=1)
        job.barrier()
        return [
            *sums,
            largest,
            copied,
            *job.allgather(array(np.full([rank + 1, 2], rank))),
            job.reduce_scatter(array([1, 2, 3, 4])),
        ]

    first, second = ([each.tolist() for each in found] for found in on_two(calls))
    assert first[:-1] == second[:-1] == [[[3, 9], [6, 12]], [1, 10], [1, 0], [1], [[0, 0]], [[1, 1], [1, 1]]]
    assert (first[-1], second[-1]) == ([2, 4], [6, 8])


def test_what_nccl_does_not_know_or_never_ends(gpus: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def calls(job: Nccl) -> tuple[str, bool]:
        with pytest.raises(ArgumentValueError, match="dtype complex64, needs a dtype that NCCL knows"):
            job.allreduce([array([1], "complex64")])
        host: Any = job._host
        host.world.exchange(job.rank, None)
        monkeypatch.setattr(Event, "done", False)
        monkeypatch.setattr("paddle_lite.distributed.collective.nccl.deadline", lambda: 0.05)
        with pytest.raises(PeerError) as caught:
            job.allreduce([array([1])])
        host.problem = "worker 1 has ended"
        with pytest.raises(PeerError, match="worker 1 has ended"):
            job.barrier() or job.check()
        return str(caught.value), job._connection._comm.aborted

    for text, aborted in on_two(calls):
        assert "another worker has not come to allreduce sum of 1 arrays" in text and aborted
