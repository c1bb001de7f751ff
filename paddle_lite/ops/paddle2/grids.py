"""Images sampled at the places of a grid, with what PaddlePaddle 2 added to it.

Slots and attributes are those of grid_sampler of PaddlePaddle 2.6.2, which has the name of an operator of 1.8.5.
"""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.indexed import add_at
from ..framework.spec import Declaration, Grad, op
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from ..vision.grid import around, values_at

TYPE = "grid_sampler_of_mode"
MODES = {"mode": ("bilinear", "nearest"), "padding_mode": ("zeros", "border", "reflection")}


def reflected(xp: Any, at: Any, size: int, align_corners: bool) -> tuple[Any, Any]:
    """Return places mirrored at the ends of an axis, and how much they move with the places before."""
    low = 0.0 if align_corners else -0.5
    length = float(size - 1 if align_corners else size)
    if length == 0:
        return xp.zeros_like(at), xp.zeros_like(at)
    far = abs(at - at.dtype.type(low)) % at.dtype.type(2 * length)
    back = far > length
    inside = xp.where(back, 2 * length - far, far) + low
    way = xp.where(back, -1, 1) * xp.where(at < low, -1, 1)
    return inside.astype(at.dtype), way.astype(at.dtype)


def places_of(xp: Any, x: Any, grid: Any, padding_mode: str, align_corners: bool) -> tuple[list[Any], list[Any]]:
    """Return the columns and rows of an image that a grid means, and how much they move with the grid's numbers."""
    found, moves = [], []
    for i, size in ((0, x.shape[3]), (1, x.shape[2])):
        move = x.dtype.type(((size - 1) if align_corners else size) / 2)
        at = (grid[..., i] + 1) * move - x.dtype.type(0.0 if align_corners else 0.5)
        slope = xp.full_like(at, move)
        if padding_mode == "reflection":
            at, way = reflected(xp, at, size, align_corners)
            slope = slope * way
        if padding_mode != "zeros":
            held = xp.clip(at, 0, size - 1)
            slope, at = xp.where(at == held, slope, xp.zeros_like(slope)), held
        found.append(at)
        moves.append(slope)
    return found, moves


@op(
    "grid_sampler_of_mode",
    inputs="X Grid",
    outputs="Output",
    attrs={"use_cudnn": True, "mode": "bilinear", "padding_mode": "zeros", "align_corners": True},
)
class grid_sampler_of_mode(Declaration):
    """Sample X[n] at the points Grid[n, i, j], as grid_sampler does, by more ways.

    `mode` "nearest" takes the nearest element. `padding_mode` says what is outside of the image: zeros, the nearest element of
    the border, or the mirrored image. Without `align_corners`, -1 and 1 are the edges of the outermost elements and not their
    centres. The grid may have another size than the image.
    """

    def infer(X, Grid, *, mode, padding_mode, **_):
        require_floats(TYPE, X=X, Grid=Grid)
        for name, value in (("mode", mode), ("padding_mode", padding_mode)):
            if value not in MODES[name]:
                raise ArgumentValueError(
                    message(TYPE, f"attribute '{name}'", repr(value), f"one of {', '.join(MODES[name])}")
                )
        if len(X.shape) != 4:
            raise ShapeError(message(TYPE, "Input(X)", f"shape {list(X.shape)}", "shape [N, C, H, W]"))
        require_shape(TYPE, "Grid", Grid, (X.shape[0], UNKNOWN, UNKNOWN, 2))
        return Meta((*X.shape[:2], *Grid.shape[1:3]), X.dtype, X.lod_level)

    def reference(xp, X, Grid, *, mode, padding_mode, align_corners):
        places, _ = places_of(xp, X, Grid, padding_mode, align_corners)
        if mode == "nearest":
            places = [xp.floor(at + X.dtype.type(0.5)) for at in places]
        total = xp.zeros((*X.shape[:2], *Grid.shape[1:3]), X.dtype)
        for at, inside, (share_x, share_y), _ in around(xp, X, places):
            total = total + values_at(X, at, inside) * share_x * share_y
        return total

    def gradient(xp, X, Grid, dOutput, *, mode, padding_mode, align_corners, need=(True, True)):
        places, moves = places_of(xp, X, Grid, padding_mode, align_corners)
        if mode == "nearest":
            places = [xp.floor(at + X.dtype.type(0.5)) for at in places]
        dx, dgrid = xp.zeros_like(X), [xp.zeros_like(places[0]), xp.zeros_like(places[1])]
        for at, inside, (share_x, share_y), (right, down) in around(xp, X, places):
            if need[0]:
                add_at(xp, dx, at, (dOutput * inside * share_x * share_y).transpose(0, 2, 3, 1))
            if need[1] and mode == "bilinear":
                pull = (values_at(X, at, inside) * dOutput).sum(axis=1)
                dgrid[0] = dgrid[0] + pull * share_y[:, 0] * right
                dgrid[1] = dgrid[1] + pull * share_x[:, 0] * down
        along = xp.stack([d * move for d, move in zip(dgrid, moves, strict=True)], axis=-1) if need[1] else None
        return dx if need[0] else None, along

    grad = Grad("X Grid Output@GRAD", "X@GRAD Grid@GRAD", gradient)
