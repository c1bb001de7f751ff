"""Arrays on several GPUs of one process: copies from the first one to the others, and sums from all to the first one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.place import CUDAPlace
from ..devices import on_device
from ..registry import array_module
from .communicator import connect, grouped


class Replicas:
    """The GPUs that compute parts of one step.

    One GPU may be named several times; then there is nothing to copy.

    Arguments:
        devices: their numbers; the first one holds the parameters.

    Raises:
        ArgumentValueError: some are named twice, and some are not.
        DeviceError: NCCL is not installed, and they are several.
    """

    def __init__(self, devices: Sequence[int]) -> None:
        distinct = len(set(devices))
        if distinct not in (1, len(devices)):
            needs = "each GPU once, or one of them only"
            raise ArgumentValueError(message("with_data_parallel", "places", f"GPUs {[*devices]}", needs))
        self.places = [CUDAPlace(number) for number in devices]
        self._connections = connect(devices) if distinct > 1 else []

    def spread(self, arrays: Sequence[Any]) -> list[list[Any]]:
        """Return for each GPU the arrays of the first one."""
        if not self._connections:
            return [list(arrays) for _ in self.places]
        xp = array_module("gpu")
        with on_device(self.places[0]):
            columns = [[xp.ascontiguousarray(array) for array in arrays]]
        for place in self.places[1:]:
            with on_device(place):
                columns.append([xp.empty(array.shape, array.dtype) for array in arrays])
        for source, *targets in zip(*columns, strict=True):
            with grouped():
                for connection, place, target in zip(self._connections, self.places, (source, *targets), strict=True):
                    with on_device(place):
                        connection.copy(source if target is source else target, target, 0)
        return [list(arrays), *columns[1:]]

    def total(self, parts: Sequence[Any]) -> Any:
        """Return the sum of an array of each GPU, on the first one."""
        xp = array_module("gpu")
        if not self._connections:
            return sum(parts[1:], parts[0])
        ready = []
        for place, part in zip(self.places, parts, strict=True):
            with on_device(place):
                ready.append(xp.ascontiguousarray(part))
        with on_device(self.places[0]):
            total = xp.empty(ready[0].shape, ready[0].dtype)
        with grouped():
            for connection, place, part in zip(self._connections, self.places, ready, strict=True):
                with on_device(place):
                    connection.total(part, total if part is ready[0] else part, 0)
        return total

    def gathered(self, arrays: Sequence[Any]) -> list[Any]:
        """Return an array of each GPU as copies on the first one."""
        made = []
        for place, array in zip(self.places, arrays, strict=True):
            if place != self.places[0]:
                array.device.synchronize()
            with on_device(self.places[0]):
                made.append(array if place == self.places[0] else array.copy())
        return made


__all__ = ["Replicas"]
