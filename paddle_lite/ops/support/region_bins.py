"""Regions of feature maps divided into bins, shared by the reference and the kernels of region pooling."""

from __future__ import annotations

from typing import Any


def bin_edges(xp: Any, first: Any, last: Any, bins: int, size: int, kind: Any) -> tuple[Any, Any]:
    """Return the start and the end of the bins of each region along one axis, [regions, bins], within 0 and `size`.

    Arguments:
        first: the first coordinate of each region in the map, [regions]; it is rounded.
        last: the last coordinate of each region, inclusive.
        kind: the floating dtype of the division.
    """
    start, stop = (xp.trunc(edge + xp.copysign(0.5, edge)).astype("int64") for edge in (first, last))
    step = xp.maximum(stop - start + 1, 1).astype(kind)[:, None] / xp.asarray(bins, kind)
    count = xp.arange(bins, dtype=kind)
    low, high = xp.floor(count * step).astype("int64"), xp.ceil((count + 1) * step).astype("int64")
    return xp.clip(low + start[:, None], 0, size), xp.clip(high + start[:, None], 0, size)


def bin_weights(xp: Any, start: Any, stop: Any, bins: int, ratio: int, size: int, least: float | None = 1) -> Any:
    """Return the weight of each position along an axis in each bin of each region: [regions, bins, size].

    A bin is the mean of `ratio` equidistant points (as many as its extent, if `ratio` is not positive), each interpolated
    linearly between two positions; points more than 1 outside the map count as 0. The extent is `least` at least, if that is not None.
    """
    extent = stop - start if least is None else xp.maximum(stop - start, least)
    samples = xp.maximum(xp.ceil(extent / bins), 1) if ratio <= 0 else xp.full(extent.shape, ratio, extent.dtype)
    start, extent, samples = (each[:, None, None] for each in (start, extent, samples))
    points = xp.arange(int(samples.max()) if samples.size else 1, dtype=start.dtype)
    at = start + extent / bins * (xp.arange(bins, dtype=start.dtype)[:, None] + (points + 0.5) / samples)
    used = (at >= -1) & (at <= size) & (points < samples)
    near = 1 - xp.abs(xp.clip(at, 0, size - 1)[..., None] - xp.arange(size, dtype=start.dtype))
    return (xp.maximum(near, 0) * used[..., None]).sum(2) / samples


def region_means(xp: Any, X: Any, images: list[int], down: Any, across: Any) -> Any:
    """Return the means of the bins of regions of maps X [N, C, H, W]: [regions, C, bins, bins].

    Arguments:
        images: the map of each region.
        down: the weight of each row of a map in each bin, [regions, bins, H].
        across: that of each column, [regions, bins, W].
    """
    out = xp.empty((len(images), X.shape[1], down.shape[1], across.shape[1]), X.dtype)
    for r, image in enumerate(images):
        out[r] = down[r] @ X[image] @ across[r].T
    return out


def region_means_grad(xp: Any, dOut: Any, images: list[int], down: Any, across: Any, shape: tuple[int, ...]) -> Any:
    """Return the gradient of the maps, of `shape`, from that of `region_means`."""
    dX = xp.zeros(shape, dOut.dtype)
    for r, image in enumerate(images):
        dX[image] += down[r].T @ dOut[r] @ across[r]
    return dX


def bin_weights_2d(
    xp: Any,
    X: Any,
    ROIs: Any,
    spatial_scale: float,
    pooled_height: int,
    pooled_width: int,
    sampling_ratio: int,
    half_pixel: bool = False,
) -> tuple[Any, Any]:
    """Return the weights of `bin_weights` along the height and along the width of the maps X.

    With `half_pixel` a coordinate is the left or upper edge of a pixel, not its centre, and regions may be smaller than one.
    """
    kind = X.dtype if X.dtype.kind == "f" else "float64"
    left, top, right, bottom = (ROIs.astype(kind) * spatial_scale - (0.5 if half_pixel else 0.0)).T
    least = None if half_pixel else 1
    down = bin_weights(xp, top, bottom, pooled_height, sampling_ratio, X.shape[2], least)
    return down, bin_weights(xp, left, right, pooled_width, sampling_ratio, X.shape[3], least)
