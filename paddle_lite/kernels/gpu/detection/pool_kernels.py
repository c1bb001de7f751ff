"""GPU kernels of regions of maps: one thread a number. The reference takes maps of integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....ops.support.image_rows import image_of_regions
from ....ops.support.region_bins import bin_edges, bin_weights_2d
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.shape import MOST_THREADS, alike, blocks_for
from .pooled import region_means, region_means_grad
from .regions import largest_of_bins


@kernel("roi_align", device="gpu")
def roi_align(X: Any, ROIs: Any, RoisLod: Any, *, lod: Any, reference: Callable, **attrs: Any) -> Any:
    if not alike(X, ROIs):
        return reference(X, ROIs, RoisLod, lod=lod, **attrs)
    images = image_of_regions("roi_align", ROIs, RoisLod, lod, len(X))
    return region_means(X, images, *bin_weights_2d(array_module("gpu"), X, ROIs, **attrs))


@kernel("roi_align_grad", device="gpu")
def roi_align_grad(X: Any, ROIs: Any, RoisLod: Any, dOut: Any, *, lod: Any, reference: Callable, **attrs: Any) -> Any:
    if not alike(dOut, ROIs):
        return reference(X, ROIs, RoisLod, dOut, lod=lod, **attrs)
    images = image_of_regions("roi_align", ROIs, RoisLod, lod, X.shape[0])
    return region_means_grad(dOut, images, *bin_weights_2d(array_module("gpu"), X, ROIs, **attrs), X.shape)


@kernel("roi_pool", device="gpu")
def roi_pool(
    X: Any, ROIs: Any, RoisLod: Any,
    *, lod: Any, spatial_scale: float, pooled_height: int, pooled_width: int, reference: Callable,
) -> tuple:  # fmt: skip
    bins = {"pooled_height": pooled_height, "pooled_width": pooled_width}
    if not alike(X, ROIs):
        return reference(X, ROIs, RoisLod, lod=lod, spatial_scale=spatial_scale, **bins)
    xp, images = array_module("gpu"), image_of_regions("roi_pool", ROIs, RoisLod, lod, len(X))
    left, top, right, bottom = (ROIs * spatial_scale).T
    edges = *bin_edges(xp, top, bottom, pooled_height, X.shape[2], X.dtype), *bin_edges(xp, left, right, pooled_width, X.shape[3], X.dtype)  # fmt: skip
    out = xp.empty((len(ROIs), X.shape[1], pooled_height, pooled_width), X.dtype)
    best = xp.empty(out.shape, "int64")
    arrays = xp.ascontiguousarray(X), xp.asarray(images, "int64"), *map(xp.ascontiguousarray, edges), out, best
    launch(largest_of_bins, blocks_for(out.size), MOST_THREADS, *arrays, out.size, *X.shape[1:], *out.shape[2:])
    return out, best
