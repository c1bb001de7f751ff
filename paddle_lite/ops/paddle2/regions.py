"""Regions of images as PaddlePaddle 2 has them: pooled half a pixel further, proposed, and counted instead of under a LoD.

Slots and attributes are those of PaddlePaddle 2.6.2, which has for some of them the name of an operator of 1.8.5.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...core.lod import from_lengths
from ..detection.pool import infer_pooled
from ..detection.proposals import LEVELS, distributed, infer_distributed, kept_proposals, require_proposals
from ..detection.select import suppressed
from ..framework.spec import Declaration, Grad, Required, op
from ..support.box_codes import propose
from ..support.image_rows import image_by_counts, starts_of
from ..support.meta import Meta
from ..support.region_bins import bin_weights_2d, region_means, region_means_grad
from ..support.require import require_dtype, require_floats, require_shape
from ..support.scalar_inputs import require_integer_numbers
from ..support.shape_rules import UNKNOWN


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


# --- rows of images: counted, or by a LoD -------------------------------------------------------------------------------------


@op("lod_of_counts", inputs="X Counts", outputs="Out", lod="made")
class lod_of_counts(Declaration):
    """Return X with the LoD of one level whose lengths are Counts, as PaddlePaddle 2 tells the regions of images apart."""

    def infer(X, Counts):
        require_integer_numbers("lod_of_counts", "Counts", Counts)
        return Meta(tuple(X.shape), X.dtype, 1)

    def reference(xp, X, Counts):
        lod = from_lengths([Counts.reshape(-1).tolist()], len(X), "lod_of_counts: Input(Counts)")
        return X.copy(), lod

    def gradient(xp, dOut):
        return dOut.copy()

    grad = Grad("Out@GRAD", "X@GRAD", gradient)


@op("counts_of_lod", inputs="X", outputs="Out Counts", lod=None, needs_lod="X")
class counts_of_lod(Declaration):
    """Return X without its LoD, and the number of rows, int32, that each sequence of its last level has."""

    def infer(X):
        return Meta(tuple(X.shape), X.dtype), Meta((UNKNOWN,), np.dtype("int32"))

    def reference(xp, X, *, lod):
        starts = starts_of("counts_of_lod", "X", None if lod is None else lod[-1:], len(X))
        return X.copy(), xp.asarray([last - first for first, last in pairwise(starts)], "int32")


# --- proposals ----------------------------------------------------------------------------------------------------------------


@op(
    "generate_proposals_v2",
    inputs="Scores BboxDeltas ImShape Anchors Variances",
    outputs="RpnRois RpnRoiProbs RpnRoisNum?",
    attrs={
        "pre_nms_topN": Required("INT"), "post_nms_topN": Required("INT"), "nms_thresh": Required("FLOAT"),
        "min_size": Required("FLOAT"), "eta": Required("FLOAT"), "pixel_offset": True,
    },
    lod=None,
    stopped="RpnRois RpnRoiProbs",
)  # fmt: skip
class generate_proposals_v2(Declaration):
    """Select regions as generate_proposals does, for images of ImShape [N, 2], height and width.

    RpnRoisNum [N], int32, holds the number of regions of each image. Without `pixel_offset` a box from 2 to 5 is 3 wide, not 4.
    An image without a region that is large enough has one of zeros.
    """

    def infer(Scores, BboxDeltas, ImShape, Anchors, Variances, **_):
        where = "generate_proposals_v2"
        require_proposals(where, Scores, BboxDeltas, ImShape, Anchors, Variances, ImShape=2)
        dtype = Scores.dtype
        return Meta((UNKNOWN, 4), dtype), Meta((UNKNOWN, 1), dtype), Meta(Scores.shape[:1], np.dtype("int32"))

    def reference(
        xp, Scores, BboxDeltas, ImShape, Anchors, Variances, *, pre_nms_topN, post_nms_topN, nms_thresh, min_size, eta,
        pixel_offset,
    ):  # fmt: skip
        suppress = kept_proposals(xp, Scores.dtype.type, post_nms_topN, nms_thresh, eta, int(pixel_offset))
        info = xp.concatenate([ImShape, xp.ones((len(ImShape), 1), ImShape.dtype)], 1)
        (rois, scores, ends), _ = propose(
            xp, Scores, BboxDeltas, info, Anchors, Variances, pre_nms_topN, min_size, suppress, int(pixel_offset), True
        )
        return rois, scores, xp.diff(ends, prepend=0).astype("int32")


@op(
    "distribute_fpn_proposals_half_pixel", inputs="FpnRois", outputs="MultiFpnRois* RestoreIndex", attrs=LEVELS, lod="made",
    needs_lod="FpnRois",
)  # fmt: skip
class distribute_fpn_proposals_half_pixel(Declaration):
    """Distribute regions as distribute_fpn_proposals does, where a box from 2 to 5 is 3 wide, not 4."""

    def infer(FpnRois, *, min_level, max_level, refer_scale, **_):
        return infer_distributed("distribute_fpn_proposals_half_pixel", FpnRois, min_level, max_level, refer_scale)

    def reference(xp, FpnRois, *, lod, min_level, max_level, refer_level, refer_scale):
        where = "distribute_fpn_proposals_half_pixel"
        return distributed(where, xp, FpnRois, lod, min_level, max_level, refer_level, refer_scale, 0)


@op("nms", inputs="Boxes", outputs="KeepBoxesIdxs", attrs={"iou_threshold": 1.0}, lod=None)
class nms(Declaration):
    """Return the indices of the boxes [M, 4], the best first, that overlap no better one by more than iou_threshold."""

    def infer(Boxes, **_):
        require_floats("nms", Boxes=Boxes)
        require_shape("nms", "Boxes", Boxes, (UNKNOWN, 4))
        return Meta((UNKNOWN,), np.dtype("int64"))

    def reference(xp, Boxes, *, iou_threshold):
        scores = xp.zeros(len(Boxes), Boxes.dtype)
        limit = Boxes.dtype.type(iou_threshold)
        return xp.asarray(suppressed(xp, Boxes, scores, -np.inf, -1, limit, 1.0, 0), "int64")
