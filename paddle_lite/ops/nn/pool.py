"""Pooling over images and volumes."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

from ...core.dtype import to_numpy
from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ...core.indexed import add_at
from ..framework.costs import pooling
from ..framework.spec import CUDNN, MKLDNN, Grad, Ints, OpDef, Required, op
from ..framework.traits import Pools
from ..support import window_sizes
from ..support.axis_windows import Windows, first_highest, highest, pooling_windows, spread, totals
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
PLACEMENT = ("ksize", "global_pooling", "strides", "paddings", "adaptive", "ceil_mode", "padding_algorithm")
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


def _out_size(type: str, size, attrs: dict[str, Any]) -> list:
    """Return the size of the output; -1 if unknown."""
    given = {name: attrs[name] for name in PLACEMENT}
    _window, _pads, out = window_sizes.pooling_sizes(size, *given.values())
    if any(o < 1 for o, n in zip(out, size) if n >= 0) or 0 in size:
        needs = f"room for a window of {list(attrs['ksize'])}"
        raise ShapeError(message(type, "Input(X)", f"an image of {list(size)}", needs, "Add padding."))
    return out


def _area(xp: Any, along: list[Windows], dtype: Any, **attrs: Any) -> Any:
    """Return the divisors of averages: negative for windows outside of the image; NaN for 0."""
    if not (attrs["exclusive"] or attrs["adaptive"] or attrs["global_pooling"]):
        return xp.asarray(math.prod(attrs["ksize"]), dtype=dtype)
    area = xp.ones((), dtype)
    for windows in along:
        area = area[..., None] * xp.asarray(windows.counts(), dtype=dtype)
    return xp.where(area == 0, xp.nan, area).astype(dtype)


def _averages(xp: Any, x: Any, along: list[Windows], **attrs: Any) -> Any:
    """Return the average of each window over an image [N, C, *size]."""
    y = x.astype("float32") if x.dtype.itemsize == 2 else x
    for axis, windows in enumerate(along, 2):
        y = totals(xp, y, axis, windows)
    return (y / _area(xp, along, y.dtype, **attrs)).astype(x.dtype, copy=False)


def _maxima(xp: Any, x: Any, along: list[Windows]) -> Any:
    """Return the maximum of each window over an image [N, C, *size]; LOWEST for no points."""
    for axis, windows in enumerate(along, 2):
        x = highest(xp, x, axis, windows)
    for axis, windows in enumerate(along, 2):
        for i in (i for i, count in enumerate(windows.counts()) if count <= 0):
            x[(*[slice(None)] * axis, i)] = LOWEST
    return x


def _first_maxima(xp: Any, x: Any, along: list[Windows]) -> tuple[Any, Any]:
    """Return (the maximum of each window, the first point of the flattened image that has it, int32; -1 for no points)."""
    at = xp.arange(math.prod(x.shape[2:]), dtype="int32").reshape(1, 1, *x.shape[2:])
    for axis in range(1 + len(along), 1, -1):  # the first of a row, then the first row
        x, at = first_highest(xp, x, at, axis, along[axis - 2])
    return x, at


def _scattered(xp: Any, at: Any, d: Any, shape: tuple[int, ...]) -> Any:
    """Return an image of zeros with d [N, C, *out] added to the points `at` of the flattened image; to none for -1."""
    planes, size = math.prod(shape[:2]), math.prod(shape[2:])
    found = xp.zeros(planes * size, d.dtype)
    place = xp.arange(planes)[:, None] * size + xp.maximum(at, 0).reshape(planes, math.prod(at.shape[2:]))
    add_at(xp, found, place.reshape(-1), xp.where(at < 0, d.dtype.type(0), d).reshape(-1))
    return found.reshape(shape)


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
    along = pooling_windows(x.shape[2:], **attrs)
    y = _maxima(xp, x, along) if attrs["pooling_type"] == "max" else _averages(xp, x, along, **attrs)
    return xp.ascontiguousarray(from_channels_first(y, attrs["data_format"]))


@with_attributes(LIVE)
def gradient(xp, X, Out, dOut, **attrs):
    x, d = to_channels_first(X, attrs["data_format"]), to_channels_first(dOut, attrs["data_format"])
    along = pooling_windows(x.shape[2:], **attrs)
    if attrs["pooling_type"] == "max":
        d = _scattered(xp, _first_maxima(xp, x, along)[1], d, x.shape)
    else:
        d = d / _area(xp, along, x.dtype, **attrs)
        for axis, windows in enumerate(along, 2):
            d = spread(xp, d, axis, windows)
    return xp.ascontiguousarray(from_channels_first(d, attrs["data_format"]))


@with_attributes(LIVE)
def twice(xp, X, Out, ddX, **attrs):
    # pooling is linear in the points that it takes
    x, ddx = to_channels_first(X, attrs["data_format"]), to_channels_first(ddX, attrs["data_format"])
    along = pooling_windows(x.shape[2:], **attrs)
    if attrs["pooling_type"] == "max":
        at = _first_maxima(xp, x, along)[1]
        flat = xp.maximum(at, 0).reshape(*at.shape[:2], math.prod(at.shape[2:]))
        taken = xp.take_along_axis(ddx.reshape(*ddx.shape[:2], math.prod(ddx.shape[2:])), flat, 2)
        ddy = xp.where(at < 0, x.dtype.type(0), taken.reshape(at.shape))
    else:
        ddy = _averages(xp, ddx, along, **attrs)
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
    images=Pools(),
    epilogue="act",
)
pool3d = _declare("pool3d", VOLUME_ATTRS, ("NCDHW", "AnyLayout", "NDHWC"), None)


@with_attributes(INDEX)
def index_reference(xp, X, **attrs):
    along = pooling_windows(X.shape[2:], **attrs, **STRIDED)
    y, at = _first_maxima(xp, X, along)
    return xp.where(at < 0, X.dtype.type(LOWEST), y), at


@with_attributes(INDEX)
def index_gradient(xp, X, Mask, dOut, **attrs):
    return _scattered(xp, Mask, dOut, X.shape)


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
