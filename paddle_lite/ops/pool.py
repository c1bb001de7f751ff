"""Pooling over images."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ..core.dtype import to_numpy
from ..core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ..kernels import geometry
from .conv import channels_last, check_layout, check_paddings, check_steps, from_nchw, to_nchw
from .spec import CUDNN, MKLDNN, Declaration, Grad, Ints, Meta, Required, op

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
INDEX_ATTRS: dict[str, Any] = {
    name: ATTRS[name] for name in ("ksize", "global_pooling", "adaptive", "strides", "paddings")
}
LOWEST = -3.4028234663852886e38  # the maximum of no point at all, in float64 too
WITHOUT_EFFECT = ("use_cudnn", "use_mkldnn", "use_quantizer", "is_test")


def _attributes(attrs: dict[str, Any]) -> Callable:
    """Name the attributes in the signature of a function that takes them as `**attrs`: declarations read it there."""

    def named(function: Callable) -> Callable:
        kinds = inspect.Parameter
        given = [p for p in inspect.signature(function).parameters.values() if p.kind is not kinds.VAR_KEYWORD]
        live = [kinds(name, kinds.KEYWORD_ONLY) for name in attrs if name not in WITHOUT_EFFECT]
        function.__signature__ = inspect.Signature([*given, *live])  # type: ignore[attr-defined]
        return function

    return named


def _check(type: str, X: Meta, ksize, global_pooling, strides, paddings, adaptive, padding_algorithm, **_: Any) -> None:
    if len(X.shape) != 4:
        raise ShapeError(message(type, "Input(X)", f"shape {list(X.shape)}", "4 dimensions"))
    if X.dtype.kind != "f":
        raise DtypeError(message(type, "Input(X)", f"dtype {X.dtype}", "float32 or float64"))
    if len(ksize) != 2 or (not global_pooling and any(k < 1 for k in ksize)):
        raise ArgumentValueError(message(type, "attribute 'ksize'", list(ksize), "two sizes of 1 or more"))
    if global_pooling and adaptive:
        raise ArgumentValueError(message(type, "global_pooling and adaptive", "both", "one of them at most"))
    check_steps(type, strides)
    check_paddings(type, paddings, padding_algorithm)


def _placement(size, ksize, global_pooling, strides, paddings, adaptive, ceil_mode, padding_algorithm, **_: Any):
    """(window, paddings, rows and columns of the output)."""
    return geometry.pooling(size, ksize, global_pooling, strides, paddings, adaptive, ceil_mode, padding_algorithm)


def _out_size(type: str, size, attrs: dict[str, Any]) -> list:
    """Rows and columns of the output; -1 where they are not known."""
    _window, _pads, out = _placement(size, **attrs)
    if any(o < 1 for o, n in zip(out, size) if n >= 0) or 0 in size:
        needs = f"room for a window of {list(attrs['ksize'])}"
        raise ShapeError(message(type, "Input(X)", f"an image of {list(size)}", needs, "Add padding."))
    return out


def _points(xp: Any, size, strides, adaptive, **attrs: Any) -> tuple[Any, Any, Any]:
    """What each window sees: its rows and columns, and which of these are inside of the window and the image.

    Indices of an image broadcast to [out_h, out_w, kh, kw], and bool [out_h, out_w, kh, kw].
    """
    window, pads, out = _placement(size, strides=strides, adaptive=adaptive, **attrs)
    sides = []
    for n, k, s, (before, _after), o in zip(size, window, strides, pads, out):
        i = xp.arange(o)[:, None]
        first, end, width = i * s - before, i * s - before + k, k
        if adaptive:
            first, end, width = i * n // o, -(-(i + 1) * n // o), min(n, n // o + 2)
        at = first + xp.arange(width)
        sides.append((xp.clip(at, 0, n - 1), (at >= 0) & (at < xp.minimum(end, n))))
    (rows, in_rows), (columns, in_columns) = sides
    inside = in_rows[:, None, :, None] & in_columns[None, :, None, :]
    return rows[:, None, :, None], columns[None, :, None, :], inside


def _area(xp: Any, inside: Any, dtype: Any, ksize, global_pooling, adaptive, exclusive, **_: Any) -> Any:
    """What averages divide by; NaN for a window that sees nothing."""
    if not (exclusive or adaptive or global_pooling):
        return xp.asarray(ksize[0] * ksize[1], dtype=dtype)
    seen = inside.sum(axis=(2, 3))
    return xp.where(seen > 0, seen, xp.nan).astype(dtype)


def _largest(xp: Any, x: Any, rows: Any, columns: Any, inside: Any) -> tuple[Any, Any]:
    """(the largest value of each window, which point of it is the first that has it)."""
    seen = xp.where(inside, x[:, :, rows, columns], xp.asarray(-xp.inf, dtype=x.dtype))
    flat = seen.reshape(*seen.shape[:4], -1)
    first = flat.argmax(axis=-1)[..., None] == xp.arange(flat.shape[-1])
    values = xp.where(inside.any(axis=(2, 3)), flat.max(axis=-1), xp.asarray(LOWEST, dtype=x.dtype))
    return values, first.reshape(seen.shape) & inside


@op("pool2d", inputs="X", outputs="Out", attrs=ATTRS, checked=True)
class pool2d(Declaration):
    """Out = the maximum or the average of X over each window.

    A maximum over no point at all (a window in the padding) is the lowest number of float32, an average over none NaN.
    """

    def infer(X, **attrs):
        _check("pool2d", X, **attrs)
        check_layout("pool2d", attrs["data_format"])
        kind = attrs["pooling_type"]
        if kind not in ("max", "avg"):
            raise ArgumentValueError(message("pool2d", "attribute 'pooling_type'", repr(kind), '"max" or "avg"'))
        last = channels_last(attrs["data_format"])
        out = _out_size("pool2d", X.shape[1:3] if last else X.shape[2:], attrs)
        return Meta((X.shape[0], *out, X.shape[3]) if last else (*X.shape[:2], *out), X.dtype, X.lod_level)

    @_attributes(ATTRS)
    def reference(xp, X, **attrs):
        x = to_nchw(X, attrs["data_format"])
        rows, columns, inside = _points(xp, x.shape[2:], **attrs)
        if attrs["pooling_type"] == "max":
            y, _ = _largest(xp, x, rows, columns, inside)
        else:
            y = (x[:, :, rows, columns] * inside).sum(axis=(4, 5)) / _area(xp, inside, x.dtype, **attrs)
        return xp.ascontiguousarray(from_nchw(y, attrs["data_format"]))

    @_attributes(ATTRS)
    def gradient(xp, X, Out, dOut, **attrs):
        x, dy = to_nchw(X, attrs["data_format"]), to_nchw(dOut, attrs["data_format"])
        rows, columns, inside = _points(xp, x.shape[2:], **attrs)
        if attrs["pooling_type"] == "max":
            share = _largest(xp, x, rows, columns, inside)[1] * dy[..., None, None]
        else:
            share = inside * (dy / _area(xp, inside, x.dtype, **attrs))[..., None, None]
        dx = xp.zeros(x.shape, x.dtype)
        xp.add.at(dx, (slice(None), slice(None), rows, columns), share)
        return xp.ascontiguousarray(from_nchw(dx, attrs["data_format"]))

    @_attributes(ATTRS)
    def twice(xp, X, Out, ddX, **attrs):
        # pooling is linear in the points that it takes
        x, ddx = to_nchw(X, attrs["data_format"]), to_nchw(ddX, attrs["data_format"])
        rows, columns, inside = _points(xp, x.shape[2:], **attrs)
        if attrs["pooling_type"] == "max":
            inside = _largest(xp, x, rows, columns, inside)[1]
            area = xp.ones((), x.dtype)
        else:
            area = _area(xp, inside, x.dtype, **attrs)
        ddy = (ddx[:, :, rows, columns] * inside).sum(axis=(4, 5)) / area
        return xp.ascontiguousarray(from_nchw(ddy, attrs["data_format"]))

    grad = Grad(
        "X Out Out@GRAD",
        "X@GRAD",
        gradient,
        grad=Grad("X Out X@GRAD@GRAD", "Out@GRAD@GRAD", twice, type="pool2d_grad_grad"),
    )


STRIDED = {"ceil_mode": False, "padding_algorithm": "EXPLICIT"}  # what max_pool2d_with_index has no attributes for


@op("max_pool2d_with_index", inputs="X", outputs="Out Mask", attrs=INDEX_ATTRS, checked=True)
class max_pool2d_with_index(Declaration):
    """Out = the maximum of X over each window; Mask = where it is, as row * width + column, int32."""

    def infer(X, **attrs):
        _check("max_pool2d_with_index", X, **attrs, padding_algorithm="EXPLICIT")
        shape = (*X.shape[:2], *_out_size("max_pool2d_with_index", X.shape[2:], attrs | STRIDED))
        return Meta(shape, X.dtype, X.lod_level), Meta(shape, to_numpy("int32"), X.lod_level)

    @_attributes(INDEX_ATTRS)
    def reference(xp, X, **attrs):
        rows, columns, inside = _points(xp, X.shape[2:], **attrs, **STRIDED)
        y, first = _largest(xp, X, rows, columns, inside)
        at = (first * (rows * X.shape[3] + columns)).sum(axis=(4, 5))
        return y, xp.where(inside.any(axis=(2, 3)), at, -1).astype("int32")

    @_attributes(INDEX_ATTRS)
    def gradient(xp, X, Mask, dOut, **attrs):
        n, c, h, w = X.shape
        found = xp.zeros((n * c, h * w), dOut.dtype)
        at = Mask.reshape(n * c, -1)
        xp.add.at(found, (xp.arange(n * c)[:, None], xp.where(at < 0, 0, at)), dOut.reshape(at.shape) * (at >= 0))
        return found.reshape(X.shape)

    grad = Grad("X# Mask Out@GRAD", "X@GRAD", gradient)
