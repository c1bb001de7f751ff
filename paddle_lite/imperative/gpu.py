"""Imperative mode on a GPU: the same compiled calls, with kernels and arrays of the device."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.mode import state
from ..ops.framework.emit import engine, on_gpu
from ..ops.framework.spec import OpDef


class GpuRecorder:
    """Runs each operator call on the GPU of the current place."""

    imperative = True

    def record(self, op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
        return on_gpu(op)(*inputs, **attrs)


def move(variable: Any) -> Any:
    """The Variable's array on the GPU; an array that is still on the host is moved there for good."""
    array = variable.array
    if isinstance(array, np.ndarray) and state.xp is not np:
        array = variable.array = state.xp.asarray(array)
    return array


engine.move = move
