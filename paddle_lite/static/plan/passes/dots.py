"""Products of small matrices: direct calls of NumPy or of the method that is faster, without the kernel's overhead (half of the time)."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

from ....kernels.cpu.math.gemm import is_small, times
from ..graph import FunctionGraph
from ..ir import Instruction, MatrixProduct, Unit, line, with_lods
from .products import product_of

LARGEST = 4096
"""The limit of elements of the right matrix; for larger matrices the kernel may choose a faster method."""


def call_dots(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of products that call NumPy directly."""
    for step in graph.instructions:
        product = product_of(step)
        if product is None:
            continue
        x, y, made = product
        if not all(len(v.shape) == 2 and v.sure for v in (x, y)) or min(y.shape) <= 0:
            continue
        by_kernel = y.dtype == np.float32 and is_small(*y.shape)
        if by_kernel or prod(y.shape) <= LARGEST:
            call = line("{} = times({}, {})" if by_kernel else "{} = {}.dot({})", made, x, y)
            unit = Unit("dot", (step.place,), home=step.place)
            scope = {"times": times} if by_kernel else {}
            lods = step.lods()
            does = None if lods else MatrixProduct(made, x, y, y.shape[0], y.shape[1])
            yield step.run_as(unit, [call, *lods], with_lods([x, y]), with_lods([made]), scope=scope, product=does)
