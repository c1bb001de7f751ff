"""The threshold of an activation at which quantization loses the least information, by the Kullback-Leibler divergence."""

from __future__ import annotations

import numpy as np

BINS = 2048
QUANTIZED_BINS = 255
FIRST_PART = 0.7
"""Thresholds below this part of the range are not tried."""


def kl_threshold(magnitudes: np.ndarray) -> float:
    """Return the threshold behind which values are to be clipped.

    The divergence is that of the histogram of the values, clipped at a threshold, from the same in 255 steps.

    Source: Migacz, "8-bit inference with TensorRT", 2017.

    Arguments:
        magnitudes: absolute values of an activation.

    Returns:
        The threshold, in the middle of a bin of the histogram.
    """
    histogram, edges = np.histogram(magnitudes, bins=BINS, range=(magnitudes.min(), magnitudes.max()))
    first, last = int((BINS - 1) * FIRST_PART), BINS - 1
    counts, total = histogram.astype(np.float64), magnitudes.size
    best, least = 0, np.inf
    for size in range(first, last + 1):
        if histogram[size - 1] == 0:
            continue
        divergence = _divergence(counts, size, total)
        if divergence < least:
            best, least = size, divergence
    if best == 0:
        best = first
        while best > 0 and histogram[best] == 0:
            best -= 1
    return float((best + 0.5) * (edges[1] - edges[0]))


def _divergence(counts: np.ndarray, size: int, total: int) -> float:
    """Return the divergence of the first bins, which take what lies behind them, from these bins in steps."""
    clipped = counts[:size].copy()
    clipped[-1] += counts[size:].sum()
    filled = clipped > 0
    steps = np.minimum(np.arange(size) // (size // QUANTIZED_BINS), QUANTIZED_BINS - 1)
    of_step = np.bincount(steps, counts[:size], QUANTIZED_BINS)
    bins = np.bincount(steps, filled, QUANTIZED_BINS)
    mean = of_step / np.maximum(bins, 1)
    p, q = clipped[filled], mean[steps][filled]
    return float((p * np.log(q.sum() * p) - p * np.log(total * q)).sum() / total)
