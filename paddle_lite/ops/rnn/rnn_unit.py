"""One step of recurrent networks: gru_unit and lstm_unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ...kernels.codegen.expression import number
from ..framework.call import Call
from ..framework.costs import RECURRENCE, PerElement
from ..framework.frame import Frame, placed
from ..framework.fusion import Builder, Parts, Rule, expression, is_float
from ..framework.spec import Declaration, Grad, op
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from ..support.sigmoid import sigmoid
from . import gru_composed

IDENTITY, SIGMOID, TANH, RELU = range(4)  # the codes of activations in gru_unit's attributes
ACTIVATIONS = {"identity": IDENTITY, "sigmoid": SIGMOID, "tanh": TANH, "relu": RELU}


def activated(xp: Any, x: Any, code: int) -> Any:
    """Apply an activation, given by its code."""
    if code == SIGMOID:
        return sigmoid(xp, x)
    if code == TANH:
        return xp.tanh(x)
    return xp.maximum(x, x.dtype.type(0)) if code == RELU else x


def slope(y: Any, code: int) -> Any:
    """Return the derivative of an activation, computed from its result."""
    if code == SIGMOID:
        return y * (1 - y)
    if code == TANH:
        return 1 - y * y
    return (y > 0).astype(y.dtype) if code == RELU else 1


def _per_gate(where: str, slot: str, X: Any, gates: int) -> int:
    """Return the size of the hidden state, of which X [N, gates * size] has `gates`."""
    if len(X.shape) != 2 or (X.shape[1] != UNKNOWN and (X.shape[1] < gates or X.shape[1] % gates)):
        needs = f"shape [N, {gates} * size], {gates} gates"
        raise ShapeError(message(where, f"Input({slot})", f"shape {list(X.shape)}", needs))
    return UNKNOWN if X.shape[1] == UNKNOWN else X.shape[1] // gates


def _either(a: int, b: int) -> int:
    return b if a == UNKNOWN else a


# --- GRU -----------------------------------------------------------------------------------------------------------------


def _gru_shapes(Input: Any, HiddenPrev: Any, Weight: Any, Bias: Any, codes: tuple[int, int]) -> tuple[int, int]:
    """Return (N, size); raise if the inputs do not fit."""
    where = "gru_unit"
    require_floats(where, Input=Input, HiddenPrev=HiddenPrev, Weight=Weight, **({} if Bias is None else {"Bias": Bias}))
    size = _per_gate(where, "Input", Input, 3)
    require_shape(where, "HiddenPrev", HiddenPrev, (Input.shape[0], size))
    size = _either(size, HiddenPrev.shape[1])
    require_shape(where, "Weight", Weight, (size, UNKNOWN if size == UNKNOWN else 3 * size))
    if Bias is not None:
        require_shape(where, "Bias", Bias, (1, UNKNOWN if size == UNKNOWN else 3 * size))
    for name, code in zip(("activation", "gate_activation"), codes, strict=True):
        if code not in ACTIVATIONS.values():
            needs = "0 (identity), 1 (sigmoid), 2 (tanh) or 3 (relu)"
            raise ArgumentValueError(message(where, f"attribute {name!r}", code, needs))
    return _either(Input.shape[0], HiddenPrev.shape[0]), size


def gru_blocks(Weight: Any) -> tuple[Any, Any]:
    """Return the weights of both gates, [size, 2 * size], and of the candidate, [size, size], stored one by one."""
    size, flat = Weight.shape[0], Weight.reshape(-1)
    return flat[: 2 * size * size].reshape(size, 2 * size), flat[2 * size * size :].reshape(size, size)


@op(
    "gru_unit",
    inputs="Input HiddenPrev Weight Bias?",
    outputs="Gate~ ResetHiddenPrev~ Hidden",
    attrs={"activation": TANH, "gate_activation": SIGMOID, "origin_mode": False},
    lod=None,
    flops=RECURRENCE,
    composed=gru_composed.step,
)
class gru_unit(Declaration):
    """Compute one step of a gated recurrent unit (Cho et al., 2014); Gate holds update u, reset r and candidate c.

    c is computed from the input and r * h. Hidden = (1 - u) * h + u * c, or u * h + (1 - u) * c in origin_mode.
    """

    def infer(Input, HiddenPrev, Weight, Bias, *, activation, gate_activation, **_):
        n, size = _gru_shapes(Input, HiddenPrev, Weight, Bias, (activation, gate_activation))
        gates = UNKNOWN if size == UNKNOWN else 3 * size
        dtype, shape = Input.dtype, (n, size)
        return Meta((n, gates), dtype), Meta(shape, dtype), Meta(shape, dtype)

    def reference(xp, Input, HiddenPrev, Weight, Bias, *, activation, gate_activation, origin_mode):
        size = HiddenPrev.shape[1]
        of_gates, of_candidate = gru_blocks(Weight)
        gate = Input.copy() if Bias is None else Input + Bias
        gate[:, : 2 * size] += HiddenPrev @ of_gates
        gate[:, : 2 * size] = activated(xp, gate[:, : 2 * size], gate_activation)
        u, r = gate[:, :size], gate[:, size : 2 * size]
        reset = r * HiddenPrev
        gate[:, 2 * size :] += reset @ of_candidate
        c = gate[:, 2 * size :] = activated(xp, gate[:, 2 * size :], activation)
        hidden = c + u * (HiddenPrev - c) if origin_mode else HiddenPrev + u * (c - HiddenPrev)
        return gate, reset, hidden

    def gradient(
        xp, Input, HiddenPrev, Weight, Bias, Gate, ResetHiddenPrev, dHidden, *, activation, gate_activation, origin_mode
    ):
        size = HiddenPrev.shape[1]
        of_gates, of_candidate = gru_blocks(Weight)
        u, r, c = Gate[:, :size], Gate[:, size : 2 * size], Gate[:, 2 * size :]
        of_c, of_h = (1 - u, u) if origin_mode else (u, 1 - u)
        sign = -1 if origin_mode else 1
        dgate = xp.empty_like(Gate)
        dgate[:, 2 * size :] = dHidden * of_c * slope(c, activation)
        dreset = dgate[:, 2 * size :] @ of_candidate.T
        dgate[:, :size] = sign * dHidden * (c - HiddenPrev) * slope(u, gate_activation)
        dgate[:, size : 2 * size] = dreset * HiddenPrev * slope(r, gate_activation)
        dhidden = dHidden * of_h + dreset * r + dgate[:, : 2 * size] @ of_gates.T
        blocks = (HiddenPrev.T @ dgate[:, : 2 * size], ResetHiddenPrev.T @ dgate[:, 2 * size :])
        dweight = xp.concatenate([block.reshape(-1) for block in blocks]).reshape(Weight.shape)
        return dgate, dhidden, dweight, None if Bias is None else dgate.sum(axis=0).reshape(Bias.shape)

    grad = Grad(
        "Input# HiddenPrev Weight Bias?# Gate ResetHiddenPrev Hidden@GRAD",
        "Input@GRAD HiddenPrev@GRAD Weight@GRAD Bias@GRAD",
        gradient,
        composed=gru_composed.step_back,
    )


# --- LSTM ----------------------------------------------------------------------------------------------------------------


def _lstm_parts(xp: Any, X: Any, forget_bias: float) -> tuple[Any, Any, Any, Any]:
    """Return the input, forget and output gate, and the candidate."""
    size = X.shape[1] // 4
    i, f, o, g = (X[:, k * size : (k + 1) * size] for k in range(4))
    return sigmoid(xp, i), sigmoid(xp, f + f.dtype.type(forget_bias)), sigmoid(xp, o), xp.tanh(g)


_CELL = "sigmoid(f + bias) * c + sigmoid(i) * tanh(g)"
_GRADIENT = "(dc + dh * sigmoid(o) * (1 - tanh(new) * tanh(new)))"
_FORWARD = {"C": [_CELL], "H": [f"sigmoid(o) * tanh({_CELL})"]}
_BACKWARD = {
    "X@GRAD": [
        f"{_GRADIENT} * tanh(g) * sigmoid(i) * (1 - sigmoid(i))",
        f"{_GRADIENT} * c * sigmoid(f + bias) * (1 - sigmoid(f + bias))",
        "dh * tanh(new) * sigmoid(o) * (1 - sigmoid(o))",
        f"{_GRADIENT} * sigmoid(i) * (1 - tanh(g) * tanh(g))",
    ],
    "C_prev@GRAD": [f"{_GRADIENT} * sigmoid(f + bias)"],
}


def _of_gates(texts: Mapping[str, Sequence[str]], **slots: str) -> Rule:
    """Return the rule of an operator of the gates X, by output slot the expressions of its parts; slots: by name in these."""

    def frame(call: Call) -> Frame | None:
        x, c = call.one("X"), call.one("C_prev")
        if x is None or c is None or c.dtype is None or not is_float(c) or len(c.shape) != 2:
            return None
        if c.shape[1] < 2 or x.shape[1] != 4 * c.shape[1] or any(call.one(slot) is None for slot in slots.values()):
            return None
        return Frame(c.shape, c.dtype, 1)

    def build(call: Call, builder: Builder) -> None:
        def read(slot: str) -> Parts:
            value = call.one(slot)
            assert value is not None
            return builder.read(value, placed(builder.frame, value.shape, value.shape))

        rows = {name: read(slot) for name, slot in slots.items()}
        whole, count = read("X"), len(rows["c"])
        gates = {gate: whole[k * count : (k + 1) * count] for k, gate in enumerate("ifog")}
        bias = number(float(call.attrs["forget_bias"]))
        for slot, parts in texts.items():
            value = call.out(slot)
            if value is None:
                continue
            made = [
                expression(text, bias=bias, **{name: nodes[n] for name, nodes in {**rows, **gates}.items()})
                for text in parts
                for n in range(count)
            ]
            builder.write(value, placed(builder.frame, value.shape, value.shape), made)

    return Rule(frame, build)


@op(
    "lstm_unit",
    inputs="X C_prev",
    outputs="C H",
    attrs={"forget_bias": 0.0},
    lod=None,
    flops=PerElement(6),
    fuses=_of_gates(_FORWARD, c="C_prev"),
)
class lstm_unit(Declaration):
    """Compute one step of a long short-term memory (Hochreiter and Schmidhuber, 1997) from its gates X = [i, f, o, g].

    C = sigmoid(f + forget_bias) * C_prev + sigmoid(i) * tanh(g), H = sigmoid(o) * tanh(C).
    """

    def infer(X, C_prev, **_):
        require_floats("lstm_unit", X=X, C_prev=C_prev)
        size = _per_gate("lstm_unit", "X", X, 4)
        require_shape("lstm_unit", "C_prev", C_prev, (X.shape[0], size))
        shape = (_either(X.shape[0], C_prev.shape[0]), _either(size, C_prev.shape[1]))
        return Meta(shape, X.dtype), Meta(shape, X.dtype)

    def reference(xp, X, C_prev, *, forget_bias):
        i, f, o, g = _lstm_parts(xp, X, forget_bias)
        c = f * C_prev + i * g
        return c, o * xp.tanh(c)

    def gradient(xp, X, C_prev, C, dC, dH, *, forget_bias):
        i, f, o, g = _lstm_parts(xp, X, forget_bias)
        t = xp.tanh(C)
        dc = dC + dH * o * (1 - t * t)
        parts = [dc * g * i * (1 - i), dc * C_prev * f * (1 - f), dH * t * o * (1 - o), dc * i * (1 - g * g)]
        return xp.concatenate(parts, axis=1), dc * f

    grad = Grad(
        "X C_prev C C@GRAD H@GRAD", "X@GRAD C_prev@GRAD", gradient, flops=PerElement(8),
        fuses=_of_gates(_BACKWARD, c="C_prev", new="C", dc="C@GRAD", dh="H@GRAD"),
    )  # fmt: skip
