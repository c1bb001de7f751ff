"""Products with weights in inference: each weight is packed once for all runs."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

from ....kernels.cpu.math.gemm import is_small
from ....kernels.cpu.math.packed_matrix import SMALLEST
from ....kernels.cpu.math.weight_product import WeightProduct
from ....ops.framework.traits import Matmul
from ..graph import FunctionGraph
from ..ir import Instruction, Unit, Value, line, with_lods
from .channels import NOTE, is_inference, is_weight


def pack_weights(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of products with weights that no operator writes."""
    if not is_inference(graph):
        return
    for step in graph.instructions:
        found = _product(graph, step)
        if found is None:
            continue
        x, w, made, dims = found
        unit, name = Unit("weight", (step.place,), NOTE, step.place), f"w{step.place}"
        lines = [line(f"{{}} = {name}({{}}, {{}})", made, x, w), *step.lods()]
        yield step.run_as(unit, lines, with_lods([x, w]), with_lods([made]), scope={name: WeightProduct(dims)})


def _product(graph: FunctionGraph, step: Instruction) -> tuple[Value, Value, Value, int] | None:
    """Return x, the weight and the result of a product, with the dimensions of x that are rows; None for other operators."""
    algebra = step.op.definition.traits.algebra
    if not step.plain or not step.free or not isinstance(algebra, Matmul):
        return None
    x, w, made = step.one("X"), step.one("Y"), step.out("Out")
    if x is None or w is None or made is None or not x.sure or len(x.shape) < 2 or x.dtype != np.float32:
        return None
    if len(w.shape) != 2 or not w.sure or not is_weight(graph, w) or prod(w.shape) < SMALLEST or is_small(*w.shape):
        return None
    attrs = dict(step.attrs)
    dims = attrs.pop("x_num_col_dims", len(x.shape) - 1)
    plainly = all(attrs.get(name, n) == n for name, n in algebra.plain.items() if name != "x_num_col_dims")
    return (x, w, made, dims) if plainly and dims < len(x.shape) else None
