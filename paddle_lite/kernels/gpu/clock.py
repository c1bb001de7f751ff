"""Times on the device, by CUDA events, and the ranges that NVIDIA's tools show."""

from __future__ import annotations

from typing import Any

from ..devices import cuda


class DeviceClock:
    """Marks in the current stream, between which the device measures the time. Nothing waits until a time is read."""

    def __init__(self) -> None:
        self._cuda = cuda()
        self._nvtx = self._cuda.nvtx if self._cuda.nvtx.available else None

    def begin(self, name: str) -> Any:
        """Open a range of NVTX and return a mark."""
        if self._nvtx is not None:
            self._nvtx.RangePush(name)
        return self._mark()

    def end(self) -> Any:
        """Return a mark, and close the range that was opened last."""
        mark = self._mark()
        if self._nvtx is not None:
            self._nvtx.RangePop()
        return mark

    def _mark(self) -> Any:
        event = self._cuda.Event()
        event.record()
        return event

    def between(self, begin: Any, end: Any) -> float:
        """Return the milliseconds between two marks; wait for the second one."""
        end.synchronize()
        return float(self._cuda.get_elapsed_time(begin, end))


__all__ = ["DeviceClock"]
