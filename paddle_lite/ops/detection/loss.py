"""Losses of detectors that compare each place of a feature map with true boxes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.indexed import add_at
from ...core.ranges import require_range
from ..framework.spec import Declaration, Grad, Ints, Required, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape, shapes_match
from ..support.shape_rules import UNKNOWN
from ..support.sigmoid import sigmoid
from .boxes import require_map, require_positive

LEAST_SIDE = 1e-6  # a true box of which a side is not longer fills up the array: it stands for no object


def entropy(xp: Any, x: Any, label: Any) -> Any:
    """Return the cross entropy of sigmoid(x) and a label."""
    return xp.maximum(x, 0) - x * label + xp.log1p(xp.exp(-xp.abs(x)))


def overlap(xp: Any, a: tuple, b: tuple) -> Any:
    """Return the intersection over union of boxes (x, y, w, h) with centres x, y."""
    sides = [
        xp.minimum(a[i] + a[i + 2] / 2, b[i] + b[i + 2] / 2) - xp.maximum(a[i] - a[i + 2] / 2, b[i] - b[i + 2] / 2)
        for i in (0, 1)
    ]
    shared = xp.where((sides[0] < 0) | (sides[1] < 0), 0, sides[0] * sides[1])
    return shared / (a[2] * a[3] + b[2] * b[3] - shared)


def by_kind(xp: Any, X: Any, kinds: int) -> Any:
    """Reshape [N, kinds * entries, H, W] to [N, kinds, H, W, entries]."""
    images, channels, rows, columns = X.shape
    return xp.moveaxis(X.reshape(images, kinds, channels // kinds, rows, columns), 2, -1)


def best_overlap(xp: Any, P: Any, GTBox: Any, sizes: Any, scale_x_y: float) -> Any:
    """Return, for each predicted box [N, kinds, H, W], its largest intersection over union with a true box."""
    rows, columns = P.shape[2:4]
    bias = (1 - scale_x_y) / 2
    x = (sigmoid(xp, P[..., 0]) * scale_x_y + bias + xp.arange(columns, dtype=P.dtype)) / columns
    y = (sigmoid(xp, P[..., 1]) * scale_x_y + bias + xp.arange(rows, dtype=P.dtype)[:, None]) / rows
    w, h = (xp.exp(P[..., 2 + i]) * sizes[:, i].reshape(-1, 1, 1) for i in (0, 1))
    true = GTBox.reshape(*GTBox.shape[:2], 1, 1, 1, 4)
    shares = overlap(xp, tuple(side[:, None] for side in (x, y, w, h)), tuple(true[..., i] for i in range(4)))
    real = (true[..., 2] > LEAST_SIDE) & (true[..., 3] > LEAST_SIDE)
    return xp.where(real, shares, 0).max(1) if GTBox.shape[1] else xp.zeros(P.shape[:-1], P.dtype)


def assigned(xp: Any, GTBox: Any, sizes: Any, anchor_mask: Any) -> Any:
    """Return, for each true box [N, B], the anchor of the map with the most similar shape; -1 if another map has it."""
    zero = xp.zeros((), GTBox.dtype)
    w, h = GTBox[..., 2:3], GTBox[..., 3:]
    best = overlap(xp, (zero, zero, w, h), (zero, zero, sizes[:, 0], sizes[:, 1])).argmax(-1)
    kind_of = [list(anchor_mask).index(i) if i in anchor_mask else -1 for i in range(len(sizes))]
    real = (w > LEAST_SIDE) & (h > LEAST_SIDE)
    return xp.where(real[..., 0], xp.asarray(kind_of, "int32")[best], -1).astype("int32")


class Matched(NamedTuple):
    """The true boxes with an anchor of this map: their positions, the predictions there, and the targets."""

    place: tuple  # image, kind, row, column
    said: Any  # [matched, 5 + classes]
    offset: Any  # [matched, 2] within the place
    size: Any  # [matched, 2], the logarithms
    classes: Any  # [matched, classes]
    weight: Any  # [matched, 1] of offset and size
    score: Any  # [matched, 1]


def matched(xp, P, GTBox, GTLabel, GTScore, kind, anchors, anchor_mask, downsample_ratio, use_label_smooth) -> Matched:
    """Return the predictions and targets of the true boxes that `kind` (of `assigned`) assigns to the map."""
    rows, columns = P.shape[2:4]
    image, t = xp.nonzero(kind >= 0)
    box, kind = GTBox[image, t], kind[image, t]
    sides = xp.asarray([columns, rows], P.dtype)
    at = box[:, :2] * sides
    cell = at.astype("int64")
    place = image, kind, cell[:, 1], cell[:, 0]
    anchor = xp.asarray(anchors, P.dtype).reshape(-1, 2)[xp.asarray(anchor_mask, "int64")][kind]
    count = P.shape[-1] - 5
    low = min(1 / count, 1 / 40) if use_label_smooth else 0.0
    is_class = GTLabel[image, t][:, None] == xp.arange(count)
    score = (xp.ones_like(box[:, :1]) if GTScore is None else GTScore[image, t][:, None]).astype(P.dtype)
    return Matched(
        place,
        P[place],
        at - cell,
        xp.log(box[:, 2:] * sides * downsample_ratio / anchor),
        xp.where(is_class, 1 - low, low).astype(P.dtype),
        (2 - box[:, 2:3] * box[:, 3:]) * score,
        score,
    )


def sizes_of(xp: Any, X: Any, anchors: Any, downsample_ratio: int) -> Any:
    """Return the widths and heights of the anchors as fractions of the image."""
    sides = xp.asarray([X.shape[3] * downsample_ratio, X.shape[2] * downsample_ratio], X.dtype)
    return xp.asarray(anchors, X.dtype).reshape(-1, 2) / sides


def require_yolo(where, X, GTBox, GTLabel, GTScore, class_num, anchors, anchor_mask, downsample_ratio):
    """Raise unless the inputs of yolov3_loss fit each other."""
    require_map(where, "X", X)
    if not shapes_match(X.shape[2:], X.shape[:1:-1]):
        raise ShapeError(message(where, "Input(X)", f"shape {list(X.shape)}", "as many rows as columns"))
    boxes = {"X": X, "GTBox": GTBox} if GTScore is None else {"X": X, "GTBox": GTBox, "GTScore": GTScore}
    require_floats(where, **boxes)
    require_shape(where, "GTBox", GTBox, (X.shape[0], UNKNOWN, 4))
    require_dtype(where, "GTLabel", GTLabel, "int32")
    require_shape(where, "GTLabel", GTLabel, GTBox.shape[:2])
    if GTScore is not None:
        require_shape(where, "GTScore", GTScore, GTBox.shape[:2])
    require_positive(where, anchors=anchors, class_num=[class_num], downsample_ratio=[downsample_ratio])
    if len(anchors) % 2:
        raise ArgumentValueError(message(where, "attribute 'anchors'", list(anchors), "pairs of width and height"))
    known = len(anchors) // 2
    if not anchor_mask or not all(0 <= i < known for i in anchor_mask) or len({*anchor_mask}) < len(anchor_mask):
        needs = f"some of the numbers of the {known} anchors, each once"
        raise ArgumentValueError(message(where, "attribute 'anchor_mask'", list(anchor_mask), needs))
    if X.shape[1] not in (UNKNOWN, len(anchor_mask) * (5 + class_num)):
        needs = f"{len(anchor_mask) * (5 + class_num)} channels, 5 + {class_num} for each of {len(anchor_mask)} anchors"
        raise ShapeError(message(where, "Input(X)", f"shape {list(X.shape)}", needs))


@op(
    "yolov3_loss",
    inputs="X GTBox GTLabel GTScore?",
    outputs="Loss ObjectnessMask~ GTMatchMask~",
    attrs={
        "class_num": Required("INT"),
        "anchors": Ints([]),
        "anchor_mask": Ints([]),
        "downsample_ratio": 32,
        "ignore_thresh": 0.69999999,
        "use_label_smooth": True,
        "scale_x_y": 1.0,
    },
    lod=None,
)
class yolov3_loss(Declaration):
    """Compute the loss of one of the feature maps of YOLOv3 for each image (Redmon and Farhadi 2018).

    X [N, anchors * (5 + classes), H, W] has the layout of yolo_box; its anchors are those of `anchor_mask`. A true box
    (GTBox [N, B, 4]: centre and size as fractions, GTLabel [N, B]) is matched with the anchor, of all anchors, whose
    shape has the highest overlap, in the cell of its centre. There the loss is the cross entropy of offset and class
    and the distance of the size, times GTScore. The target of the confidence is GTScore there and 0 elsewhere;
    predicted boxes that overlap a true one by more than `ignore_thresh` are ignored.
    """

    def infer(X, GTBox, GTLabel, GTScore, *, class_num, anchors, anchor_mask, downsample_ratio, **_):
        require_yolo("yolov3_loss", X, GTBox, GTLabel, GTScore, class_num, anchors, anchor_mask, downsample_ratio)
        objects = Meta((X.shape[0], len(anchor_mask), *X.shape[2:]), X.dtype)
        return Meta((X.shape[0],), X.dtype), objects, Meta(GTBox.shape[:2], np.dtype("int32"))

    def reference(
        xp, X, GTBox, GTLabel, GTScore, *, class_num, anchors, anchor_mask, downsample_ratio, ignore_thresh,
        use_label_smooth, scale_x_y,
    ):  # fmt: skip
        P, sizes = by_kind(xp, X, len(anchor_mask)), sizes_of(xp, X, anchors, downsample_ratio)
        closest = best_overlap(xp, P, GTBox, sizes[xp.asarray(anchor_mask, "int64")], scale_x_y)
        kind = assigned(xp, GTBox, sizes, anchor_mask)
        require_places(xp, GTBox, GTLabel, kind, class_num)
        m = matched(xp, P, GTBox, GTLabel, GTScore, kind, anchors, anchor_mask, downsample_ratio, use_label_smooth)
        objects = xp.where(closest > ignore_thresh, -1, 0).astype(X.dtype)
        for i in range(len(m.score)):  # one after the other: of two in one place the last counts
            objects[tuple(index[i] for index in m.place)] = m.score[i, 0]
        box = entropy(xp, m.said[:, :2], m.offset) + xp.abs(m.said[:, 2:4] - m.size)
        each = (box * m.weight).sum(1) + (entropy(xp, m.said[:, 5:], m.classes) * m.score).sum(1)
        loss = (weights_of(xp, objects) * entropy(xp, P[..., 4], (objects > FOUND).astype(X.dtype))).sum((1, 2, 3))
        add_at(xp, loss, m.place[0], each)
        return loss, objects, kind

    def gradient(
        xp, X, GTBox, GTLabel, GTScore, ObjectnessMask, GTMatchMask, dLoss, *, class_num, anchors, anchor_mask,
        downsample_ratio, ignore_thresh, use_label_smooth, scale_x_y,
    ):  # fmt: skip
        P = by_kind(xp, X, len(anchor_mask))
        m = matched(
            xp, P, GTBox, GTLabel, GTScore, GTMatchMask, anchors, anchor_mask, downsample_ratio, use_label_smooth
        )
        dP, objects = xp.zeros(P.shape, P.dtype), ObjectnessMask
        dP[..., 4] = weights_of(xp, objects) * (sigmoid(xp, P[..., 4]) - (objects > FOUND))
        parts = [
            (sigmoid(xp, m.said[:, :2]) - m.offset) * m.weight,
            xp.sign(m.said[:, 2:4] - m.size) * m.weight,
            xp.zeros_like(m.score),
            (sigmoid(xp, m.said[:, 5:]) - m.classes) * m.score,
        ]
        add_at(xp, dP, m.place, xp.concatenate(parts, 1))
        dP = dP * dLoss.reshape(-1, 1, 1, 1, 1)
        return xp.ascontiguousarray(xp.moveaxis(dP, -1, 2)).reshape(X.shape)

    grad = Grad("X GTBox GTLabel GTScore ObjectnessMask GTMatchMask Loss@GRAD", "X@GRAD", gradient)


FOUND, IGNORED = 1e-5, -0.5  # an object is above the first, a place that does not count below the second


def weights_of(xp: Any, objects: Any) -> Any:
    """Return the weight of the confidence at each cell: the object's score, 1 without an object, 0 if ignored."""
    return xp.where(objects > FOUND, objects, (objects > IGNORED).astype(objects.dtype))


def require_places(xp: Any, GTBox: Any, GTLabel: Any, kind: Any, class_num: int) -> None:
    """Raise unless the centres of the boxes that count are in the image, and their classes known."""
    inside = ((GTBox[..., :2] >= 0) & (GTBox[..., :2] < 1)).all(-1) | (kind < 0)
    if not bool(inside.all()):
        needs = "centres as fractions of the image, from 0 to below 1"
        raise ArgumentValueError(message("yolov3_loss", "Input(GTBox)", "a centre outside of the image", needs))
    require_range("yolov3_loss", "Input(GTLabel)", xp.where(kind >= 0, GTLabel, 0), class_num)
