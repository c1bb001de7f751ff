"""The overlap of boxes, and non-maximum suppression by it."""

from __future__ import annotations

import numpy as np

from ...numba_jit import inline, jit


@inline
def box_area(x0, y0, x1, y1, extra):
    return (x1 - x0 + extra) * (y1 - y0 + extra) if x1 >= x0 and y1 >= y0 else extra - extra


@inline
def intersection_over_union(box, other, extra):
    """Return the intersection over union of two boxes; `extra` is 1 for boxes in pixels, which include both ends, else 0."""
    x0, y0 = max(box[0], other[0]), max(box[1], other[1])
    x1, y1 = min(box[2], other[2]), min(box[3], other[3])
    both = box_area(x0, y0, x1, y1, extra)
    if x1 < x0 or y1 < y0:
        return both
    covered = (
        box_area(box[0], box[1], box[2], box[3], extra) + box_area(other[0], other[1], other[2], other[3], extra) - both
    )
    return both / covered if covered > 0 else extra - extra + 1


def non_maximum_suppression(boxes, limit, eta, most):
    """Return the indices of boxes, at most `most`, that overlap no better box by more than `limit`; best boxes come first."""
    number = boxes.dtype.type
    places = np.empty(min(most, len(boxes)), np.int64)
    return places[: _best(np.ascontiguousarray(boxes), number(limit), number(eta), number(1), places)]


@jit
def _best(boxes, limit, eta, extra, places):
    count = 0
    for i in range(boxes.shape[0]):
        if count == places.size:
            break
        covered = False
        for k in range(count):
            if intersection_over_union(boxes[i], boxes[places[k]], extra) > limit:
                covered = True
                break
        if covered:
            continue
        places[count] = i
        count += 1
        if eta < 1 and limit > 0.5:
            limit = limit * eta
    return count
