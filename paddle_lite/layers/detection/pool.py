"""Regions of feature maps, pooled."""

from __future__ import annotations

from typing import Any

from ...ops.detection import pool as ops
from ..support.arguments import number

__all__ = ["prroi_pool", "psroi_pool", "roi_align", "roi_pool"]


def roi_pool(
    input: Any,
    rois: Any,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
    rois_lod: Any = None,
) -> Any:
    """The largest element in each bin of each region of feature maps (Girshick 2015, "Fast R-CNN").

    Arguments:
        input: feature maps [N, C, H, W].
        rois: boxes [R, 4] as xmin, ymin, xmax, ymax in the image, of the dtype of `input`, with a LoD of one level that
            tells which belong to which of the N images.
        pooled_height: how many bins a region has from top to bottom.
        pooled_width: and from left to right. Bins overlap where the size is not a multiple.
        spatial_scale: the size of the map over that of the image; boxes are multiplied by it, then rounded.
        rois_lod: int64 [N + 1], where the boxes of each image start; in the place of a LoD.

    Returns:
        [R, C, pooled_height, pooled_width]; a bin outside of the map is 0.

    Raises:
        LoDError: neither a LoD nor `rois_lod` tells the images apart.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     maps = fluid.dygraph.to_variable(np.arange(16, dtype='float32').reshape(1, 1, 4, 4))
    ...     rois = fluid.dygraph.to_variable(np.array([[0, 0, 3, 1]], 'float32'))
    ...     starts = fluid.dygraph.to_variable(np.array([0, 1]))
    ...     fluid.layers.roi_pool(maps, rois, 1, 2, rois_lod=starts).numpy()
    array([[[[5., 7.]]]], dtype=float32)
    """
    scale = number("roi_pool", "spatial_scale", spatial_scale)
    sizes = {"pooled_height": pooled_height, "pooled_width": pooled_width}
    return ops.roi_pool.call(input, rois, rois_lod, spatial_scale=scale, **sizes)[0]


def roi_align(
    input: Any,
    rois: Any,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    name: str | None = None,
    rois_lod: Any = None,
) -> Any:
    """The mean of points in each bin of each region of feature maps, without rounding (He et al. 2017, "Mask R-CNN").

    Arguments:
        input: feature maps [N, C, H, W].
        rois: boxes [R, 4] as xmin, ymin, xmax, ymax in the image, of the dtype of `input`, with a LoD of one level that
            tells which belong to which of the N images. In the map they are at least 1 wide and high.
        pooled_height: how many bins a region has from top to bottom.
        pooled_width: and from left to right.
        spatial_scale: the size of the map over that of the image; boxes are multiplied by it.
        sampling_ratio: how many points a bin has in each direction, each interpolated between the four places around it;
            -1: as many as the bin has places.
        name: kept for Fluid code.
        rois_lod: int64 [N + 1], where the boxes of each image start; in the place of a LoD.

    Returns:
        [R, C, pooled_height, pooled_width]

    Raises:
        LoDError: neither a LoD nor `rois_lod` tells the images apart.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     maps = fluid.dygraph.to_variable(np.arange(16, dtype='float32').reshape(1, 1, 4, 4))
    ...     rois = fluid.dygraph.to_variable(np.array([[0, 0, 2, 2]], 'float32'))
    ...     starts = fluid.dygraph.to_variable(np.array([0, 1]))
    ...     fluid.layers.roi_align(maps, rois, 1, 2, sampling_ratio=1, rois_lod=starts).numpy()
    array([[[[4.5, 5.5]]]], dtype=float32)
    """
    scale = number("roi_align", "spatial_scale", spatial_scale)
    sizes = {"pooled_height": pooled_height, "pooled_width": pooled_width, "sampling_ratio": sampling_ratio}
    return ops.roi_align.call(input, rois, rois_lod, spatial_scale=scale, **sizes)


def psroi_pool(
    input: Any,
    rois: Any,
    output_channels: int,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    name: str | None = None,
) -> Any:
    """The mean of each bin of each region of feature maps, each bin from channels of its own (Dai et al. 2016, "R-FCN").

    Output channel c of bin (i, j) is from channel (c * pooled_height + i) * pooled_width + j.

    Arguments:
        input: feature maps [N, output_channels * pooled_height * pooled_width, H, W].
        rois: boxes [R, 4] as xmin, ymin, xmax, ymax in the image, of the dtype of `input`, with a LoD of one level that
            tells which belong to which of the N images.
        output_channels: how many channels come out.
        spatial_scale: the size of the map over that of the image; boxes are rounded, then multiplied by it.
        pooled_height: how many bins a region has from top to bottom.
        pooled_width: and from left to right.
        name: kept for Fluid code.

    Returns:
        [R, output_channels, pooled_height, pooled_width]; a bin outside of the map is 0.

    Raises:
        LoDError: there is no LoD of N images.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     maps = fluid.dygraph.to_variable(np.arange(8, dtype='float32').reshape(1, 2, 2, 2))
    ...     region = Variable(np.array([[0, 0, 1, 1]], 'float32'), lod=((0, 1),))
    ...     fluid.layers.psroi_pool(maps, region, 1, 1.0, 1, 2).numpy()
    array([[[[1., 6.]]]], dtype=float32)
    """
    return ops.psroi_pool.call(
        input,
        rois,
        output_channels=output_channels,
        spatial_scale=number("psroi_pool", "spatial_scale", spatial_scale),
        pooled_height=pooled_height,
        pooled_width=pooled_width,
    )


def prroi_pool(
    input: Any,
    rois: Any,
    spatial_scale: float = 1.0,
    pooled_height: int = 1,
    pooled_width: int = 1,
    batch_roi_nums: Any = None,
    name: str | None = None,
) -> Any:
    """The mean of each bin of each region over all points between the places of maps (Jiang et al. 2018, "IoU-Net").

    It is differentiable in the regions, too.

    Arguments:
        input: feature maps [N, C, H, W]; around them there is 0.
        rois: boxes [R, 4] as xmin, ymin, xmax, ymax in the image, of the dtype of `input`, with a LoD of one level that
            tells which belong to which of the N images.
        spatial_scale: the size of the map over that of the image; boxes are multiplied by it.
        pooled_height: how many bins a region has from top to bottom.
        pooled_width: and from left to right.
        batch_roi_nums: int64 [N], how many boxes each image has; in the place of a LoD.
        name: kept for Fluid code.

    Returns:
        [R, C, pooled_height, pooled_width]; 0 for a region without an extent.

    Raises:
        LoDError: neither a LoD nor `batch_roi_nums` tells the images apart.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     maps = fluid.dygraph.to_variable(np.arange(16, dtype='float32').reshape(1, 1, 4, 4))
    ...     rois = fluid.dygraph.to_variable(np.array([[0, 0, 2, 2]], 'float32'))
    ...     counts = fluid.dygraph.to_variable(np.array([1]))
    ...     fluid.layers.prroi_pool(maps, rois, 1.0, 1, 2, counts).numpy()
    array([[[[4.5, 5.5]]]], dtype=float32)
    """
    scale = number("prroi_pool", "spatial_scale", spatial_scale)
    sizes = {"pooled_height": pooled_height, "pooled_width": pooled_width}
    return ops.prroi_pool.call(input, rois, batch_roi_nums, spatial_scale=scale, **sizes)
