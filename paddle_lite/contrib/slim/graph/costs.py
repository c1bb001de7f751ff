"""How many operations the operators of a graph take, as PaddlePaddle 1.8.5 counts them."""

from __future__ import annotations

from typing import Any

import numpy as np

COUNTED = ("conv2d", "depthwise_conv2d", "pool2d", "mul", "sigmoid", "relu", "batch_norm")
"""Types of operators that are counted."""


def flops_of(op: Any) -> float:
    """Return how many operations an operator of one of the types COUNTED takes."""
    if "conv2d" in op.type():
        filters, output = op.inputs("Filter")[0].shape(), op.outputs("Output")[0].shape()
        return 2.0 * abs(int(np.prod(output[1:]))) * int(np.prod(filters[1:])) / op.attr("groups")
    if op.type() == "pool2d":
        return abs(int(np.prod(op.outputs("Out")[0].shape()[1:]))) * int(op.attr("ksize")[0]) ** 2
    if op.type() == "mul":
        x, y = op.inputs("X")[0].shape(), op.inputs("Y")[0].shape()
        return 2 * abs(int(x[0])) * int(x[1]) * int(y[1])
    of = op.inputs("X")[0].shape()
    return int(np.prod([1 if size == -1 else size for size in of]))
