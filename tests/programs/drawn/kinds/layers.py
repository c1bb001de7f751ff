"""Products, convolutions, pooling, normalization and embeddings, with their parameters as inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_lite import fluid
from paddle_lite.layers.support import write_into
from paddle_lite.ops.framework import registry

from ..builder import Builder, Cancels, Choices, NoFit, Value, operator

L = fluid.layers
WEIGHTS = {
    "product": 3, "matmul": 2, "dense_layer": 3, "conv": 2, "pool": 2, "layer_norm": 3, "batch_norm": 2, "embedding": 2,
    "one_hot": 1, "group_norm": 1, "prelu": 1,
}  # fmt: skip


def product(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype == b.dtype and v.rank == 2 and 0 < v.shape[1] < 40)
    w = b.parameter(x.shape[1], c.one(4, 8))
    b.call("mul", L.mul, x, w)


def dense_layer(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype == b.dtype and v.rank == 2 and 0 < v.shape[1] < 40)
    size, act = c.one(4, 8), c.one(L.relu, L.tanh, L.softmax)
    w, bias = b.parameter(x.shape[1], size), b.parameter(size)
    [x] = b.call("mul", L.mul, x, w)
    [x] = b.call("add axis=1", lambda x, bias: L.elementwise_add(x, bias, axis=1), x, bias)
    b.call(act.__name__, act, x, bends=act is not L.relu)


def matmul(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c, 2, 3)
    alpha, other = c.one(1.0, 0.5), c.flag()
    if x.rank == 3 and other:
        b.call(f"matmul with itself {alpha}", lambda x: L.matmul(x, x, transpose_y=True, alpha=alpha), x)
        return
    if not 0 < x.shape[-1] < 40:
        raise NoFit
    turned, size = c.flag(), c.one(4, 8)
    w = b.parameter(size, x.shape[-1]) if turned else b.parameter(x.shape[-1], size)
    b.call(f"matmul {turned} {alpha}", lambda x, w: L.matmul(x, w, transpose_y=turned, alpha=alpha), x, w)


def is_image(v: Value) -> bool:
    return v.rank == 4 and v.rows != "" and all(0 < n < 20 for n in v.shape[1:])


def conv(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype == b.dtype and is_image(v))
    groups = 2 if x.shape[1] % 2 == 0 and c.flag() else 1
    k = c.one(1, 3)
    stride = c.one(1, 1, 2)
    attrs = {"strides": [stride, stride], "paddings": [k // 2, k // 2], "dilations": [1, 1], "groups": groups}
    w = b.parameter(4, x.shape[1] // groups, k, k)
    b.call(f"conv2d {k} {stride} {groups}", lambda x, w: operator("conv2d")(x, w, None, None, **attrs), x, w)


def pool(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype == b.dtype and is_image(v))
    kind, k, stride = c.one("max", "avg"), c.one(2, 3), c.one(1, 2)
    if min(x.shape[2:]) < k:
        raise NoFit
    whole = c.int(0, 3) == 0
    b.call(f"pool2d {kind} {k} {stride} {whole}", lambda x: L.pool2d(x, k, kind, stride, global_pooling=whole), x)


def layer_norm(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c, 2, 4)
    axis = c.int(1, x.rank - 1)
    size = 1
    for n in x.shape[axis:]:
        size *= n
    if not 0 < size < 100:
        raise NoFit
    attrs = {"begin_norm_axis": axis, "epsilon": 1e-5}
    more = [b.parameter(size) for _ in range(2)] if c.flag() else []
    b.call(
        f"layer_norm {axis}",
        lambda x, *more: operator("layer_norm")(x, *(more or (None, None)), **attrs)[0],
        x,
        *more,
        cancels=deviates(lambda x: tuple(range(axis, x.ndim))),
    )


def deviates(axes: Callable[[np.ndarray], tuple[int, ...]]) -> Cancels:
    """`cancels` of a normalization along these dimensions: it subtracts a mean, and its gradient is the rest of terms that cancel."""

    def cancels(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        factor = 1 / np.sqrt(np.var(x, axis=axes(x), keepdims=True) + 1e-5)
        return factor, np.abs(x).mean(axis=axes(x), keepdims=True)

    return cancels


def batch_norm(b: Builder, c: Choices, _: Any) -> None:
    """With the statistics of the batch, which change the running ones, or with these."""
    x = b.pick(c, lambda v: v.dtype == b.dtype and (is_image(v) or (v.rank == 2 and 0 < v.shape[1] < 40)))
    size, statistics = x.shape[1], c.one({}, {"is_test": True}, {"use_global_stats": True})
    scale, shift = b.parameter(size), b.parameter(size)
    mean = b.parameter(size)
    variance = b.call("square + 1", lambda w: L.scale(L.square(w), 1.0, 1.0), scale)[0]
    attrs = {"epsilon": 1e-5, "momentum": 0.9, **statistics}

    def run(x: Any, scale: Any, shift: Any, mean: Any, variance: Any) -> Any:
        mean, variance = L.assign(mean), L.assign(variance)
        mean.stop_gradient = variance.stop_gradient = True
        carry = {"MeanOut": mean, "VarianceOut": variance}
        values = x, scale, shift, mean, variance, None
        return write_into.run(registry.get("batch_norm"), *values, carry=carry, **attrs)[0]

    cancels = None if statistics else deviates(lambda x: (0, *range(2, x.ndim)))
    b.call(f"batch_norm {statistics or ''}", run, x, scale, shift, mean, variance, cancels=cancels)


def group_norm(b: Builder, c: Choices, _: Any) -> None:
    x = b.pick(c, lambda v: v.dtype == b.dtype and is_image(v))
    size = x.shape[1]
    attrs = {"groups": 2 if size % 2 == 0 else 1, "epsilon": 1e-5}
    b.call(
        "group_norm",
        lambda x, scale, shift: operator("group_norm")(x, scale, shift, **attrs)[0],
        x,
        b.parameter(size),
        b.parameter(size),
        cancels=deviates(lambda x: (2, 3)),
    )


def prelu(b: Builder, c: Choices, _: Any) -> None:
    alpha = b.parameter(1)
    b.call("prelu", lambda x, a: operator("prelu")(x, a, mode="all"), b.floating(c, 2), alpha)


def embedding(b: Builder, c: Choices, _: Any) -> None:
    index = b.pick(c, lambda v: v.high == 7 and v.dtype == "int64" and v.shape[-1] == 1)
    padding, sparse = c.one(-1, 2), b.trains and c.flag()

    def run(i: Any, w: Any) -> Any:
        """The gradient is sparse if w is the parameter itself, not what roundings make of it."""
        return operator("lookup_table")(w, i, padding_idx=padding, is_sparse=sparse and w.persistable)

    b.call(f"embedding padding={padding}{' sparse' if sparse else ''}", run, index, b.parameter(7, 4))


def one_hot(b: Builder, c: Choices, _: Any) -> None:
    index = b.pick(c, lambda v: 0 < v.high <= 7 and v.dtype == "int64" and v.shape[-1] == 1)
    b.call("one_hot", lambda i: L.cast(L.one_hot(i, 7), b.dtype), index)
