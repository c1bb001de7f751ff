"""Operators that compute each element by itself, and broadcasting."""

from __future__ import annotations

from typing import Any

from paddle_lite import fluid

from ..builder import Builder, Choices, NoFit, Value, itself

L = fluid.layers
WEIGHTS = {"unary": 9, "binary": 9, "dropout": 2, "sums": 2, "written_again": 1, "casts": 1}

UNARY = {
    "tanh": L.tanh, "sigmoid": L.sigmoid, "relu": L.relu, "square": L.square, "gelu": L.gelu, "exp": L.exp,
    "gelu_tanh": lambda x: L.gelu(x, approximate=True), "leaky_relu": lambda x: L.leaky_relu(x, 0.1), "softplus": L.softplus,
    "scale": lambda x: L.scale(x, 0.5, 0.25), "scale_first": lambda x: L.scale(x, -1.5, 1.0, bias_after_scale=False),
    "assign": L.assign, "abs": L.abs, "clip": lambda x: L.clip(x, -0.5, 0.5), "log": L.log, "sqrt": L.sqrt, "rsqrt": L.rsqrt,
    "reciprocal": L.reciprocal, "sin": L.sin, "cos": L.cos, "floor": L.floor, "ceil": L.ceil, "round": L.round, "sign": L.sign,
    "elu": L.elu, "selu": L.selu, "relu6": L.relu6, "hard_sigmoid": L.hard_sigmoid, "hard_swish": L.hard_swish, "swish": L.swish,
    "softsign": L.softsign, "softshrink": L.softshrink, "hard_shrink": L.hard_shrink, "logsigmoid": L.logsigmoid,
    "tanh_shrink": L.tanh_shrink, "thresholded_relu": L.thresholded_relu, "stanh": L.stanh, "brelu": L.brelu, "erf": L.erf,
    "soft_relu": L.soft_relu, "pow": lambda x: L.pow(x, 2.0), "pow_half": lambda x: L.pow(x, 0.5), "atan": L.atan,
    "asin": L.asin, "acos": L.acos, "cumsum": L.cumsum, "exclusive": lambda x: L.cumsum(x, -1, True, True),
}  # fmt: skip
CANCEL = ("tanh_shrink", "elu", "selu", "gelu", "gelu_tanh")
BEND = ("tanh", "sigmoid", "stanh", "swish", "softsign")
BINARY = {
    "add": L.elementwise_add, "sub": L.elementwise_sub, "mul": L.elementwise_mul, "max": L.elementwise_max,
    "min": L.elementwise_min, "div": L.elementwise_div, "pow": L.elementwise_pow,
}  # fmt: skip


def unary(b: Builder, c: Choices, _: Any) -> None:
    name = c.one(*UNARY)
    b.call(name, UNARY[name], b.floating(c), cancels=itself if name in CANCEL else None, bends=name in BEND)


def fitting(x: Value, y: Value) -> list[int]:
    """The values of `axis` with which y broadcasts into x."""
    spare = x.rank - y.rank

    def fits(axis: int) -> bool:
        pairs = zip(range(axis, x.rank), y.shape)
        return all(n == 1 or (n == x.shape[k] and (n > 0 or (k == 0 and x.rows == y.rows))) for k, n in pairs)

    return [axis for axis in range(spare + 1) if fits(axis)] + ([-1] if spare >= 0 and fits(spare) else [])


def pair(b: Builder, c: Choices, x: Value) -> tuple[Value, int]:
    """What fits x, and its axis."""
    found = [(y, axis) for y in b.values if y.dtype == x.dtype for axis in fitting(x, y)][-12:]
    if not found:
        raise NoFit
    return c.one(*found)


def binary(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c)
    y, axis = pair(b, c, x)
    name = c.one(*BINARY)
    b.call(f"{name} axis={axis}", lambda x, y: BINARY[name](x, y, axis=axis), x, y)


def dropout(b: Builder, c: Choices, _: Any) -> None:
    way = c.one("upscale_in_train", "downgrade_in_infer")
    b.call(
        f"dropout {way}",
        lambda x: L.dropout(x, 0.3, seed=7, dropout_implementation=way),
        b.floating(c),
    )


def sums(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c)
    alike = [y for y in b.values if (y.shape, y.dtype, y.rows, y.ragged) == (x.shape, x.dtype, x.rows, x.ragged)]
    more = [c.one(*alike) for _ in range(c.int(1, 3))]
    b.call("sum", lambda *each: L.sum(list(each)), x, *more)


def written_again(b: Builder, c: Choices, _: Any) -> None:
    """A Variable that is written twice; who has read it before reads the old value."""

    def run(x: Any) -> Any:
        y = L.tanh(x)
        z = L.scale(y, 0.5)
        L.assign(L.square(y), y)
        return L.elementwise_add(y, z)

    b.call("written_again", run, b.floating(c), bends=True)


def casts(b: Builder, c: Choices, _: Any) -> None:
    dtype = c.one("float32", "float64", "int32", "int64", "bool")
    if dtype.startswith("int"):
        b.call(f"cast {dtype}", lambda x: L.cast(L.clip(x, -9.0, 9.0), dtype), b.floating(c))
    else:
        [y] = b.call(f"cast {dtype}", lambda x: L.cast(x, dtype), b.floating(c))
        b.call(f"cast {b.dtype}", lambda x: L.cast(x, b.dtype), y)
