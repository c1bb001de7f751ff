"""Images sampled at the places of a grid, and the grid of an affine map.

Jaderberg et al., "Spatial Transformer Networks", 2015. Places are (x, y), where -1 and 1 are the outermost points.
"""

from __future__ import annotations

from typing import Any

from ...core.errors import ShapeError, message
from ...core.indexed import add_at
from ..framework.spec import Declaration, Grad, Ints, op
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN, requested, requested_if_known

# --- the grid of an affine map ------------------------------------------------------------------------------------------------


def grid_size(output_shape: Any) -> tuple[int, int]:
    """Return the height and width of a grid for an image of this shape; raise if they are too small."""
    shape = [UNKNOWN if n is None else int(n) for n in output_shape]
    if len(shape) != 4 or any(n < 2 and n != UNKNOWN for n in shape[2:]):
        needs = "[N, C, H, W] with H and W of 2 or more: a grid reaches from -1 to 1"
        raise ShapeError(message("affine_grid", "the shape of the result", shape, needs))
    return shape[2], shape[3]


def corners(xp: Any, height: int, width: int, dtype: Any) -> Any:
    """Return (x, y, 1) at each point of a grid: [H, W, 3]."""
    x, y = xp.meshgrid(xp.linspace(-1, 1, width), xp.linspace(-1, 1, height))
    return xp.stack([x, y, xp.ones_like(x)], axis=-1).astype(dtype)


@op(
    "affine_grid",
    inputs="Theta OutputShape?",
    outputs="Output",
    attrs={"use_cudnn": True, "output_shape": Ints([])},
)
class affine_grid(Declaration):
    """Compute Output[n, i, j] = Theta[n] @ (x, y, 1) for the point (x, y) in row i and column j of a regular grid."""

    def infer(Theta, OutputShape, *, output_shape):
        require_floats("affine_grid", Theta=Theta)
        require_shape("affine_grid", "Theta", Theta, (UNKNOWN, 2, 3))
        given = None if output_shape else OutputShape
        known = requested_if_known("affine_grid", output_shape, OutputShape=given)
        if given is not None and UNKNOWN in given.shape:
            known = [None] * 4
        return Meta((Theta.shape[0], *grid_size(known), 2), Theta.dtype, Theta.lod_level)

    def reference(xp, Theta, OutputShape, *, output_shape):
        height, width = grid_size(requested(output_shape, None if output_shape else OutputShape))
        return xp.einsum("hwk,nck->nhwc", corners(xp, height, width, Theta.dtype), Theta)

    def gradient(xp, OutputShape, dOutput, *, output_shape):
        points = corners(xp, *dOutput.shape[1:3], dOutput.dtype)
        return xp.einsum("nhwc,hwk->nck", dOutput, points)

    grad = Grad("OutputShape? Output@GRAD", "Theta@GRAD", gradient)


# --- sampling at its points -----------------------------------------------------------------------------------------------------


def places(x: Any, grid: Any) -> list[Any]:
    """Return the columns and rows of an image, with fractions, that a grid means."""
    return [(grid[..., i] + 1) * x.dtype.type((size - 1) / 2) for i, size in ((0, x.shape[3]), (1, x.shape[2]))]


def around(xp: Any, x: Any, inner: Any) -> Any:
    """Return the four points of an image around each of the places `inner`, columns and rows.

    Yields, for each, the values there [N, C, H, W] (0 outside of the image), what scatters values to them, the shares
    [N, 1, H, W] of the point along both axes, and which way the shares change along them.
    """
    n, _, h, w = x.shape
    low = [xp.floor(xp.nan_to_num(xp.clip(at, -2, size + 1), nan=-2)) for at, size in zip(inner, (w, h), strict=True)]
    past = [(at - first)[:, None] for at, first in zip(inner, low, strict=True)]
    batch = xp.arange(n)[:, None, None]
    for down in (0, 1):
        for right in (0, 1):
            column, row = (low[0] + right).astype("int64"), (low[1] + down).astype("int64")
            inside = (column >= 0) & (column < w) & (row >= 0) & (row < h)
            at = (batch, slice(None), xp.clip(row, 0, h - 1), xp.clip(column, 0, w - 1))
            shares = [p if side else 1 - p for p, side in zip(past, (right, down), strict=True)]
            yield at, inside[:, None].astype(x.dtype), shares, (2 * right - 1, 2 * down - 1)


def values_at(x: Any, at: Any, inside: Any) -> Any:
    """Return the values of the image at the points, [N, C, H, W]; 0 outside of it."""
    return x[at].transpose(0, 3, 1, 2) * inside


@op("grid_sampler", inputs="X Grid", outputs="Output", attrs={"use_cudnn": True})
class grid_sampler(Declaration):
    """Sample X[n] at the points Grid[n, i, j] by bilinear interpolation, with zeros outside of the image."""

    def infer(X, Grid):
        require_floats("grid_sampler", X=X, Grid=Grid)
        if len(X.shape) != 4:
            raise ShapeError(message("grid_sampler", "Input(X)", f"shape {list(X.shape)}", "shape [N, C, H, W]"))
        n, _, h, w = X.shape
        require_shape("grid_sampler", "Grid", Grid, (n, h, w, 2))
        return X

    def reference(xp, X, Grid):
        total = xp.zeros_like(X)
        for at, inside, (share_x, share_y), _ in around(xp, X, places(X, Grid)):
            total = total + values_at(X, at, inside) * share_x * share_y
        return total

    def gradient(xp, X, Grid, dOutput, *, need=(True, True)):
        dx, dgrid = xp.zeros_like(X), [0, 0]
        for at, inside, (share_x, share_y), (right, down) in around(xp, X, places(X, Grid)):
            if need[0]:
                add_at(xp, dx, at, (dOutput * inside * share_x * share_y).transpose(0, 2, 3, 1))
            if need[1]:
                pull = (values_at(X, at, inside) * dOutput).sum(axis=1)
                dgrid[0] = dgrid[0] + pull * share_y[:, 0] * right
                dgrid[1] = dgrid[1] + pull * share_x[:, 0] * down
        half = [X.dtype.type((size - 1) / 2) for size in (X.shape[3], X.shape[2])]
        along = xp.stack([d * s for d, s in zip(dgrid, half, strict=True)], axis=-1) if need[1] else None
        return dx if need[0] else None, along

    grad = Grad("X Grid Output@GRAD", "X@GRAD Grid@GRAD", gradient)
