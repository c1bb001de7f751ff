"""Areas of polygons and of their intersections."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

Edge = tuple[float, float, float, float]


def edges_of(points: Sequence[float]) -> list[Edge]:
    """Return the edges (x, y, x, y) of the polygon through points x, y, x, y, ..., each from lower to higher y."""
    corners = list(zip(points[::2], points[1::2], strict=True))
    found = []
    for (x0, y0), (x1, y1) in pairwise([*corners, corners[0]]):
        if y0 != y1:
            found.append((x0, y0, x1, y1) if y0 < y1 else (x1, y1, x0, y0))
    return found


def area(points: Sequence[float]) -> float:
    """Return the area inside of a polygon that does not cross itself."""
    corners = list(zip(points[::2], points[1::2], strict=True))
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise([*corners, corners[0]]))) / 2


def at(edge: Edge, y: float) -> float:
    """Return the x of an edge at the height y."""
    x0, y0, x1, y1 = edge
    return x0 + (x1 - x0) * (y - y0) / (y1 - y0)


def crossing(a: Edge, b: Edge) -> list[float]:
    """Return the height at which two edges cross, if they do."""
    low, high = max(a[1], b[1]), min(a[3], b[3])
    if low >= high:
        return []
    before, after = at(a, low) - at(b, low), at(a, high) - at(b, high)
    return [low + (high - low) * before / (before - after)] if before * after < 0 else []


def inside(edges: Sequence[Edge], y: float) -> list[tuple[float, float]]:
    """Return the intervals of x that lie in a polygon at the height y."""
    xs = sorted(at(edge, y) for edge in edges if edge[1] <= y < edge[3])  # an even number for any y
    return list(zip(xs[::2], xs[1::2], strict=True))


def shared_area(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the area of the intersection of two polygons, summed over slabs in which it is linear in the height."""
    one, other = edges_of(a), edges_of(b)
    every = [*one, *other]
    heights = {*chain(a[1::2], b[1::2]), *(y for i, e in enumerate(every) for f in every[:i] for y in crossing(e, f))}
    total = 0.0
    for low, high in pairwise(sorted(heights)):
        y = (low + high) / 2
        for left, right in inside(one, y):
            for start, stop in inside(other, y):
                total += max(0.0, min(right, stop) - max(left, start)) * (high - low)
    return total


def shared(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the intersection over union of two polygons."""
    both = shared_area(a, b)
    covered = area(a) + area(b) - both
    return both / covered if covered > 0 else 0.0
