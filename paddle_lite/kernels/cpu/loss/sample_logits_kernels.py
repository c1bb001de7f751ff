"""CPU kernel of the gradient of sample_logits."""

from __future__ import annotations

import numpy as np

from ...numba_jit import jit
from ...registry import kernel


@kernel("sample_logits_grad")
def sample_logits_grad(LogitsDim, LabelsDim, Samples, dSampledLogits):
    out = np.zeros(LogitsDim.shape[1:], dSampledLogits.dtype)
    _scatter(out, Samples, dSampledLogits)
    return out


@jit
def _scatter(out, samples, slopes):
    for i in range(samples.shape[0]):
        for k in range(samples.shape[1]):
            out[i, samples[i, k]] += slopes[i, k]
