"""GPU kernels of 3-D convolutions; those of 2-D convolutions do the work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...registry import kernel
from ..support.shape import alike
from .conv_kernels import conv2d, conv2d_grad


@kernel("conv3d", device="gpu")
def conv3d(Input: Any, Filter: Any, ResidualData: Any, *, reference: Callable, **attrs: Any) -> Any:
    if not alike(Input, Filter):
        return reference(Input, Filter, ResidualData, **attrs)
    return conv2d(Input, Filter, None, ResidualData, reference=reference, **attrs)


@kernel("conv3d_grad", device="gpu")
def conv3d_grad(
    Input: Any,
    Filter: Any,
    ResidualData: Any,
    dOutput: Any,
    *,
    need: tuple = (True, True),
    reference: Callable,
    **attrs: Any,
) -> tuple:
    if not alike(Input, Filter, dOutput):
        return reference(Input, Filter, ResidualData, dOutput, need=need, **attrs)
    return conv2d_grad(Input, Filter, None, dOutput, need=(*need, False), reference=reference, **attrs)[:2]
