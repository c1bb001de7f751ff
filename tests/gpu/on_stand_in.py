"""Runs on the stand-in for CuPy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from paddle_lite.kernels import registry
from paddle_lite.kernels.gpu.stand_in import StandIn
from paddle_lite.kernels.gpu.support.caches import forget_kept
from paddle_lite.kernels.gpu.support.index_checks import index_checks
from tests.ops import stand_in


@contextmanager
def on_stand_in(
    devices: int = 1, kernels: bool = False, limited: bool = False, most: int | None = None
) -> Iterator[StandIn]:
    """Within the block a stand-in is the GPU.

    Arguments:
        devices: how many there are.
        kernels: whether kernels for GPUs run, thread by thread; else references do.
        limited: whether what CuPy does not have is an error.
        most: kernels run up to this number of elements, beyond it references do.
    """
    gpu = StandIn(devices, stand_in.CUPY if limited else None)
    _forget()  # what other tests have compiled and kept for another one
    registry.use_gpu_module(gpu, kernels, most)
    try:
        yield gpu
    finally:
        registry.use_gpu_module(None)
        _forget()


def _forget() -> None:
    forget_kept()
    index_checks.forget()
    stand_in.forget()
