"""Operators that put margins around an array, and that cut a window out of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.call import without
from ..framework.spec import Declaration, Grad, Ints, op
from ..support.image_layout import image_axes, sides, sources
from ..support.meta import Meta
from ..support.require import require_dtype
from ..support.shape_rules import UNKNOWN, level_if, requested, requested_if_known, rows_kept
from .shape import scattered

# --- margins ---------------------------------------------------------------------------------------------------------


def pairs_of(where: str, paddings: Sequence[int], rank: int) -> list[tuple[int, int]]:
    """Return (before, after) for each axis."""
    if len(paddings) != 2 * rank or min(paddings, default=0) < 0:
        needs = f"{2 * rank} numbers of at least 0: before and after each axis"
        raise ShapeError(message(where, "attribute 'paddings'", list(paddings), needs))
    return list(zip(paddings[::2], paddings[1::2], strict=True))


def widened(dims: Sequence[int], pairs: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return the shape with its margins; -1 where it is unknown."""
    return tuple(UNKNOWN if n == UNKNOWN else n + b + a for n, (b, a) in zip(dims, pairs, strict=True))


def inner(dims: Sequence[int], pairs: Sequence[tuple[int, int]]) -> tuple[tuple, tuple]:
    """Return the index of the padded array that holds X, and the index of the part of X; a negative margin crops."""
    there = tuple(
        slice(max(b, 0), max(b, 0) + n + min(b, 0) + min(a, 0)) for n, (b, a) in zip(dims, pairs, strict=True)
    )
    part = tuple(slice(max(-b, 0), n + min(a, 0)) for n, (b, a) in zip(dims, pairs, strict=True))
    return there, part


def surrounded(xp: Any, X: Any, pairs: Sequence[tuple[int, int]], value: float) -> Any:
    """Return X padded with one number, truncated towards zero for integers."""
    out = xp.full(widened(X.shape, pairs), X.dtype.type(value), X.dtype)
    there, part = inner(X.shape, pairs)
    out[there] = X[part]
    return out


@op(
    "pad",
    inputs="X",
    outputs="Out",
    attrs={"paddings": Ints(), "pad_value": 0.0},
    lod=rows_kept,
    flops=0,
    captured=True,
)
class pad(Declaration):
    """X with `paddings[2 i]` elements of `pad_value` before axis i and `paddings[2 i + 1]` behind it."""

    def infer(X, *, paddings, **_):
        pairs = pairs_of("pad", paddings, len(X.shape))
        return Meta(widened(X.shape, pairs), X.dtype, level_if(sum(pairs[0]) == 0, X))

    def reference(xp, X, *, paddings, pad_value):
        return surrounded(xp, X, pairs_of("pad", paddings, X.ndim), pad_value)

    def gradient(xp, dOut, *, paddings):
        return dOut[tuple(slice(b, n - a) for n, b, a in zip(dOut.shape, paddings[::2], paddings[1::2], strict=True))]

    def double(xp, ddX, *, paddings):
        return surrounded(xp, ddX, pairs_of("pad", paddings, ddX.ndim), 0)

    grad = Grad("Out@GRAD", "X@GRAD", gradient, grad=Grad("X@GRAD@GRAD", "Out@GRAD@GRAD", double))


@op("pad_constant_like", inputs="X Y", outputs="Out", attrs={"pad_value": 0.0}, flops=0, captured=True)
class pad_constant_like(Declaration):
    """Y padded at the end of each axis with `pad_value` to the shape of X."""

    def infer(X, Y, **_):
        where = "pad_constant_like"
        fits = len(X.shape) == len(Y.shape) and all(
            m >= n or UNKNOWN in (m, n) for m, n in zip(X.shape, Y.shape, strict=True)
        )
        if not fits:
            needs = f"the rank of X {list(X.shape)}, and no dimension that is larger"
            raise ShapeError(message(where, "Input(Y)", f"shape {list(Y.shape)}", needs))
        require_dtype(where, "Y", Y, X.dtype)
        return X

    def reference(xp, X, Y, *, pad_value):
        return surrounded(xp, Y, [(0, m - n) for m, n in zip(X.shape, Y.shape, strict=True)], pad_value)

    def gradient(xp, Y, dOut):
        return dOut[tuple(slice(n) for n in Y.shape)]

    grad = Grad("Y# Out@GRAD", "Y@GRAD", gradient)


# --- margins around images -------------------------------------------------------------------------------------------

MODES = ("constant", "reflect", "edge")


@op(
    "pad2d",
    inputs="X Paddings?",
    outputs="Out",
    attrs={"paddings": Ints(), "pad_value": 0.0, "mode": "constant", "data_format": "NCHW"},
    flops=0,
    captured=without("Paddings"),
)
class pad2d(Declaration):
    """Images with margins of `pad_value`, of the elements at the edge, or of the image mirrored at its edge ("reflect").

    The margins are [top, bottom, left, right], in Paddings if it is given; negative ones cut.
    """

    def infer(X, Paddings, *, paddings, mode, data_format, **_):
        if len(X.shape) != 4:
            raise ShapeError(message("pad2d", "Input(X)", f"shape {list(X.shape)}", "images, shape [N, C, H, W]"))
        if mode not in MODES:
            raise ArgumentValueError(message("pad2d", "attribute 'mode'", repr(mode), f"one of {', '.join(MODES)}"))
        if Paddings is not None:
            require_dtype("pad2d", "Paddings", Paddings, "int32")
        pairs = sides([None] * 4 if Paddings is not None else paddings, data_format)
        dims = [UNKNOWN if b is None or n == UNKNOWN else n + b + a for n, (b, a) in zip(X.shape, pairs, strict=True)]
        if any(d < 1 <= n for n, d in zip(X.shape, dims, strict=True) if d != UNKNOWN):
            raise ShapeError(
                message("pad2d", "attribute 'paddings'", list(paddings), f"something left of {list(X.shape)}")
            )
        return Meta(tuple(dims), X.dtype, X.lod_level)

    def reference(xp, X, Paddings, *, paddings, pad_value, mode, data_format):
        pairs = sides(requested(paddings, Paddings), data_format)
        if mode == "constant":
            return surrounded(xp, X, pairs, pad_value)
        for axis in image_axes(data_format):
            X = xp.take(X, xp.asarray(sources(X.shape[axis], *pairs[axis], mode)), axis=axis)
        return X

    def gradient(xp, X, Paddings, dOut, *, paddings, mode, data_format):
        pairs = sides(requested(paddings, Paddings), data_format)
        there, part = inner(X.shape, pairs)
        if mode == "constant":
            return scattered(xp, X, part, dOut[there])
        for axis in image_axes(data_format):
            dOut = folded(xp, dOut, X.shape[axis], *pairs[axis], mode, axis)
        return dOut

    grad = Grad("X# Paddings Out@GRAD", "X@GRAD", gradient, captured=without("Paddings"))


def folded(xp, d, size, before, after, mode, axis):
    """Return the gradient of taking `sources` along an axis: each line of the margins is added to its source."""
    front = (slice(None),) * axis
    (there,), (part,) = inner((size,), [(before, after)])
    out = xp.zeros((*d.shape[:axis], size, *d.shape[axis + 1 :]), d.dtype)
    out[(*front, part)] = d[(*front, there)]
    for place, source in enumerate(sources(size, before, after, mode)):
        if not there.start <= place < there.stop:
            out[(*front, source)] += d[(*front, place)]
    return out


# --- windows ---------------------------------------------------------------------------------------------------------


def window(where: str, dims: Sequence[int], offsets: Sequence[int | None], shape: Sequence[int | None]) -> list[tuple]:
    """Return (start, stop) along each axis; -1 in `shape` extends to the end, None in either is unknown."""
    for name, values in (("offsets", offsets), ("shape", shape)):
        if len(values) != len(dims):
            needs = f"{len(dims)} numbers, one for each dimension of X"
            raise ShapeError(message(where, name, list(values), needs))
    spans: list[tuple] = []
    for axis, (n, start, size) in enumerate(zip(dims, offsets, shape, strict=True)):
        low = 0 if start is None else start
        high = low + (1 if size is None or size == UNKNOWN else size)
        if low < 0 or high <= low or (n != UNKNOWN and high > n):
            needs = f"a part of 0 to {n}" if n != UNKNOWN else "an offset of at least 0 and a size above 0"
            raise ShapeError(message(where, f"offset and size along axis {axis}", (start, size), needs))
        spans.append((start, n if size == UNKNOWN else None if start is None or size is None else start + size))
    return spans


def known_if_given(
    where: str, dims: Sequence[int], attr: Sequence[int], **inputs: Meta | Sequence[Meta] | None
) -> Sequence[int | None]:
    """Return the result of `requested_if_known`, with one number for each dimension if their count is unknown."""
    found = requested_if_known(where, attr, **inputs)
    unknown = any(isinstance(given, Meta) and UNKNOWN in given.shape for given in inputs.values())
    listed = any(given and not isinstance(given, Meta) for given in inputs.values())
    return [None] * len(dims) if unknown and not listed else found


def sizes(spans: Sequence[tuple], shape: Sequence[int | None]) -> tuple[int, ...]:
    """Return the shape of a window; -1 if unknown yet."""
    known = [UNKNOWN if None in span or UNKNOWN in span else span[1] - span[0] for span in spans]
    return tuple(size if size is not None and size > 0 else n for n, size in zip(known, shape, strict=True))


def cropped(where: str, X: Any, offsets: Sequence[int], shape: Sequence[int]) -> Any:
    """Return the window of X."""
    return X[tuple(slice(start, stop) for start, stop in window(where, X.shape, offsets, shape))].copy()


def uncropped(xp: Any, X: Any, offsets: Sequence[int], dOut: Any) -> Any:
    """Return zeros like X with dOut in the window."""
    index = tuple(slice(start, start + n) for start, n in zip(offsets, dOut.shape, strict=True))
    return scattered(xp, X, index, dOut)


def require_int32(where: str, **inputs: Any) -> None:
    """Raise unless the inputs, as far as they are given, are int32."""
    for slot, value in inputs.items():
        for each in value if isinstance(value, list) else [value]:
            if each is not None:
                require_dtype(where, slot, each, "int32")


CROP = {"offsets": Ints([]), "shape": Ints([])}


@op("crop", inputs="X Y? Offsets?", outputs="Out", attrs=CROP, lod=None, flops=0, fed_as="Offsets")
class crop(Declaration):
    """The window of X that starts at the offsets and has the shape of Y, or the shape in the attribute."""

    def infer(X, Y, Offsets, *, offsets, shape):
        require_int32("crop", Offsets=Offsets)
        size = shape if Y is None else [None if n == UNKNOWN else n for n in Y.shape]
        spans = window("crop", X.shape, known_if_given("crop", X.shape, offsets, Offsets=Offsets), size)
        return Meta(sizes(spans, size), X.dtype)

    def reference(xp, X, Y, Offsets, *, offsets, shape):
        return cropped("crop", X, requested(offsets, Offsets), shape if Y is None else Y.shape)

    def gradient(xp, X, Offsets, dOut, *, offsets):
        return uncropped(xp, X, requested(offsets, Offsets), dOut)

    grad = Grad("X# Offsets Out@GRAD", "X@GRAD", gradient)


@op(
    "crop_tensor",
    inputs="X Shape? Offsets? ShapeTensor*? OffsetsTensor*?",
    outputs="Out",
    attrs=CROP,
    lod=None,
    flops=0,
    fed_as="Shape Offsets ShapeTensor OffsetsTensor",
)
class crop_tensor(Declaration):
    """The window of X that starts at the offsets and has this shape; -1 extends to the end of an axis."""

    def infer(X, Shape, Offsets, ShapeTensor, OffsetsTensor, *, offsets, shape):
        require_int32("crop_tensor", Shape=Shape, Offsets=Offsets)
        require_int32("crop_tensor", ShapeTensor=ShapeTensor, OffsetsTensor=OffsetsTensor)
        where = "crop_tensor"
        size = known_if_given(where, X.shape, shape, Shape=Shape, ShapeTensor=ShapeTensor)
        starts = known_if_given(where, X.shape, offsets, Offsets=Offsets, OffsetsTensor=OffsetsTensor)
        spans = window(where, X.shape, starts, size)
        return Meta(sizes(spans, size), X.dtype)

    def reference(xp, X, Shape, Offsets, ShapeTensor, OffsetsTensor, *, offsets, shape):
        starts = requested(offsets, Offsets, OffsetsTensor)
        return cropped("crop_tensor", X, starts, requested(shape, Shape, ShapeTensor))

    def gradient(xp, X, Offsets, OffsetsTensor, dOut, *, offsets):
        return uncropped(xp, X, requested(offsets, Offsets, OffsetsTensor), dOut)

    grad = Grad("X# Offsets OffsetsTensor Out@GRAD", "X@GRAD", gradient)
