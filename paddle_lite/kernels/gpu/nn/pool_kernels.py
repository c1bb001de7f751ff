"""GPU kernels of pooling: adapters from Paddle's attributes to the device kernels of pool.py."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from ....ops.support.axis_windows import Windows, pooling_windows
from ....ops.support.image_layout import from_channels_first, to_channels_first
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.caches import kept_on_device
from ..support.shape import MOST_THREADS, blocks_for, current_device
from .pool import pooled, pooled_grad

_ALL = Windows(1, (0,), (1,))  # the depth of a 2-D image


def _along(size: Sequence[int], attrs: dict[str, Any]) -> tuple[Windows, ...]:
    """Return the windows along depth, height and width."""
    found = pooling_windows(size, **attrs)
    return (*[_ALL] * (3 - len(found)), *found)


@kept_on_device(256)
def _edges(along: tuple[Windows, ...], device: int) -> tuple[Any, Any]:
    """Return the first points and the ends of the windows of all dimensions, one after the other, on the device."""
    xp = array_module("gpu")
    return xp.asarray([i for w in along for i in w.first]), xp.asarray([i for w in along for i in w.end])


@kept_on_device(256)
def _around(along: tuple[Windows, ...], device: int) -> tuple[Any, Any]:
    """Return, for each point of all dimensions, the first window that holds it, and the one after the last."""
    xp = array_module("gpu")
    lowest = [bisect_right(w.end, point) for w in along for point in range(w.size)]
    highest = [bisect_left(w.first, point + 1) for w in along for point in range(w.size)]
    return xp.asarray(lowest), xp.asarray(highest)


def _divisor(attrs: dict[str, Any]) -> float:
    """Return what sums are divided by; 0 for the number of points of each window."""
    counted = attrs["exclusive"] or attrs["adaptive"] or attrs["global_pooling"]
    return 0.0 if counted else float(math.prod(attrs["ksize"]))


def _pool(X: Any, *, pooling_type: str, data_format: str, reference: Callable, **attrs: Any) -> Any:
    xp = array_module("gpu")
    x = xp.ascontiguousarray(to_channels_first(X, data_format))
    along = _along(x.shape[2:], attrs)
    sizes, counts = [w.size for w in along], [len(w.first) for w in along]
    out = xp.empty((*x.shape[:2], *counts[5 - x.ndim :]), x.dtype)
    given = *sizes, *counts, out.size, int(pooling_type == "max"), _divisor(attrs)
    launch(pooled, blocks_for(out.size), MOST_THREADS, x, out, *_edges(along, current_device()), *given)
    return xp.ascontiguousarray(from_channels_first(out, data_format))


def _pool_grad(
    X: Any, Out: Any, dOut: Any, *, pooling_type: str, data_format: str, reference: Callable, **attrs: Any
) -> Any:
    xp = array_module("gpu")
    x, d = (xp.ascontiguousarray(to_channels_first(a, data_format)) for a in (X, dOut))
    along = _along(x.shape[2:], attrs)
    sizes, counts = [w.size for w in along], [len(w.first) for w in along]
    dx = xp.empty_like(x)
    given = *sizes, *counts, dx.size, int(pooling_type == "max"), _divisor(attrs)
    launch(
        pooled_grad,
        blocks_for(dx.size),
        MOST_THREADS,
        x,
        d,
        dx,
        *_edges(along, current_device()),
        *_around(along, current_device()),
        *given,
    )
    return xp.ascontiguousarray(from_channels_first(dx, data_format))


for _dims in ("2d", "3d"):
    kernel(f"pool{_dims}", device="gpu")(_pool)
    kernel(f"pool{_dims}_grad", device="gpu")(_pool_grad)
