"""Operators that pool regions of feature maps."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from ...core.errors import DtypeError, ShapeError, message
from ...core.indexed import add_at
from ..framework.spec import Declaration, Grad, Required, op
from ..support.image_rows import image_by_counts, image_of_regions
from ..support.meta import Meta
from ..support.region_bins import bin_edges, bin_weights_2d, region_means, region_means_grad
from ..support.require import require_dtype, require_shape
from ..support.shape_rules import UNKNOWN
from .boxes import require_map, require_positive


def infer_pooled(
    where: str, X: Meta, ROIs: Meta, RoisLod: Meta | None, spatial_scale: float, pooled_height: int, pooled_width: int
) -> Meta:
    """Return the Meta of pooled regions."""
    if X.dtype.name not in ("float32", "float64", "int32"):
        raise DtypeError(message(where, "Input(X)", f"dtype {X.dtype}", "float32, float64 or int32"))
    if len(X.shape) != 4:
        raise ShapeError(message(where, "Input(X)", f"shape {list(X.shape)}", "shape [N, C, H, W]"))
    require_dtype(where, "ROIs", ROIs, X.dtype)
    require_shape(where, "ROIs", ROIs, (UNKNOWN, 4))
    if RoisLod is not None:
        require_dtype(where, "RoisLod", RoisLod, "int64")
    require_positive(where, spatial_scale=[spatial_scale], pooled_height=[pooled_height], pooled_width=[pooled_width])
    return Meta((ROIs.shape[0], X.shape[1], pooled_height, pooled_width), X.dtype)


@op(
    "roi_pool",
    inputs="X ROIs RoisLod?",
    outputs="Out Argmax~",
    attrs={"spatial_scale": 1.0, "pooled_height": 1, "pooled_width": 1},
    lod=None,
    needs_lod="ROIs",
    captured=False,
)
class roi_pool(Declaration):
    """Compute the maximum of each bin of each region of feature maps (Girshick 2015, "Fast R-CNN").

    ROIs [R, 4] are boxes in the image, times `spatial_scale` in the map, rounded; a LoD or RoisLod assigns them to the
    images of X [N, C, H, W]. Out is [R, C, pooled_height, pooled_width]; a bin outside of the map gives 0.
    """

    def infer(X, ROIs, RoisLod, *, spatial_scale, pooled_height, pooled_width):
        out = infer_pooled("roi_pool", X, ROIs, RoisLod, spatial_scale, pooled_height, pooled_width)
        return out, out._replace(dtype=np.dtype("int64"))

    def reference(xp, X, ROIs, RoisLod, *, lod, spatial_scale, pooled_height, pooled_width):
        images = image_of_regions("roi_pool", ROIs, RoisLod, lod, len(X))
        rows, columns = X.shape[2:]
        edges, kind = (ROIs * spatial_scale).T, X.dtype if X.dtype.kind == "f" else "float64"
        top, bottom = (e.tolist() for e in bin_edges(xp, edges[1], edges[3], pooled_height, rows, kind))
        left, right = (e.tolist() for e in bin_edges(xp, edges[0], edges[2], pooled_width, columns, kind))
        out = xp.zeros((len(ROIs), X.shape[1], pooled_height, pooled_width), X.dtype)
        best = xp.full(out.shape, -1, "int64")
        places = xp.arange(rows * columns).reshape(rows, columns)
        for r, i, j in product(range(len(ROIs)), range(pooled_height), range(pooled_width)):
            window = slice(top[r][i], bottom[r][i]), slice(left[r][j], right[r][j])
            inside = places[window].reshape(-1)
            if inside.size:
                values = X[(images[r], slice(None), *window)].reshape(-1, inside.size)
                best[r, :, i, j] = inside[values.argmax(1)]
                out[r, :, i, j] = values.max(1)
        return out, best

    def gradient(xp, X, ROIs, RoisLod, Argmax, dOut, *, lod, spatial_scale, pooled_height, pooled_width):
        images = xp.asarray(image_of_regions("roi_pool", ROIs, RoisLod, lod, X.shape[0]), "int64").reshape(-1, 1, 1, 1)
        channels, (rows, columns) = xp.arange(X.shape[1]).reshape(-1, 1, 1), X.shape[2:]
        dX = xp.zeros((*X.shape[:2], rows * columns + 1), dOut.dtype)  # what has no place (-1) goes to the last one
        add_at(xp, dX, (images, channels, Argmax), dOut)
        return xp.ascontiguousarray(dX[..., :-1]).reshape(X.shape)

    grad = Grad("X# ROIs RoisLod Argmax Out@GRAD", "X@GRAD", gradient)


# --- between the places of a map ----------------------------------------------------------------------------------------------


@op(
    "roi_align",
    inputs="X ROIs RoisLod?",
    outputs="Out",
    attrs={"spatial_scale": 1.0, "pooled_height": 1, "pooled_width": 1, "sampling_ratio": -1},
    lod=None,
    needs_lod="ROIs",
    captured=False,
)
class roi_align(Declaration):
    """Average sampled points in each bin of each region of feature maps, without rounding (He et al. 2017).

    Inputs and output are as in roi_pool. Each bin has sampling_ratio * sampling_ratio points, or as many as its size if
    that is not positive; each is interpolated bilinearly.
    """

    def infer(X, ROIs, RoisLod, *, spatial_scale, pooled_height, pooled_width, **_):
        return infer_pooled("roi_align", X, ROIs, RoisLod, spatial_scale, pooled_height, pooled_width)

    def reference(xp, X, ROIs, RoisLod, *, lod, spatial_scale, pooled_height, pooled_width, sampling_ratio):
        images = image_of_regions("roi_align", ROIs, RoisLod, lod, len(X))
        down, across = bin_weights_2d(xp, X, ROIs, spatial_scale, pooled_height, pooled_width, sampling_ratio)
        return region_means(xp, X, images, down, across)

    def gradient(xp, X, ROIs, RoisLod, dOut, *, lod, spatial_scale, pooled_height, pooled_width, sampling_ratio):
        images = image_of_regions("roi_align", ROIs, RoisLod, lod, X.shape[0])
        down, across = bin_weights_2d(xp, X, ROIs, spatial_scale, pooled_height, pooled_width, sampling_ratio)
        return region_means_grad(xp, dOut, images, down, across, X.shape)

    grad = Grad("X# ROIs RoisLod Out@GRAD", "X@GRAD", gradient)


# --- a channel for each bin ---------------------------------------------------------------------------------------------------


def windows(xp: Any, first: Any, last: Any, spatial_scale: float, bins: int, size: int) -> tuple[list, list]:
    """Return where the bins of each region start and end along an axis of a map."""
    first, last = (xp.trunc(edge + xp.copysign(0.5, edge)) for edge in (first, last))
    start, stop = first * spatial_scale, (last + 1) * spatial_scale
    step = (xp.maximum(stop - start, 0.1) / bins)[:, None]
    count = xp.arange(bins, dtype=first.dtype)
    low, high = xp.floor(count * step + start[:, None]), xp.ceil((count + 1) * step + start[:, None])
    return tuple(xp.clip(edge, 0, size).astype("int64").tolist() for edge in (low, high))


def channel_windows(xp, X, ROIs, images, spatial_scale, pooled_height, pooled_width):
    """Yield ((region, i, j), index in X, number of elements) for each bin that is not empty."""
    left, top, right, bottom = ROIs.T
    tops, bottoms = windows(xp, top, bottom, spatial_scale, pooled_height, X.shape[2])
    lefts, rights = windows(xp, left, right, spatial_scale, pooled_width, X.shape[3])
    bins = pooled_height * pooled_width
    for r, i, j in product(range(len(ROIs)), range(pooled_height), range(pooled_width)):
        down, across = slice(tops[r][i], bottoms[r][i]), slice(lefts[r][j], rights[r][j])
        places = (down.stop - down.start) * (across.stop - across.start)
        if down.stop > down.start and across.stop > across.start:
            yield (r, i, j), (images[r], slice(i * pooled_width + j, None, bins), down, across), places


@op(
    "psroi_pool",
    inputs="X ROIs",
    outputs="Out",
    attrs={"output_channels": Required("INT"), "spatial_scale": 1.0, "pooled_height": 1, "pooled_width": 1},
    lod=None,
    needs_lod="ROIs",
)
class psroi_pool(Declaration):
    """Average each bin of each region over channels of its own (Dai et al. 2016, "R-FCN").

    X is [N, output_channels * pooled_height * pooled_width, H, W]: output channel c of bin (i, j) is the mean of
    channel (c * pooled_height + i) * pooled_width + j. ROIs [R, 4] with a LoD are rounded, then multiplied by
    `spatial_scale`.
    """

    def infer(X, ROIs, *, output_channels, spatial_scale, pooled_height, pooled_width):
        where = "psroi_pool"
        require_map(where, "X", X)
        pooled = infer_pooled(where, X, ROIs, None, spatial_scale, pooled_height, pooled_width)
        require_positive(where, output_channels=[output_channels])
        channels = output_channels * pooled_height * pooled_width
        if X.shape[1] not in (UNKNOWN, channels):
            needs = f"{channels} channels, {output_channels} for each of {pooled_height} * {pooled_width} bins"
            raise ShapeError(message(where, "Input(X)", f"shape {list(X.shape)}", needs))
        return pooled._replace(shape=(ROIs.shape[0], output_channels, pooled_height, pooled_width))

    def reference(xp, X, ROIs, *, lod, output_channels, spatial_scale, pooled_height, pooled_width):
        images = image_of_regions("psroi_pool", ROIs, None, lod, len(X))
        out = xp.zeros((len(ROIs), output_channels, pooled_height, pooled_width), X.dtype)
        for (r, i, j), window, places in channel_windows(
            xp, X, ROIs, images, spatial_scale, pooled_height, pooled_width
        ):
            out[r, :, i, j] = X[window].sum((1, 2)) / places
        return out

    def gradient(xp, X, ROIs, dOut, *, lod, output_channels, spatial_scale, pooled_height, pooled_width):
        images = image_of_regions("psroi_pool", ROIs, None, lod, X.shape[0])
        dX = xp.zeros(X.shape, dOut.dtype)
        for (r, i, j), window, places in channel_windows(
            xp, X, ROIs, images, spatial_scale, pooled_height, pooled_width
        ):
            dX[window] += (dOut[r, :, i, j] / places)[:, None, None]
        return dX

    grad = Grad("X# ROIs Out@GRAD", "X@GRAD", gradient)


# --- the whole of a map between its places --------------------------------------------------------------------------------------


def tents(xp: Any, at: Any, size: int) -> Any:
    """Return the weight of each pixel of an axis in a linear interpolation at points: [..., size]."""
    return xp.maximum(1 - xp.abs(at[..., None] - xp.arange(size)), 0)


def below(xp: Any, edges: Any, size: int) -> Any:
    """Return the integral of `tents` up to each edge."""
    t = xp.clip(edges[..., None] - xp.arange(size), -1, 1)
    return xp.where(t < 0, (t + 1) ** 2 / 2, 1 - (1 - t) ** 2 / 2)


class Axis:
    """The bins of regions along one axis of maps, in float64.

    Attributes:
        edges: where bins start and end, [R, bins + 1].
        weights: how much each place counts for each bin, over the length of the bin, [R, bins, size].
        over: 1 over the length of a bin, [R, 1]; 0 for regions without an extent.
        share: which part of the region lies before each edge, [bins + 1].
    """

    def __init__(self, xp: Any, start: Any, stop: Any, bins: int, size: int, spatial_scale: float) -> None:
        start, stop = (edge.astype("float64")[:, None] * spatial_scale for edge in (start, stop))
        length = xp.maximum(stop - start, 0) / bins
        self.share = xp.arange(bins + 1) / bins
        self.edges = start + xp.maximum(stop - start, 0) * self.share
        self.over = xp.where(length > 0, 1 / xp.where(length > 0, length, 1), 0)
        parts = below(xp, self.edges, size)
        self.weights = (parts[:, 1:] - parts[:, :-1]) * self.over[..., None]

    def to_region(self, xp: Any, r: int, at_edges: Any, out: Any, dout: Any) -> tuple[Any, Any]:
        """Return the gradients of where region r starts and stops, from the values at the edges of its bins.

        Arguments:
            at_edges: the mean of a bin along the other axis, at each edge, [..., bins + 1].
            out: what came of the bins, [..., bins].
            dout: its gradient.
        """
        start, stop = (out - at_edges[..., :-1]) * dout, (at_edges[..., 1:] - out) * dout
        start, stop = (each.reshape(-1, each.shape[-1]).sum(0) * self.over[r] for each in (start, stop))
        moved = self.share[:-1] * start, self.share[1:] * stop
        return (start + stop - moved[0] - moved[1]).sum(), (moved[0] + moved[1]).sum()


def axes(xp, X, ROIs, spatial_scale, pooled_height, pooled_width):
    """Return the vertical and the horizontal axis of the maps."""
    left, top, right, bottom = ROIs.T
    down = Axis(xp, top, bottom, pooled_height, X.shape[2], spatial_scale)
    return down, Axis(xp, left, right, pooled_width, X.shape[3], spatial_scale)


@op(
    "prroi_pool",
    inputs="X ROIs BatchRoINums?",
    outputs="Out",
    attrs={"spatial_scale": 1.0, "pooled_height": 1, "pooled_width": 1},
    lod=None,
    needs_lod="ROIs",
)
class prroi_pool(Declaration):
    """Integrate the bilinear interpolation of a map over each bin of each region (Jiang et al. 2018, "IoU-Net").

    Inputs and output are as in roi_align, but regions are not rounded and have gradients; a region without extent gives
    0, and the map is padded with 0. BatchRoINums [N] may hold the number of regions of each image in place of a LoD.
    """

    def infer(X, ROIs, BatchRoINums, *, spatial_scale, pooled_height, pooled_width):
        if BatchRoINums is not None:
            require_dtype("prroi_pool", "BatchRoINums", BatchRoINums, "int64")
            require_shape("prroi_pool", "BatchRoINums", BatchRoINums, X.shape[:1])
        return infer_pooled("prroi_pool", X, ROIs, None, spatial_scale, pooled_height, pooled_width)

    def reference(xp, X, ROIs, BatchRoINums, *, lod, spatial_scale, pooled_height, pooled_width):
        images = image_by_counts("prroi_pool", ROIs, BatchRoINums, lod, len(X))
        down, across = axes(xp, X, ROIs, spatial_scale, pooled_height, pooled_width)
        return region_means(xp, X, images, down.weights, across.weights)

    def gradient(
        xp, X, ROIs, BatchRoINums, Out, dOut, *, lod, spatial_scale, pooled_height, pooled_width, need=(True, True)
    ):
        images = image_by_counts("prroi_pool", ROIs, BatchRoINums, lod, len(X))
        down, across = axes(xp, X, ROIs, spatial_scale, pooled_height, pooled_width)
        dX, dROIs = (
            xp.zeros(like.shape, dOut.dtype) if asked else None for like, asked in zip((X, ROIs), need, strict=True)
        )
        for r, image in enumerate(images):
            if dX is not None:
                dX[image] += down.weights[r].T @ dOut[r] @ across.weights[r]
            if dROIs is not None:
                at_columns = down.weights[r] @ X[image] @ tents(xp, across.edges[r], X.shape[3]).T
                at_rows = tents(xp, down.edges[r], X.shape[2]) @ X[image] @ across.weights[r].T
                turned = (each.swapaxes(-1, -2) for each in (at_rows, Out[r], dOut[r]))
                sides = *across.to_region(xp, r, at_columns, Out[r], dOut[r]), *down.to_region(xp, r, *turned)
                dROIs[r] = xp.stack([sides[0], sides[2], sides[1], sides[3]]) * spatial_scale
        return dX, dROIs

    grad = Grad("X ROIs BatchRoINums Out Out@GRAD", "X@GRAD ROIs@GRAD", gradient)
