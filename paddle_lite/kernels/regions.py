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
