"""Elementwise arithmetic of two Variables, with broadcasting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.typing import Variable
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

_DOC = """Compute {formula}

    Arguments:
        x, y: Variables of one dtype ({dtypes}); their shapes are broadcast together.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        act: the name of an activation to apply to the result, or None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], '{dtype}'))
    ...     y = fluid.dygraph.to_variable(np.ones([2], '{dtype}'))
    ...     fluid.layers.{name}(x, y, axis=0).shape
    [2, 3]
    """


def _binary(name: str, dtypes: str = "float32, float64, int32 or int64", dtype: str = "float32") -> Callable[..., Any]:
    """Make the public function of a binary elementwise operator."""
    op = getattr(ops, name)

    def function(x: Any, y: Any, axis: int = -1, act: str | None = None, name: str | None = None) -> Variable:
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
