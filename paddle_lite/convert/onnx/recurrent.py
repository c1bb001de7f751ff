"""Long short-term memories and gated recurrent units: over sequences of several lengths, over dense batches, one step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..stacks import Stack, stack_of
from .call import OnnxCall, converts
from .sequences import one_level, padded, unpadded

ACTIVATIONS = {"sigmoid": "Sigmoid", "tanh": "Tanh", "relu": "Relu"}
NUMBERED = {0: "identity", 1: "sigmoid", 2: "tanh", 3: "relu"}


def blocks_of(call: OnnxCall, slot: str, order: list[int], parts: int) -> np.ndarray:
    """Return a weight [n, parts * D], its blocks of columns in another order, transposed to [parts * D, n]."""
    array = call.known(slot)
    call.need(array is not None, f"{slot} is computed")
    columns = np.split(np.asarray(array), parts, axis=-1)
    return np.ascontiguousarray(np.concatenate([columns[k] for k in order], axis=-1).T)


def selection(size: int, order: list[int], signs: list[float], dtype: np.dtype) -> np.ndarray:
    """Return the matrix [parts * size, parts * size] that puts blocks of gates into another order, with signs."""
    one = np.eye(size, dtype=dtype)
    blocks = [
        [one * s if k == into else 0 * one for k in range(len(order))] for into, s in zip(order, signs, strict=True)
    ]
    return np.block(blocks)


def activations(call: OnnxCall, names: list[str]) -> list[str]:
    """Return the activations by ONNX's names."""
    for name in names:
        call.need(name in ACTIVATIONS, f"its activation {name} is not one of {', '.join(ACTIVATIONS)}")
    return [ACTIVATIONS[name] for name in names]


def state(call: OnnxCall, slot: str) -> str:
    """Return a first state as ONNX wants it: [1, N, D]; "" for zeros."""
    return call.node("Unsqueeze", call.x(slot), call.ints(0)) if call.has(slot) else ""


def over_sequences(call: OnnxCall, type: str, weights: list[str], states: list[str], **attrs) -> None:  # type: ignore[no-untyped-def]
    """Run ONNX's recurrence over the sequences of Input, side by side, and set Hidden."""
    lengths = one_level(call, "Input")
    side = padded(call, call.x("Input"), lengths)
    count = call.cast(lengths, np.int32)
    attrs["direction"] = "reverse" if call.attr("is_reverse") else "forward"
    y = call.node(type, side.value, *weights, count, *states, **attrs)
    y = call.node("Squeeze", y, call.ints(1))
    call.out_sequences(unpadded(call, y, side.inside, 3), lengths, "Hidden")


@converts("lstm")
def lstm(call: OnnxCall) -> None:
    """Convert gates in the order candidate, input, forgetting, output; ONNX has input, output, forgetting, candidate."""
    call.need(not call.used("Cell"), "its cells are read, which ONNX's LSTM gives of the last step only")
    size, dtype = call.shape("Weight")[0], call.dtype("Weight")
    order = [1, 3, 2, 0]
    bias = call.known("Bias")
    call.need(bias is not None, "Bias is computed")
    flat = np.asarray(bias).reshape(-1)
    gates = np.concatenate([flat[k * size : (k + 1) * size] for k in order])
    select = selection(size, order, [1.0] * 4, dtype)
    weights = [
        call.constant(select[None], dtype),
        call.constant(blocks_of(call, "Weight", order, 4)[None], dtype),
        call.constant(np.concatenate([gates, 0 * gates])[None], dtype),
    ]
    peepholes = ""
    if call.attr("use_peepholes"):
        parts = [flat[(4 + k) * size : (5 + k) * size] for k in (0, 2, 1)]
        peepholes = call.constant(np.concatenate(parts)[None], dtype)
    names = [call.attr(f"{part}_activation") for part in ("gate", "candidate", "cell")]
    states = [state(call, "H0"), state(call, "C0"), peepholes]
    over_sequences(call, "LSTM", weights, states, hidden_size=size, activations=activations(call, names))


@converts("gru")
def gru(call: OnnxCall) -> None:
    """Convert the gates update, reset and candidate, as in ONNX, where the update gate keeps the state; here it replaces it."""
    size, dtype = call.shape("Weight")[0], call.dtype("Weight")
    names = [call.attr("gate_activation"), call.attr("activation")]
    sign = 1.0
    if not call.attr("origin_mode"):
        call.need(names[0] == "sigmoid", "its gates are no sigmoids")
        sign = -1.0  # 1 - sigmoid(x) is sigmoid(-x)
    signs = [sign, 1.0, 1.0]
    scale = np.repeat(np.asarray(signs, dtype), size)
    held = call.known("Weight")
    call.need(held is not None, "Weight is computed")
    flat = np.asarray(held).reshape(-1)  # [D, 2 * D] of the gates, then [D, D] of the candidate
    parts = [flat[: 2 * size * size].reshape(size, 2 * size), flat[2 * size * size :].reshape(size, size)]
    recurrent = np.concatenate([part.T for part in parts]) * scale[:, None]
    bias = np.zeros(3 * size, dtype)
    if call.has("Bias"):
        known = call.known("Bias")
        call.need(known is not None, "Bias is computed")
        bias = np.asarray(known).reshape(-1) * scale
    weights = [
        call.constant(selection(size, [0, 1, 2], signs, dtype)[None], dtype),
        call.constant(recurrent[None], dtype),
        call.constant(np.concatenate([bias, 0 * bias])[None], dtype),
    ]
    over_sequences(call, "GRU", weights, [state(call, "H0")], hidden_size=size, activations=activations(call, names))


# --- one step -----------------------------------------------------------------------------------------------------------


def activated(call: OnnxCall, value: str, number: int) -> str:
    """Return an activation by its number."""
    name = NUMBERED[int(number)]
    return value if name == "identity" else call.node(ACTIVATIONS[name], value)


@converts("gru_unit")
def gru_unit(call: OnnxCall) -> None:
    """Convert one step of a gated recurrent unit."""
    size = call.shape("HiddenPrev")[1]
    before, gates, weight = call.x("HiddenPrev"), call.x("Input"), call.x("Weight")
    if call.has("Bias"):
        gates = call.node("Add", gates, call.reshape(call.x("Bias"), 1, -1))
    flat = call.reshape(weight, -1)
    parts = call.nodes("Split", 2, flat, call.ints(2 * size * size, size * size), axis=0)
    to_gates, to_candidate = call.reshape(parts[0], size, 2 * size), call.reshape(parts[1], size, size)
    both, candidate = call.nodes("Split", 2, gates, call.ints(2 * size, size), axis=1)
    both = activated(call, call.node("Add", both, call.node("MatMul", before, to_gates)), call.attr("gate_activation"))
    update, reset = call.nodes("Split", 2, both, call.ints(size, size), axis=1)
    kept = call.node("Mul", reset, before)
    candidate = call.node("Add", candidate, call.node("MatMul", kept, to_candidate))
    candidate = activated(call, candidate, call.attr("activation"))
    old, new = (candidate, before) if call.attr("origin_mode") else (before, candidate)
    hidden = call.node("Add", old, call.node("Mul", update, call.node("Sub", new, old)))
    call.out(call.node("Concat", update, reset, candidate, axis=1), "Gate")
    call.out(kept, "ResetHiddenPrev")
    call.out(hidden, "Hidden")


@converts("lstm_unit")
def lstm_unit(call: OnnxCall) -> None:
    """Convert one step of a long short-term memory: gates of input, forgetting and output, then the candidate."""
    size = call.shape("C_prev")[1]
    i, f, o, g = call.nodes("Split", 4, call.x(), call.ints(*[size] * 4), axis=1)
    forget = call.node("Sigmoid", call.node("Add", f, call.like(call.attr("forget_bias"))))
    new = call.node("Mul", call.node("Sigmoid", i), call.node("Tanh", g))
    cell = call.node("Add", call.node("Mul", forget, call.x("C_prev")), new)
    call.out(cell, "C")
    call.out(call.node("Mul", call.node("Sigmoid", o), call.node("Tanh", cell)), "H")


# --- dense batches ------------------------------------------------------------------------------------------------------

ORDER = {"LSTM": [0, 3, 1, 2], "GRU": [1, 0, 2], "RNN_TANH": [0], "RNN_RELU": [0]}
"""Where ONNX's gates are: input, output, forget, candidate; update, reset, candidate."""


def _gates(array: np.ndarray, mode: str) -> np.ndarray:
    """Return a weight with its gates in ONNX's order."""
    parts = np.split(array, len(ORDER[mode]), axis=0)
    return np.concatenate([parts[k] for k in ORDER[mode]], axis=0)


@converts("cudnn_lstm", "rnn")
def stacked(call: OnnxCall) -> None:
    """Convert layers over padded sequences, one node of ONNX for each."""
    second = call.op.type == "rnn"
    names = call.names("WeightList") if second else call.names("W")
    stack = stack_of(call, [call.graph.root.known.get(call.value(name)) for name in names])
    states = call.xs("PreState") if second else [call.x("InitH"), call.x("InitC")]
    lengths = call.cast(call.x("SequenceLength"), np.int32) if second and call.has("SequenceLength") else ""
    x, lasts = call.x("Input"), []
    for layer in range(stack.layers):
        x, last = _layer(call, stack, layer, x, states, lengths)
        lasts.append(last)
    call.out(x)
    ends = [call.node("Concat", *column, axis=0) for column in zip(*lasts, strict=True)]
    for at, value in enumerate(ends):
        call.out(value, *(("State", at) if second else (("last_h", "last_c")[at], 0)))


def _layer(call: OnnxCall, stack: Stack, layer: int, x: str, states: list[str], lengths: str) -> tuple[str, list[str]]:
    """Return the outputs of a layer and its last states."""
    passes, mode = stack.passes[layer * stack.ways : (layer + 1) * stack.ways], stack.mode
    dtype = passes[0].of_input.dtype
    first, behind = call.ints(layer * stack.ways), call.ints((layer + 1) * stack.ways)
    inputs = [
        x, call.constant(np.stack([_gates(p.of_input, mode) for p in passes]), dtype),
        call.constant(np.stack([_gates(p.of_state, mode) for p in passes]), dtype),
        call.constant(np.stack([np.concatenate([_gates(b, mode) for b in p[2:]]) for p in passes]), dtype),
        lengths, *[call.node("Slice", state, first, behind, call.ints(0)) for state in states],
    ]  # fmt: skip
    attrs: dict[str, Any] = {"hidden_size": stack.size, "direction": "bidirectional" if stack.ways == 2 else "forward"}
    if mode == "GRU":
        attrs["linear_before_reset"] = 1
    elif mode.startswith("RNN"):
        attrs["activations"] = ["Tanh" if mode == "RNN_TANH" else "Relu"] * stack.ways
    found = call.nodes(mode.split("_")[0], 1 + len(states), *inputs, **attrs)
    return call.reshape(call.transpose(found[0], 0, 2, 1, 3), 0, 0, stack.ways * stack.size), found[1:]
