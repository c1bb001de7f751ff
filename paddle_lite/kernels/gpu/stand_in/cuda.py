"""What stands for `cupy.cuda`, and for `cupy.cuda.nccl`."""

from __future__ import annotations

import ctypes
import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import memory, streams
from .arrays import Device, Devices
from .streams import StandInError

NUMBERS = {"FLOAT16": "e", "FLOAT32": "f", "FLOAT64": "d", "INT8": "b", "UINT8": "B", "INT32": "i", "INT64": "q"}
OPERATIONS = {"SUM": np.add, "PROD": np.multiply, "MAX": np.maximum, "MIN": np.minimum}


class NcclCommunicator:
    """The connection of one device to those of the same process. What a group of calls does runs when the group ends.

    Arguments:
        members: the communicators of all devices. rank: the number of this one.
    """

    waiting: list[tuple[NcclCommunicator, str, tuple]] = []
    depth = 0

    def __init__(self, members: list[NcclCommunicator], rank: int, device: int) -> None:
        self._members, self._rank, self.device = members, rank, device
        members.append(self)

    @staticmethod
    def initAll(devices: Sequence[int]) -> list[NcclCommunicator]:
        """Return a communicator for each device."""
        if len(set(devices)) != len(devices):
            raise StandInError("ncclInvalidUsage: a device is named twice")
        members: list[NcclCommunicator] = []
        for rank, device in enumerate(devices):
            NcclCommunicator(members, rank, device)
        return members

    def broadcast(self, sendbuff: int, recvbuff: int, count: int, datatype: int, root: int, stream: int) -> None:
        """Copy the root's array to all."""
        self._call("broadcast", sendbuff, recvbuff, count, datatype, None, root)

    def reduce(self, sendbuf: int, recvbuf: int, count: int, datatype: int, op: int, root: int, stream: int) -> None:
        """Combine the arrays of all in the root's."""
        self._call("reduce", sendbuf, recvbuf, count, datatype, op, root)

    def _call(self, name: str, *arguments: Any) -> None:
        if streams.here.device != self.device:
            raise StandInError(
                f"NCCL: the communicator of device {self.device} is called on device {streams.here.device}"
            )
        if not NcclCommunicator.depth:
            raise StandInError(
                "NCCL: calls for several devices of one process need a group, else the first one waits for ever"
            )
        NcclCommunicator.waiting.append((self, name, arguments))

    @staticmethod
    def start() -> None:
        """Begin a group."""
        NcclCommunicator.depth += 1

    @staticmethod
    def end() -> None:
        """Run the calls of a group."""
        NcclCommunicator.depth -= 1
        waiting, NcclCommunicator.waiting = NcclCommunicator.waiting, []
        while waiting:
            first, name, (_, _, count, kind, op, root) = waiting[0]
            calls = []
            for member in first._members:
                found = next((each for each in waiting if each[0] is member and each[1] == name), None)
                if found is None or found[2][2:] != (count, kind, op, root):
                    raise StandInError(f"NCCL: device {member.device} does not take part in {name} as the others do")
                waiting.remove(found)
                calls.append(found[2])
            sent = [_at(call[0], count, kind) for call in calls]
            if name == "broadcast":
                for call in calls:
                    _at(call[1], count, kind)[:] = sent[root]
            else:
                _at(calls[root][1], count, kind)[:] = list(OPERATIONS.values())[op].reduce(sent)


def _at(pointer: int, count: int, kind: int) -> np.ndarray:
    dtype = np.dtype(list(NUMBERS.values())[kind])
    held: Any = (ctypes.c_char * (count * dtype.itemsize)).from_address(pointer)
    return np.frombuffer(held, dtype)


def _nccl() -> types.SimpleNamespace:
    numbers = {f"NCCL_{name}": number for number, name in enumerate(NUMBERS)}
    operations = {f"NCCL_{name}": number for number, name in enumerate(OPERATIONS)}
    calls = {"groupStart": NcclCommunicator.start, "groupEnd": NcclCommunicator.end}
    return types.SimpleNamespace(available=True, NcclCommunicator=NcclCommunicator, **numbers, **operations, **calls)


def cuda_of(devices: Devices) -> types.ModuleType:
    """Return what stands for `cupy.cuda`."""
    cuda = types.ModuleType("stand_in.cuda")
    ranges: list[str] = []
    runtime = types.SimpleNamespace(
        CUDARuntimeError=StandInError,
        streamCaptureModeThreadLocal=1,
        getDevice=lambda: streams.here.device,
        getDeviceCount=lambda: devices.count,
        getDeviceProperties=lambda device: {
            "name": b"stand-in for a GPU",
            "major": 8,
            "minor": 0,
            "totalGlobalMem": 16 << 30,
        },
        runtimeGetVersion=lambda: 0,
        driverGetVersion=lambda: 0,
        profilerStart=lambda: None,
        profilerStop=lambda: None,
    )
    nvtx = types.SimpleNamespace(
        available=True, ranges=ranges, RangePush=lambda message, id_color=-1: ranges.append(message),
        RangePop=lambda: ranges.append(""),
    )  # fmt: skip
    parts: dict[str, Any] = {
        "Stream": streams.Stream, "Event": streams.Event, "get_current_stream": streams.current,
        "get_elapsed_time": streams.elapsed_time, "Device": Device, "runtime": runtime, "nvtx": nvtx, "nccl": _nccl(),
        "MemoryPool": memory.MemoryPool, "using_allocator": memory.using_allocator,
        "alloc_pinned_memory": memory.alloc_pinned_memory,
    }  # fmt: skip
    vars(cuda).update(parts)
    return cuda
