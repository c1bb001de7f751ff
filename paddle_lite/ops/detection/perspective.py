"""Perspective transforms of quadrilateral regions of feature maps to rectangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.indexed import add_at
from ..framework.spec import Declaration, Grad, op
from ..support.image_rows import image_of_rows, starts_of
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from .boxes import require_map, require_positive

CLOSE = 1e-4  # points so near to an edge lie on it


def transforms(xp: Any, x: Any, y: Any, height: int, width: int) -> Any:
    """Return the matrices [R, 9] that map (column, row, 1) of a rectangle to the quadrilaterals with corners [R, 4].

    The rectangle is as wide for its height as the quadrilateral is, `width` at most.
    """
    sides = [xp.sqrt((x[:, i] - x[:, i - 1]) ** 2 + (y[:, i] - y[:, i - 1]) ** 2) for i in (1, 2, 3, 0)]
    rows = max(2, height)
    wide, high = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    columns = xp.trunc(wide * (rows - 1) / high + x.dtype.type(0.5)) + 1
    columns = xp.maximum(xp.minimum(columns, width), 2) - 1
    rows -= 1
    dx, dy = ((c[:, 1] - c[:, 2], c[:, 3] - c[:, 2], c[:, 0] - c[:, 1] + c[:, 2] - c[:, 3]) for c in (x, y))
    area = dx[0] * dy[1] - dx[1] * dy[0] + x.dtype.type(1e-5)
    across = (dx[2] * dy[1] - dx[1] * dy[2]) / area / columns
    down = (dx[0] * dy[2] - dx[2] * dy[0]) / area / rows
    parts = []
    for c in (x, y):
        parts += [(c[:, 1] - c[:, 0] + across * columns * c[:, 1]) / columns]
        parts += [(c[:, 3] - c[:, 0] + down * rows * c[:, 3]) / rows, c[:, 0]]
    return xp.stack([*parts, across, down, xp.ones_like(down)], 1)


def inside(xp: Any, u: Any, v: Any, x: Any, y: Any) -> Any:
    """Return whether points u, v [R, rows, columns] lie in quadrilaterals with corners x, y [R, 4]."""
    on_edge, crossings = xp.zeros(u.shape, "bool"), xp.zeros(u.shape, "int64")
    for i in range(4):
        j = (i + 1) % 4
        x0, y0, x1, y1 = (c[:, None, None] for c in (x[:, i], y[:, i], x[:, j], y[:, j]))
        level = xp.abs(y0 - y1) < CLOSE
        at = (v - y0) * (x1 - x0) / xp.where(level, 1, y1 - y0) + x0
        low, high = xp.minimum(y0, y1), xp.maximum(y0, y1)
        beside = (u > xp.minimum(x0, x1) - CLOSE) & (u < xp.maximum(x0, x1) + CLOSE) & (xp.abs(v - y0) < CLOSE)
        on_edge |= xp.where(level, beside, (xp.abs(at - u) < CLOSE) & (v > low - CLOSE) & (v < high + CLOSE))
        crossings += ~level & (v - low >= CLOSE) & (v - high <= CLOSE) & (at - u > CLOSE)
    return on_edge | (crossings % 2 == 1)


def neighbours(xp: Any, u: Any, v: Any, rows: int, columns: int, used: Any) -> tuple[Any, Any]:
    """Return the four places [..., 4] of a map around each point, and how much each of them counts."""
    before, shares = [], []
    for at, size in ((u, columns), (v, rows)):
        at = xp.clip(at, 0, size - 1)
        before.append(xp.minimum(xp.floor(at), max(size - 2, 0)))
        shares.append(at - before[-1])
    (left, top), (right, below) = (b.astype("int32") for b in before), shares
    next_column, next_row = xp.minimum(left + 1, columns - 1), xp.minimum(top + 1, rows - 1)
    places = [row * columns + column for row in (top, next_row) for column in (left, next_column)]
    weights = [row * column * used for row in (1 - below, below) for column in (1 - right, right)]
    return xp.stack(places, -1), xp.stack(weights, -1).astype(u.dtype)


@op(
    "roi_perspective_transform",
    inputs="X ROIs",
    outputs="Out Mask TransformMatrix Out2InIdx~ Out2InWeights~",
    attrs={"spatial_scale": 1.0, "transformed_height": 1, "transformed_width": 1},
    lod=lambda lods, ins, outs, attrs: (lods[1], None, None, None, None),
    needs_lod="ROIs",
)
class roi_perspective_transform(Declaration):
    """Transform quadrilaterals of feature maps to rectangles (text of any direction, Sun et al. 2018, "TextNet").

    ROIs [R, 8] with a LoD are corners x, y, ... in the image, clockwise from the upper left one, times spatial_scale in
    the maps X [N, C, H, W]. Out [R, C, transformed_height, transformed_width] is interpolated bilinearly; Mask [R, 1,
    ...] is 1 where the point is inside of the quadrilateral and the map.
    """

    def infer(X, ROIs, *, transformed_height, transformed_width, **_):
        where = "roi_perspective_transform"
        require_map(where, "X", X)
        require_floats(where, X=X, ROIs=ROIs)
        require_shape(where, "ROIs", ROIs, (UNKNOWN, 8))
        require_positive(where, transformed_height=[transformed_height], transformed_width=[transformed_width])
        count, size, whole = ROIs.shape[0], (transformed_height, transformed_width), np.dtype("int32")
        out, mask = Meta((count, X.shape[1], *size), X.dtype, ROIs.lod_level), Meta((count, 1, *size), whole)
        return out, mask, Meta((count, 9), X.dtype), Meta((count, *size, 4), whole), Meta((count, *size, 4), X.dtype)

    def reference(xp, X, ROIs, *, lod, spatial_scale, transformed_height, transformed_width):
        starts = starts_of("roi_perspective_transform", "ROIs", lod, len(ROIs), len(X))
        images = xp.asarray(image_of_rows(starts), "int64")
        x, y = ROIs[:, ::2] * X.dtype.type(spatial_scale), ROIs[:, 1::2] * X.dtype.type(spatial_scale)
        matrix = transforms(xp, x, y, transformed_height, transformed_width)
        m = matrix.T[:, :, None, None]
        column = xp.arange(transformed_width, dtype=X.dtype)
        row = xp.arange(transformed_height, dtype=X.dtype)[:, None]
        w = m[6] * column + m[7] * row + m[8]
        u, v = ((m[i] * column + m[i + 1] * row + m[i + 2]) / w for i in (0, 3))
        rows, columns = X.shape[2:]
        used = inside(xp, u, v, x, y)
        for at, size in ((u, columns), (v, rows)):
            used &= (at + 0.5 >= CLOSE) & (size - 0.5 - at >= CLOSE)
        places, weights = neighbours(xp, u, v, rows, columns, used)
        flat = X.reshape(*X.shape[:2], -1)
        out = (flat[images[:, None, None, None], :, places] * weights[..., None]).sum(3)
        out = xp.ascontiguousarray(xp.moveaxis(out, -1, 1))
        return out, used[:, None].astype("int32"), matrix, places, weights

    def gradient(
        xp, X, ROIs, Out2InIdx, Out2InWeights, dOut, *, lod, spatial_scale, transformed_height, transformed_width
    ):
        images = xp.asarray(image_of_rows(lod[0]), "int64")[:, None, None, None]
        dX = xp.zeros((X.shape[0], X.shape[2] * X.shape[3], X.shape[1]), dOut.dtype)
        add_at(xp, dX, (images, Out2InIdx), xp.moveaxis(dOut, 1, -1)[:, :, :, None] * Out2InWeights[..., None])
        return xp.ascontiguousarray(dX.swapaxes(1, 2)).reshape(X.shape)

    grad = Grad("X# ROIs Out2InIdx Out2InWeights Out@GRAD", "X@GRAD", gradient)
