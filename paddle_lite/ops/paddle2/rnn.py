"""The recurrent layers of Paddle 2 (SimpleRNN, LSTM, GRU) as the operator rnn, of which exported models are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.spec import Declaration, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from ..support.sigmoid import sigmoid

GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}
"""Mode -> the number of gates, whose weights lie one after another."""


def _lstm(xp: Any, given: Any, handed: Any, h: Any, c: Any) -> tuple[Any, Any]:
    i, f, g, o = xp.split(given + handed, 4, axis=1)
    c = sigmoid(xp, f) * c + sigmoid(xp, i) * xp.tanh(g)
    return sigmoid(xp, o) * xp.tanh(c), c


def _gru(xp: Any, given: Any, handed: Any, h: Any, c: Any) -> tuple[Any, Any]:
    (r, z, n), (hr, hz, hn) = xp.split(given, 3, axis=1), xp.split(handed, 3, axis=1)
    new = xp.tanh(n + sigmoid(xp, r + hr) * hn)
    return (h - new) * sigmoid(xp, z + hz) + new, c


def _tanh(xp: Any, given: Any, handed: Any, h: Any, c: Any) -> tuple[Any, Any]:
    return xp.tanh(given + handed), c


def _relu(xp: Any, given: Any, handed: Any, h: Any, c: Any) -> tuple[Any, Any]:
    return xp.maximum(given + handed, 0), c


STEPS: dict[str, Callable[..., tuple[Any, Any]]] = {"LSTM": _lstm, "GRU": _gru, "RNN_TANH": _tanh, "RNN_RELU": _relu}
"""Mode -> the function of one step: (what the input gives, what the state gives, state, cell) -> (state, cell)."""


def _pass(
    xp: Any, x: Any, weights: Sequence[Any], h: Any, c: Any, alive: Any, mode: str, reverse: bool
) -> tuple[Any, Any, Any]:
    """Run one layer in one direction; return its outputs, zeros behind the end of a sequence, and the last state and cell."""
    of_input, of_state, input_bias, state_bias = weights
    given = x @ of_input.T + input_bias
    out = xp.zeros((*x.shape[:2], h.shape[1]), x.dtype)
    for t in range(len(x) - 1, -1, -1) if reverse else range(len(x)):
        new_h, new_c = STEPS[mode](xp, given[t], h @ of_state.T + state_bias, h, c)
        if alive is not None:
            new_h, new_c = xp.where(alive[t], new_h, h), xp.where(alive[t], new_c, c)
            out[t] = xp.where(alive[t], new_h, 0)
        else:
            out[t] = new_h
        h, c = new_h, new_c
    return out, h, c


def _check_numbers(mode: str, dropout_prob: float, is_test: bool, **sizes: int) -> None:
    """Raise unless the attributes are those of layers that can run."""
    where = "rnn"
    if mode not in GATES:
        raise ArgumentValueError(message(where, "attribute 'mode'", repr(mode), f"one of {', '.join(GATES)}"))
    for name, value in sizes.items():
        if value < 1:
            raise ArgumentValueError(message(where, f"attribute {name!r}", value, "1 or more"))
    if dropout_prob and not is_test:
        fix = "Export the model for inference, or take clone(for_test=True)."
        raise ArgumentValueError(message(where, "attribute 'dropout_prob'", dropout_prob, "0 in training", fix))


def _check_weights(weights: Sequence[Meta], gates: int, input_size: int, size: int, layers: int, ways: int) -> None:
    """Raise unless there are two matrices and two biases for each layer and direction, of these sizes."""
    passes = layers * ways
    if len(weights) != 4 * passes:
        needs = f"{4 * passes}: two matrices for each of {passes} passes, then two biases for each"
        raise ShapeError(message("rnn", "Input(WeightList)", f"{len(weights)} of them", needs))
    for k, weight in enumerate(weights[: 2 * passes]):
        width = size if k % 2 else (input_size if k < 2 * ways else size * ways)
        require_shape("rnn", f"WeightList[{k}]", weight, (gates * size, width))
    for k, bias in enumerate(weights[2 * passes :], 2 * passes):
        require_shape("rnn", f"WeightList[{k}]", bias, (gates * size,))


@op(
    "rnn",
    inputs="Input PreState* WeightList* SequenceLength?",
    outputs="Out DropoutState? State* Reserve~",
    attrs={
        "dropout_prob": 0.0, "is_bidirec": False, "input_size": 10, "hidden_size": 100, "num_layers": 1, "mode": "RNN_TANH",
        "seed": 0, "is_test": False,
    },
    lod=None,
)  # fmt: skip
class rnn(Declaration):
    """Run a stack of recurrent layers over sequences, each in one direction or in two.

    Input is [steps, N, input_size]. PreState are the initial states, [num_layers * directions, N, hidden_size]: h, and for LSTM
    c too. WeightList has for each layer and direction the matrices of the input and of the state, then in the same order
    the two biases of each. SequenceLength [N], int32 or int64, says how many steps each sequence has; all where it is missing.
    Out [steps, N, directions * hidden_size] are the states of the last layer, zeros behind the end of a sequence; State are the
    last states of all layers. DropoutState and Reserve, which PaddlePaddle keeps for gradients, have no value.
    """

    def infer(
        Input, PreState, WeightList, SequenceLength,
        *, dropout_prob, is_bidirec, input_size, hidden_size, num_layers, mode, is_test, **_,
    ):  # fmt: skip
        where = "rnn"
        _check_numbers(
            mode, dropout_prob, is_test, input_size=input_size, hidden_size=hidden_size, num_layers=num_layers
        )
        ways, count = 2 if is_bidirec else 1, 2 if mode == "LSTM" else 1
        require_shape(where, "Input", Input, (UNKNOWN, UNKNOWN, input_size))
        if len(PreState) != count:
            raise ShapeError(message(where, "Input(PreState)", f"{len(PreState)} of them", f"{count} for {mode}"))
        named = {f"PreState[{k}]": meta for k, meta in enumerate(PreState)}
        named.update({f"WeightList[{k}]": meta for k, meta in enumerate(WeightList)})
        require_floats(where, Input=Input, **named)
        state = (num_layers * ways, Input.shape[1], hidden_size)
        for k, meta in enumerate(PreState):
            require_shape(where, f"PreState[{k}]", meta, state)
        _check_weights(WeightList, GATES[mode], input_size, hidden_size, num_layers, ways)
        if SequenceLength is not None:
            if SequenceLength.dtype.kind != "i":
                require_dtype(where, "SequenceLength", SequenceLength, "int32")
            require_shape(where, "SequenceLength", SequenceLength, (Input.shape[1],))
        out = Meta((*Input.shape[:2], hidden_size * ways), Input.dtype)
        return out, None, [Meta(state, Input.dtype)] * count, None

    def reference(
        xp, Input, PreState, WeightList, SequenceLength=None,
        *, dropout_prob, is_bidirec, input_size, hidden_size, num_layers, mode, is_test, seed,
    ):  # fmt: skip
        ways = 2 if is_bidirec else 1
        matrices, biases = WeightList[: 2 * num_layers * ways], WeightList[2 * num_layers * ways :]
        alive = None
        if SequenceLength is not None:
            alive = (xp.arange(len(Input))[:, None] < SequenceLength[None, :])[:, :, None]
        x, last_h, last_c = Input, [], []
        for layer in range(num_layers):
            outs = []
            for way in range(ways):
                k = layer * ways + way
                weights = [*matrices[2 * k : 2 * k + 2], *biases[2 * k : 2 * k + 2]]
                out, h, c = _pass(xp, x, weights, PreState[0][k], PreState[-1][k], alive, mode, bool(way))
                outs.append(out)
                last_h.append(h)
                last_c.append(c)
            x = xp.concatenate(outs, axis=2)
        states = [xp.stack(last_h), xp.stack(last_c)] if mode == "LSTM" else [xp.stack(last_h)]
        return x, None, states, None
