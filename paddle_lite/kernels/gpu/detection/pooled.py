"""Means of bins of regions on the device, as `ops/support/region_bins.py` has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...registry import array_module
from ..device.kernel import launch
from ..support.shape import MOST_THREADS, blocks_for
from .regions import mean_of_bins, mean_of_bins_grad, weight_spans


def _along(weights: Any) -> tuple[Any, Any, Any]:
    """Return weights [regions, bins, size], and where those of each bin begin and end."""
    xp, (regions, bins, size) = array_module("gpu"), weights.shape
    weights = xp.ascontiguousarray(weights)
    firsts, ends = (xp.empty((regions, bins), "int64") for _ in range(2))
    launch(weight_spans, blocks_for(firsts.size), MOST_THREADS, weights, firsts, ends, firsts.size, size)
    return weights, firsts, ends


def region_means(X: Any, images: list[int], down: Any, across: Any) -> Any:
    """Return the means of the bins of regions of maps X [N, C, H, W]."""
    xp = array_module("gpu")
    out = xp.empty((len(images), X.shape[1], down.shape[1], across.shape[1]), X.dtype)
    arrays = xp.ascontiguousarray(X), xp.asarray(images, "int64"), *_along(down), *_along(across), out
    launch(mean_of_bins, blocks_for(out.size), MOST_THREADS, *arrays, out.size, *X.shape[1:], *out.shape[2:])
    return out


def region_means_grad(dOut: Any, images: list[int], down: Any, across: Any, shape: tuple[int, ...]) -> Any:
    """Return the gradient of the maps, of `shape`; the regions of an image are neighbours."""
    xp, dX = array_module("gpu"), array_module("gpu").empty(shape, dOut.dtype)
    starts = xp.asarray(np.searchsorted(images, np.arange(shape[0] + 1)), "int64")
    arrays = xp.ascontiguousarray(dOut), starts, *_along(down), *_along(across), dX
    launch(mean_of_bins_grad, blocks_for(dX.size), MOST_THREADS, *arrays, dX.size, *shape[1:], *dOut.shape[2:])
    return dX
