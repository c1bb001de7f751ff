"""Regions of feature maps cut into bins: what reference and kernels of region pooling have in common."""

from __future__ import annotations

from typing import Any


def bin_edges(xp: Any, first: Any, last: Any, bins: int, size: int, kind: Any) -> tuple[Any, Any]:
    """Where the bins of each region start and end, [regions, bins], between 0 and `size`.

    Arguments:
        first: where the regions start, [regions], as coordinates in the map, which are rounded.
        last: where they end; this place belongs to them.
        kind: the floating dtype to divide in.
    """
    start, stop = (xp.trunc(edge + xp.copysign(0.5, edge)).astype("int64") for edge in (first, last))
    step = xp.maximum(stop - start + 1, 1).astype(kind)[:, None] / xp.asarray(bins, kind)
    count = xp.arange(bins, dtype=kind)
    low, high = xp.floor(count * step).astype("int64"), xp.ceil((count + 1) * step).astype("int64")
    return xp.clip(low + start[:, None], 0, size), xp.clip(high + start[:, None], 0, size)


def spread(xp: Any, start: Any, stop: Any, bins: int, ratio: int, size: int) -> Any:
    """Return how much each place along an axis counts for each bin of each region: [regions, bins, size].

    A bin is the mean of `ratio` points at equal distances (as many as its extent, where that is not positive), each
    between two places; points further than 1 outside of the map count as 0.
    """
    extent = xp.maximum(stop - start, 1)
    samples = xp.ceil(extent / bins) if ratio <= 0 else xp.full(extent.shape, ratio, extent.dtype)
    start, extent, samples = (each[:, None, None] for each in (start, extent, samples))
    points = xp.arange(int(samples.max()) if samples.size else 1, dtype=start.dtype)
    at = start + extent / bins * (xp.arange(bins, dtype=start.dtype)[:, None] + (points + 0.5) / samples)
    used = (at >= -1) & (at <= size) & (points < samples)
    near = 1 - xp.abs(xp.clip(at, 0, size - 1)[..., None] - xp.arange(size, dtype=start.dtype))
    return (xp.maximum(near, 0) * used[..., None]).sum(2) / samples


def spreads(
    xp: Any, X: Any, ROIs: Any, spatial_scale: float, pooled_height: int, pooled_width: int, sampling_ratio: int
) -> tuple[Any, Any]:
    """Return the same down and across the maps X."""
    kind = X.dtype if X.dtype.kind == "f" else "float64"
    left, top, right, bottom = (ROIs.astype(kind) * spatial_scale).T
    down = spread(xp, top, bottom, pooled_height, sampling_ratio, X.shape[2])
    return down, spread(xp, left, right, pooled_width, sampling_ratio, X.shape[3])
