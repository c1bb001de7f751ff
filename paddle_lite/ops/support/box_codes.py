"""Decoding of boxes [xmin, ymin, xmax, ymax] and box selection, shared by detection references and kernels."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Any

from ...core.lod import LoD

LARGEST = log(1000 / 16)  # the upper bound of a width or height code: a box is at most exp(LARGEST) times its anchor


def extents(boxes: Any, box_normalized: bool) -> tuple[Any, Any]:
    """Return the widths and heights of boxes [..., 4]; boxes in pixels (not normalized) include both end points."""
    extra = 0 if box_normalized else 1
    return boxes[..., 2] - boxes[..., 0] + extra, boxes[..., 3] - boxes[..., 1] + extra


def decode_boxes(xp, codes, prior, normalized):
    """Decode codes [N, M, 4] relative to priors [M, 4] or [N, 1, 4] into boxes."""
    wide, high = extents(prior, normalized)
    x = codes[..., 0] * wide + prior[..., 0] + wide / 2
    y = codes[..., 1] * high + prior[..., 1] + high / 2
    w, h = xp.exp(codes[..., 2]) * wide, xp.exp(codes[..., 3]) * high
    extra = 0 if normalized else 1
    return xp.stack([x - w / 2, y - h / 2, x + w / 2 - extra, y + h / 2 - extra], -1)


def best_proposals(
    xp: Any, scores: Any, deltas: Any, info: Any, anchors: Any, variances: Any, top: int, extra: int
) -> tuple[Any, Any]:
    """Return the boxes of the `top` best anchors of one image, clipped to the image, and their scores; `extra` as in `propose`."""
    order = xp.argsort(-scores, kind="stable")
    order = order if top <= 0 else order[:top]
    codes = deltas[order] * variances[order]
    codes = xp.concatenate([codes[:, :2], xp.minimum(codes[:, 2:], LARGEST)], 1)
    boxes = decode_boxes(xp, codes, anchors[order], not extra)
    limits = info[[1, 0, 1, 0]] - extra
    return xp.maximum(xp.minimum(boxes, limits), xp.zeros((), boxes.dtype)), scores[order]


def large_enough(xp: Any, boxes: Any, info: Any, min_size: float, extra: int) -> Any:
    """Return which boxes are at least `min_size` wide and high in the unscaled image.

    Where boxes include both end points (`extra` is 1), their centre has to be in the image, too.
    """
    size = boxes[:, 2:] - boxes[:, :2]
    fit = size / info[2] + extra >= max(min_size, 1.0)
    return (fit & (boxes[:, :2] + (size + 1) / 2 <= info[[1, 0]]) if extra else fit).all(1)


def propose(
    xp: Any,
    Scores: Any,
    BboxDeltas: Any,
    ImInfo: Any,
    Anchors: Any,
    Variances: Any,
    top: int,
    min_size: float,
    suppress: Callable[[Any, Any], Any] | None,
    extra: int = 1,
    never_none: bool = False,
) -> tuple:
    """Compute the outputs of generate_proposals.

    Arguments:
        top: the number of anchors of an image that are considered; 0 or less for all.
        suppress: suppress(boxes, scores) returns the indices of the boxes to keep, given the best first; None keeps all.
        extra: 1 for boxes that include both end points, else 0.
        never_none: whether an image without a box that is large enough has one of zeros.
    """
    anchors, variances = Anchors.reshape(-1, 4), Variances.reshape(-1, 4)
    rois, probabilities, starts = [], [], [0]
    for scores, deltas, info in zip(Scores, BboxDeltas, ImInfo, strict=True):
        deltas = xp.moveaxis(deltas.reshape(-1, 4, *deltas.shape[1:]), (0, 1), (2, 3)).reshape(-1, 4)
        scores = xp.moveaxis(scores, 0, -1).reshape(-1)
        boxes, best = best_proposals(xp, scores, deltas, info, anchors, variances, top, extra)
        fit = large_enough(xp, boxes, info, min_size, extra)
        boxes, best = boxes[fit], best[fit]
        if never_none and not len(best):
            boxes, best = xp.zeros((1, 4), boxes.dtype), xp.zeros(1, best.dtype)
        elif suppress is not None:
            kept = xp.asarray(suppress(boxes, best), "int64")
            boxes, best = boxes[kept], best[kept]
        rois.append(boxes)
        probabilities.append(best.reshape(-1, 1))
        starts.append(starts[-1] + len(boxes))
    lod = (tuple(starts),)
    ends = xp.asarray(starts[1:], "int64")
    return (xp.concatenate(rois), xp.concatenate(probabilities), ends), (lod, lod, None)


# --- levels of a feature pyramid ------------------------------------------------------------------------------------------


def candidates(xp: Any, deltas: Any, scores: Any, anchors: Any, info: Any, threshold: float, top: int) -> tuple:
    """Return the best boxes of one image and level, their scores and their zero-based classes."""
    flat = scores.reshape(-1)
    order = xp.argsort(-flat, kind="stable")
    order = order[flat[order] > threshold]
    order = order if top < 0 else order[:top]
    place = order // scores.shape[1]
    boxes = decode_boxes(xp, deltas[place], anchors[place], False) / info[2]
    limits = xp.floor(info[[1, 0, 1, 0]] / info[2] + 0.5) - 1
    return xp.maximum(xp.minimum(boxes, limits), xp.zeros((), boxes.dtype)), flat[order], order % scores.shape[1]


def detect_on_levels(
    xp: Any,
    BBoxes: Any,
    Scores: Any,
    Anchors: Any,
    ImInfo: Any,
    score_threshold: float,
    top: int,
    keep: int,
    suppress: Callable[[Any, Any], Any],
) -> tuple:
    """Compute the outputs of retinanet_detection_output.

    Arguments:
        top: the number of boxes of a level that are considered; negative for all.
        keep: the number of boxes of an image that are kept; negative for all.
        suppress: suppress(boxes, scores) returns the indices to keep of the boxes of one class, given the best first.
    """
    number, found, starts = BBoxes[0].dtype.type, [], [0]
    thresholds = [number(score_threshold)] * (len(BBoxes) - 1) + [number(0)]
    for image, info in enumerate(ImInfo):
        levels = [
            candidates(xp, b[image], s[image], a, info, least, top)
            for b, s, a, least in zip(BBoxes, Scores, Anchors, thresholds, strict=True)
        ]
        boxes, scores, labels = (xp.concatenate(parts) for parts in zip(*levels, strict=True))
        order = xp.argsort(-scores, kind="stable")
        boxes, scores, labels = boxes[order], scores[order], labels[order]
        kept = []
        for label in range(Scores[0].shape[2]):
            rows = xp.nonzero(labels == label)[0]
            kept.append(rows[xp.asarray(suppress(boxes[rows], scores[rows]), "int64")])
        chosen = xp.concatenate(kept)
        chosen = chosen[xp.argsort(-scores[chosen], kind="stable")]
        chosen = chosen if keep < 0 else chosen[:keep]
        head = xp.stack([(labels[chosen] + 1).astype(boxes.dtype), scores[chosen]], 1)
        found.append(xp.concatenate([head, boxes[chosen]], 1))
        starts.append(starts[-1] + len(found[-1]))
    return xp.concatenate(found), (tuple(starts),)


def best_of_decayed(
    xp: Any, BBoxes: Any, Scores: Any, background: int, lowest: tuple[float, float], top_k: int, keep: int,
    decayed: Callable[[Any, Any], Any],
) -> tuple[tuple[Any, Any], tuple[LoD, LoD]]:  # fmt: skip
    """Return the results of matrix_nms: the boxes whose decayed scores are the best, and their indices.

    Arguments:
        BBoxes, Scores, background, top_k, keep: as the operator has them.
        lowest: what a score must exceed, before and after it has decayed.
        decayed: returns the decayed scores of boxes of one class and their scores, the best first.
    """
    starts, rows, indices = [0], [xp.zeros((0, 6), BBoxes.dtype)], [xp.zeros(0, "int64")]
    for image, (boxes, scores) in enumerate(zip(BBoxes, Scores, strict=True)):
        found, places = [xp.zeros((0, 6), BBoxes.dtype)], [xp.zeros(0, "int64")]
        for label, each in enumerate(scores):
            if label == background:
                continue
            high = xp.flatnonzero(each > lowest[0])
            order = high[xp.argsort(-each[high], kind="stable")]
            order = order if top_k < 0 else order[:top_k]
            less = decayed(boxes[order], each[order])
            kept = less > lowest[1]
            head = xp.stack([xp.full(len(order), label, BBoxes.dtype), less], 1)
            found.append(xp.concatenate([head, boxes[order]], 1)[kept])
            places.append(image * len(boxes) + order[kept])
        best, place = xp.concatenate(found), xp.concatenate(places)
        top = xp.argsort(-best[:, 1], kind="stable")
        top = top if keep < 0 else top[:keep]
        rows.append(best[top])
        indices.append(place[top])
        starts.append(starts[-1] + len(top))
    lod = (tuple(starts),)
    return (xp.concatenate(rows), xp.concatenate(indices).astype("int32").reshape(-1, 1)), (lod, lod)
