"""The area that two boxes share, for use inside of kernels."""

from __future__ import annotations

from ..numba_jit import inline


@inline
def area(x0, y0, x1, y1, extra):
    return (x1 - x0 + extra) * (y1 - y0 + extra) if x1 >= x0 and y1 >= y0 else extra - extra


@inline
def shared(box, other, extra):
    """Over what the two cover together; `extra` is 1 for boxes in pixels, of which both ends belong to a box, else 0."""
    x0, y0 = max(box[0], other[0]), max(box[1], other[1])
    x1, y1 = min(box[2], other[2]), min(box[3], other[3])
    both = area(x0, y0, x1, y1, extra)
    if x1 < x0 or y1 < y0:
        return both
    covered = area(box[0], box[1], box[2], box[3], extra) + area(other[0], other[1], other[2], other[3], extra) - both
    return both / covered if covered > 0 else extra - extra + 1
