"""Pointwise expressions as CuPy elementwise kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy


def build(spec: Any) -> Callable:
    """Return the callable kernel of a generated specification; CuPy compiles it at the first call for each dtype."""
    kernel = cupy.ElementwiseKernel(spec.in_params, spec.out_params, spec.operation, f"paddle_lite_{spec.name}")

    def run(*arrays: Any, **scalars: Any) -> Any:
        return kernel(*arrays, *scalars.values())

    return run
