"""Training targets of instance segmentation."""

from __future__ import annotations

from typing import Any

from ...ops.detection import masks as ops
from ..support.arguments import check_int, check_variable
from ..support.helper import LayerHelper
from .targets import constant

__all__ = ["generate_mask_labels"]


def generate_mask_labels(
    im_info: Any,
    gt_classes: Any,
    is_crowd: Any,
    gt_segms: Any,
    rois: Any,
    labels_int32: Any,
    num_classes: int,
    resolution: int,
) -> tuple[Any, Any, Any]:
    """Select the regions that a mask branch is trained on, and cut the masks of their objects out of polygons.

    Source: He et al., "Mask R-CNN", 2017.

    Arguments:
        im_info: [N, 3]: height, width, and the scale of the image.
        gt_classes: int32 [T, 1] with a LoD: the classes of the true objects, from 1.
        is_crowd: int32 [T, 1] with the same LoD; an object where it is not 0 has no mask.
        gt_segms: [points, 2], x before y in the image before it was scaled, with a LoD of three levels: the objects of
            each image, their polygons, and the points of these.
        rois: regions [R, 4] in the scaled image, with a LoD of one level, as generate_proposal_labels gives them.
        labels_int32: int32 [R, 1] with the same LoD: their classes, 0 for background.
        num_classes: the number of classes with the background.
        resolution: the height and width of a mask.

    Returns:
        (regions [found, 4] of objects in the scaled image; int32 [found, 1]: their places among the regions of the image;
            masks int32 [found, num_classes * resolution * resolution]: 1 inside of the object that a region shares most
            with and 0 outside, at the place of the region's class, else -1), all with a LoD that separates the images. An
            image without objects has a region of the background with -1 everywhere.

    Raises:
        ArgumentTypeError: an input is not a Variable, or a number is not an int.
        LoDError: an input has no such LoD, or another number of images.
        IndexRangeError: a label is not below num_classes.
        ShapeError: the shapes do not fit.
        DtypeError: classes, crowds or labels are not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     one, crowd = (Variable(np.array([[n]], 'int32'), lod=((0, 1),)) for n in (1, 0))
    ...     corners = np.array([[0, 0], [2, 0], [2, 4], [0, 4]], 'float32')
    ...     polygon = Variable(corners, lod=((0, 1), (0, 1), (0, 4)))
    ...     region = Variable(np.array([[0, 0, 4, 4]], 'float32'), lod=((0, 1),))
    ...     info = Variable(np.array([[10, 10, 1]], 'float32'))
    ...     _, _, mask = fluid.layers.generate_mask_labels(info, one, crowd, polygon, region, one, 2, 4)
    ...     mask.numpy().reshape(2, 4, 4)[1]
    array([[1, 1, 0, 0],
           [1, 1, 0, 0],
           [1, 1, 0, 0],
           [1, 1, 0, 0]], dtype=int32)
    """
    where = "generate_mask_labels"
    given = {
        "im_info": im_info, "gt_classes": gt_classes, "is_crowd": is_crowd, "gt_segms": gt_segms, "rois": rois,
        "labels_int32": labels_int32,
    }  # fmt: skip
    inputs = [check_variable(where, name, value) for name, value in given.items()]
    sizes = {
        "num_classes": check_int(where, "num_classes", num_classes), "resolution": check_int(where, "resolution", resolution),
    }  # fmt: skip
    found, places, masks = constant(*LayerHelper(where).run(ops.generate_mask_labels, *inputs, **sizes))
    return found, places, masks
