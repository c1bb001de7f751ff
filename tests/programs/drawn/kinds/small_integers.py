"""Whole numbers of 8 and 16 bits."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from paddle_lite import fluid, tensor

from ..builder import Builder, Choices, Input, NoFit
from .whole_numbers import WHOLE

L = fluid.layers
WEIGHTS = {"small": 2, "narrowed": 1, "of_small": 3}
SMALL = {"s": "int8", "t": "uint8", "u": "int16"}
BINARY = {
    "add": L.elementwise_add, "sub": L.elementwise_sub, "mul": L.elementwise_mul, "max": L.elementwise_max,
    "min": L.elementwise_min, "equal": operator.eq, "less_than": operator.lt,
    "where": lambda x, y: tensor.where(x < y, x, y),
}  # fmt: skip
UNARY: dict[str, Callable[[Any], Any]] = {
    "concat": lambda x: L.concat([x, x], 1), "stack": lambda x: L.stack([x, x], 1), "transpose": lambda x: L.transpose(x, [0, 1]),
    "slice": lambda x: L.slice(x, [1], [0], [3]), "reduce_max": lambda x: L.reduce_max(x, [1], keep_dim=True),
    "reduce_sum": lambda x: L.reduce_sum(x, [1], keep_dim=True), "argsort": lambda x: L.argsort(x, -1),
    "scale": lambda x: L.scale(x, 2.0, 1.0), "abs": L.abs, "cumsum": L.cumsum, "assign": L.assign,
    "expand": lambda x: L.expand(x, [1, 2]), "split": lambda x: L.split(x, [1, -1], 1),
}  # fmt: skip


def small(b: Builder, c: Choices, _: Any) -> None:
    name = c.one(*SMALL)
    b.given(name, Input((-1, 4), SMALL[name], "batch"))


def narrowed(b: Builder, c: Choices, _: Any) -> None:
    """Larger whole numbers, of which the last bits are left; of floating ones 1.8.5 leaves open what is."""
    dtype = c.one(*SMALL.values())
    b.call(f"cast {dtype}", lambda x: x.astype(dtype), b.pick(c, lambda v: v.dtype in (*WHOLE, "bool")))


def of_small(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype in SMALL.values() and v.rank == 2 and 2 <= v.shape[1] < 20)
    how = c.one("cast", "binary", "binary", "unary")
    if how == "cast":
        dtype = c.one(*WHOLE, b.dtype, "bool", *SMALL.values())
        b.call(f"cast {x.dtype} to {dtype}", lambda x: x.astype(dtype), x)
    elif how == "unary":
        name = c.one(*UNARY)
        b.call(f"{name} of {x.dtype}", UNARY[name], x)
    else:
        alike = [y for y in b.values if (y.shape, y.dtype, y.rows) == (x.shape, x.dtype, x.rows)]
        if not alike:
            raise NoFit
        name = c.one(*BINARY)
        b.call(f"{name} of {x.dtype}", BINARY[name], x, c.one(*alike))
