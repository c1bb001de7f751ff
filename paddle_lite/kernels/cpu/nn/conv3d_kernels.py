"""CPU kernels of 3-D convolutions; those of 2-D convolutions do the work, except for ResidualData."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...registry import kernel
from .conv_kernels import conv2d, conv2d_grad


@kernel("conv3d")
def conv3d(Input: np.ndarray, Filter: np.ndarray, ResidualData: Any, *, reference: Callable, **attrs: Any) -> Any:
    if Input.dtype.char not in "fd":
        return reference(Input, Filter, ResidualData, **attrs)
    return conv2d(Input, Filter, None, ResidualData, reference=reference, **attrs)


@kernel("conv3d_grad")
def conv3d_grad(
    Input: np.ndarray, Filter: np.ndarray, ResidualData: Any, dOutput: np.ndarray,
    *, need: tuple = (True, True), reference: Callable, **attrs: Any,
) -> tuple:  # fmt: skip
    if Input.dtype.char not in "fd":
        return reference(Input, Filter, ResidualData, dOutput, need=need, **attrs)
    return conv2d_grad(Input, Filter, None, dOutput, need=(*need, False), reference=reference, **attrs)[:2]
