"""CPU kernels of rnn. The reference runs an LSTM over sequences of different lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...registry import kernel
from ...stacked_layers import Sizes, dropout_scales
from ..rnn import stacked_states
from ..rnn.stacked_lstm import Weights, gradients, last, trace
from ..support.size_threshold import MIN_ELEMENTS


def _left(Input: np.ndarray, SequenceLength: Any, attrs: dict) -> bool:
    """Return whether the reference handles the call."""
    other = attrs["mode"] == "LSTM" and SequenceLength is not None
    return other or Input.size < MIN_ELEMENTS or Input.dtype.char not in "fd"


def _by_pass(weights: Sequence[Any]) -> Weights:
    """Return, for each pass, its two matrices and its two biases."""
    half = len(weights) // 2
    return [(weights[k], weights[k + 1], (weights[half + k], weights[half + k + 1])) for k in range(0, half, 2)]


@kernel("rnn")
def rnn(Input, PreState, WeightList, SequenceLength=None, *, reference, **attrs):
    if _left(Input, SequenceLength, attrs):
        return reference(Input, PreState, WeightList, SequenceLength, **attrs)
    sizes, mode = Sizes.of(attrs), attrs["mode"]
    scales = dropout_scales(np, Input, WeightList[0], sizes, attrs["dropout_prob"], attrs["is_test"], attrs["seed"])
    if mode in stacked_states.GATES:
        out, ran = stacked_states.trace(mode, Input, PreState[0], _by_pass(WeightList), SequenceLength, sizes, scales)
        ends = np.stack([one.last for one in ran])
        return out.reshape(*Input.shape[:2], -1), None, [ends], np.empty(0, Input.dtype)
    h, c = PreState
    inputs, passes, kept = trace(Input, h, c, _by_pass(WeightList), sizes, scales)
    states = [last(passes, "hidden"), last(passes, "cell")]
    reserve = np.empty(0, Input.dtype) if attrs["is_test"] else kept
    return inputs[-1].reshape(*Input.shape[:2], -1), None, states, reserve


@kernel("rnn_grad")
def rnn_grad(Input, PreState, WeightList, SequenceLength, Reserve, dOut, dState, *, reference, need=(True,), **attrs):
    if _left(Input, SequenceLength, attrs):
        return reference(Input, PreState, WeightList, SequenceLength, Reserve, dOut, dState, need=need, **attrs)
    sizes, mode = Sizes.of(attrs), attrs["mode"]
    scales = dropout_scales(np, Input, WeightList[0], sizes, attrs["dropout_prob"], attrs["is_test"], attrs["seed"])
    weights = [np.empty(each.shape, each.dtype) for each in WeightList]
    if mode in stacked_states.GATES:
        _, ran = stacked_states.trace(mode, Input, PreState[0], _by_pass(WeightList), SequenceLength, sizes, scales)
        first = dState[0].copy()
        dx = stacked_states.gradients(ran, sizes, scales, dOut, first, _by_pass(weights), need[0])
        return None if dx is None else dx.reshape(Input.shape), [first], weights
    h, c = PreState
    kept = Reserve if Reserve is not None and Reserve.size else None
    traced = trace(Input, h, c, _by_pass(WeightList), sizes, scales, kept)
    dh, dc = (each.copy() for each in dState)
    dx = gradients(traced, sizes, scales, dOut, dh, dc, _by_pass(weights), need[0])
    return None if dx is None else dx.reshape(Input.shape), [dh, dc], weights
