"""GPU kernels of regions with what PaddlePaddle 2 added to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....ops.support.image_rows import image_by_counts
from ....ops.support.region_bins import bin_weights_2d
from ...registry import array_module, kernel
from ..detection.pooled import region_means, region_means_grad
from ..support.shape import alike


@kernel("roi_align_half_pixel", device="gpu")
def roi_align_half_pixel(
    X: Any, ROIs: Any, RoisNum: Any, *, lod: Any, aligned: bool, reference: Callable, **attrs: Any
) -> Any:
    if not alike(X, ROIs):
        return reference(X, ROIs, RoisNum, lod=lod, aligned=aligned, **attrs)
    images = image_by_counts("roi_align_half_pixel", ROIs, RoisNum, lod, len(X))
    return region_means(X, images, *bin_weights_2d(array_module("gpu"), X, ROIs, **attrs, half_pixel=aligned))


@kernel("roi_align_half_pixel_grad", device="gpu")
def roi_align_half_pixel_grad(
    X: Any, ROIs: Any, RoisNum: Any, dOut: Any, *, lod: Any, aligned: bool, reference: Callable, **attrs: Any
) -> Any:
    if not alike(dOut, ROIs):
        return reference(X, ROIs, RoisNum, dOut, lod=lod, aligned=aligned, **attrs)
    images = image_by_counts("roi_align_half_pixel", ROIs, RoisNum, lod, X.shape[0])
    down, across = bin_weights_2d(array_module("gpu"), X, ROIs, **attrs, half_pixel=aligned)
    return region_means_grad(dOut, images, down, across, X.shape)
