"""Whole numbers and truth values."""

from __future__ import annotations

from typing import Any

from paddle_lite import fluid

from ..builder import Builder, Choices, NoFit
from .pointwise import pair

L = fluid.layers
WEIGHTS = {"whole": 4, "compared": 3, "logical": 2}
WHOLE = ("int32", "int64")


def whole(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype in WHOLE)
    name = c.one("add", "sub", "mul", "max", "min", "floordiv", "mod", "scale", "sum", "cast", "back", "abs", "sort")
    if name in ("add", "sub", "mul", "max", "min"):
        y, axis = pair(b, c, x)
        function = getattr(L, f"elementwise_{name}")
        b.call(f"{name} of {x.dtype} axis={axis}", lambda x, y: function(x, y, axis=axis), x, y)
    elif name in ("floordiv", "mod"):
        function = L.elementwise_floordiv if name == "floordiv" else L.elementwise_mod
        by = c.one(3, -2, 7)
        b.call(f"{name} of {x.dtype} by {by}", lambda x: function(x, L.fill_constant([1], x.dtype, by)), x)
    elif name == "scale":
        b.call(f"scale of {x.dtype}", lambda x: L.scale(x, 2.0, 1.0), x)
    elif name == "sum":
        b.call(f"reduce_sum of {x.dtype}", lambda x: L.reduce_sum(x, [-1], keep_dim=True), x)
    elif name == "cast":
        other = "int64" if x.dtype == "int32" else "int32"
        b.call(f"cast to {other}", lambda x: L.cast(x, other), x)
    elif name == "back":
        b.call(f"cast to {b.dtype}", lambda x: L.cast(x, b.dtype), x)
    elif name == "sort":
        b.call(f"argsort of {x.dtype}", lambda x: L.argsort(x, -1), x)
    else:
        b.call(f"reduce_max of {x.dtype}", lambda x: L.reduce_max(x, [-1]), x, rows=x.rows if x.rank > 1 else "")


def compared(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype in (*WHOLE, b.dtype))
    alike = [y for y in b.values if (y.shape, y.dtype, y.rows) == (x.shape, x.dtype, x.rows)]
    y = c.one(*alike)
    name = c.one("less_than", "less_equal", "greater_than", "greater_equal", "equal", "not_equal")
    b.call(f"{name} of {x.dtype}", lambda x, y: getattr(L, name)(x, y), x, y)


def logical(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype == "bool")
    alike = [y for y in b.values if (y.shape, y.dtype, y.rows) == (x.shape, x.dtype, x.rows)]
    y = c.one(*alike)
    name = c.one("logical_and", "logical_or", "logical_xor", "logical_not", "cast", "any", "masks")
    if name == "logical_not":
        b.call(name, L.logical_not, x)
    elif name == "cast":
        b.call(f"cast to {b.dtype}", lambda x: L.cast(x, b.dtype), x)
    elif name == "any":
        if not x.rank:
            raise NoFit
        b.call("reduce_any", lambda x: L.reduce_any(x, [-1], keep_dim=True), x)
    elif name == "masks":
        z = b.pick(c, lambda v: v.dtype == b.dtype and (v.shape, v.rows) == (x.shape, x.rows))
        b.call("mul by mask", lambda x, z: L.elementwise_mul(z, L.cast(x, b.dtype)), x, z)
    else:
        b.call(name, lambda x, y: getattr(L, name)(x, y), x, y)
