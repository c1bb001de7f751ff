"""Reductions over dimensions: sum, mean, max, min, prod, all, any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.typing import Variable
from ...ops.math import reduce as ops
from ..support.arguments import check_variable, int_list

__all__ = ["reduce_all", "reduce_any", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum"]

_DOC = """Compute {formula}

    Arguments:
        input: a Variable of any shape, {dtypes}.
        dim: the dimensions to reduce, an int or a list of ints; all of them where it is None.
        keep_dim: keep the reduced dimensions with size 1.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: input is not a Variable, or dim is not an int or a list of ints.
        ShapeError: input has no such dimension, or a dimension is named twice.
        DtypeError: input has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], '{dtype}'))
    ...     fluid.layers.{name}(x, dim=1).shape, fluid.layers.{name}(x).shape
    ([2], [1])
    """


def reduce_attrs(where: str, rank: int, dim: Any, keep_dim: bool) -> dict[str, Any]:
    """Return the attributes of a reduction operator for a `dim` argument."""
    if dim is None or (dim.__class__ is int and rank > 1):  # the common cases first: each eager call runs this
        return {"dim": [0 if dim is None else dim], "keep_dim": keep_dim, "reduce_all": dim is None}
    axes = int_list(where, "dim", dim)
    every = not axes or (
        len({axis % rank if rank else 0 for axis in axes}) == rank and all(-rank <= axis < rank for axis in axes)
    )
    return {"dim": axes or [0], "keep_dim": keep_dim, "reduce_all": every}


def _reduction(name: str, dtypes: str, dtype: str = "float32") -> Callable[..., Any]:
    """Make the public function of a reduction operator."""
    op = getattr(ops, name)

    def function(input: Variable, dim: Any = None, keep_dim: bool = False, name: str | None = None) -> Variable:
        check_variable(op.type, "input", input)
        return op.call(input, **reduce_attrs(op.type, len(input.shape), dim, keep_dim))

    function.__doc__ = _DOC.format(formula=op.__doc__, name=name, dtypes=dtypes, dtype=dtype)
    function.__name__ = function.__qualname__ = name
    return function


NUMBERS = "float32, float64, int32 or int64"
reduce_sum = _reduction("reduce_sum", NUMBERS)
reduce_mean = _reduction("reduce_mean", "float32 or float64")
reduce_max = _reduction("reduce_max", NUMBERS)
reduce_min = _reduction("reduce_min", NUMBERS)
reduce_prod = _reduction("reduce_prod", NUMBERS)
reduce_all = _reduction("reduce_all", "bool", "bool")
reduce_any = _reduction("reduce_any", "bool", "bool")
