"""Operators that make arrays filled with one number, or with given numbers."""

from __future__ import annotations

import numpy as np

from ..core.dtype import to_numpy
from ..core.errors import ArgumentValueError, ShapeError, message
from .shape_rules import UNKNOWN, asked, foretold
from .spec import Longs, Meta, op


def number(where, value, str_value, dtype):
    """The number to fill with: `str_value` says it exactly; `value` is a float32. It is cut off for integers."""
    if str_value:
        try:
            exact = float(str_value)
            exact = int(str_value) if exact.is_integer() and str_value.lstrip("+-").isdigit() else exact
        except ValueError:
            raise ArgumentValueError(message(where, "attribute 'str_value'", repr(str_value), "a number")) from None
    else:
        exact = float(np.float32(value))
    if dtype.kind not in "iu":
        return exact
    if exact != exact or exact in (float("inf"), -float("inf")):
        raise ArgumentValueError(message(where, "attribute 'value'", exact, f"a finite number for dtype {dtype}"))
    return int(exact)


@op(
    "fill_constant",
    inputs="ValueTensor? ShapeTensor? ShapeTensorList*?",
    outputs="Out",
    attrs={"dtype": 5, "shape": Longs([]), "value": 0.0, "str_value": "", "force_cpu": False},
    lod=None,
)
class fill_constant:
    """An array of this shape and dtype, each element the same number."""

    def infer(ValueTensor, ShapeTensor, ShapeTensorList, *, dtype, shape, value, str_value):
        said = [UNKNOWN if n is None else n for n in foretold(shape, ShapeTensor, ShapeTensorList)]
        if ShapeTensor is None and not ShapeTensorList and min(said, default=0) < 0:
            raise ShapeError(message("fill_constant", "attribute 'shape'", list(shape), "sizes of at least 0"))
        number("fill_constant", value, str_value, to_numpy(dtype))
        return Meta(tuple(said), to_numpy(dtype))

    def reference(xp, ValueTensor, ShapeTensor, ShapeTensorList, *, dtype, shape, value, str_value):
        dtype = to_numpy(dtype)
        shape = asked(shape, ShapeTensor, ShapeTensorList)
        if ValueTensor is None:
            return xp.full(shape, number("fill_constant", value, str_value, dtype), dtype)
        return xp.full(shape, ValueTensor.item(), dtype)
