"""CPU kernels of cudnn_lstm."""

from __future__ import annotations

import numpy as np

from ...registry import kernel
from ...stacked_layers import Sizes, dropout_scales, split_weights
from .stacked import gradients, trace


def _left(Input: np.ndarray) -> bool:
    return not Input.size or Input.dtype.char not in "fd"


@kernel("cudnn_lstm")
def cudnn_lstm(Input, InitH, InitC, W, Cache, *, reference, **attrs):
    if _left(Input):
        return reference(Input, InitH, InitC, W, Cache, **attrs)
    sizes = Sizes.of(attrs)
    scales = dropout_scales(np, Input, W, sizes, attrs["dropout_prob"], attrs["is_test"], attrs["seed"])
    ran = trace("LSTM", Input, [InitH, InitC], split_weights(W, sizes), sizes, scales)
    return ran.out.reshape(*Input.shape[:2], -1), ran.last(0), ran.last(1)


@kernel("cudnn_lstm_grad")
def cudnn_lstm_grad(Input, InitH, InitC, W, dOut, dlast_h, dlast_c, *, reference, **attrs):
    if _left(Input):
        return reference(Input, InitH, InitC, W, dOut, dlast_h, dlast_c, **attrs)
    sizes = Sizes.of(attrs)
    scales = dropout_scales(np, Input, W, sizes, attrs["dropout_prob"], attrs["is_test"], attrs["seed"])
    ran = trace("LSTM", Input, [InitH, InitC], split_weights(W, sizes), sizes, scales)
    dh, dc, dw = dlast_h.copy(), dlast_c.copy(), np.empty_like(W)
    dx, weights = gradients(ran.passes, sizes, scales, dOut, [dh, dc])
    assert dx is not None
    for into, found in zip(split_weights(dw, sizes), weights, strict=True):
        into[0][:], into[1][:], into[2][:] = found
    return dx.reshape(Input.shape), dh, dc, dw
