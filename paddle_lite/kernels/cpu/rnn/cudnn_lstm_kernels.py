"""CPU kernels of cudnn_lstm."""

from __future__ import annotations

import numpy as np

from ...registry import kernel
from ...stacked_layers import Sizes, dropout_scales, split_weights
from ..support.size_threshold import MIN_ELEMENTS
from .stacked_lstm import gradients, last, trace


def _left(Input: np.ndarray) -> bool:
    return Input.size < MIN_ELEMENTS or Input.dtype.char not in "fd"


@kernel("cudnn_lstm")
def cudnn_lstm(Input, InitH, InitC, W, Cache, *, reference, **attrs):
    if _left(Input):
        return reference(Input, InitH, InitC, W, Cache, **attrs)
    sizes = Sizes.of(attrs)
    scales = dropout_scales(np, Input, W, sizes, attrs["dropout_prob"], attrs["is_test"], attrs["seed"])
    inputs, passes, _ = trace(Input, InitH, InitC, split_weights(W, sizes), sizes, scales)
    return inputs[-1].reshape(*Input.shape[:2], -1), last(passes, "hidden"), last(passes, "cell")


@kernel("cudnn_lstm_grad")
def cudnn_lstm_grad(Input, InitH, InitC, W, dOut, dlast_h, dlast_c, *, reference, **attrs):
    if _left(Input):
        return reference(Input, InitH, InitC, W, dOut, dlast_h, dlast_c, **attrs)
    sizes = Sizes.of(attrs)
    scales = dropout_scales(np, Input, W, sizes, attrs["dropout_prob"], attrs["is_test"], attrs["seed"])
    traced = trace(Input, InitH, InitC, split_weights(W, sizes), sizes, scales)
    dh, dc, dw = dlast_h.copy(), dlast_c.copy(), np.empty_like(W)
    dx = gradients(traced, sizes, scales, dOut, dh, dc, split_weights(dw, sizes))
    assert dx is not None
    return dx.reshape(Input.shape), dh, dc, dw
