"""Regions proposed, and shared out to the levels of a feature pyramid."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...ops.detection import proposals as ops
from ..support.arguments import number, variables, whole

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
    """The regions of each image that a region proposal network proposes (Ren et al. 2015, "Faster R-CNN").

    The best anchors are moved and stretched as the network says, and cut at the image; of those that cover each other only
    the best stays.

    Arguments:
        scores: [N, A, H, W], for each of A anchors at each place.
        bbox_deltas: [N, 4 * A, H, W]: for each anchor x, y, w, h, coded as in box_coder.
        im_info: [N, 3]: height, width, and by how much the image was scaled.
        anchors: [H, W, A, 4], of anchor_generator.
        variances: [H, W, A, 4]
        pre_nms_top_n: how many anchors of an image are looked at, the best first; all if 0.
        post_nms_top_n: how many regions of an image are kept; all if 0 or less.
        nms_thresh: regions that share more than this, as a fraction of the area that they cover together, do not both stay;
            where it is 0 or less, all stay.
        min_size: regions less wide or high, in the image before it was scaled, are left out; at least 1.
        eta: below 1 `nms_thresh` is multiplied by it after each region that is kept, while it is above 0.5.
        name: kept for Fluid code.
        return_rois_num: tell where the regions of each image end, too.

    Returns:
        (regions [found, 4], probabilities [found, 1]), the best of each image first, both with a LoD that tells the images
        apart; with `return_rois_num` int64 [N] beside them.

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
        nms_thresh=number(where, "nms_thresh", nms_thresh),
        min_size=number(where, "min_size", min_size),
        eta=number(where, "eta", eta),
    )
    return (regions, probabilities, ends) if return_rois_num else (regions, probabilities)


def distribute_fpn_proposals(
    fpn_rois: Any, min_level: int, max_level: int, refer_level: int, refer_scale: int, name: str | None = None
) -> tuple:
    """Regions shared out to the levels of a feature pyramid by their size (Lin et al. 2017, "FPN").

    A region of side s (the root of its area) belongs to level floor(refer_level + log2(s / refer_scale)).

    Arguments:
        fpn_rois: [R, 4] with a LoD of one level, the regions of each image.
        min_level: the lowest level; smaller regions belong to it, too.
        max_level: the highest level; larger regions belong to it, too.
        refer_level: the level of a region of side `refer_scale`.
        refer_scale: a side, in pixels.
        name: kept for Fluid code.

    Returns:
        (a list of the regions of each level, each with a LoD that tells the images apart, int32 [R, 1]: where each region
        went, counted through all levels).

    Raises:
        LoDError: there is no LoD of one level.

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
) -> Any:
    """The regions with the best scores of all levels of a feature pyramid.

    Where nothing of the last images is among them, PaddlePaddle 1.8 leaves those images out of the LoD.

    Arguments:
        multi_rois: a list of regions [R, 4], one for each level, with LoDs that tell the images apart.
        multi_scores: a list of their scores [R, 1].
        min_level: the lowest level.
        max_level: the highest one; lists may be longer than the levels.
        post_nms_top_n: how many regions are kept, of all images together.
        name: kept for Fluid code.

    Returns:
        [kept, 4], by image, the best first, with a LoD that tells the images apart.

    Raises:
        LoDError: a level has no LoD, or one of another number of images.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     regions = [Variable(np.full([2, 4], i, 'float32'), lod=((0, 2),)) for i in (1, 2)]
    ...     scores = [Variable(np.array([[0.5], [p]], 'float32'), lod=((0, 2),)) for p in (0.25, 0.75)]
    ...     fluid.layers.collect_fpn_proposals(regions, scores, 2, 3, 2).numpy()[:, 0]
    array([2., 1.], dtype=float32)
    """
    where = "collect_fpn_proposals"
    count = whole(where, "max_level", max_level) - whole(where, "min_level", min_level) + 1
    if count < 1:
        raise ArgumentValueError(message(where, "max_level", max_level, f"at least min_level, {min_level}"))
    regions, scores = variables(where, "multi_rois", multi_rois), variables(where, "multi_scores", multi_scores)
    return ops.collect_fpn_proposals.call(regions[:count], scores[:count], post_nms_topN=post_nms_top_n)
