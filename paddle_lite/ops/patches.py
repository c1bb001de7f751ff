"""The windows over an image as columns of a matrix."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.errors import ArgumentValueError, ShapeError, message
from ..kernels import geometry
from .require import require_floats
from .shape_rules import UNKNOWN
from .spec import Declaration, Grad, Meta, Required, op
from .windows import check_steps, scatter_windows, windows


def both_ways(paddings: Sequence[int]) -> list[tuple[int, int]]:
    """(before, after) along height and width from [top, left, bottom, right]."""
    top, left, bottom, right = paddings
    return [(top, bottom), (left, right)]


def window_counts(size: Sequence[int], kernel_sizes, strides, paddings, dilations) -> list[int]:
    """How many windows fit along height and width; -1 where that is not known."""
    each = zip(size, kernel_sizes, strides, both_ways(paddings), dilations, strict=True)
    return [geometry.count(n, k, s, pads, d) for n, k, s, pads, d in each]


@op(
    "unfold",
    inputs="X",
    outputs="Y",
    attrs={name: Required("INTS") for name in ("kernel_sizes", "strides", "paddings", "dilations")},
    lod=None,
    checked=True,
)
class unfold(Declaration):
    """Y[n, :, l] = the elements of window l, the first channel's first: [N, C kh kw, windows] (im2col)."""

    def infer(X, *, kernel_sizes, strides, paddings, dilations):
        require_floats("unfold", X=X)
        if len(X.shape) != 4 or 0 in X.shape:
            needs = "shape [N, C, H, W], none of them 0"
            raise ShapeError(message("unfold", "Input(X)", f"shape {list(X.shape)}", needs))
        check_steps("unfold", 2, kernel_sizes=kernel_sizes, strides=strides, dilations=dilations)
        if len(paddings) != 4 or min(paddings) < 0:
            needs = "[top, left, bottom, right], none below 0"
            raise ArgumentValueError(message("unfold", "attribute 'paddings'", list(paddings), needs))
        n, c, *size = X.shape
        counts = window_counts(size, kernel_sizes, strides, paddings, dilations)
        if any(count < 1 for count, m in zip(counts, size, strict=True) if m != UNKNOWN):
            needs = f"room for a window of {list(kernel_sizes)}, {list(dilations)} apart"
            raise ShapeError(message("unfold", "Input(X)", f"an image of {size}", needs, "Add padding."))
        rows = UNKNOWN if c == UNKNOWN else c * kernel_sizes[0] * kernel_sizes[1]
        return Meta((n, rows, UNKNOWN if UNKNOWN in counts else counts[0] * counts[1]), X.dtype)

    def reference(xp, X, *, kernel_sizes, strides, paddings, dilations):
        n, c = X.shape[:2]
        each = windows(xp, X, kernel_sizes, strides, both_ways(paddings), dilations)
        return each.transpose(0, 1, 4, 5, 2, 3).reshape(n, c * kernel_sizes[0] * kernel_sizes[1], -1)

    def gradient(xp, X, dY, *, kernel_sizes, strides, paddings, dilations):
        n, c, *size = X.shape
        counts = window_counts(size, kernel_sizes, strides, paddings, dilations)
        each = dY.reshape(n, c, *kernel_sizes, *counts).transpose(0, 1, 4, 5, 2, 3)
        return xp.ascontiguousarray(scatter_windows(xp, each, size, strides, both_ways(paddings), dilations))

    grad = Grad("X# Y@GRAD", "X@GRAD", gradient)
