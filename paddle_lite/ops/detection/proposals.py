"""Operators that propose regions from anchor scores, and that distribute them over the levels of a pyramid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, LoDError, ShapeError, message
from ..framework.spec import Declaration, Required, op
from ..support.box_codes import propose
from ..support.image_rows import image_of_rows, starts_of
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from .boxes import require_map
from .select import suppressed


def require_proposals(
    where: str, Scores: Any, BboxDeltas: Any, image: Any, Anchors: Any, Variances: Any, **size: int
) -> None:
    """Raise unless scores, codes, facts of images, anchors and variances fit.

    Arguments:
        image: the facts of images; `size` has the name of their slot and says how many numbers they are.
    """
    [(slot, numbers)] = size.items()
    require_map(where, "Scores", Scores)
    given = {"Scores": Scores, "BboxDeltas": BboxDeltas, slot: image}
    require_floats(where, **given, Anchors=Anchors, Variances=Variances)
    images, kinds, rows, columns = Scores.shape
    require_shape(where, "BboxDeltas", BboxDeltas, (images, UNKNOWN if kinds == UNKNOWN else 4 * kinds, rows, columns))
    require_shape(where, slot, image, (images, numbers))
    for name, meta in (("Anchors", Anchors), ("Variances", Variances)):
        require_shape(where, name, meta, (rows, columns, kinds, 4))


def kept_proposals(xp: Any, number: Any, most: int, thresh: float, eta: float, extra: int) -> Callable | None:
    """Return a function that suppresses boxes, given the best first, as `propose` takes it; None where thresh is 0.

    Arguments:
        number: the type of numbers. most: how many boxes are kept; 0 or less for all. extra: as in `extents`.
    """

    def kept(boxes: Any, scores: Any) -> Any:
        best = suppressed(xp, boxes, scores, -np.inf, -1, number(thresh), number(eta), extra)
        return best[:most] if most > 0 else best

    return kept if thresh > 0 else None


@op(
    "generate_proposals",
    inputs="Scores BboxDeltas ImInfo Anchors Variances",
    outputs="RpnRois RpnRoiProbs RpnRoisLod?",
    attrs={
        "pre_nms_topN": Required("INT"),
        "post_nms_topN": Required("INT"),
        "nms_thresh": Required("FLOAT"),
        "min_size": Required("FLOAT"),
        "eta": Required("FLOAT"),
    },
    lod="made",
    stopped="RpnRois RpnRoiProbs",
    any_sizes=True,
)
class generate_proposals(Declaration):
    """Select the regions of each image that a region proposal network proposes (Ren et al. 2015, "Faster R-CNN").

    Scores [N, A, H, W] and BboxDeltas [N, 4 * A, H, W] (codes as in box_coder, in pixels) belong to Anchors and
    Variances [H, W, A, 4]; ImInfo [N, 3] holds height, width and scale. The pre_nms_topN best boxes are decoded and
    clipped to the image; those smaller than min_size are removed. Non-maximum suppression with nms_thresh keeps
    post_nms_topN at most. RpnRois [found, 4] and RpnRoiProbs [found, 1] have a LoD; RpnRoisLod holds the ends of the
    images' regions.
    """

    def infer(Scores, BboxDeltas, ImInfo, Anchors, Variances, **_):
        require_proposals("generate_proposals", Scores, BboxDeltas, ImInfo, Anchors, Variances, ImInfo=3)
        dtype = Scores.dtype
        lod = Meta(Scores.shape[:1], np.dtype("int64"))
        return Meta((UNKNOWN, 4), dtype, 1), Meta((UNKNOWN, 1), dtype, 1), lod

    def reference(
        xp, Scores, BboxDeltas, ImInfo, Anchors, Variances, *, pre_nms_topN, post_nms_topN, nms_thresh, min_size, eta
    ):
        suppress = kept_proposals(xp, Scores.dtype.type, post_nms_topN, nms_thresh, eta, 1)
        return propose(xp, Scores, BboxDeltas, ImInfo, Anchors, Variances, pre_nms_topN, min_size, suppress)


# --- levels of a pyramid ------------------------------------------------------------------------------------------------------


def level_of(xp: Any, rois: Any, min_level: int, max_level: int, refer_level: int, refer_scale: int, extra: int) -> Any:
    """Return the pyramid level of each region: one higher for twice the side."""
    size = rois[:, 2:] - rois[:, :2]
    area = xp.where((size >= 0).all(1), (size + extra).prod(1), 0)
    level = xp.floor(xp.log2(xp.sqrt(area) / refer_scale + 1e-6) + refer_level)
    return xp.clip(level, min_level, max_level).astype("int64")


LEVELS = {
    "min_level": Required("INT"), "max_level": Required("INT"), "refer_level": Required("INT"), "refer_scale": Required("INT"),
}  # fmt: skip


def infer_distributed(where: str, FpnRois: Any, min_level: int, max_level: int, refer_scale: int) -> Any:
    """Return the Metas of the regions of each level, and that of their indices."""
    require_floats(where, FpnRois=FpnRois)
    require_shape(where, "FpnRois", FpnRois, (UNKNOWN, 4))
    if not min_level < max_level:
        needs = f"more than min_level, {min_level}"
        raise ArgumentValueError(message(where, "attribute 'max_level'", max_level, needs))
    if refer_scale <= 0:
        raise ArgumentValueError(message(where, "attribute 'refer_scale'", refer_scale, "a positive number"))
    each = Meta((UNKNOWN, 4), FpnRois.dtype, 1)
    return [each] * (max_level - min_level + 1), Meta((FpnRois.shape[0], 1), np.dtype("int32"))


def distributed(
    where: str,
    xp: Any,
    rois: Any,
    lod: Any,
    min_level: int,
    max_level: int,
    refer_level: int,
    refer_scale: int,
    extra: int,
) -> tuple:
    """Return what distribute_fpn_proposals computes; `extra` as in `extents`."""
    starts = starts_of(where, "FpnRois", lod, len(rois))
    levels = level_of(xp, rois, min_level, max_level, refer_level, refer_scale, extra)
    order = [xp.nonzero(levels == level)[0] for level in range(min_level, max_level + 1)]
    edges = xp.asarray(starts, "int64")
    lods = [(tuple(xp.searchsorted(rows, edges).tolist()),) for rows in order]
    restore = xp.argsort(xp.concatenate(order)).astype("int32").reshape(-1, 1)
    return ([rois[rows] for rows in order], restore), (lods, None)


@op(
    "distribute_fpn_proposals", inputs="FpnRois", outputs="MultiFpnRois* RestoreIndex", attrs=LEVELS, lod="made",
    needs_lod="FpnRois",
)  # fmt: skip
class distribute_fpn_proposals(Declaration):
    """Distribute regions over the levels of a feature pyramid by their size (Lin et al. 2017, "FPN").

    The level of a region with the side s is floor(refer_level + log2(s / refer_scale)), bounded by min_level and
    max_level. MultiFpnRois holds the regions of each level, with a LoD; RestoreIndex [R, 1] the index of each region in
    the concatenation of all levels.
    """

    def infer(FpnRois, *, min_level, max_level, refer_scale, **_):
        return infer_distributed("distribute_fpn_proposals", FpnRois, min_level, max_level, refer_scale)

    def reference(xp, FpnRois, *, lod, min_level, max_level, refer_level, refer_scale):
        where = "distribute_fpn_proposals"
        return distributed(where, xp, FpnRois, lod, min_level, max_level, refer_level, refer_scale, 1)


@op(
    "collect_fpn_proposals",
    inputs="MultiLevelRois* MultiLevelScores*",
    outputs="FpnRois",
    attrs={"post_nms_topN": Required("INT")},
    lod="made",
    needs_lod="MultiLevelRois",
    stopped="FpnRois",
)
class collect_fpn_proposals(Declaration):
    """Select the post_nms_topN regions with the highest scores from all levels of a pyramid, by image, the best first.

    MultiLevelRois [R, 4] and MultiLevelScores [R, 1] of each level have LoDs of images.
    """

    def infer(MultiLevelRois, MultiLevelScores, *, post_nms_topN):
        where = "collect_fpn_proposals"
        if len(MultiLevelRois) != len(MultiLevelScores):
            got, needs = f"{len(MultiLevelScores)} arrays", f"{len(MultiLevelRois)}, one for each of MultiLevelRois"
            raise ShapeError(message(where, "Input(MultiLevelScores)", got, needs))
        for i, (rois, scores) in enumerate(zip(MultiLevelRois, MultiLevelScores, strict=True)):
            require_floats(where, **{f"MultiLevelRois[{i}]": rois, f"MultiLevelScores[{i}]": scores})
            require_shape(where, f"MultiLevelRois[{i}]", rois, (UNKNOWN, 4))
            require_shape(where, f"MultiLevelScores[{i}]", scores, (rois.shape[0], 1))
        if post_nms_topN < 0:
            raise ArgumentValueError(message(where, "attribute 'post_nms_topN'", post_nms_topN, "0 or more"))
        return Meta((UNKNOWN, 4), MultiLevelRois[0].dtype, 1)

    def reference(xp, MultiLevelRois, MultiLevelScores, *, lod, post_nms_topN):
        where = "collect_fpn_proposals"
        starts = [starts_of(where, "MultiLevelRois", one, len(r)) for one, r in zip(lod, MultiLevelRois, strict=True)]
        if len({len(each) for each in starts}) > 1:
            got = f"{[len(each) - 1 for each in starts]} images"
            raise LoDError(message(where, "Input(MultiLevelRois)", got, "the same images on every level"))
        images = xp.asarray([image for each in starts for image in image_of_rows(each)], "int64")
        scores, rois = (xp.concatenate(arrays) for arrays in (MultiLevelScores, MultiLevelRois))
        best = xp.argsort(-scores[:, 0], kind="stable")[:post_nms_topN]
        best = best[xp.argsort(images[best], kind="stable")]
        ends = xp.searchsorted(images[best], xp.arange(len(starts[0]))).tolist()
        return rois[best], (tuple(ends),)
