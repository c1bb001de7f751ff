"""Pooling of regions of interest (RoI)."""

from __future__ import annotations

from typing import Any

from ...core.typing import Variable
from ...ops.detection import pool as ops
from ..support.arguments import check_number
from ..support.taken import kind_taken

__all__ = ["prroi_pool", "psroi_pool", "roi_align", "roi_pool"]


def roi_pool(
    input: Any,
    rois: Any,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
    rois_lod: Any = None,
) -> Variable:
    """Compute the maximum of each bin of regions of feature maps.

    Source: Girshick, "Fast R-CNN", 2015.

    Arguments:
        input: feature maps [N, C, H, W].
        rois: boxes [R, 4] as xmin, ymin, xmax, ymax in the image, of the dtype of `input`, with a LoD of one level: one
            sequence of rows for each of the N images.
        pooled_height: the number of bins along the height.
        pooled_width: the number of bins along the width. Bins overlap where the size is not a multiple of their number.
        spatial_scale: the size of the feature map divided by that of the image; boxes are multiplied by it, then
            rounded.
        rois_lod: int64 [N + 1], the offsets of the boxes of each image; used instead of a LoD.

    Returns:
        A Variable [R, C, pooled_height, pooled_width]; 0 for bins outside of the feature map.

    Raises:
        ArgumentTypeError: input or rois is not a Variable, or a number has another type.
        LoDError: rois has no LoD with N images, and no other argument separates the images.
        ArgumentValueError: a number of bins is below 1.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     maps = fluid.dygraph.to_variable(np.arange(16, dtype='float32').reshape(1, 1, 4, 4))
    ...     rois = fluid.dygraph.to_variable(np.array([[0, 0, 3, 1]], 'float32'))
    ...     starts = fluid.dygraph.to_variable(np.array([0, 1]))
    ...     fluid.layers.roi_pool(maps, rois, 1, 2, rois_lod=starts).numpy()
    array([[[[5., 7.]]]], dtype=float32)
    """
    scale = check_number("roi_pool", "spatial_scale", spatial_scale)
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
) -> Variable:
    """Compute the mean of sampling points in each bin of regions of feature maps, without rounding.

    Source: He et al., "Mask R-CNN", 2017.

    Arguments:
        input: feature maps [N, C, H, W].
        rois: boxes [R, 4] as xmin, ymin, xmax, ymax in the image, of the dtype of `input`, with a LoD of one level: one
            sequence of rows for each of the N images. In the feature map they are at least 1 wide and high.
        pooled_height: the number of bins along the height.
        pooled_width: the number of bins along the width.
        spatial_scale: the size of the feature map divided by that of the image; boxes are multiplied by it.
        sampling_ratio: the number of sampling points of a bin in each direction, each by bilinear interpolation; -1 for
            the size of the bin.
        name: accepted for Fluid code, ignored.
        rois_lod: int64 [N + 1], the offsets of the boxes of each image; used instead of a LoD.

    Returns:
        A Variable [R, C, pooled_height, pooled_width].

    Raises:
        ArgumentTypeError: input or rois is not a Variable, or a number has another type.
        LoDError: rois has no LoD with N images, and no other argument separates the images.
        ArgumentValueError: a number of bins is below 1.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     maps = fluid.dygraph.to_variable(np.arange(16, dtype='float32').reshape(1, 1, 4, 4))
    ...     rois = fluid.dygraph.to_variable(np.array([[0, 0, 2, 2]], 'float32'))
    ...     starts = fluid.dygraph.to_variable(np.array([0, 1]))
    ...     fluid.layers.roi_align(maps, rois, 1, 2, sampling_ratio=1, rois_lod=starts).numpy()
    array([[[[4.5, 5.5]]]], dtype=float32)
    """
    scale = check_number("roi_align", "spatial_scale", spatial_scale)
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
) -> Variable:
    """Compute the mean of each bin of regions of feature maps; each bin has its own channels (position-sensitive).

    Channel c of bin (i, j) is computed from channel (c * pooled_height + i) * pooled_width + j.

    Source: Dai et al., "R-FCN", 2016.

    Arguments:
        input: feature maps [N, output_channels * pooled_height * pooled_width, H, W].
        rois: boxes [R, 4] as xmin, ymin, xmax, ymax in the image, of the dtype of `input`, with a LoD of one level: one
            sequence of rows for each of the N images.
        output_channels: the number of channels of the result.
        spatial_scale: the size of the feature map divided by that of the image; boxes are rounded, then multiplied by
            it.
        pooled_height: the number of bins along the height.
        pooled_width: the number of bins along the width.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [R, output_channels, pooled_height, pooled_width]; 0 for bins outside of the feature map.

    Raises:
        ArgumentTypeError: input or rois is not a Variable, or a number has another type.
        LoDError: rois has no LoD with N images, and no other argument separates the images.
        ArgumentValueError: a number of bins is below 1.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ.

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
        spatial_scale=check_number("psroi_pool", "spatial_scale", spatial_scale),
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
) -> Variable:
    """Compute the exact mean of the bilinear interpolation over each bin of regions; it is differentiable in the
    regions.

    Source: Jiang et al., "Acquisition of Localization Confidence for Accurate Object Detection" (IoU-Net), 2018.

    Arguments:
        input: feature maps [N, C, H, W]; padded with 0.
        rois: boxes [R, 4] as xmin, ymin, xmax, ymax in the image, of the dtype of `input`, with a LoD of one level: one
            sequence of rows for each of the N images.
        spatial_scale: the size of the feature map divided by that of the image; boxes are multiplied by it.
        pooled_height: the number of bins along the height.
        pooled_width: the number of bins along the width.
        batch_roi_nums: int64 [N], the number of boxes of each image; used instead of a LoD.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [R, C, pooled_height, pooled_width]; 0 for a region of area 0.

    Raises:
        ArgumentTypeError: input or rois is not a Variable, or a number has another type.
        LoDError: rois has no LoD with N images, and no other argument separates the images.
        ArgumentValueError: a number of bins is below 1.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     maps = fluid.dygraph.to_variable(np.arange(16, dtype='float32').reshape(1, 1, 4, 4))
    ...     rois = fluid.dygraph.to_variable(np.array([[0, 0, 2, 2]], 'float32'))
    ...     counts = fluid.dygraph.to_variable(np.array([1]))
    ...     fluid.layers.prroi_pool(maps, rois, 1.0, 1, 2, counts).numpy()
    array([[[[4.5, 5.5]]]], dtype=float32)
    """
    kind_taken("prroi_pool", "spatial_scale", spatial_scale, float)
    scale = check_number("prroi_pool", "spatial_scale", spatial_scale)
    sizes = {"pooled_height": pooled_height, "pooled_width": pooled_width}
    for name, size in sizes.items():
        kind_taken("prroi_pool", name, size, int)
    return ops.prroi_pool.call(input, rois, batch_roi_nums, spatial_scale=scale, **sizes)
