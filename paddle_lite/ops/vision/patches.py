"""The windows over an image as columns of a matrix."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.spec import Declaration, Grad, Ints, Required, op
from ..support import window_sizes
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from ..support.windows import check_steps, scatter_windows, windows


def both_ways(paddings: Sequence[int]) -> list[tuple[int, int]]:
    """Return (before, after) along height and width from [top, left, bottom, right]."""
    top, left, bottom, right = paddings
    return [(top, bottom), (left, right)]


def window_counts(size: Sequence[int], kernel_sizes, strides, paddings, dilations) -> list[int]:
    """Return the number of windows along height and width; -1 if unknown."""
    each = zip(size, kernel_sizes, strides, both_ways(paddings), dilations, strict=True)
    return [window_sizes.window_count(n, k, s, pads, d) for n, k, s, pads, d in each]


def check_windows(type: str, X: Meta, *, kernel_sizes, strides, paddings, dilations) -> None:
    """Raise unless X holds images with room for a window."""
    require_floats(type, X=X)
    if len(X.shape) != 4 or 0 in X.shape:
        needs = "shape [N, C, H, W], none of them 0"
        raise ShapeError(message(type, "Input(X)", f"shape {list(X.shape)}", needs))
    kernels = "kernels" if type == "im2sequence" else "kernel_sizes"
    check_steps(type, 2, **{kernels: kernel_sizes}, strides=strides, dilations=dilations)
    if len(paddings) != 4 or min(paddings) < 0:
        needs = "[top, left, bottom, right], none below 0"
        raise ArgumentValueError(message(type, "attribute 'paddings'", list(paddings), needs))
    size = X.shape[2:]
    counts = window_counts(size, kernel_sizes, strides, paddings, dilations)
    if any(count < 1 for count, m in zip(counts, size, strict=True) if m != UNKNOWN):
        needs = f"room for a window of {list(kernel_sizes)}, {list(dilations)} apart"
        raise ShapeError(message(type, "Input(X)", f"an image of {list(size)}", needs, "Add padding."))


@op(
    "unfold",
    inputs="X",
    outputs="Y",
    attrs={name: Required("INTS") for name in ("kernel_sizes", "strides", "paddings", "dilations")},
    lod=None,
)
class unfold(Declaration):
    """Return the windows of X as columns (im2col): Y[n, :, l] holds the elements of window l, channel by channel.

    Y is [N, C kh kw, windows].
    """

    def infer(X, *, kernel_sizes, strides, paddings, dilations):
        check_windows("unfold", X, kernel_sizes=kernel_sizes, strides=strides, paddings=paddings, dilations=dilations)
        n, c, *size = X.shape
        counts = window_counts(size, kernel_sizes, strides, paddings, dilations)
        rows = UNKNOWN if c == UNKNOWN else c * kernel_sizes[0] * kernel_sizes[1]
        return Meta((n, rows, UNKNOWN if UNKNOWN in counts else counts[0] * counts[1]), X.dtype)

    def reference(xp, X, *, kernel_sizes, strides, paddings, dilations):
        n, c = X.shape[:2]
        each = windows(xp, X, kernel_sizes, strides, both_ways(paddings), dilations)
        return xp.array(each, order="C").reshape(n, c * kernel_sizes[0] * kernel_sizes[1], -1)

    def gradient(xp, X, dY, *, kernel_sizes, strides, paddings, dilations):
        n, c, *size = X.shape
        counts = window_counts(size, kernel_sizes, strides, paddings, dilations)
        each = dY.reshape(n, c, *kernel_sizes, *counts)
        return xp.ascontiguousarray(scatter_windows(xp, each, size, strides, both_ways(paddings), dilations))

    grad = Grad("X# Y@GRAD", "X@GRAD", gradient)


# --- windows as rows -------------------------------------------------------------------------------------------------------


def _row_counts(X, Y, kernels, strides, paddings, out_stride) -> list[list[int]]:
    """Return how many windows of each image are taken, down and across; raise if these are more than there are."""
    apart = [1, 1]
    most = window_counts(X.shape[2:], kernels, strides, paddings, apart)
    if Y is None or X.shape[0] == 1:
        return [most] * X.shape[0]
    found = []
    for size in Y[: X.shape[0]].astype("int64").tolist():
        reduced = [-(-n // step) for n, step in zip(size, out_stride, strict=True)]
        counts = window_counts(reduced, kernels, strides, paddings, apart)
        if any(not 0 < n <= m for n, m in zip(counts, most, strict=True)):
            needs = f"heights and widths with at least one window and at most {most}, those of X {list(X.shape)}"
            raise ArgumentValueError(message("im2sequence", "Input(Y)", size, needs))
        found.append(counts)
    return found


@op(
    "im2sequence",
    inputs="X Y?",
    outputs="Out",
    attrs={
        "kernels": Required("INTS"),
        "strides": Ints([1, 1]),
        "paddings": Ints([0, 0, 0, 0]),
        "out_stride": Ints([1, 1]),
    },
    lod="made",
    flops=0,
)
class im2sequence(Declaration):
    """Return the windows of each image of X as rows [windows, C kh kw]; the windows of one image are one sequence.

    Y [N, 2] holds the height and width of each image; divided by `out_stride` and rounded up, these are the sizes of
    the part of X that is used. As in Paddle, Y has no effect if there is only one image, and may have more rows.
    """

    def infer(X, Y, *, kernels, strides, paddings, out_stride):
        attrs = {"kernel_sizes": kernels, "strides": strides, "paddings": paddings, "dilations": [1, 1]}
        check_windows("im2sequence", X, **attrs)
        if Y is not None:
            require_floats("im2sequence", X=X, Y=Y)
            require_shape("im2sequence", "Y", Y, (UNKNOWN, 2))
            if Y.shape[0] != UNKNOWN and Y.shape[0] < X.shape[0]:
                needs = f"a row for each of {X.shape[0]} images"
                raise ShapeError(message("im2sequence", "Input(Y)", f"shape {list(Y.shape)}", needs))
            check_steps("im2sequence", 2, out_stride=out_stride)
        n, c, *size = X.shape
        known = [n, *window_counts(size, kernels, strides, paddings, [1, 1])]
        rows = UNKNOWN if Y is not None or UNKNOWN in known else known[0] * known[1] * known[2]
        return Meta((rows, UNKNOWN if c == UNKNOWN else c * kernels[0] * kernels[1]), X.dtype, 1)

    def reference(xp, X, Y, *, kernels, strides, paddings, out_stride):
        counts = _row_counts(X, Y, kernels, strides, paddings, out_stride)
        each = windows(xp, X, kernels, strides, both_ways(paddings), [1, 1]).transpose(0, 4, 5, 1, 2, 3)
        width, ends = X.shape[1] * kernels[0] * kernels[1], [0]
        for down, across in counts:
            ends.append(ends[-1] + down * across)
        if Y is None or len(X) == 1:
            rows = xp.array(each, order="C").reshape(-1, width)
        else:
            rows = xp.concatenate([x[:h, :w].reshape(-1, width) for x, (h, w) in zip(each, counts, strict=True)])
        return rows, (tuple(ends),)

    def gradient(xp, X, dOut, *, kernels, strides, paddings):
        n, c, *size = X.shape
        counts = window_counts(size, kernels, strides, paddings, [1, 1])
        if dOut.shape[0] != n * counts[0] * counts[1]:
            got, needs = f"{dOut.shape[0]} rows", f"{n * counts[0] * counts[1]}, all windows over X {list(X.shape)}"
            fix = "Leave out Input(Y) where a gradient is needed."
            raise ShapeError(message("im2sequence_grad", "Input(Out@GRAD)", got, needs, fix))
        each = dOut.reshape(n, *counts, c, *kernels).transpose(0, 3, 4, 5, 1, 2)
        return xp.ascontiguousarray(scatter_windows(xp, each, size, strides, both_ways(paddings), [1, 1]))

    grad = Grad("X# Out@GRAD", "X@GRAD", gradient)
