"""Elementwise arithmetic of two Variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ops.math import elementwise as ops
from ..support.activation_by_name import activate

__all__ = [
    "elementwise_add",
    "elementwise_div",
    "elementwise_floordiv",
    "elementwise_max",
    "elementwise_min",
    "elementwise_mod",
    "elementwise_mul",
    "elementwise_pow",
    "elementwise_sub",
]

_DOC = """{formula}

    Arguments:
        x, y: Variables of one dtype ({dtypes}); their shapes are broadcast together.
        axis: where the dimensions of the smaller one belong in the larger; -1 for the trailing ones.
        act: name of an activation for the result.
        name: kept for Fluid code.

    Raises:
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ or are not taken.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], '{dtype}'))
    ...     y = fluid.dygraph.to_variable(np.ones([2], '{dtype}'))
    ...     fluid.layers.{name}(x, y, axis=0).shape
    [2, 3]
    """


def _binary(name: str, dtypes: str = "float32, float64, int32 or int64", dtype: str = "float32") -> Callable[..., Any]:
    op = getattr(ops, name)

    def function(x: Any, y: Any, axis: int = -1, act: str | None = None, name: str | None = None) -> Any:
        out = op.call(x, y, axis=axis)
        return out if act is None else activate(out, act)

    function.__doc__ = _DOC.format(formula=op.__doc__, name=name, dtypes=dtypes, dtype=dtype)
    function.__name__ = function.__qualname__ = name
    return function


elementwise_add = _binary("elementwise_add")
elementwise_sub = _binary("elementwise_sub")
elementwise_mul = _binary("elementwise_mul")
elementwise_div = _binary("elementwise_div")
elementwise_max = _binary("elementwise_max")
elementwise_min = _binary("elementwise_min")
elementwise_pow = _binary("elementwise_pow")
elementwise_mod = _binary("elementwise_mod")
elementwise_floordiv = _binary("elementwise_floordiv", "int32 or int64", "int64")
