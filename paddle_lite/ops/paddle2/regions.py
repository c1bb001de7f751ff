"""Pooling of regions with what PaddlePaddle 2 added to it.

Slots and attributes are those of roi_align of PaddlePaddle 2.6.2, which has the name of an operator of 1.8.5.
"""

from __future__ import annotations

from ..detection.pool import infer_pooled
from ..framework.spec import Declaration, Grad, op
from ..support.image_rows import image_by_counts
from ..support.region_bins import bin_weights_2d, region_means, region_means_grad
from ..support.require import require_dtype, require_shape


@op(
    "roi_align_half_pixel",
    inputs="X ROIs RoisNum?",
    outputs="Out",
    attrs={"spatial_scale": 1.0, "pooled_height": 1, "pooled_width": 1, "sampling_ratio": -1, "aligned": False},
    lod=None,
    needs_lod="ROIs",
    captured=False,
)
class roi_align_half_pixel(Declaration):
    """Average sampled points in each bin of each region of feature maps, as roi_align does.

    RoisNum, int32 [N], holds the number of regions of each image in place of a LoD. With `aligned` coordinates are edges of
    pixels and not their centres, and regions may be smaller than a pixel, as in Detectron 2.
    """

    def infer(X, ROIs, RoisNum, *, spatial_scale, pooled_height, pooled_width, **_):
        if RoisNum is not None:
            require_dtype("roi_align_half_pixel", "RoisNum", RoisNum, "int32")
            require_shape("roi_align_half_pixel", "RoisNum", RoisNum, X.shape[:1])
        return infer_pooled("roi_align_half_pixel", X, ROIs, None, spatial_scale, pooled_height, pooled_width)

    def reference(xp, X, ROIs, RoisNum, *, lod, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned):
        images = image_by_counts("roi_align_half_pixel", ROIs, RoisNum, lod, len(X))
        down, across = bin_weights_2d(
            xp, X, ROIs, spatial_scale, pooled_height, pooled_width, sampling_ratio, half_pixel=aligned
        )
        return region_means(xp, X, images, down, across)

    def gradient(
        xp, X, ROIs, RoisNum, dOut, *, lod, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned
    ):
        images = image_by_counts("roi_align_half_pixel", ROIs, RoisNum, lod, X.shape[0])
        down, across = bin_weights_2d(
            xp, X, ROIs, spatial_scale, pooled_height, pooled_width, sampling_ratio, half_pixel=aligned
        )
        return region_means_grad(xp, dOut, images, down, across, X.shape)

    grad = Grad("X# ROIs RoisNum Out@GRAD", "X@GRAD", gradient)
