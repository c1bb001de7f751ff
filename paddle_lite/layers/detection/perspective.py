"""Regions of feature maps that are quadrilaterals, turned into rectangles."""

from __future__ import annotations

from typing import Any

from ...ops.detection import perspective as ops
from ..support.arguments import number

__all__ = ["roi_perspective_transform"]


def roi_perspective_transform(
    input: Any,
    rois: Any,
    transformed_height: int,
    transformed_width: int,
    spatial_scale: float = 1.0,
    name: str | None = None,
) -> tuple:
    """Quadrilaterals of feature maps turned into rectangles by a perspective transform.

    A rectangle is as wide for its height as the quadrilateral is; what is beyond it, and beyond the map, is 0.

    Arguments:
        input: feature maps [N, C, H, W].
        rois: corners [R, 8], x and y in turn, clockwise from the one that becomes the upper left one, in the image, with a
            LoD of one level that tells which belong to which of the N images.
        transformed_height: how high the rectangles are.
        transformed_width: and how wide.
        spatial_scale: the size of the map over that of the image; corners are multiplied by it.
        name: kept for Fluid code.

    Returns:
        ([R, C, transformed_height, transformed_width], a mask int32 [R, 1, transformed_height, transformed_width] that is 0
        beyond the quadrilateral and the map, the matrix [R, 9] that takes (column, row, 1) there).

    Raises:
        LoDError: there is no LoD of N images.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     maps = fluid.dygraph.to_variable(np.arange(16, dtype='float32').reshape(1, 1, 4, 4))
    ...     region = Variable(np.array([[3, 0, 3, 3, 0, 3, 0, 0]], 'float32'), lod=((0, 1),))
    ...     out, mask, matrix = fluid.layers.roi_perspective_transform(maps, region, 2, 2)
    ...     out.numpy().round(3)
    array([[[[ 3., 15.],
             [ 0., 12.]]]], dtype=float32)
    """
    return ops.roi_perspective_transform.call(
        input,
        rois,
        spatial_scale=number("roi_perspective_transform", "spatial_scale", spatial_scale),
        transformed_height=transformed_height,
        transformed_width=transformed_width,
    )[:3]
