"""Losses."""

from __future__ import annotations

from typing import Any

from paddle_lite import fluid

from ..builder import Builder, Choices, itself

L = fluid.layers
WEIGHTS = {"classes": 3, "pairs": 2}


PAIRS = {
    "square_error_cost": L.square_error_cost, "sigmoid_cross_entropy": L.sigmoid_cross_entropy_with_logits,
    "smooth_l1": L.smooth_l1, "huber": lambda x, y: L.huber_loss(x, y, 0.7), "log_loss": L.log_loss,
}  # fmt: skip


def classes(b: Builder, c: Choices, _: Any) -> None:
    labels = b.pick(c, lambda v: 0 < v.high and v.dtype == "int64" and v.rank == 2 and v.shape[1] == 1)
    x = b.pick(c, lambda v: v.dtype == b.dtype and v.rank == 2 and v.rows == labels.rows and labels.high <= v.shape[1])
    if c.flag():
        b.call("softmax_with_cross_entropy", L.softmax_with_cross_entropy, x, labels)
    else:
        [x] = b.call("softmax", L.softmax, x, bends=True)
        b.call("cross_entropy", L.cross_entropy, x, labels)


def pairs(b: Builder, c: Choices, _: Any) -> None:
    x = b.floating(c, 2)
    alike = [y for y in b.values if (y.shape, y.dtype, y.rows) == (x.shape, x.dtype, x.rows)]
    y = c.one(*alike)
    name = c.one("square_error_cost", "sigmoid_cross_entropy", "smooth_l1", "huber", "log_loss", "mse")
    if name == "mse":
        b.call(name, L.mse_loss, x, y, rows="")
        return
    if name == "log_loss" and x.rank > 2:
        name = "huber"
    if name == "log_loss":
        x, y = (b.call("reduce_sum", lambda x: L.reduce_sum(x, -1, keep_dim=True), v)[0] for v in (x, y))
        [x] = b.call("sigmoid", L.sigmoid, x, bends=True)
    if name in ("log_loss", "sigmoid_cross_entropy"):
        [y] = b.call("sigmoid", L.sigmoid, y, bends=True)
    b.call(name, PAIRS[name], x, y, cancels=itself if name == "sigmoid_cross_entropy" else None)
