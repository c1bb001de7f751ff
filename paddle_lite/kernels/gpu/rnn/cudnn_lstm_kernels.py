"""GPU kernels of cudnn_lstm: for each layer and direction one product for all inputs, and one launch for all steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...registry import array_module, kernel
from ...stacked_layers import Sizes, dropout_scales, split_weights
from ..support.shape import alike
from .batches import Batch, even_batch
from .layer import Trace, run_layer, run_layer_back
from .states import MOST_STATE

OURS, THEIRS = [2, 0, 1, 3], [1, 2, 0, 3]  # permutations from cuDNN's gate order i, f, g, o to g, i, f, o and back
SIGMOID_TANH_TANH = 1, 2, 2


def _ordered(values: Any, order: list[int]) -> Any:
    """Return the four gates along the first axis in another order."""
    return values.reshape(4, -1, *values.shape[1:])[order].reshape(values.shape)


class _Pass(NamedTuple):
    """One direction of a layer: its weights in the order g, i, f, o, its first states, and its results by row [steps * N]."""

    of_input: Any
    of_state: Any
    bias: Any
    h: Any
    c: Any
    batch: Batch
    trace: Trace

    def back(self, dout: Any, dh: Any, dc: Any) -> tuple[Any, Any, Any]:
        """Return the gradients of the gates and of the first states from those of the outputs and the last states."""
        n, way = len(self.h), self.batch.steps.way
        dout[slice(None, n) if way < 0 else slice(-n, None)] += dh
        return run_layer_back(
            self.batch, self.of_state, self.bias, self.h, self.c, self.trace, dout, SIGMOID_TANH_TANH, dc
        )


def _trace(Input: Any, InitH: Any, InitC: Any, W: Any, sizes: Sizes, scales: list) -> tuple[list, list[_Pass]]:
    """Return the inputs of each layer followed by the output of the last one, and the passes."""
    xp, (steps, n) = array_module("gpu"), Input.shape[:2]
    weights, passes, inputs = split_weights(W, sizes), [], []
    x = Input.reshape(steps * n, -1)
    for layer in range(sizes.layers):
        x = x if isinstance(scales[layer], int) else x * scales[layer].reshape(steps * n, -1)
        inputs.append(x)
        outs = []
        for way in range(sizes.ways):
            k, batch = layer * sizes.ways + way, even_batch(steps, n, bool(way))
            of_input, of_state, biases = weights[k]
            of_input, of_state, bias = (_ordered(each, OURS) for each in (of_input, of_state, biases[0] + biases[1]))
            given = of_state.T, bias, InitH[k], InitC[k]
            trace = run_layer(batch, x @ of_input.T, *given, SIGMOID_TANH_TANH)
            passes.append(_Pass(of_input, *given, batch, trace))
            outs.append(trace.hidden)
        x = outs[0] if sizes.ways == 1 else xp.concatenate(outs, axis=1)
    return [*inputs, x], passes


def _sizes(attrs: dict[str, Any]) -> Sizes:
    return Sizes(attrs["input_size"], attrs["hidden_size"], attrs["num_layers"], 2 if attrs["is_bidirec"] else 1)


def _left(sizes: Sizes, *arrays: Any) -> bool:
    return sizes.hidden > MOST_STATE or not alike(*arrays)


@kernel("cudnn_lstm", device="gpu")
def cudnn_lstm(Input: Any, InitH: Any, InitC: Any, W: Any, Cache: Any, *, reference: Callable, **attrs: Any) -> tuple:
    sizes, xp = _sizes(attrs), array_module("gpu")
    if _left(sizes, Input, InitH, InitC, W):
        return reference(Input, InitH, InitC, W, Cache, **attrs)
    scales = dropout_scales(xp, Input, W, sizes, attrs["dropout_prob"], attrs["is_test"], attrs["seed"])
    inputs, passes = _trace(Input, InitH, InitC, W, sizes, scales)
    n = Input.shape[1]
    ends = [slice(None, n) if each.batch.steps.way < 0 else slice(-n, None) for each in passes]
    last = (xp.stack([each.trace[k][end] for each, end in zip(passes, ends, strict=True)]) for k in range(2))
    return inputs[-1].reshape(*Input.shape[:2], -1), *last


@kernel("cudnn_lstm_grad", device="gpu")
def cudnn_lstm_grad(
    Input: Any,
    InitH: Any,
    InitC: Any,
    W: Any,
    dOut: Any,
    dlast_h: Any,
    dlast_c: Any,
    *,
    reference: Callable,
    **attrs: Any,
) -> tuple:
    sizes, xp = _sizes(attrs), array_module("gpu")
    if _left(sizes, Input, InitH, InitC, W, dOut, dlast_h, dlast_c):
        return reference(Input, InitH, InitC, W, dOut, dlast_h, dlast_c, **attrs)
    scales = dropout_scales(xp, Input, W, sizes, attrs["dropout_prob"], attrs["is_test"], attrs["seed"])
    inputs, passes = _trace(Input, InitH, InitC, W, sizes, scales)
    dh, dc, dw, size = xp.empty_like(InitH), xp.empty_like(InitC), xp.empty_like(W), sizes.hidden
    into, dx = split_weights(dw, sizes), dOut.reshape(len(inputs[-1]), -1)
    for layer in reversed(range(sizes.layers)):
        x, douts, dx = inputs[layer], dx, 0
        for way in range(sizes.ways):
            k = layer * sizes.ways + way
            one, mine = passes[k], douts[:, way * size : (way + 1) * size].copy()
            d_gates, dh[k], dc[k] = one.back(mine, dlast_h[k], dlast_c[k])
            into[k][0][:] = _ordered(d_gates.T @ x, THEIRS)
            into[k][1][:] = _ordered(d_gates.T @ one.batch.before(one.trace.hidden, one.h), THEIRS)
            into[k][2][:] = _ordered(d_gates.sum(axis=0), THEIRS)
            dx = dx + d_gates @ one.of_input
        if not isinstance(scales[layer], int):
            dx = dx * scales[layer].reshape(dx.shape)
    return dx.reshape(Input.shape), dh, dc, dw
