"""Pooling over images and volumes."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

from ...core.dtype import to_numpy
from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ..framework.costs import pooling
from ..framework.spec import CUDNN, MKLDNN, Grad, Ints, OpDef, Required, op
from ..support import window_sizes
from ..support.image_layout import channels_last, from_channels_first, to_channels_first
from ..support.meta import Meta
from ..support.windows import NUMBERS, check_layout, check_paddings, check_steps, with_attributes

ATTRS: dict[str, Any] = {
    "pooling_type": Required("STRING"),
    "ksize": Required("INTS"),
    "global_pooling": False,
    "strides": Ints([1, 1]),
    "paddings": Ints([0, 0]),
    "exclusive": True,
    "adaptive": False,
    **CUDNN,
    "ceil_mode": False,
    **MKLDNN,
    "use_quantizer": False,
    "data_format": "NCHW",
    "is_test": False,
    "padding_algorithm": "EXPLICIT",
}
VOLUME_ATTRS: dict[str, Any] = {
    **{name: value for name, value in ATTRS.items() if name not in ("use_quantizer", "is_test")},
    "strides": Ints([1, 1, 1]),
    "paddings": Ints([0, 0, 0]),
    "data_format": "NCDHW",
}
INDEX = ("ksize", "global_pooling", "adaptive", "strides", "paddings")  # the attributes of max_pool*_with_index
STRIDED = {"ceil_mode": False, "padding_algorithm": "EXPLICIT"}  # and the values it implies for the others
WITHOUT_EFFECT = ("use_cudnn", "use_mkldnn", "use_quantizer", "is_test")
LIVE = tuple(name for name in ATTRS if name not in WITHOUT_EFFECT)
LOWEST = -3.4028234663852886e38  # the maximum of an empty window, in float64 too


def _check(type: str, X: Meta, ksize, global_pooling, strides, paddings, adaptive, padding_algorithm, **_: Any) -> None:
    dims = 3 if "3d" in type else 2
    if len(X.shape) != dims + 2:
        raise ShapeError(message(type, "Input(X)", f"shape {list(X.shape)}", f"{dims + 2} dimensions"))
    if X.dtype.kind != "f":
        raise DtypeError(message(type, "Input(X)", f"dtype {X.dtype}", "float32 or float64"))
    if len(ksize) != dims or (not global_pooling and any(k < 1 for k in ksize)):
        needs = f"{NUMBERS[dims]} sizes of 1 or more"
        raise ArgumentValueError(message(type, "attribute 'ksize'", list(ksize), needs))
    if global_pooling and adaptive:
        raise ArgumentValueError(message(type, "global_pooling and adaptive", "both", "one of them at most"))
    check_steps(type, dims, strides=strides)
    check_paddings(type, dims, paddings, padding_algorithm)


def _placement(size, ksize, global_pooling, strides, paddings, adaptive, ceil_mode, padding_algorithm, **_: Any):
    """Return (window, paddings, size of the output)."""
    return window_sizes.pooling_sizes(
        size, ksize, global_pooling, strides, paddings, adaptive, ceil_mode, padding_algorithm
    )


def _out_size(type: str, size, attrs: dict[str, Any]) -> list:
    """Return the size of the output; -1 if unknown."""
    _window, _pads, out = _placement(size, **attrs)
    if any(o < 1 for o, n in zip(out, size) if n >= 0) or 0 in size:
        needs = f"room for a window of {list(attrs['ksize'])}"
        raise ShapeError(message(type, "Input(X)", f"an image of {list(size)}", needs, "Add padding."))
    return out


def _bounds(xp: Any, size, strides, adaptive, **attrs: Any) -> list[tuple[Any, Any, int]]:
    """Return, for each dimension, the starts and ends of windows, including padding, and the size of the widest."""
    window, pads, out = _placement(size, strides=strides, adaptive=adaptive, **attrs)
    bounds: list[tuple[Any, Any, int]] = []
    for n, k, s, (before, _after), o in zip(size, window, strides, pads, out):
        i = xp.arange(o)
        if adaptive:
            bounds.append((i * n // o, -(-(i + 1) * n // o), min(n, n // o + 2)))
        else:
            bounds.append((i * s - before, i * s - before + k, k))
    return bounds


def _points(xp: Any, size, **attrs: Any) -> tuple[tuple, Any]:
    """Return the coordinates of each window's points, and the mask of those inside of the window and the image.

    Indices of an image, an array a dimension, that broadcast to [*out, *window], and bool [*out, *window].
    """
    dims = len(size)
    points: list[Any] = []
    inside = xp.ones((1,) * (2 * dims), bool)
    for axis, (n, (first, end, width)) in enumerate(zip(size, _bounds(xp, size, **attrs))):
        shape = [1] * (2 * dims)
        shape[axis], shape[dims + axis] = len(first), width
        at = first[:, None] + xp.arange(width)
        points.append(xp.clip(at, 0, n - 1).reshape(shape))
        inside = inside & ((at >= 0) & (at < xp.minimum(end, n)[:, None])).reshape(shape)
    return tuple(points), inside


def _window_axes(inside: Any) -> tuple[int, ...]:
    """Return the axes of [..., *out, *window] that are the window's."""
    return tuple(range(-inside.ndim // 2, 0))


def _area(xp: Any, size, dtype: Any, **attrs: Any) -> Any:
    """Return the divisors of averages: negative for windows outside of the image; NaN for 0."""
    if not (attrs["exclusive"] or attrs["adaptive"] or attrs["global_pooling"]):
        return xp.asarray(math.prod(attrs["ksize"]), dtype=dtype)
    area = xp.ones((), dtype)
    for n, (first, end, _width) in zip(size, _bounds(xp, size, **attrs)):
        area = area[..., None] * (xp.minimum(end, n) - xp.maximum(first, 0))
    return xp.where(area == 0, xp.nan, area).astype(dtype)


def _seen(x: Any, points: tuple) -> Any:
    """Return the windows over an image [N, C, *size]: [N, C, *out, *window]."""
    return x[(slice(None), slice(None), *points)]


def _largest(xp: Any, x: Any, points: tuple, inside: Any) -> tuple[Any, Any]:
    """Return (the maximum of each window, the first point that has it)."""
    seen = xp.where(inside, _seen(x, points), xp.asarray(-xp.inf, dtype=x.dtype))
    flat = seen.reshape(*seen.shape[: 2 + len(points)], -1)
    first = flat.argmax(axis=-1)[..., None] == xp.arange(flat.shape[-1])
    values = xp.where(inside.any(axis=_window_axes(inside)), flat.max(axis=-1), xp.asarray(LOWEST, dtype=x.dtype))
    return values, first.reshape(seen.shape) & inside


def _spread(each: Any, inside: Any) -> Any:
    """Return a number of each window, as it broadcasts to the window's points."""
    return each[(..., *[None] * (inside.ndim // 2))]


def infer_pool(type: str, X: Meta, **attrs: Any) -> Meta:
    """Return the shape of a pooling's result; raise if input and attributes do not fit."""
    _check(type, X, **attrs)
    kind = attrs["pooling_type"]
    if kind not in ("max", "avg"):
        raise ArgumentValueError(message(type, "attribute 'pooling_type'", repr(kind), '"max" or "avg"'))
    last = channels_last(attrs["data_format"])
    out = _out_size(type, X.shape[1:-1] if last else X.shape[2:], attrs)
    return Meta((X.shape[0], *out, X.shape[-1]) if last else (*X.shape[:2], *out), X.dtype, X.lod_level)


@with_attributes(LIVE)
def reference(xp, X, **attrs):
    x = to_channels_first(X, attrs["data_format"])
    points, inside = _points(xp, x.shape[2:], **attrs)
    if attrs["pooling_type"] == "max":
        y, _ = _largest(xp, x, points, inside)
    else:
        y = (_seen(x, points) * inside).sum(axis=_window_axes(inside)) / _area(xp, x.shape[2:], x.dtype, **attrs)
    return xp.ascontiguousarray(from_channels_first(y, attrs["data_format"]))


@with_attributes(LIVE)
def gradient(xp, X, Out, dOut, **attrs):
    x, dy = to_channels_first(X, attrs["data_format"]), to_channels_first(dOut, attrs["data_format"])
    points, inside = _points(xp, x.shape[2:], **attrs)
    if attrs["pooling_type"] == "max":
        share = _largest(xp, x, points, inside)[1] * _spread(dy, inside)
    else:
        share = xp.where(inside, _spread(dy / _area(xp, x.shape[2:], x.dtype, **attrs), inside), x.dtype.type(0))
    dx = xp.zeros(x.shape, x.dtype)
    xp.add.at(dx, (slice(None), slice(None), *points), share)
    return xp.ascontiguousarray(from_channels_first(dx, attrs["data_format"]))


@with_attributes(LIVE)
def twice(xp, X, Out, ddX, **attrs):
    # pooling is linear in the points that it takes
    x, ddx = to_channels_first(X, attrs["data_format"]), to_channels_first(ddX, attrs["data_format"])
    points, inside = _points(xp, x.shape[2:], **attrs)
    if attrs["pooling_type"] == "max":
        inside = _largest(xp, x, points, inside)[1]
        area = xp.ones((), x.dtype)
    else:
        area = _area(xp, x.shape[2:], x.dtype, **attrs)
    ddy = (_seen(ddx, points) * inside).sum(axis=tuple(range(-len(points), 0))) / area
    return xp.ascontiguousarray(from_channels_first(ddy, attrs["data_format"]))


def _declare(type: str, attrs: dict[str, Any], layouts: tuple[str, ...], double: Grad | None, **traits: Any) -> OpDef:
    def infer(X, **attrs):
        check_layout(type, attrs["data_format"], layouts)
        return infer_pool(type, X, **attrs)

    body = SimpleNamespace(
        __module__=__name__,
        __doc__="""Out = the maximum or the average of X over each window.

        A maximum over no point at all (a window in the padding) is the lowest number of float32. An average over none is
        0, or NaN where the window touches the image's edge, as Paddle has it.
        """,
        infer=infer,
        reference=reference,
        grad=Grad("X Out Out@GRAD", "X@GRAD", gradient, grad=double, flops=pooling, fresh=True),
    )
    return op(type, inputs="X", outputs="Out", attrs=attrs, flops=pooling, fresh=True, **traits)(body)


pool2d = _declare(
    "pool2d",
    ATTRS,
    ("NCHW", "AnyLayout", "NHWC"),
    Grad("X Out X@GRAD@GRAD", "Out@GRAD@GRAD", twice, type="pool2d_grad_grad"),
    epilogue="act",
)
pool3d = _declare("pool3d", VOLUME_ATTRS, ("NCDHW", "AnyLayout", "NDHWC"), None)


@with_attributes(INDEX)
def index_reference(xp, X, **attrs):
    points, inside = _points(xp, X.shape[2:], **attrs, **STRIDED)
    y, first = _largest(xp, X, points, inside)
    place = points[0]
    for n, at in zip(X.shape[3:], points[1:]):
        place = place * n + at
    where = (first * place).sum(axis=_window_axes(inside))
    return y, xp.where(inside.any(axis=_window_axes(inside)), where, -1).astype("int32")


@with_attributes(INDEX)
def index_gradient(xp, X, Mask, dOut, **attrs):
    planes = math.prod(X.shape[:2])
    found = xp.zeros((planes, math.prod(X.shape[2:])), dOut.dtype)
    at = Mask.reshape(planes, -1)
    xp.add.at(found, (xp.arange(planes)[:, None], xp.where(at < 0, 0, at)), dOut.reshape(at.shape) * (at >= 0))
    return found.reshape(X.shape)


def _declare_with_index(type: str, attrs: dict[str, Any]) -> OpDef:
    def infer(X, **attrs):
        _check(type, X, **attrs, padding_algorithm="EXPLICIT")
        shape = (*X.shape[:2], *_out_size(type, X.shape[2:], attrs | STRIDED))
        return Meta(shape, X.dtype, X.lod_level), Meta(shape, to_numpy("int32"), X.lod_level)

    body = SimpleNamespace(
        __module__=__name__,
        __doc__="Out = the maximum of X over each window; Mask = where it is in the flattened image, int32.",
        infer=infer,
        reference=index_reference,
        grad=Grad("X# Mask Out@GRAD", "X@GRAD", index_gradient),
    )
    known = {name: attrs[name] for name in INDEX}
    return op(type, inputs="X", outputs="Out Mask", attrs=known, flops=pooling)(body)


max_pool2d_with_index = _declare_with_index("max_pool2d_with_index", ATTRS)
max_pool3d_with_index = _declare_with_index("max_pool3d_with_index", VOLUME_ATTRS)
