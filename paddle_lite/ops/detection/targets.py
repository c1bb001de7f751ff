"""Training targets of two-stage detectors: the labels of anchors and regions, and the boxes to regress."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, message
from ...kernels.cpu.random import random as draw
from ..framework.spec import Declaration, Floats, Required, op
from ..support.image_rows import starts_of
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from .boxes import require_positive

CLOSE = 1e-5  # overlaps that differ by less are equal


def overlaps(xp: Any, boxes: Any, others: Any) -> Any:
    """Return the intersection over union of boxes [N, 4] and [M, 4] in pixels: [N, M]."""
    boxes = boxes[:, None]
    low, high = xp.maximum(boxes[..., :2], others[:, :2]), xp.minimum(boxes[..., 2:], others[:, 2:])
    both = xp.maximum(high - low + 1, 0).prod(-1)
    areas = [(each[..., 2:] - each[..., :2] + 1).prod(-1) for each in (boxes, others)]
    return xp.where(both > 0, both / (areas[0] + areas[1] - both), 0)


def some(xp: Any, indices: Any, count: int, use_random: bool) -> Any:
    """Return at most `count` of the indices: the first ones, or random ones."""
    if len(indices) <= count:
        return indices
    if use_random:
        order = xp.asarray(draw.uniform((len(indices),), 0.0, 1.0, 0, np.dtype("float64")).argsort()[: max(count, 0)])
        return indices[xp.sort(order)]
    return indices[: max(count, 0)]


def best_of(xp: Any, alike: Any) -> tuple[Any, Any]:
    """Return the maximum of each row and its column; 0 and -1 without columns."""
    if alike.shape[1]:
        return alike.max(1), alike.argmax(1)
    return xp.zeros(len(alike), alike.dtype), xp.full(len(alike), -1, "int64")


def is_best(xp: Any, alike: Any) -> Any:
    """Return which rows hold the maximum of a column."""
    if not alike.size:
        return xp.zeros(len(alike), "bool")
    return (xp.abs(alike - alike.max(0)) < CLOSE).any(1)


def deltas(xp: Any, boxes: Any, true: Any) -> Any:
    """Return the codes of true boxes [N, 4] relative to boxes [N, 4], both in pixels, including both ends."""
    size, wanted = (each[:, 2:] - each[:, :2] + 1 for each in (boxes, true))
    offset = true[:, :2] + wanted / 2 - boxes[:, :2] - size / 2
    return xp.concatenate([offset / size, xp.log(wanted / size)], 1)


def per_image(where: str, lod: Any, **arrays: Any) -> list:
    """Return the images' row offsets in each array, by slot; raise unless all have the same number of images."""
    starts: list = []
    for (slot, array), one in zip(arrays.items(), lod, strict=True):
        starts.append(starts_of(where, slot, one, len(array), len(starts[0]) - 1 if starts else None))
    return starts


def true_boxes(xp: Any, boxes: Any, crowd: Any, scale: Any) -> Any:
    """Return the true boxes that are no crowds, scaled to the image."""
    return boxes[crowd.reshape(-1) == 0] * scale


def joined(xp: Any, parts: list) -> tuple[Any, tuple]:
    """Concatenate the arrays of the images, and return the LoD."""
    ends = [0]
    for part in parts:
        ends.append(ends[-1] + len(part))
    return xp.concatenate(parts), (tuple(ends),)


# --- anchors ------------------------------------------------------------------------------------------------------------------


def sorted_out(xp, alike, count, fg_fraction, positive, negative, use_random):
    """Return (anchors with a location target, the number that counts, positive anchors, negative anchors) of one image.

    Objects that are chosen as no objects too become such; in their place the first object stands in front of the
    locations, and counts 0.
    """
    most, _ = best_of(xp, alike)
    objects = some(
        xp, xp.nonzero(is_best(xp, alike) | (most >= positive))[0], int(np.float32(fg_fraction) * count), use_random
    )
    others = some(xp, xp.nonzero(most < negative)[0], count - len(objects), use_random)
    is_object, is_other = xp.zeros(len(alike), "bool"), xp.zeros(len(alike), "bool")
    is_object[objects], is_other[others] = True, True
    remaining = xp.nonzero(is_object & ~is_other)[0]
    undone = len(objects) - len(remaining)
    locations = xp.concatenate([xp.repeat(objects[:1], undone), remaining])
    return locations, len(remaining), remaining, xp.nonzero(is_other)[0]


@op(
    "rpn_target_assign",
    inputs="Anchor GtBoxes IsCrowd ImInfo",
    outputs="LocationIndex ScoreIndex TargetBBox TargetLabel BBoxInsideWeight",
    attrs={
        "rpn_batch_size_per_im": 256,
        "rpn_straddle_thresh": Required("FLOAT"),
        "rpn_positive_overlap": 0.69999999,
        "rpn_negative_overlap": 0.30000001,
        "rpn_fg_fraction": 0.25,
        "use_random": True,
    },
    lod="made",
    needs_lod="GtBoxes IsCrowd",
    effects="random",
    stopped="LocationIndex ScoreIndex TargetBBox TargetLabel BBoxInsideWeight",
    any_sizes=True,
)
class rpn_target_assign(Declaration):
    """Compute the targets of a region proposal network for sampled anchors (Ren et al. 2015, "Faster R-CNN").

    Anchor is [A, 4]; GtBoxes [T, 4] and IsCrowd [T, 1] have LoDs; ImInfo [N, 3] holds height, width and scale, by which
    GtBoxes are multiplied. Crowds are ignored, and so are anchors more than rpn_straddle_thresh outside of the image.
    Positive are the anchors with the highest overlap with a true box, and those with an overlap of at least
    rpn_positive_overlap; at most the fraction rpn_fg_fraction of rpn_batch_size_per_im. The rest of the batch are
    negative anchors, whose overlap with every true box is below rpn_negative_overlap. LocationIndex and ScoreIndex
    count the anchors of all images.
    """

    def infer(Anchor, GtBoxes, IsCrowd, ImInfo, *, rpn_batch_size_per_im, **_):
        where = "rpn_target_assign"
        require_floats(where, Anchor=Anchor, GtBoxes=GtBoxes, ImInfo=ImInfo)
        require_true(where, GtBoxes, IsCrowd, ImInfo)
        require_shape(where, "Anchor", Anchor, (UNKNOWN, 4))
        require_positive(where, rpn_batch_size_per_im=[rpn_batch_size_per_im])
        index, whole = Meta((UNKNOWN,), np.dtype("int32"), 1), np.dtype("int32")
        rows = Meta((UNKNOWN, 4), Anchor.dtype, 1)
        return index, index, rows, Meta((UNKNOWN, 1), whole, 1), rows

    def reference(
        xp, Anchor, GtBoxes, IsCrowd, ImInfo, *, lod, rpn_batch_size_per_im, rpn_straddle_thresh, rpn_positive_overlap,
        rpn_negative_overlap, rpn_fg_fraction, use_random,
    ):  # fmt: skip
        starts, _ = per_image("rpn_target_assign", lod, GtBoxes=GtBoxes, IsCrowd=IsCrowd)
        images_match("rpn_target_assign", starts, ImInfo)
        how = rpn_batch_size_per_im, rpn_fg_fraction, rpn_positive_overlap, rpn_negative_overlap, use_random
        made = [[] for _ in range(5)]
        for image, (first, last) in enumerate(pairwise(starts)):
            high, wide, scale = ImInfo[image]
            inside = xp.arange(len(Anchor))
            if rpn_straddle_thresh >= 0:
                limits = xp.stack([wide, high]) + rpn_straddle_thresh
                fit = (Anchor[:, :2] >= -rpn_straddle_thresh) & (Anchor[:, 2:] < limits)
                inside = xp.nonzero(fit.all(1))[0]
            true = true_boxes(xp, GtBoxes[first:last], IsCrowd[first:last], scale)
            alike = overlaps(xp, Anchor[inside], true)
            places, count, objects, others = sorted_out(xp, alike, *how)
            targets = deltas(xp, Anchor[inside[places]], true[best_of(xp, alike)[1][places]])
            label = xp.concatenate([xp.ones(len(objects), "int32"), xp.zeros(len(others), "int32")])
            weight = xp.concatenate([xp.zeros((len(places) - count, 4)), xp.ones((count, 4))]).astype(Anchor.dtype)
            offset = image * len(Anchor)
            indices = inside[places] + offset, inside[xp.concatenate([objects, others])] + offset
            parts = *(i.astype("int32") for i in indices), targets.astype(Anchor.dtype), label.reshape(-1, 1), weight
            for store, part in zip(made, parts, strict=True):
                store.append(part)
        arrays, lods = zip(*(joined(xp, parts) for parts in made), strict=True)
        return arrays, lods


def require_true(where: str, GtBoxes: Meta, IsCrowd: Meta, ImInfo: Meta) -> None:
    """Raise unless true boxes, what is a crowd, and the sizes of images have their shapes."""
    require_shape(where, "GtBoxes", GtBoxes, (UNKNOWN, 4))
    require_dtype(where, "IsCrowd", IsCrowd, "int32")
    require_shape(where, "IsCrowd", IsCrowd, (GtBoxes.shape[0], 1), (GtBoxes.shape[0],))
    require_shape(where, "ImInfo", ImInfo, (UNKNOWN, 3))


def images_match(where: str, starts: Any, ImInfo: Any) -> None:
    """Raise unless there is a size for each image."""
    if len(ImInfo) != len(starts) - 1:
        got, needs = f"{len(ImInfo)} images", f"{len(starts) - 1}, as the LoD says"
        raise ArgumentValueError(message(where, "Input(ImInfo)", got, needs))


# --- regions ------------------------------------------------------------------------------------------------------------------


def chosen_regions(xp, alike, crowd, batch, fg_fraction, fg_thresh, high, low, use_random, is_cascade_rcnn):
    """Return (regions that are objects, the true box of each, regions that are none) of one image."""
    most, _ = best_of(xp, alike)
    true = most[: len(crowd)]  # the first regions are the true boxes themselves
    true[:] = xp.where(crowd.reshape(-1)[: len(true)] != 0, -1, true)
    objects = xp.nonzero(most >= fg_thresh)[0]
    others = xp.nonzero((most >= low) & (most < high) & (most < fg_thresh))[0]
    if not is_cascade_rcnn:
        objects = some(xp, objects, int(batch * np.float32(fg_fraction)), use_random)
        others = some(xp, others, batch - len(objects), use_random)
    of_object = (xp.abs(most[objects][:, None] - alike[objects]) < CLOSE).argmax(1) if len(objects) else objects
    return objects, of_object, others


def by_class(xp: Any, targets: Any, labels: Any, class_nums: int, is_cls_agnostic: bool) -> tuple[Any, Any]:
    """Return [N, classes * 4] with targets [N, 4] in the blocks of their classes, and its mask; class 0 has none."""
    place = xp.where(labels > 0, 1, 0) if is_cls_agnostic else labels
    here = (xp.arange(class_nums) == place[:, None]) & (labels > 0)[:, None]
    shape = len(labels), 4 * class_nums
    spread = xp.where(here[..., None], targets[:, None], 0).astype(targets.dtype)
    return spread.reshape(shape), xp.repeat(here, 4, 1).astype(targets.dtype)


@op(
    "generate_proposal_labels",
    inputs="RpnRois GtClasses IsCrowd GtBoxes ImInfo",
    outputs="Rois LabelsInt32 BboxTargets BboxInsideWeights BboxOutsideWeights",
    attrs={
        "batch_size_per_im": Required("INT"),
        "fg_fraction": Required("FLOAT"),
        "fg_thresh": Required("FLOAT"),
        "bg_thresh_hi": Required("FLOAT"),
        "bg_thresh_lo": Required("FLOAT"),
        "bbox_reg_weights": Floats(),
        "class_nums": Required("INT"),
        "use_random": True,
        "is_cascade_rcnn": False,
        "is_cls_agnostic": False,
    },
    lod="made",
    needs_lod="RpnRois GtClasses IsCrowd GtBoxes",
    effects="random",
    stopped="Rois LabelsInt32 BboxTargets BboxInsideWeights BboxOutsideWeights",
)
class generate_proposal_labels(Declaration):
    """Sample the regions that train the second stage of a detector, and compute their targets (Ren et al. 2015).

    The candidates are RpnRois [R, 4], in the image scaled by ImInfo[:, 2], and the true boxes GtBoxes [T, 4]. Those
    whose overlap with a true box is at least fg_thresh are objects of its class in GtClasses [T, 1]; those from
    bg_thresh_lo to below bg_thresh_hi are background, class 0. Of each image at most batch_size_per_im are taken, the
    fraction fg_fraction of them objects. BboxTargets [found, class_nums * 4] holds the codes of true boxes, divided by
    bbox_reg_weights, in the block of the class; the weights are 1 there. With is_cascade_rcnn the first T RpnRois of an
    image are its true boxes, unscaled, and all regions are taken. Crowd boxes are neither objects nor background.
    """

    def infer(RpnRois, GtClasses, IsCrowd, GtBoxes, ImInfo, *, batch_size_per_im, bbox_reg_weights, class_nums, **_):
        where = "generate_proposal_labels"
        require_floats(where, RpnRois=RpnRois, GtBoxes=GtBoxes, ImInfo=ImInfo)
        require_true(where, GtBoxes, IsCrowd, ImInfo)
        require_shape(where, "RpnRois", RpnRois, (UNKNOWN, 4))
        require_dtype(where, "GtClasses", GtClasses, "int32")
        require_shape(where, "GtClasses", GtClasses, (GtBoxes.shape[0], 1), (GtBoxes.shape[0],))
        require_positive(where, 4, bbox_reg_weights=bbox_reg_weights)
        require_positive(where, batch_size_per_im=[batch_size_per_im], class_nums=[class_nums])
        dtype = RpnRois.dtype
        each = Meta((UNKNOWN, 4 * class_nums), dtype, 1)
        return Meta((UNKNOWN, 4), dtype, 1), Meta((UNKNOWN, 1), np.dtype("int32"), 1), each, each, each

    def reference(
        xp, RpnRois, GtClasses, IsCrowd, GtBoxes, ImInfo, *, lod, batch_size_per_im, fg_fraction, fg_thresh,
        bg_thresh_hi, bg_thresh_lo, bbox_reg_weights, class_nums, use_random, is_cascade_rcnn, is_cls_agnostic,
    ):  # fmt: skip
        where = "generate_proposal_labels"
        given = {"RpnRois": RpnRois, "GtClasses": GtClasses, "IsCrowd": IsCrowd, "GtBoxes": GtBoxes}
        regions, starts, *_ = per_image(where, lod, **given)
        images_match(where, starts, ImInfo)
        how = batch_size_per_im, fg_fraction, fg_thresh, bg_thresh_hi, bg_thresh_lo, use_random, is_cascade_rcnn
        weights = xp.asarray(bbox_reg_weights, RpnRois.dtype)
        made = [[] for _ in range(4)]
        for image, (first, last) in enumerate(pairwise(starts)):
            scale, true = ImInfo[image, 2], GtBoxes[first:last]
            boxes = RpnRois[regions[image] : regions[image + 1]]
            # Paddle expects the true boxes, unscaled, as the first regions of a later stage
            first_regions = boxes[: len(true)] if is_cascade_rcnn else true
            boxes = xp.concatenate([first_regions, (boxes[len(true) :] if is_cascade_rcnn else boxes) / scale])
            objects, of_object, others = chosen_regions(xp, overlaps(xp, boxes, true), IsCrowd[first:last], *how)
            labels = xp.zeros(len(objects) + len(others), "int32")
            labels[: len(objects)] = GtClasses[first:last].reshape(-1)[of_object]
            targets = xp.zeros((len(labels), 4), RpnRois.dtype)
            targets[: len(objects)] = deltas(xp, boxes[objects], true[of_object]) / weights
            spread, inside = by_class(xp, targets, labels, class_nums, is_cls_agnostic)
            rois = boxes[xp.concatenate([objects, others])] * scale
            for store, part in zip(made, (rois, labels.reshape(-1, 1), spread, inside), strict=True):
                store.append(part)
        arrays, lods = zip(*(joined(xp, parts) for parts in made), strict=True)
        return (*arrays, arrays[3].copy()), (*lods, lods[3])
