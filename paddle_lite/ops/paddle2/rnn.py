"""The recurrent layers of Paddle 2 (SimpleRNN, LSTM, GRU) as the operator rnn, of which exported models are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ...kernels.stacked_layers import KEPT, Sizes, dropout_scales
from ..framework.spec import Declaration, Grad, op
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


def _inside_lstm(xp: Any, given: Any, handed: Any, c: Any) -> tuple[Any, Any]:
    i, f, g, o = xp.split(given + handed, 4, axis=1)
    i, f, g, o = sigmoid(xp, i), sigmoid(xp, f), xp.tanh(g), sigmoid(xp, o)
    return xp.tanh(f * c + i * g), xp.concatenate((i, f, g, o), axis=1)


def _inside_gru(xp: Any, given: Any, handed: Any, c: Any) -> tuple[Any, Any]:
    (r, z, n), (hr, hz, hn) = xp.split(given, 3, axis=1), xp.split(handed, 3, axis=1)
    r, z = sigmoid(xp, r + hr), sigmoid(xp, z + hz)
    return hn, xp.concatenate((r, z, xp.tanh(n + r * hn)), axis=1)


INSIDE = {"LSTM": _inside_lstm, "GRU": _inside_gru}
"""Mode -> the function of what a step computes besides its states that the gradient reads, as KEPT says."""


def _lstm_back(xp: Any, given: Any, handed: Any, h: Any, c: Any, dh: Any, dc: Any) -> tuple[Any, Any, Any, Any]:
    i, f, g, o = xp.split(given + handed, 4, axis=1)
    i, f, g, o = sigmoid(xp, i), sigmoid(xp, f), xp.tanh(g), sigmoid(xp, o)
    squashed = xp.tanh(f * c + i * g)
    dc = dc + dh * o * (1 - squashed * squashed)
    parts = (dc * g * i * (1 - i), dc * c * f * (1 - f), dc * i * (1 - g * g), dh * squashed * o * (1 - o))
    dgates = xp.concatenate(parts, axis=1)
    return dgates, dgates, xp.zeros_like(h), dc * f


def _gru_back(xp: Any, given: Any, handed: Any, h: Any, c: Any, dh: Any, dc: Any) -> tuple[Any, Any, Any, Any]:
    (r, z, n), (hr, hz, hn) = xp.split(given, 3, axis=1), xp.split(handed, 3, axis=1)
    r, z = sigmoid(xp, r + hr), sigmoid(xp, z + hz)
    new = xp.tanh(n + r * hn)
    dn = dh * (1 - z) * (1 - new * new)
    dr, dz = dn * hn * r * (1 - r), dh * (h - new) * z * (1 - z)
    return xp.concatenate((dr, dz, dn), axis=1), xp.concatenate((dr, dz, dn * r), axis=1), dh * z, dc


def _tanh_back(xp: Any, given: Any, handed: Any, h: Any, c: Any, dh: Any, dc: Any) -> tuple[Any, Any, Any, Any]:
    new = xp.tanh(given + handed)
    dgates = dh * (1 - new * new)
    return dgates, dgates, xp.zeros_like(h), dc


def _relu_back(xp: Any, given: Any, handed: Any, h: Any, c: Any, dh: Any, dc: Any) -> tuple[Any, Any, Any, Any]:
    dgates = xp.where(given + handed > 0, dh, 0)
    return dgates, dgates, xp.zeros_like(h), dc


BACK: dict[str, Callable[..., tuple[Any, Any, Any, Any]]] = {
    "LSTM": _lstm_back, "GRU": _gru_back, "RNN_TANH": _tanh_back, "RNN_RELU": _relu_back,
}  # fmt: skip
"""Mode -> the gradient of one step, with respect to what the input gives, what the state gives, the state itself, the cell."""


class _Pass:
    """One layer in one direction, which keeps what its gradient reads.

    out: its outputs, zeros behind the end of a sequence.
    h, c: the last state and cell.
    """

    def __init__(
        self, xp: Any, x: Any, weights: Sequence[Any], h: Any, c: Any, alive: Any, mode: str, reverse: bool
    ) -> None:
        self.xp, self.x, self.weights, self.alive, self.mode = xp, x, weights, alive, mode
        self.order = range(len(x) - 1, -1, -1) if reverse else range(len(x))
        of_input, of_state, input_bias, state_bias = weights
        self.given = x @ of_input.T + input_bias
        self.out = xp.zeros((*x.shape[:2], h.shape[1]), x.dtype)
        self.before: list[tuple[Any, Any, Any]] = []  # of each step: what the state gives, the state, the cell
        for t in self.order:
            handed = h @ of_state.T + state_bias
            self.before.append((handed, h, c))
            new_h, new_c = STEPS[mode](xp, self.given[t], handed, h, c)
            if alive is not None:
                new_h, new_c = xp.where(alive[t], new_h, h), xp.where(alive[t], new_c, c)
                self.out[t] = xp.where(alive[t], new_h, 0)
            else:
                self.out[t] = new_h
            h, c = new_h, new_c
        self.h, self.c = h, c

    def kept(self) -> Iterator[Any]:
        """Yield what KEPT says of all steps, zeros behind the end of a sequence but for states and cells."""
        later = [*self.before[1:], (None, self.h, self.c)] if self.before else []
        yield self._ordered([h for _, h, _ in later])
        if self.mode == "LSTM":
            yield self._ordered([c for _, _, c in later])
        if self.mode in INSIDE and self.before:
            steps = zip(self.order, self.before, strict=True)
            inside = [INSIDE[self.mode](self.xp, self.given[t], handed, c) for t, (handed, _, c) in steps]
            for each in map(self._ordered, zip(*inside, strict=True)):
                yield each if self.alive is None else self.xp.where(self.alive, each, 0)

    def _ordered(self, steps: Sequence[Any]) -> Any:
        """Return an array of what was computed step by step."""
        if not steps:
            return self.out
        found = self.xp.empty((len(steps), *steps[0].shape), self.out.dtype)
        for t, each in zip(self.order, steps, strict=True):
            found[t] = each
        return found

    def back(self, dout: Any, dh: Any, dc: Any) -> tuple[Any, list[Any], Any, Any]:
        """Return the gradients of the input, of the weights, and of the first state and cell."""
        xp, (of_input, of_state, *_) = self.xp, self.weights
        dgiven, dhanded = xp.zeros_like(self.given), xp.zeros_like(self.given)
        states = xp.stack([h for _, h, _ in self.before]) if self.before else self.out
        for n, t in reversed([*enumerate(self.order)]):
            handed, h, c = self.before[n]
            one = (dh + dout[t], dc)
            dead_h, dead_c = dh, dc
            dgiven[t], dhanded[n], dh, dc = BACK[self.mode](xp, self.given[t], handed, h, c, *one)
            dh = dh + dhanded[n] @ of_state
            if self.alive is not None:
                alive = self.alive[t]
                dgiven[t], dhanded[n] = xp.where(alive, dgiven[t], 0), xp.where(alive, dhanded[n], 0)
                dh, dc = xp.where(alive, dh, dead_h), xp.where(alive, dc, dead_c)
        width = dgiven.shape[2]
        flat, into = dgiven.reshape(-1, width), dhanded.reshape(-1, width)
        weights = [flat.T @ self.x.reshape(-1, self.x.shape[2]), into.T @ states.reshape(-1, states.shape[2])]
        return dgiven @ of_input, [*weights, flat.sum(axis=0), into.sum(axis=0)], dh, dc


def _run(
    xp: Any,
    x: Any,
    first: Sequence[Any],
    given: Sequence[Any],
    lengths: Any,
    mode: str,
    sizes: Sizes,
    scales: Sequence[Any],
) -> tuple[Any, list[list[_Pass]]]:
    """Run all layers, each on its inputs times its `scales`; return the outputs of the last one, and of each its passes."""
    ways = sizes.ways
    matrices, biases = given[: 2 * sizes.layers * ways], given[2 * sizes.layers * ways :]
    alive = None
    if lengths is not None:
        alive = (xp.arange(len(x))[:, None] < lengths[None, :])[:, :, None]
    passes: list[list[_Pass]] = []
    for layer in range(sizes.layers):
        ran, x = [], x * scales[layer]
        for way in range(ways):
            k = layer * ways + way
            weights = [*matrices[2 * k : 2 * k + 2], *biases[2 * k : 2 * k + 2]]
            ran.append(_Pass(xp, x, weights, first[0][k], first[-1][k], alive, mode, bool(way)))
        passes.append(ran)
        x = xp.concatenate([one.out for one in ran], axis=2)
    return x, passes


def _check_numbers(mode: str, dropout_prob: float, **sizes: int) -> None:
    """Raise unless the attributes are those of layers that can run."""
    where = "rnn"
    if mode not in GATES:
        raise ArgumentValueError(message(where, "attribute 'mode'", repr(mode), f"one of {', '.join(GATES)}"))
    for name, value in sizes.items():
        if value < 1:
            raise ArgumentValueError(message(where, f"attribute {name!r}", value, "1 or more"))
    if not 0 <= dropout_prob <= 1:
        raise ArgumentValueError(message(where, "attribute 'dropout_prob'", dropout_prob, "0 to 1"))


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
    last states of all layers. In training, dropout is applied between layers. Reserve is what the layers keep of all
    steps for the gradient; it is empty in tests, where the gradient computes the states anew.
    DropoutState, which PaddlePaddle keeps for gradients, has no value.
    """

    def infer(
        Input, PreState, WeightList, SequenceLength,
        *, dropout_prob, is_bidirec, input_size, hidden_size, num_layers, mode, is_test, **_,
    ):  # fmt: skip
        where = "rnn"
        _check_numbers(mode, dropout_prob, input_size=input_size, hidden_size=hidden_size, num_layers=num_layers)
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
        states = num_layers * ways * hidden_size * prod(Input.shape[:2]) if min(Input.shape[:2]) >= 0 else UNKNOWN
        kept = 0 if is_test else states * sum(KEPT[mode]) if states >= 0 else UNKNOWN
        reserve = Meta((kept,), Input.dtype)
        return out, None, [Meta(state, Input.dtype)] * count, reserve

    def reference(
        xp, Input, PreState, WeightList, SequenceLength=None,
        *, dropout_prob, is_bidirec, input_size, hidden_size, num_layers, mode, is_test, seed,
    ):  # fmt: skip
        sizes = Sizes(input_size, hidden_size, num_layers, 2 if is_bidirec else 1)
        scales = dropout_scales(xp, Input, WeightList[0], sizes, dropout_prob, is_test, seed)
        out, passes = _run(xp, Input, PreState, WeightList, SequenceLength, mode, sizes, scales)
        names = ("h", "c") if mode == "LSTM" else ("h",)
        states = [xp.stack([getattr(one, name) for ran in passes for one in ran]) for name in names]
        kept = [] if is_test else [part.reshape(-1) for ran in passes for one in ran for part in one.kept()]
        return out, None, states, xp.concatenate(kept) if kept else xp.zeros(0, Input.dtype)

    def gradient(
        xp, Input, PreState, WeightList, SequenceLength, Reserve, dOut, dState,
        *, dropout_prob, is_bidirec, input_size, hidden_size, num_layers, mode, is_test, seed, need=(True,),
    ):  # fmt: skip
        ways = 2 if is_bidirec else 1
        sizes = Sizes(input_size, hidden_size, num_layers, ways)
        scales = dropout_scales(xp, Input, WeightList[0], sizes, dropout_prob, is_test, seed)
        _, passes = _run(xp, Input, PreState, WeightList, SequenceLength, mode, sizes, scales)
        matrices = [None] * (2 * num_layers * ways)
        biases = [None] * (2 * num_layers * ways)
        states = [xp.empty_like(each) for each in PreState]
        dx = dOut
        for layer in reversed(range(num_layers)):
            douts, dx = xp.split(dx, ways, axis=2), 0
            for way, one in enumerate(passes[layer]):
                k = layer * ways + way
                into, weights, dh, dc = one.back(douts[way], dState[0][k], dState[-1][k])
                dx = dx + into
                matrices[2 * k : 2 * k + 2], biases[2 * k : 2 * k + 2] = weights[:2], weights[2:]
                states[-1][k] = dc
                states[0][k] = dh
            dx = dx * scales[layer]
        return dx, states, [*matrices, *biases]

    grad = Grad(
        "Input PreState* WeightList* SequenceLength? Reserve? Out@GRAD State@GRAD",
        "Input@GRAD PreState@GRAD WeightList@GRAD",
        gradient,
    )
