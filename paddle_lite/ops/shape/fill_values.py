"""An array of numbers that the operator itself holds."""

from __future__ import annotations

from math import prod
from typing import Any

from ...core.dtype import to_numpy
from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ..framework.spec import Declaration, Ints, Required, op
from ..support.meta import Meta

DTYPES = ("float32", "float64", "float16", "int32", "int64")


def _meta(value: Any, shape: Any, dtype: int) -> Meta:
    """Return the Meta of the result; raise unless the attributes fit each other."""
    found = to_numpy(dtype, "fill")
    if found.name not in DTYPES:
        raise DtypeError(message("fill", "attribute 'dtype'", found, " or ".join(DTYPES)))
    if min(shape, default=0) < 0:
        raise ShapeError(message("fill", "attribute 'shape'", list(shape), "sizes of at least 0"))
    if len(value) != prod(shape):
        needs = f"{prod(shape)}, one for each element of shape {list(shape)}"
        raise ArgumentValueError(message("fill", "attribute 'value'", f"{len(value)} numbers", needs))
    return Meta(tuple(shape), found)


@op(
    "fill", inputs="", outputs="Out", attrs={"value": Required("FLOATS"), "shape": Ints(), "dtype": 5, "force_cpu": False},
    lod=None, flops=0,
)  # fmt: skip
class fill(Declaration):
    """Out = the float32 numbers `value` in this shape and dtype; integers are truncated towards zero."""

    def infer(*, value, shape, dtype):
        return _meta(value, shape, dtype)

    def reference(xp, *, value, shape, dtype):
        made = _meta(value, shape, dtype)
        return xp.asarray(value, dtype="float32").astype(made.dtype).reshape(made.shape)
