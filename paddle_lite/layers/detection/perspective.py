"""Perspective transform of quadrilateral regions of feature maps."""

from __future__ import annotations

from typing import Any

from ...core.typing import Variable
from ...ops.detection import perspective as ops
from ..support.arguments import check_number
from ..support.taken import inputs_taken, kind_taken

__all__ = ["roi_perspective_transform"]


def roi_perspective_transform(
    input: Any,
    rois: Any,
    transformed_height: int,
    transformed_width: int,
    spatial_scale: float = 1.0,
    name: str | None = None,
) -> tuple[Variable, Variable, Variable]:
    """Transform quadrilateral regions of feature maps to rectangles.

    The region keeps its aspect ratio inside of the rectangle; the rest of it, and positions outside of the feature map,
    are 0.

    Arguments:
        input: feature maps [N, C, H, W].
        rois: the corners [R, 8] in the image, alternating x and y, clockwise from the upper left one, with a LoD of one
            level: one sequence of rows for each of the N images.
        transformed_height: the height of the rectangles.
        transformed_width: the width of the rectangles.
        spatial_scale: the size of the feature map divided by that of the image.
        name: accepted for Fluid code, ignored.

    Returns:
        (the rectangles [R, C, transformed_height, transformed_width], an int32 mask [R, 1, transformed_height,
            transformed_width]: 1 inside of the region and the feature map, else 0; the matrices [R, 9] of the transform
            from (column, row, 1) to the feature map).

    Raises:
        ArgumentTypeError: input or rois is not a Variable, or a number has another type.
        LoDError: rois has no LoD with N images.
        ArgumentValueError: a size is below 1.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ.

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
    inputs_taken("roi_perspective_transform", "input rois", input, rois)
    kind_taken("roi_perspective_transform", "spatial_scale", spatial_scale, float)
    return ops.roi_perspective_transform.call(
        input,
        rois,
        spatial_scale=check_number("roi_perspective_transform", "spatial_scale", spatial_scale),
        transformed_height=transformed_height,
        transformed_width=transformed_width,
    )[:3]
