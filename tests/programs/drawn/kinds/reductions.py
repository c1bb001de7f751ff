"""Reductions, normalizations along dimensions, and searching."""

from __future__ import annotations

from typing import Any

from paddle_lite import fluid, tensor

from ..builder import Builder, Choices

L = fluid.layers
WEIGHTS = {"reduce": 5, "softmax": 2, "mean": 1, "l2": 1, "search": 2, "logs": 1}

REDUCE = {
    "sum": L.reduce_sum, "mean": L.reduce_mean, "max": L.reduce_max, "min": L.reduce_min, "prod": L.reduce_prod,
}  # fmt: skip


def reduce(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c)
    name, keep = c.one(*REDUCE), c.flag()
    start = c.int(0, x.rank)
    dims = list(range(start, c.int(start + 1, x.rank))) if start < x.rank - 1 else [x.rank - 1]
    whole = not start and (c.flag() or not dims)
    dims = None if whole else dims
    rows = x.rows if dims and 0 not in dims else ""
    b.call(f"reduce_{name} {dims} keep={keep}", lambda x: REDUCE[name](x, dims, keep_dim=keep), x, rows=rows)


def softmax(b: Builder, c: Choices, _: Any) -> None:
    axis = c.one(-1, -1, 1)
    x = b.floating(c, 2)
    b.call(f"softmax {axis}", lambda x: L.softmax(x, axis=axis), x, bends=True)


def mean(b: Builder, c: Choices, _: Any) -> None:
    b.call("mean", L.mean, b.floating(c), rows="")


def l2(b: Builder, c: Choices, _: Any) -> None:
    b.call("l2_normalize", lambda x: L.l2_normalize(x, -1), b.floating(c, 2), bends=True)


def logs(b: Builder, c: Choices, _: Any) -> None:
    b.call("logsumexp", lambda x: tensor.logsumexp(x, -1, keepdim=True), b.floating(c, 2))


def search(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c, 2)
    name = c.one("argmax", "argmin", "argsort", "topk")
    if name in ("argmax", "argmin"):
        function = L.argmax if name == "argmax" else L.argmin
        b.call(name, lambda x: function(x, -1), x)
    elif name == "argsort":
        b.call(name, lambda x: L.argsort(x, -1), x)
    else:
        k = c.int(1, max(1, min(3, x.shape[-1])))
        b.call(f"topk {k}", lambda x: L.topk(x, k), x)
