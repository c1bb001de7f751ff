"""Which parameters lose slices where the filters of a convolution do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.errors import ArgumentValueError, message
from ..graph.wrapper import GraphWrapper, OpWrapper

CONVOLUTIONS = ("conv2d", "depthwise_conv2d")
KEPT = ("relu", "relu6", "leaky_relu", "sigmoid", "tanh", "swish", "hard_swish", "hard_sigmoid", "pool2d", "dropout", "scale",
        "prelu", "elu", "brelu", "lrn", "nearest_interp", "bilinear_interp", "pad2d", "affine_channel", "assign")  # fmt: skip
"""Operators whose results have the channels of their input."""
SUMS = ("elementwise_add", "elementwise_sub", "elementwise_mul", "sum")


class Channels:
    """Follows channels that are taken away from the result of a convolution through a graph.

    Arguments:
        graph: the GraphWrapper of the forward pass.

    Attributes:
        cuts: the name of a parameter -> {axis: the indices to take away}.
    """

    def __init__(self, graph: GraphWrapper) -> None:
        self.graph = graph
        self.ops = [op for op in graph.ops() if not op.is_bwd_op() and op.type() not in (*_UPDATES, "fill_constant")]
        self.cuts: dict[str, dict[int, Any]] = {}
        self._seen: dict[str, list[int]] = {}

    def cut(self, param: str, index: Sequence[int]) -> None:
        """Take filters away from the convolution of a parameter, and what follows from it.

        Raises:
            ArgumentValueError: no convolution reads the parameter, or an operator behind it cannot do without the channels.
        """
        users = [op for op in self.ops if op.type() in CONVOLUTIONS and op.inputs("Filter")[0].name() == param]
        if not users:
            raise ArgumentValueError(message("prune", "a parameter", param, "the filters of a convolution"))
        for op in users:
            self._produce(op, list(map(int, index)))

    def _mark(self, param: str, axis: int, index: Sequence[int]) -> None:
        self.cuts.setdefault(param, {}).setdefault(axis, np.asarray(sorted(index), "int64"))

    def _produce(self, op: OpWrapper, index: list[int]) -> None:
        """Take channels away from the result of a convolution, which has its filters for it."""
        filters = op.inputs("Filter")[0]
        self._mark(filters.name(), 0, index)
        bias = op._op.inputs.get("Bias") or []
        for name in bias:
            self._mark(name, 0, index)
        if _depthwise(op):
            self._back(op.inputs("Input")[0].name(), index)
        self._forward(op.outputs("Output")[0].name(), index)

    def _forward(self, name: str, index: list[int]) -> None:
        """Follow a Variable without some channels to its readers."""
        if name in self._seen:
            return
        self._seen[name] = index
        for op in self.ops:
            if name in op._op.input_arg_names:
                self._read(op, name, index)

    def _back(self, name: str, index: list[int]) -> None:
        """Take channels away from a Variable where it is computed."""
        if name in self._seen:
            return
        for op in self.ops:
            if name not in op._op.output_arg_names:
                continue
            if op.type() in CONVOLUTIONS:
                self._produce(op, index)
            elif op.type() in (*KEPT, *SUMS, "batch_norm"):
                for each in self._maps(op):
                    self._back(each, index)
                self._forward(name, index)
            else:
                fix = "Prune other parameters."
                needs = "a convolution, which can do without some channels"
                raise ArgumentValueError(message("prune", f"what computes {name}", op.type(), needs, fix))

    def _maps(self, op: OpWrapper) -> list[str]:
        """Return the inputs of an operator that are feature maps."""
        slots = ("X", "Y") if op.type() in SUMS else ("X", "Input")
        names = [n for slot in slots for n in op._op.inputs.get(slot) or []]
        return [n for n in names if not self.graph.is_parameter(self.graph.var(n))]

    def _read(self, op: OpWrapper, name: str, index: list[int]) -> None:
        kind = op.type()
        if kind in CONVOLUTIONS:
            if _depthwise(op):
                self._produce(op, index)
            else:
                self._mark(op.inputs("Filter")[0].name(), 1, index)
        elif kind in ("mul", "matmul"):
            self._read_by_product(op, name, index)
        elif kind == "batch_norm":
            for slot in ("Scale", "Bias", "Mean", "Variance"):
                self._mark(op.inputs(slot)[0].name(), 0, index)
            self._forward(op.outputs("Y")[0].name(), index)
        elif kind == "concat":
            self._read_by_concat(op, name, index)
        elif kind in SUMS:
            for each in [n for slot in ("X", "Y") for n in op._op.inputs.get(slot) or [] if n != name]:
                if self.graph.is_parameter(self.graph.var(each)):
                    self._mark(each, 0, index)
                else:
                    self._back(each, index)
            self._forward(op.outputs("Out")[0].name(), index)
        elif kind in KEPT:
            for param in op.all_inputs():
                if self.graph.is_parameter(param) and len(param.shape()) == 1 and param.shape()[0] > 1:
                    self._mark(param.name(), 0, index)
            for out in op._op.output("Out"):
                self._forward(out, index)

    def _read_by_product(self, op: OpWrapper, name: str, index: list[int]) -> None:
        """Mark what a product reads: all places of a channel, one after another."""
        weights, shape = op.inputs("Y")[0], self.graph.var(name).shape()
        places = int(np.prod(shape[2:]))
        self._mark(weights.name(), 0, [i * places + k for i in index for k in range(places)])

    def _read_by_concat(self, op: OpWrapper, name: str, index: list[int]) -> None:
        """Mark what a concatenation reads: channels of a part have other numbers in the whole; parts that have lost channels before stay so."""
        if op.attr("axis") not in (1, -3):
            return
        start, found = 0, []
        for part in op.inputs("X"):
            lost = index if part.name() == name else self._seen.get(part.name(), [])
            found += [start + i for i in lost]
            start += part.shape()[1]
        out = op.outputs("Out")[0].name()
        self._seen.pop(out, None)
        self._forward(out, found)


_UPDATES = ("momentum", "lars_momentum", "adagrad", "adam", "adamax", "dpsgd", "decayed_adagrad", "adadelta", "rmsprop", "sgd",
            "ftrl", "lamb")  # fmt: skip


def _depthwise(op: OpWrapper) -> bool:
    """Return whether each channel has a filter of its own."""
    groups = op.attr("groups")
    return groups > 1 and groups == op.inputs("Filter")[0].shape()[0] and op.inputs("Filter")[0].shape()[1] == 1


def accumulators_of(graph: GraphWrapper, param: str) -> list[str]:
    """Return the Variables in which the optimizer of a graph keeps something for each element of a parameter."""
    shape = graph.var(param).shape()
    found = []
    for op in graph.ops():
        if op.type() in _UPDATES and op._op.input("Param") == [param]:
            names = [
                v for v in op.all_inputs() if v.shape() == shape and v.name() not in (param, *op._op.input("Grad"))
            ]
            found += [v.name() for v in names if graph.is_persistable(v)]
    return found
