"""Operators that decode the output of a detector to boxes, and that suppress overlapping ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.spec import Declaration, Ints, Required, op
from ..support.box_codes import best_of_decayed
from ..support.image_rows import starts_of
from ..support.meta import Meta
from ..support.require import require_dtype, require_elements, require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from ..support.sigmoid import sigmoid
from . import polygons
from .boxes import require_map, require_positive


def clipped(xp: Any, boxes: Any, wide: Any, high: Any) -> Any:
    """Clip the lower edges at 0 and the upper ones at the edge of the image."""
    zero = xp.zeros((), boxes.dtype)
    low = xp.maximum(boxes[..., :2], zero)
    right, bottom = xp.minimum(boxes[..., 2], wide - 1), xp.minimum(boxes[..., 3], high - 1)
    return xp.concatenate([low, right[..., None], bottom[..., None]], -1)


@op(
    "yolo_box",
    inputs="X ImgSize",
    outputs="Boxes Scores",
    attrs={
        "class_num": Required("INT"),
        "anchors": Ints([]),
        "downsample_ratio": 32,
        "conf_thresh": 0.0099999998,
        "clip_bbox": True,
        "scale_x_y": 1.0,
    },
    lod=None,
)
class yolo_box(Declaration):
    """Decode the output of YOLOv3 to boxes and scores (Redmon and Farhadi 2018).

    X [N, A * (5 + classes), H, W] holds x, y, w, h, the confidence and class scores for each of A anchors in each cell.
    Boxes [N, A * H * W, 4] are in pixels of images of ImgSize [N, 2] (height, width); box and scores are 0 if the
    confidence is below `conf_thresh`.
    """

    def infer(X, ImgSize, *, class_num, anchors, downsample_ratio, **_):
        where = "yolo_box"
        require_map(where, "X", X)
        require_dtype(where, "ImgSize", ImgSize, "int32")
        require_shape(where, "ImgSize", ImgSize, (X.shape[0], 2))
        require_positive(where, anchors=anchors, class_num=[class_num], downsample_ratio=[downsample_ratio])
        if len(anchors) % 2:
            raise ArgumentValueError(message(where, "attribute 'anchors'", list(anchors), "pairs of width and height"))
        images, channels, rows, columns = X.shape
        kinds = len(anchors) // 2
        if channels not in (UNKNOWN, kinds * (5 + class_num)):
            needs = f"{kinds * (5 + class_num)} channels, 5 + {class_num} for each of {kinds} anchors"
            raise ShapeError(message(where, "Input(X)", f"shape {list(X.shape)}", needs))
        count = UNKNOWN if UNKNOWN in (rows, columns) else kinds * rows * columns
        return Meta((images, count, 4), X.dtype), Meta((images, count, class_num), X.dtype)

    def reference(xp, X, ImgSize, *, class_num, anchors, downsample_ratio, conf_thresh, clip_bbox, scale_x_y):
        images, _, rows, columns = X.shape
        kinds = len(anchors) // 2
        X = xp.moveaxis(X.reshape(images, kinds, 5 + class_num, rows, columns), 2, -1)
        high, wide = (ImgSize.astype(X.dtype)[:, i].reshape(-1, 1, 1, 1) for i in (0, 1))
        sizes = xp.asarray(anchors, X.dtype).reshape(kinds, 2, 1, 1)
        bias = (1 - scale_x_y) / 2
        x = (sigmoid(xp, X[..., 0]) * scale_x_y + bias + xp.arange(columns, dtype=X.dtype)) * wide / columns
        y = (sigmoid(xp, X[..., 1]) * scale_x_y + bias + xp.arange(rows, dtype=X.dtype)[:, None]) * high / rows
        w = xp.exp(X[..., 2]) * sizes[:, 0] * wide / (downsample_ratio * columns)
        h = xp.exp(X[..., 3]) * sizes[:, 1] * high / (downsample_ratio * rows)
        boxes = xp.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2], -1)
        boxes = clipped(xp, boxes, wide, high) if clip_bbox else boxes
        confidence = sigmoid(xp, X[..., 4:5])
        sure = confidence >= conf_thresh
        scores = xp.where(sure, confidence * sigmoid(xp, X[..., 5:]), 0)
        boxes = xp.where(sure, boxes, 0)
        count = kinds * rows * columns
        return boxes.reshape(images, count, 4), scores.reshape(images, count, class_num)


# --- of boxes that cover each other the best ones -----------------------------------------------------------------------------


def shared(xp: Any, boxes: Any, other: Any, extra: int) -> Any:
    """Return the intersection over union of each of some boxes and of another; `extra` as in `extents`."""
    low, high = xp.maximum(boxes[:, :2], other[:2]), xp.minimum(boxes[:, 2:], other[2:])
    both = xp.where((high >= low).all(1), (high - low + extra).prod(1), 0)
    covered = -both
    for each in (boxes, other[None]):
        size = each[:, 2:] - each[:, :2]
        covered = covered + xp.where((size >= 0).all(1), (size + extra).prod(1), 0)
    apart = (high < low).any(1)  # points in one place cover no area at all: they count as equal
    return xp.where(apart, 0, xp.where(covered > 0, both / xp.where(covered > 0, covered, 1), 1))


def alike(xp: Any, boxes: Any, other: Any, extra: int) -> Any:
    """Return the same for boxes of 4 numbers, and for polygons x, y, x, y, ..."""
    if other.shape[0] == 4:
        return shared(xp, boxes, other, extra)
    return xp.asarray([polygons.shared(box, other.tolist()) for box in boxes.tolist()], other.dtype)


def suppressed(
    xp: Any, boxes: Any, scores: Any, lowest: float, top_k: int, limit: Any, eta: Any, extra: int
) -> list[int]:
    """Return the boxes of one class that are kept, the best first."""
    order = xp.argsort(-scores, kind="stable")
    rest = order[scores[order] > lowest]
    rest = rest if top_k < 0 else rest[:top_k]
    most = xp.full(rest.shape, -xp.inf, boxes.dtype)  # how much of each is shared with one that is kept
    kept: list[int] = []
    while len(rest):
        kept.append(int(rest[0]))
        rest = rest[1:]
        if eta < 1 and limit > 0.5:
            limit = limit * eta
        most = xp.fmax(most[1:], alike(xp, boxes[rest], boxes[kept[-1]], extra))
        free = ~(most > limit)
        rest, most = rest[free], most[free]
    return kept


def images_of(where: str, BBoxes: Any, Scores: Any, lod: Any) -> Iterator[tuple[int, Any, Any]]:
    """Yield, for each image, its first row, boxes [classes or 1, boxes, 4] and scores [classes, boxes]."""
    if Scores.ndim == 3:
        count = Scores.shape[2]
        yield from (
            (i * count, boxes[None], scores) for i, (boxes, scores) in enumerate(zip(BBoxes, Scores, strict=True))
        )
        return
    starts = starts_of(where, "BBoxes", lod, len(BBoxes))
    for first, last in pairwise(starts):
        yield first, BBoxes[first:last].swapaxes(0, 1), Scores[first:last].T


NMS = {
    "background_label": 0,
    "score_threshold": Required("FLOAT"),
    "nms_top_k": Required("INT"),
    "nms_threshold": 0.30000001,
    "nms_eta": 1.0,
    "keep_top_k": Required("INT"),
    "normalized": True,
}
SIZES = (4, 8, 16, 24, 32)  # numbers of a box, or of a polygon


def infer_chosen(where: str, BBoxes: Meta, Scores: Meta) -> Meta:
    """Return the Meta of the boxes that are kept."""
    require_floats(where, BBoxes=BBoxes, Scores=Scores)
    require_elements(where, "Scores", Scores)
    require_shape(where, "Scores", Scores, (UNKNOWN,) * 3, (UNKNOWN,) * 2)
    if len(Scores.shape) == 3:
        require_shape(where, "BBoxes", BBoxes, *((Scores.shape[0], Scores.shape[2], size) for size in SIZES))
    else:
        require_shape(where, "BBoxes", BBoxes, (*Scores.shape, 4))
    width = BBoxes.shape[-1]
    return Meta((UNKNOWN, UNKNOWN if width == UNKNOWN else width + 2), BBoxes.dtype, 1)


def chosen(
    where, xp, BBoxes, Scores, lod, background_label, score_threshold, nms_top_k, nms_threshold, nms_eta, keep_top_k,
    normalized,
):  # fmt: skip
    """Return the rows that are kept, the indices of their boxes over all images, and the images' row offsets."""
    number, starts, rows, indices = BBoxes.dtype.type, [0], [], []
    how = number(score_threshold), nms_top_k, number(nms_threshold), number(nms_eta), 0 if normalized else 1
    for first, boxes, scores in images_of(where, BBoxes, Scores, lod):
        found, places = [xp.zeros((0, 2 + BBoxes.shape[-1]), BBoxes.dtype)], [xp.zeros(0, "int64")]
        for label, each in enumerate(scores):
            if label == background_label:
                continue
            of_class = boxes[min(label, len(boxes) - 1)]
            kept = suppressed(xp, of_class, each, *how)
            kept = xp.asarray(kept if Scores.ndim == 3 else sorted(kept), "int64")
            head = xp.stack([xp.full(len(kept), label, BBoxes.dtype), each[kept]], 1)
            found.append(xp.concatenate([head, of_class[kept]], 1))
            places.append(first + kept if Scores.ndim == 3 else (first + kept) * len(scores) + label)
        best, place = xp.concatenate(found), xp.concatenate(places)
        if -1 < keep_top_k < len(best):
            top = xp.sort(xp.argsort(-best[:, 1], kind="stable")[:keep_top_k])
            best, place = best[top], place[top]
        rows.append(best)
        indices.append(place)
        starts.append(starts[-1] + len(best))
    return xp.concatenate(rows), xp.concatenate(indices), tuple(starts)


@op("multiclass_nms", inputs="BBoxes Scores", outputs="Out", attrs=NMS, lod="made", needs_lod="BBoxes", stopped="Out")
class multiclass_nms(Declaration):
    """Apply non-maximum suppression to each class: of boxes that overlap by more than `nms_threshold` keep the best.

    BBoxes is [N, M, 4] with Scores [N, classes, M]; or BBoxes [M, classes, 4] with Scores [M, classes], and the LoD of
    BBoxes assigns rows to images. In the first form 8, 16, 24 or 32 numbers are polygons x, y, x, y, ... Out has a row
    (class, score, box) for each box that is kept, by image, by class, the best first (in the second form in the order
    of BBoxes), and a LoD by image. If no box is kept at all, it is [[-1]].
    """

    def infer(BBoxes, Scores, **_):
        return infer_chosen("multiclass_nms", BBoxes, Scores)

    def reference(
        xp, BBoxes, Scores, *, lod, background_label, score_threshold, nms_top_k, nms_threshold, nms_eta, keep_top_k,
        normalized,
    ):  # fmt: skip
        rows, _, starts = chosen(
            "multiclass_nms", xp, BBoxes, Scores, lod, background_label, score_threshold, nms_top_k, nms_threshold,
            nms_eta, keep_top_k, normalized,
        )  # fmt: skip
        return (rows, (starts,)) if starts[-1] else (xp.full((1, 1), -1, BBoxes.dtype), ((0, 1),))


@op(
    "multiclass_nms2",
    inputs="BBoxes Scores",
    outputs="Out Index~",
    attrs=NMS,
    lod="made",
    needs_lod="BBoxes",
    stopped="Out Index",
)
class multiclass_nms2(Declaration):
    """Apply multiclass_nms, and return the index of each row's box as well.

    Index [kept, 1] counts the boxes of all images (in the second form image by image, row by row, class by class). If
    no box is kept at all, there are no rows.
    """

    def infer(BBoxes, Scores, **_):
        out = infer_chosen("multiclass_nms2", BBoxes, Scores)
        return out, Meta((UNKNOWN, 1), np.dtype("int32"), 1)

    def reference(
        xp, BBoxes, Scores, *, lod, background_label, score_threshold, nms_top_k, nms_threshold, nms_eta, keep_top_k,
        normalized,
    ):  # fmt: skip
        rows, indices, starts = chosen(
            "multiclass_nms2", xp, BBoxes, Scores, lod, background_label, score_threshold, nms_top_k, nms_threshold,
            nms_eta, keep_top_k, normalized,
        )  # fmt: skip
        return (rows, indices.astype("int32").reshape(-1, 1)), ((starts,), (starts,))


def merged(xp: Any, boxes: Any, scores: Any, limit: Any, extra: int) -> tuple[Any, Any]:
    """Return boxes and scores, with each box merged with the previous one while their overlap is above `limit`.

    Their mean has the scores as its weights, their score is the sum; what was merged into another has none (-inf).
    """
    boxes, scores, last = boxes.copy(), scores.copy(), 0
    for i in range(1, len(boxes)):
        if alike(xp, boxes[i : i + 1], boxes[last], extra)[0] > limit:
            both = scores[i] + scores[last]
            boxes[last] = (boxes[i] * scores[i] + boxes[last] * scores[last]) / both
            scores[last], scores[i] = both, -np.inf
        else:
            last = i
    return boxes, scores


@op(
    "locality_aware_nms", inputs="BBoxes Scores", outputs="Out", attrs={**NMS, "background_label": -1}, lod="made",
    stopped="Out",
)  # fmt: skip
class locality_aware_nms(Declaration):
    """Merge adjacent boxes, then apply multiclass_nms to one class (Zhou et al. 2017, "EAST").

    BBoxes [N, M, 4] (or 8, 16, 24, 32 for polygons) with Scores [N, 1, M]. Each box is merged with the previous one if
    their overlap is above `nms_threshold`: the result is their mean, weighted by their scores, and the sum of the
    scores.
    """

    def infer(BBoxes, Scores, **_):
        require_shape("locality_aware_nms", "Scores", Scores, (UNKNOWN, 1, UNKNOWN))
        return infer_chosen("locality_aware_nms", BBoxes, Scores)

    def reference(
        xp, BBoxes, Scores, *, background_label, score_threshold, nms_top_k, nms_threshold, nms_eta, keep_top_k,
        normalized,
    ):  # fmt: skip
        limit, extra = BBoxes.dtype.type(nms_threshold), 0 if normalized else 1
        images = [merged(xp, b, s[0], limit, extra) for b, s in zip(BBoxes, Scores, strict=True)]
        rows, _, starts = chosen(
            "locality_aware_nms", xp, xp.stack([b for b, _ in images]), xp.stack([s[None] for _, s in images]), None,
            background_label, score_threshold, nms_top_k, nms_threshold, nms_eta, keep_top_k, normalized,
        )  # fmt: skip
        return (rows, (starts,)) if starts[-1] else (xp.full((1, 1), -1, BBoxes.dtype), ((0, 1),))


# --- scores that fade -----------------------------------------------------------------------------------------------------------


def faded(xp: Any, boxes: Any, scores: Any, extra: int, sigma: float | None) -> Any:
    """Return the scores of boxes, the best first, decayed by the overlap with better boxes."""
    count = len(boxes)
    if not count:
        return scores
    shares = xp.stack([shared(xp, boxes, box, extra) for box in boxes], 1)
    earlier = xp.arange(count)[:, None] < xp.arange(count)
    shares = xp.where(earlier, shares, 0)
    most = shares.max(0)[:, None]
    if sigma is None:
        factor = xp.where(most < 1, (1 - shares) / xp.where(most < 1, 1 - most, 1), 1)
    else:
        factor = xp.exp((most * most - shares * shares) * sigma)
    return xp.minimum(xp.where(earlier, factor, 1).min(0), 1).astype(scores.dtype) * scores


@op(
    "matrix_nms",
    inputs="BBoxes Scores",
    outputs="Out Index",
    attrs={
        "background_label": 0,
        "score_threshold": Required("FLOAT"),
        "post_threshold": 0.0,
        "nms_top_k": Required("INT"),
        "keep_top_k": Required("INT"),
        "normalized": True,
        "use_gaussian": False,
        "gaussian_sigma": 2.0,
    },
    lod="made",
    stopped="Out",
)
class matrix_nms(Declaration):
    """Apply matrix non-maximum suppression: scores decay with the overlap with better boxes (Wang et al. 2020).

    Inputs and outputs are as in multiclass_nms; boxes with a decayed score of at most `post_threshold` are removed, and
    the rows of an image are in the order of their decayed scores. Index [kept, 1] counts the boxes of all images.
    """

    def infer(BBoxes, Scores, **_):
        require_floats("matrix_nms", BBoxes=BBoxes, Scores=Scores)
        require_shape("matrix_nms", "Scores", Scores, (UNKNOWN,) * 3)
        require_shape("matrix_nms", "BBoxes", BBoxes, (Scores.shape[0], Scores.shape[2], 4))
        return Meta((UNKNOWN, 6), BBoxes.dtype, 1), Meta((UNKNOWN, 1), np.dtype("int32"), 1)

    def reference(
        xp, BBoxes, Scores, *, background_label, score_threshold, post_threshold, nms_top_k, keep_top_k, normalized,
        use_gaussian, gaussian_sigma,
    ):  # fmt: skip
        extra, sigma = 0 if normalized else 1, gaussian_sigma if use_gaussian else None

        def decayed(boxes, scores):
            return faded(xp, boxes, scores, extra, sigma)

        lowest = score_threshold, post_threshold
        return best_of_decayed(xp, BBoxes, Scores, background_label, lowest, nms_top_k, keep_top_k, decayed)
