"""LSTM and GRU over ragged sequences, their weights as inputs."""

from __future__ import annotations

from typing import Any

from paddle_lite import fluid

from ..builder import Builder, Choices, Value, operator

L = fluid.layers
WEIGHTS = {"lstm": 2, "lstmp": 1, "gru": 2}
GATES = ("sigmoid", "tanh", "relu")


def projected(b: Builder, c: Choices, size: int) -> Value:
    """Words of so many numbers, by a product."""
    x = b.pick(c, lambda v: v.dtype == b.dtype and v.ragged == 1 and v.rank == 2 and 0 < v.shape[1] < 20)
    return b.call("mul", L.mul, x, b.parameter(x.shape[1], size))[0]


def gates_added(x: Any, gates: int) -> Any:
    """The sums of what belongs to one hidden number."""
    return L.reduce_sum(L.reshape(x, [-1, gates, 3]), 1)


def lstm(b: Builder, c: Choices, _: Any) -> None:
    x, peepholes = projected(b, c, 12), c.flag()
    attrs = {
        "use_peepholes": peepholes, "is_reverse": c.flag(), "gate_activation": c.one("sigmoid", *GATES),
        "cell_activation": c.one("tanh", *GATES), "candidate_activation": c.one("tanh", *GATES),
    }  # fmt: skip

    def run(x: Any, w: Any, bias: Any) -> Any:
        return operator("lstm")(x, None, None, w, L.reshape(bias, [1, -1]), **attrs)[:2]

    bias = b.parameter(21 if peepholes else 12)
    b.call(f"lstm {[*attrs.values()]}", run, x, b.parameter(3, 12), bias, bends=lambda x: gates_added(x, 4))


def lstmp(b: Builder, c: Choices, _: Any) -> None:
    x = projected(b, c, 12)
    attrs = {"use_peepholes": False, "is_reverse": c.flag(), "proj_activation": c.one("tanh", "identity")}

    def run(x: Any, w: Any, p: Any, bias: Any) -> Any:
        return operator("lstmp")(x, None, None, w, p, L.reshape(bias, [1, -1]), **attrs)[0]

    weights = b.parameter(2, 12), b.parameter(3, 2), b.parameter(12)
    b.call(f"lstmp {[*attrs.values()]}", run, x, *weights, bends=lambda x: L.reduce_sum(x, 1, keep_dim=True))


def gru(b: Builder, c: Choices, _: Any) -> None:
    x = projected(b, c, 9)
    attrs = {
        "is_reverse": c.flag(), "origin_mode": c.flag(), "gate_activation": c.one("sigmoid", *GATES),
        "activation": c.one("tanh", *GATES),
    }  # fmt: skip

    def run(x: Any, w: Any, bias: Any) -> Any:
        return operator("gru")(x, None, w, L.reshape(bias, [1, -1]), **attrs)[-1]

    b.call(f"gru {[*attrs.values()]}", run, x, b.parameter(3, 9), b.parameter(9), bends=lambda x: gates_added(x, 3))
