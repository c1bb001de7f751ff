"""NCCL, as CuPy has it: reductions and copies between GPUs, of several processes or of this one."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...core.errors import DeviceError, message
from ..devices import cuda
from ..registry import array_module

_TYPES = {
    "float16": "FLOAT16", "float32": "FLOAT32", "float64": "FLOAT64", "int8": "INT8", "uint8": "UINT8", "bool": "UINT8",
    "int32": "INT32", "int64": "INT64",
}  # fmt: skip
PAUSE = 5e-5


def library() -> Any:
    """Return CuPy's module for NCCL.

    Raises:
        DeviceError: NCCL is not installed.
    """
    module = vars(cuda()).get("nccl") or importlib.import_module("cupy.cuda.nccl")
    if not module.available:
        fix = "Install it with `pip install nvidia-nccl-cu12` (cu13 beside cupy-cuda13x)."
        raise DeviceError(message("several GPUs", "NCCL", "not installed", "NCCL 2.18 or newer", fix))
    return module


def unique_id() -> list[int]:
    """Return a new id of a communicator, which one process makes for all."""
    return list(library().get_unique_id())


def connect(devices: Sequence[int]) -> list[Communicator]:
    """Return communicators of several GPUs of this process, in their order."""
    return [Communicator.of(each, len(devices)) for each in library().NcclCommunicator.initAll(list(devices))]


@contextmanager
def grouped() -> Iterator[None]:
    """Start the calls of several communicators of this process together, which one after another would wait for each other."""
    nccl = library()
    nccl.groupStart()
    try:
        yield
    finally:
        nccl.groupEnd()


class Communicator:
    """The connection of a GPU to those of other processes.

    Arguments:
        size, id, rank: the number of processes, the common id, and the index of this process.
    """

    def __init__(self, size: int, id: list[int], rank: int) -> None:
        self._comm = library().NcclCommunicator(size, tuple(id), rank)
        self._size = size

    @classmethod
    def of(cls, comm: Any, size: int) -> Communicator:
        """Return one around a communicator of CuPy."""
        made = cls.__new__(cls)
        made._comm, made._size = comm, size
        return made

    @staticmethod
    def supports(dtype: Any) -> bool:
        """Return whether NCCL knows a dtype."""
        return dtype.name in _TYPES

    @staticmethod
    def _type(array: Any) -> int:
        return getattr(library(), f"NCCL_{_TYPES[array.dtype.name]}")

    @staticmethod
    def _stream() -> int:
        return cuda().get_current_stream().ptr

    def allreduce(self, source: Any, target: Any, op: str) -> None:
        """Start to write the sum, max, min or prod over all processes of a contiguous array into `target`."""
        code = getattr(library(), f"NCCL_{op.upper()}")
        self._comm.allReduce(source.data.ptr, target.data.ptr, source.size, self._type(source), code, self._stream())

    def broadcast(self, array: Any, root: int) -> None:
        """Start to write a contiguous array of the process `root` into those of the others."""
        self.copy(array, array, root)

    def copy(self, source: Any, target: Any, root: int) -> None:
        """Start to write the contiguous array `source` of the root into those that the others have as `target`."""
        there, size, kind = target.data.ptr, source.size, self._type(source)
        self._comm.broadcast(source.data.ptr, there, size, kind, root, self._stream())

    def total(self, source: Any, target: Any, root: int) -> None:
        """Start to write the sum over all of a contiguous array into that which the root has as `target`."""
        there, size, kind, code = target.data.ptr, source.size, self._type(source), library().NCCL_SUM
        self._comm.reduce(source.data.ptr, there, size, kind, code, root, self._stream())

    def allgather(self, array: Any) -> Any:
        """Start to gather a contiguous array of all processes; return [processes, ...]."""
        whole = array_module("gpu").empty((self._size, *array.shape), array.dtype)
        self._comm.allGather(array.data.ptr, whole.data.ptr, array.size, self._type(array), self._stream())
        return whole

    def wait(self, look: Callable[[], None]) -> None:
        """Wait for all that has been started; call `look` meanwhile, which may raise."""
        event = cuda().Event(disable_timing=True)
        event.record()
        while not event.done:
            self._comm.check_async_error()
            look()
            time.sleep(PAUSE)

    def abort(self) -> None:
        """End what has been started, which a lost process would never let end."""
        self._comm.abort()


__all__ = ["Communicator", "connect", "grouped", "unique_id"]
