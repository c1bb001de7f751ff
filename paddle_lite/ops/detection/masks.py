"""Training targets of instance segmentation: masks of regions, from the polygons of the true objects."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...core.errors import LoDError, message
from ...core.ranges import require_range
from ..framework.spec import Declaration, Required, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from .boxes import require_positive
from .targets import images_match, joined, overlaps, per_image

WHERE = "generate_mask_labels"
INT32 = np.dtype("int32")
FINER = 5
"""How much finer than the mask the grid is on which the boundary of a polygon is followed."""


def _line(xp: Any, x0: int, y0: int, x1: int, y1: int) -> tuple[Any, Any]:
    """Return the points of a grid on the way from one to another, both included, one for each step of the longer side."""
    across, steps = abs(x1 - x0) >= abs(y1 - y0), max(abs(x1 - x0), abs(y1 - y0))
    turned = x0 > x1 if across else y0 > y1
    if turned:
        x0, y0, x1, y1 = x1, y1, x0, y0
    along = xp.arange(steps + 1)
    slope = ((y1 - y0) if across else (x1 - x0)) / steps if steps else 0.0
    rest = ((y0 if across else x0) + slope * along + 0.5).astype("int64")
    x, y = (x0 + along, rest) if across else (rest, y0 + along)
    return (x[::-1], y[::-1]) if turned else (x, y)


def polygon_mask(xp: Any, points: Any, size: int) -> Any:
    """Return a mask, bool [size, size], of a polygon with the corners `points` [n, 2], x before y.

    A cell is inside if its middle is, of a boundary that is followed on a grid `FINER` times finer, as in the COCO API.

    >>> polygon_mask(np, np.array([[0, 0], [2, 0], [2, 3], [0, 3]]), 3).astype(int)
    array([[1, 1, 0],
           [1, 1, 0],
           [1, 1, 0]])
    """
    corners = (FINER * xp.asarray(points, "float64") + 0.5).astype("int64")
    ways = [
        _line(xp, *start, *end)
        for start, end in zip(corners.tolist(), xp.roll(corners, -1, axis=0).tolist(), strict=True)
    ]
    x, y = (xp.concatenate(each) for each in zip(*ways, strict=True))
    crossed = xp.flatnonzero(x[1:] != x[:-1])
    column = (xp.where(x[1:] < x[:-1], x[1:], x[1:] - 1)[crossed] + 0.5) / FINER - 0.5
    row = xp.ceil(xp.clip((xp.minimum(y[1:], y[:-1])[crossed] + 0.5) / FINER - 0.5, 0, size))
    found = (column == xp.floor(column)) & (column >= 0) & (column <= size - 1)
    places = (column[found] * size + row[found]).astype("int64")
    turns = xp.bincount(places, minlength=size * size + 1)[: size * size]
    return (turns.cumsum() % 2 == 1).reshape(size, size).T


def _mask(xp: Any, polygons: list[Any], box: Any, size: int) -> Any:
    """Return the union of polygons in a box, int32 [size * size]."""
    corner, extent = box[:2], xp.maximum(box[2:] - box[:2], 1)
    made = xp.zeros((size, size), bool)
    for points in polygons:
        made |= polygon_mask(xp, (points - corner) * xp.asarray(size, dtype=box.dtype) / extent, size)
    return made.reshape(-1).astype(INT32)


def _polygons(GtSegms: Any, lod: Any, objects: int) -> list[list[Any]]:
    """Return the polygons of each object; raise unless the LoD has three levels that fit."""
    if lod is None or len(lod) != 3 or lod[-1][-1] != len(GtSegms):
        got = "no LoD" if lod is None else f"LoD {[list(level) for level in lod]}"
        needs = f"three levels, of the objects of images, their polygons, and the {len(GtSegms)} points of these"
        raise LoDError(message(WHERE, "Input(GtSegms)", got, needs))
    if len(lod[1]) - 1 != objects:
        got = f"polygons of {len(lod[1]) - 1} objects"
        raise LoDError(message(WHERE, "Input(GtSegms)", got, f"{objects}, as GtClasses has rows"))
    if any(a == b for level in lod[1:] for a, b in pairwise(level)):
        needs = "a polygon or more for each object, a point or more for each polygon"
        raise LoDError(message(WHERE, "Input(GtSegms)", f"LoD {[list(level) for level in lod]}", needs))
    return [[GtSegms[lod[2][i] : lod[2][i + 1]] for i in range(a, b)] for a, b in pairwise(lod[1])]


def _targets(xp: Any, rois: Any, labels: Any, polygons: list[list[Any]], scale: Any, size: int) -> tuple[Any, Any, Any]:
    """Return of one image the regions that get a mask, their places, and the masks."""
    chosen = xp.flatnonzero(labels > 0)
    if not len(chosen) or not polygons:
        chosen = xp.flatnonzero(labels == 0)[:1]
        return rois[chosen], chosen, xp.full((len(chosen), size * size), -1, INT32)
    boxes = rois[chosen] / scale
    around = xp.stack([xp.concatenate([xp.concatenate(o).min(0), xp.concatenate(o).max(0)]) for o in polygons])
    best = overlaps(xp, boxes, around.astype(rois.dtype)).argmax(1)
    masks = xp.stack([_mask(xp, polygons[i], box, size) for i, box in zip(best.tolist(), boxes, strict=True)])
    return boxes * scale, chosen, masks


@op(
    "generate_mask_labels", inputs="ImInfo GtClasses IsCrowd GtSegms Rois LabelsInt32",
    outputs="MaskRois RoiHasMaskInt32 MaskInt32", attrs={"num_classes": Required("INT"), "resolution": Required("INT")},
    lod="made", needs_lod="GtClasses IsCrowd GtSegms Rois LabelsInt32",
    stopped="MaskRois RoiHasMaskInt32 MaskInt32",
)  # fmt: skip
class generate_mask_labels(Declaration):
    """Select the regions that train a mask branch, and compute their masks (He et al., "Mask R-CNN", 2017).

    MaskRois holds the Rois [R, 4] with LabelsInt32 [R, 1] above 0, or a background region for an image without any;
    RoiHasMaskInt32 their indices in the image. MaskInt32 [found, num_classes * resolution^2] holds, in the block of the
    class, the mask of the object with the highest overlap, cropped to the region: 1 inside of its polygons, 0 outside;
    the other blocks are -1. GtSegms [points, 2] holds corners x, y, with a LoD of images, objects and polygons. Crowds
    and objects of class 0 have no masks. Rois are scaled by ImInfo[:, 2], polygons are not.
    """

    def infer(ImInfo, GtClasses, IsCrowd, GtSegms, Rois, LabelsInt32, *, num_classes, resolution):
        require_floats(WHERE, Rois=Rois, GtSegms=GtSegms, ImInfo=ImInfo)
        for slot, meta, rows in (("GtClasses", GtClasses, UNKNOWN), ("IsCrowd", IsCrowd, GtClasses.shape[0])):
            require_dtype(WHERE, slot, meta, INT32)
            require_shape(WHERE, slot, meta, (rows, 1), (rows,))
        require_shape(WHERE, "ImInfo", ImInfo, (UNKNOWN, 3))
        require_shape(WHERE, "GtSegms", GtSegms, (UNKNOWN, 2))
        require_shape(WHERE, "Rois", Rois, (UNKNOWN, 4))
        require_dtype(WHERE, "LabelsInt32", LabelsInt32, INT32)
        require_shape(WHERE, "LabelsInt32", LabelsInt32, (Rois.shape[0], 1), (Rois.shape[0],))
        require_positive(WHERE, num_classes=[num_classes], resolution=[resolution])
        masks = Meta((UNKNOWN, num_classes * resolution * resolution), INT32, 1)
        return Meta((UNKNOWN, 4), Rois.dtype, 1), Meta((UNKNOWN, 1), INT32, 1), masks

    def reference(xp, ImInfo, GtClasses, IsCrowd, GtSegms, Rois, LabelsInt32, *, lod, num_classes, resolution):
        labels, classes = LabelsInt32.reshape(-1), GtClasses.reshape(-1)
        rows = {"GtClasses": GtClasses, "IsCrowd": IsCrowd, "Rois": Rois, "LabelsInt32": LabelsInt32}
        objects, _, regions, _ = per_image(WHERE, (lod[0], lod[1], lod[3], lod[4]), **rows)
        images_match(WHERE, regions, ImInfo)
        require_range(WHERE, "Input(LabelsInt32)", labels, num_classes)
        polygons = _polygons(GtSegms, lod[2], len(classes))
        real = ((classes > 0) & (IsCrowd.reshape(-1) == 0)).tolist()
        made: list[list[Any]] = [[] for _ in range(3)]
        for image, (first, last) in enumerate(pairwise(regions)):
            mine = [polygons[i] for i in range(objects[image], objects[image + 1]) if real[i]]
            boxes, chosen, masks = _targets(
                xp, Rois[first:last], labels[first:last], mine, ImInfo[image, 2], resolution
            )
            spread = xp.full((len(boxes), num_classes, resolution * resolution), -1, INT32)
            spread[xp.arange(len(boxes)), labels[first:last][chosen]] = masks
            parts = boxes, chosen.astype(INT32).reshape(-1, 1), spread.reshape(len(boxes), -1)
            for store, part in zip(made, parts, strict=True):
                store.append(part)
        arrays, lods = zip(*(joined(xp, parts) for parts in made), strict=True)
        return arrays, lods
