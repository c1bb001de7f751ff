"""Region proposals, and their distribution over the levels of a feature pyramid."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.detection import proposals as ops
from ..support.arguments import check_int, check_number, variable_list

__all__ = ["collect_fpn_proposals", "distribute_fpn_proposals", "generate_proposals"]


def generate_proposals(
    scores: Any,
    bbox_deltas: Any,
    im_info: Any,
    anchors: Any,
    variances: Any,
    pre_nms_top_n: int = 6000,
    post_nms_top_n: int = 1000,
    nms_thresh: float = 0.5,
    min_size: float = 0.1,
    eta: float = 1.0,
    name: str | None = None,
    return_rois_num: bool = False,
) -> tuple:
    """Compute the region proposals of each image from the outputs of a region proposal network.

    The anchors with the best scores are decoded and clipped to the image; then non-maximum suppression removes
    overlapping ones.

    Source: Ren et al., "Faster R-CNN", 2015.

    Arguments:
        scores: [N, A, H, W], the scores of A anchors at each position.
        bbox_deltas: [N, 4 * A, H, W]: for each anchor a code as in box_coder.
        im_info: [N, 3]: height, width, and the scale of the image.
        anchors: [H, W, A, 4], from anchor_generator.
        variances: [H, W, A, 4], from anchor_generator.
        pre_nms_top_n: the number of anchors of an image to consider, the best first; 0 for all.
        post_nms_top_n: the number of regions of an image to keep; 0 or less for all.
        nms_thresh: of two regions with an IoU above this only the better one is kept; 0 or less: all are kept.
        min_size: regions whose width or height in the unscaled image is smaller are dropped; at least 1.
        eta: a factor of `nms_thresh`, applied after each kept region while nms_thresh is above 0.5; 1.0 for none.
        name: accepted for Fluid code, ignored.
        return_rois_num: whether to return the end offset of the regions of each image, too.

    Returns:
        (regions [n, 4], probabilities [n, 1]), the best of each image first, both with a LoD that separates the images;
            with `return_rois_num` also int64 [N].

    Raises:
        ArgumentTypeError: an input is not a Variable, or a number has another type.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     arrays = np.ones([1, 1, 1, 2]) / 2, np.zeros([1, 4, 1, 2]), [[9, 9, 1]]
    ...     boxes = [[[[0, 0, 3, 3]], [[4, 4, 12, 12]]]], np.ones([1, 2, 1, 4])
    ...     args = [fluid.dygraph.to_variable(np.array(a, 'float32')) for a in (*arrays, *boxes)]
    ...     regions, probabilities = fluid.layers.generate_proposals(*args)
    ...     regions.numpy(), regions.lod()
    (array([[0., 0., 3., 3.],
           [4., 4., 8., 8.]], dtype=float32), [[0, 2]])
    """
    where = "generate_proposals"
    regions, probabilities, ends = ops.generate_proposals.call(
        scores,
        bbox_deltas,
        im_info,
        anchors,
        variances,
        pre_nms_topN=pre_nms_top_n,
        post_nms_topN=post_nms_top_n,
        nms_thresh=check_number(where, "nms_thresh", nms_thresh),
        min_size=check_number(where, "min_size", min_size),
        eta=check_number(where, "eta", eta),
    )
    return (regions, probabilities, ends) if bool(return_rois_num) else (regions, probabilities)


def distribute_fpn_proposals(
    fpn_rois: Any, min_level: int, max_level: int, refer_level: int, refer_scale: int, name: str | None = None
) -> tuple:
    """Distribute regions over the levels of a feature pyramid by their size.

    A region whose area has the square root s belongs to level floor(refer_level + log2(s / refer_scale)).

    Source: Lin et al., "Feature Pyramid Networks for Object Detection", 2017.

    Arguments:
        fpn_rois: [R, 4] with a LoD of one level, the regions of each image.
        min_level: the lowest level; it gets all smaller regions, too.
        max_level: the highest level; it gets all larger regions, too.
        refer_level: the level of a region of size `refer_scale`.
        refer_scale: a size in pixels.
        name: accepted for Fluid code, ignored.

    Returns:
        (a list with the regions of each level, each with a LoD that separates the images; int32 [R, 1]: the position of
            each region in the concatenation of the levels).

    Raises:
        ArgumentTypeError: fpn_rois is not a Variable.
        LoDError: fpn_rois has no LoD of one level.
        ArgumentValueError: max_level is below min_level, or refer_scale is below 1.
        ShapeError: fpn_rois is not [R, 4].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     regions = Variable(np.array([[0, 0, 223, 223], [0, 0, 55, 55]], 'float32'), lod=((0, 2),))
    ...     levels, places = fluid.layers.distribute_fpn_proposals(regions, 2, 4, 4, 224)
    ...     [level.shape for level in levels], places.numpy()[:, 0]
    ([[1, 4], [0, 4], [1, 4]], array([1, 0], dtype=int32))
    """
    levels, places = ops.distribute_fpn_proposals.call(
        fpn_rois, min_level=min_level, max_level=max_level, refer_level=refer_level, refer_scale=refer_scale
    )
    return levels, places


def collect_fpn_proposals(
    multi_rois: Any, multi_scores: Any, min_level: int, max_level: int, post_nms_top_n: int, name: str | None = None
) -> Variable:
    """Collect the regions with the best scores from all levels of a feature pyramid.

    Where none of the regions of the last images is selected, PaddlePaddle 1.8 leaves these images out of the LoD.

    Arguments:
        multi_rois: a list of regions [R, 4], one for each level, with LoDs that separate the images.
        multi_scores: a list of their scores [R, 1].
        min_level: the lowest level.
        max_level: the highest level; the lists may have more entries than there are levels.
        post_nms_top_n: the number of regions to keep, of all images together.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [n, 4], sorted by image, the best first, with a LoD that separates the images.

    Raises:
        ArgumentTypeError: a list holds something other than Variables, or a level is not an int.
        ArgumentValueError: max_level is below min_level, or post_nms_top_n is out of range.
        LoDError: a level has no LoD, or another number of images.
        ShapeError: the shapes do not fit.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     regions = [Variable(np.full([2, 4], i, 'float32'), lod=((0, 2),)) for i in (1, 2)]
    ...     scores = [Variable(np.array([[0.5], [p]], 'float32'), lod=((0, 2),)) for p in (0.25, 0.75)]
    ...     fluid.layers.collect_fpn_proposals(regions, scores, 2, 3, 2).numpy()[:, 0]
    array([2., 1.], dtype=float32)
    """
    where = "collect_fpn_proposals"
    count = check_int(where, "max_level", max_level) - check_int(where, "min_level", min_level) + 1
    if count < 1:
        raise ArgumentValueError(message(where, "max_level", max_level, f"at least min_level, {min_level}"))
    regions, scores = variable_list(where, "multi_rois", multi_rois), variable_list(where, "multi_scores", multi_scores)
    return ops.collect_fpn_proposals.call(regions[:count], scores[:count], post_nms_topN=post_nms_top_n)
