"""CPU kernels of rnn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...registry import kernel
from ...stacked_layers import Sizes, dropout_scales
from ..rnn.stacked import Weights, gradients, trace


def _left(Input: np.ndarray) -> bool:
    """Return whether the reference handles the call."""
    return not Input.size or Input.dtype.char not in "fd"


def _by_pass(weights: Sequence[np.ndarray]) -> Weights:
    """Return, for each pass, its two matrices and its two biases."""
    half = len(weights) // 2
    return [(weights[k], weights[k + 1], (weights[half + k], weights[half + k + 1])) for k in range(0, half, 2)]


@kernel("rnn")
def rnn(Input, PreState, WeightList, SequenceLength=None, *, reference, **attrs):
    if _left(Input):
        return reference(Input, PreState, WeightList, SequenceLength, **attrs)
    sizes, mode = Sizes.of(attrs), attrs["mode"]
    scales = dropout_scales(np, Input, WeightList[0], sizes, attrs["dropout_prob"], attrs["is_test"], attrs["seed"])
    ran = trace(mode, Input, PreState, _by_pass(WeightList), sizes, scales, SequenceLength)
    reserve = np.empty(0, Input.dtype) if attrs["is_test"] else ran.kept
    return ran.out.reshape(*Input.shape[:2], -1), None, [ran.last(k) for k in range(len(PreState))], reserve


@kernel("rnn_grad")
def rnn_grad(Input, PreState, WeightList, SequenceLength, Reserve, dOut, dState, *, reference, need=(True,), **attrs):
    if _left(Input):
        return reference(Input, PreState, WeightList, SequenceLength, Reserve, dOut, dState, need=need, **attrs)
    sizes, mode = Sizes.of(attrs), attrs["mode"]
    scales = dropout_scales(np, Input, WeightList[0], sizes, attrs["dropout_prob"], attrs["is_test"], attrs["seed"])
    kept = Reserve if Reserve is not None and Reserve.size else None
    ran = trace(mode, Input, PreState, _by_pass(WeightList), sizes, scales, SequenceLength, kept)
    late = [each.copy() for each in dState]
    dx, weights = gradients(ran.passes, sizes, scales, dOut, late, need[0])
    matrices = [matrix for of_input, of_state, _ in weights for matrix in (of_input, of_state)]
    biases = [bias for _, _, both in weights for bias in both]
    return None if dx is None else dx.reshape(Input.shape), late, [*matrices, *biases]
