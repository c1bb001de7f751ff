"""Long short-term memory in several layers over sequences of one length, with all weights in one vector."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...kernels.stacked_layers import Sizes, dropout_scales, split_weights
from ..framework.call import Call
from ..framework.costs import Amount, Product, multiply_adds
from ..framework.spec import Declaration, Grad, op
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from ..support.sigmoid import sigmoid


def _steps(count: int, way: int) -> range:
    return range(count - 1, -1, -1) if way else range(count)


def _scan(xp: Any, x: Any, h: Any, c: Any, weights: Any, way: int) -> tuple[Any, Any, Any, Any]:
    """Return (hidden states, cells [T + 1, N, H], initial ones first, activated gates, activated cells) of one pass."""
    of_input, of_state, biases = weights
    size, gates = h.shape[1], x @ of_input.T + biases[0] + biases[1]
    hidden, cells = (xp.empty((len(x) + 1, *h.shape), x.dtype) for _ in range(2))
    squashed = xp.empty((len(x), *h.shape), x.dtype)
    hidden[0], cells[0] = h, c
    for n, t in enumerate(_steps(len(x), way)):
        gates[t] += hidden[n] @ of_state.T
        i, f, g, o = (gates[t, :, k * size : (k + 1) * size] for k in range(4))
        i[:], f[:], g[:], o[:] = sigmoid(xp, i), sigmoid(xp, f), xp.tanh(g), sigmoid(xp, o)
        cells[n + 1] = f * cells[n] + i * g
        squashed[t] = xp.tanh(cells[n + 1])
        hidden[n + 1] = o * squashed[t]
    return hidden, cells, gates, squashed


def _scan_back(xp: Any, traced: Any, weights: Any, way: int, dout: Any, dh: Any, dc: Any) -> tuple[Any, Any, Any]:
    """Return the gradients of the gates before activation, of the first hidden state and of the first cell."""
    hidden, cells, gates, squashed = traced
    size, dgates = hidden.shape[2], xp.empty(gates.shape, gates.dtype)
    for n, t in reversed([*enumerate(_steps(len(dout), way))]):
        i, f, g, o = (gates[t, :, k * size : (k + 1) * size] for k in range(4))
        dh = dh + dout[t]
        dc = dc + dh * o * (1 - squashed[t] * squashed[t])
        parts = (
            dc * g * i * (1 - i),
            dc * cells[n] * f * (1 - f),
            dc * i * (1 - g * g),
            dh * squashed[t] * o * (1 - o),
        )
        dgates[t] = xp.concatenate(parts, axis=1)
        dc, dh = dc * f, dgates[t] @ weights[1]
    return dgates, dh, dc


def _trace(xp: Any, Input: Any, InitH: Any, InitC: Any, W: Any, sizes: Sizes, scales: list[Any]) -> tuple[list, list]:
    """Return (the input of each layer, the results of each pass)."""
    inputs, traced, x, weights = [], [], Input, split_weights(W, sizes)
    for layer in range(sizes.layers):
        inputs.append(x * scales[layer])
        for way in range(sizes.ways):
            k = layer * sizes.ways + way
            traced.append(_scan(xp, inputs[-1], InitH[k], InitC[k], weights[k], way))
        outs = [one[0][1:] for one in traced[-sizes.ways :]]
        x = xp.concatenate([out[::-1] if way else out for way, out in enumerate(outs)], axis=2)
    return [*inputs, x], traced


def _flops(call: Call) -> Amount | None:
    """Count the products: each number of the weights takes part in every word."""
    weight, words = call.one("W"), call.one("Input")
    return None if words is None else multiply_adds(weight, *words.shape[:2])


def drops_nothing(call: Call) -> bool:
    """Return whether there is no dropout between layers, whose masks the host draws."""
    return call.attrs["is_test"] or call.attrs["dropout_prob"] == 0 or call.attrs["num_layers"] == 1


@op(
    "cudnn_lstm",
    inputs="Input InitH InitC W Cache?",
    outputs="Out last_h last_c",
    attrs={
        "max_len": 20, "dropout_prob": 0.0, "is_bidirec": False, "input_size": 10, "hidden_size": 100, "num_layers": 1,
        "is_test": False, "seed": -1,
    },
    lod=None,
    flops=Product("Input W", _flops), captured=drops_nothing, any_sizes=True,
)  # fmt: skip
class cudnn_lstm(Declaration):
    """Run a stack of LSTM layers over sequences of equal length (1.8.5 has it on a GPU only).

    Input is [steps, N, input_size]. InitH and InitC [num_layers * directions, N, H] are the initial states; there are 2
    directions if `is_bidirec`. W holds all weights, see `split_weights`. i, f, o = sigmoid(..), g = tanh(..),
    c = f c' + i g, h = o tanh(c), where .. is x Wx + bx + h' Wh + bh. In training, dropout is applied between layers.
    Out [steps, N, H * directions] is h of the last layer; last_h and last_c are the final states of all layers.
    """

    def infer(Input, InitH, InitC, W, Cache, *, dropout_prob, is_bidirec, input_size, hidden_size, num_layers, **_):
        where = "cudnn_lstm"
        require_floats(where, Input=Input, InitH=InitH, InitC=InitC, W=W)
        for name, value in (("input_size", input_size), ("hidden_size", hidden_size), ("num_layers", num_layers)):
            if value < 1:
                raise ArgumentValueError(message(where, f"attribute {name!r}", value, "1 or more"))
        if not 0 <= dropout_prob <= 1:
            raise ArgumentValueError(message(where, "attribute 'dropout_prob'", dropout_prob, "0 to 1"))
        sizes = Sizes(input_size, hidden_size, num_layers, 2 if is_bidirec else 1)
        require_shape(where, "Input", Input, (UNKNOWN, UNKNOWN, input_size))
        state = (num_layers * sizes.ways, Input.shape[1], hidden_size)
        require_shape(where, "InitH", InitH, state)
        require_shape(where, "InitC", InitC, state)
        require_shape(where, "W", W, (sizes.weights,))
        last = Meta(state, Input.dtype)
        return Meta((*Input.shape[:2], hidden_size * sizes.ways), Input.dtype), last, last

    def reference(
        xp, Input, InitH, InitC, W, Cache,
        *, dropout_prob, is_bidirec, input_size, hidden_size, num_layers, is_test, seed,
    ):  # fmt: skip
        sizes = Sizes(input_size, hidden_size, num_layers, 2 if is_bidirec else 1)
        scales = dropout_scales(xp, Input, W, sizes, dropout_prob, is_test, seed)
        inputs, traced = _trace(xp, Input, InitH, InitC, W, sizes, scales)
        return inputs[-1], *(xp.stack([one[k][-1] for one in traced]) for k in range(2))

    def gradient(
        xp, Input, InitH, InitC, W, dOut, dlast_h, dlast_c,
        *, dropout_prob, is_bidirec, input_size, hidden_size, num_layers, is_test, seed,
    ):  # fmt: skip
        sizes = Sizes(input_size, hidden_size, num_layers, 2 if is_bidirec else 1)
        scales = dropout_scales(xp, Input, W, sizes, dropout_prob, is_test, seed)
        inputs, traced = _trace(xp, Input, InitH, InitC, W, sizes, scales)
        dh, dc, dw = xp.empty_like(InitH), xp.empty_like(InitC), xp.empty_like(W)
        weights, into = split_weights(W, sizes), split_weights(dw, sizes)
        dx = dOut
        for layer in reversed(range(num_layers)):
            douts, dx = dx, 0
            for way in range(sizes.ways):
                k, x = layer * sizes.ways + way, inputs[layer]
                dout = douts[:, :, way * hidden_size : (way + 1) * hidden_size]
                dgates, dh[k], dc[k] = _scan_back(xp, traced[k], weights[k], way, dout, dlast_h[k], dlast_c[k])
                flat, before = dgates.reshape(-1, 4 * hidden_size), traced[k][0][:-1][:: -1 if way else 1]
                into[k][0][:] = flat.T @ x.reshape(-1, x.shape[2])
                into[k][1][:] = flat.T @ before.reshape(-1, hidden_size)
                into[k][2][:] = flat.sum(axis=0)
                dx = dx + dgates @ weights[k][0]
            dx = dx * scales[layer]
        return dx, dh, dc, dw

    grad = Grad(
        "Input InitH InitC W Out@GRAD last_h@GRAD last_c@GRAD",
        "Input@GRAD InitH@GRAD InitC@GRAD W@GRAD",
        gradient,
        captured=drops_nothing,
    )
