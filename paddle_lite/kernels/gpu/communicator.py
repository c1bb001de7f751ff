"""NCCL, as CuPy has it: reductions and copies between the GPUs of several processes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import cupy
from cupy.cuda import nccl

_TYPES = {
    "float16": "FLOAT16", "float32": "FLOAT32", "float64": "FLOAT64", "int8": "INT8", "uint8": "UINT8", "bool": "UINT8",
    "int32": "INT32", "int64": "INT64",
}  # fmt: skip
PAUSE = 5e-5


def unique_id() -> list[int]:
    """Return a new id of a communicator, which one process makes for all."""
    return list(nccl.get_unique_id())


class Communicator:
    """The connection of a GPU to those of other processes.

    Arguments:
        size, id, rank: the number of processes, the common id, and the index of this process.
    """

    def __init__(self, size: int, id: list[int], rank: int) -> None:
        self._comm = nccl.NcclCommunicator(size, tuple(id), rank)
        self._size = size

    @staticmethod
    def supports(dtype: Any) -> bool:
        """Return whether NCCL knows a dtype."""
        return dtype.name in _TYPES

    @staticmethod
    def _type(array: Any) -> int:
        return getattr(nccl, f"NCCL_{_TYPES[array.dtype.name]}")

    @staticmethod
    def _stream() -> int:
        return cupy.cuda.get_current_stream().ptr

    def allreduce(self, source: Any, target: Any, op: str) -> None:
        """Start to write the sum, max, min or prod over all processes of a contiguous array into `target`."""
        code = getattr(nccl, f"NCCL_{op.upper()}")
        self._comm.allReduce(source.data.ptr, target.data.ptr, source.size, self._type(source), code, self._stream())

    def broadcast(self, array: Any, root: int) -> None:
        """Start to write a contiguous array of the process `root` into those of the others."""
        at = array.data.ptr
        self._comm.broadcast(at, at, array.size, self._type(array), root, self._stream())

    def allgather(self, array: Any) -> Any:
        """Start to gather a contiguous array of all processes; return [processes, ...]."""
        whole = cupy.empty((self._size, *array.shape), array.dtype)
        self._comm.allGather(array.data.ptr, whole.data.ptr, array.size, self._type(array), self._stream())
        return whole

    def wait(self, look: Callable[[], None]) -> None:
        """Wait for all that has been started; call `look` meanwhile, which may raise."""
        event = cupy.cuda.Event(disable_timing=True)
        event.record()
        while not event.done:
            self._comm.check_async_error()
            look()
            time.sleep(PAUSE)

    def abort(self) -> None:
        """End what has been started, which a lost process would never let end."""
        self._comm.abort()


__all__ = ["Communicator", "unique_id"]
