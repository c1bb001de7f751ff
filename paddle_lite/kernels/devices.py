"""The current device: which GPU arrays are made on, and kernels run on; and the precision of its products."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from ..core import flags
from ..core.errors import ArgumentValueError, message
from ..core.place import Place, gpu_count
from .registry import array_module

TF32 = "FLAGS_cuda_tf32"


def _use_tf32(wanted: bool) -> None:
    """Tell CuPy whether products of float32 use TF32; it reads the environment at the first one.

    Raises:
        ArgumentValueError: CuPy has computed products otherwise before, or the GPU has no TF32.
    """
    os.environ["CUPY_TF32"] = str(int(wanted))
    core = getattr(sys.modules.get("cupy"), "_core", None)
    if core is None or not gpu_count():
        return
    if (core.get_compute_type(np.float32) == core._routines_linalg.COMPUTE_TYPE_TF32) != wanted:
        needs = "to be set before the first product of float32, on a GPU of compute capability 8.0 or more"
        fix = f"Set the environment variable {TF32}={int(wanted)}, or the flag at the start of the program."
        raise ArgumentValueError(message("set_flags", TF32, wanted, needs, fix))


flags.watch(TF32, _use_tf32)
if flags.value(TF32):
    _use_tf32(True)


def cuda() -> Any:
    """Return `cupy.cuda`; None where NumPy alone stands for CuPy."""
    return getattr(array_module("gpu"), "cuda", None)


def on_device(place: Place) -> AbstractContextManager[Any]:
    """Return a context manager inside of which the GPU of a place is the current one; it does nothing for the CPU."""
    if place.kind != "gpu":
        return nullcontext()
    found = cuda()
    return nullcontext() if found is None else found.Device(place.index)


def use_device(place: Place) -> None:
    """Make the GPU of a place the current one of this thread."""
    if place.kind == "gpu":
        found = cuda()
        if found is not None:
            found.Device(place.index).use()


def here(xp: Any, value: Any) -> Any:
    """Return an array on the current device: itself if it is there, else a copy; anything else is returned as it is.

    Arguments:
        xp: CuPy.
    """
    if isinstance(value, np.ndarray):
        return xp.asarray(value)
    if not isinstance(value, xp.ndarray) or xp is np or value.device == xp.cuda.Device():
        return value
    value.device.synchronize()
    return value.copy()


__all__ = ["cuda", "here", "on_device", "use_device"]
