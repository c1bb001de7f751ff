"""The current device: which GPU arrays are made on, and kernels run on."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from ..core.place import Place
from .registry import array_module


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
