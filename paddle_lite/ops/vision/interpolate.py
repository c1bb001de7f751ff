"""Images and volumes at another size, by interpolation between their points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ..framework.call import without
from ..framework.costs import PerElement
from ..framework.spec import Grad, OpDef, op
from ..support.interpolation_points import (
    Axis,
    asked_size,
    check_size,
    interpolation_taps,
    places,
    resized_axes,
    spread_axes,
)
from ..support.meta import Meta
from ..support.scalar_inputs import require_integer_numbers, require_one_element, require_one_integer
from ..support.shape_rules import UNKNOWN

ATTRS: dict[str, Any] = {
    "data_layout": "NCHW",
    "out_d": 0,
    "out_h": 0,
    "out_w": 0,
    "scale": 0.0,
    "interp_method": "bilinear",
    "align_corners": True,
    "align_mode": 1,
}
METHODS = {4: ("bilinear", "nearest", "bicubic"), 5: ("trilinear",)}


# --- how large the result is ------------------------------------------------------------------------------------------------


def check_size_inputs(type: str, OutSize: Any, SizeTensor: Any) -> None:
    """Raise unless the inputs that hold the size of the result hold integers."""
    if OutSize is not None:
        require_integer_numbers(type, "OutSize", OutSize)
    for i, each in enumerate(SizeTensor or ()):
        require_one_integer(type, f"SizeTensor[{i}]", each)


# --- one axis ---------------------------------------------------------------------------------------------------------------


def resized(xp: Any, x: Any, axis: int, each: list[Any]) -> Any:
    """Resize one axis: return the weighted sum of the source points of all taps."""
    total = None
    for indices, weights in each:
        part = xp.take(x, indices, axis)
        if weights is not None:
            part = part * weights.reshape([-1 if a == axis else 1 for a in range(x.ndim)])
        total = part if total is None else total + part
    return total


def spread(xp: Any, dy: Any, axis: int, n: int, each: list[Any]) -> Any:
    """Return the transpose of `resized`: a product with the matrix of all weights."""
    matrix = xp.zeros((dy.shape[axis], n), dy.dtype)
    rows = xp.arange(dy.shape[axis])
    for indices, weights in each:
        matrix[rows, indices] += 1 if weights is None else weights
    return xp.moveaxis(xp.tensordot(dy, matrix, axes=(axis, 0)), -1, axis)


# --- the operators --------------------------------------------------------------------------------------------------------------


def reference(
    xp, X, OutSize, SizeTensor, Scale,
    *, data_layout, out_d, out_h, out_w, scale, interp_method, align_corners, align_mode,
):  # fmt: skip
    size = {"out_d": out_d, "out_h": out_h, "out_w": out_w, "scale": scale}
    axes = resized_axes(X, OutSize, SizeTensor, Scale, data_layout=data_layout, interp_method=interp_method, **size)
    return all_resized(xp, X, axes, interp_method, align_corners, align_mode)


def all_resized(xp: Any, X: Any, axes: Sequence[Axis], how: str, align_corners: bool, align_mode: int) -> Any:
    """Return X with its axes resized one after the other; integers are interpolated as float32, and truncated."""
    y = X if X.dtype.kind == "f" else X.astype("float32")
    for axis, n, m, scale in axes:
        if n != m:
            y = resized(xp, y, axis, interpolation_taps(xp, n, m, y.dtype, how, align_corners, align_mode, scale))
    return y.astype(X.dtype, copy=y is X)


def gradient(xp, X, OutSize, SizeTensor, Scale, dOut, *, data_layout, interp_method, align_corners, align_mode):
    axes = spread_axes(X, OutSize, SizeTensor, Scale, dOut, data_layout=data_layout)
    return all_spread(xp, dOut, axes, interp_method, align_corners, align_mode)


def all_spread(xp: Any, dOut: Any, axes: Sequence[Axis], how: str, align_corners: bool, align_mode: int) -> Any:
    """Return the gradient of `all_resized`."""
    dx = dOut
    for axis, n, m, scale in axes:
        if n != m:
            taps = interpolation_taps(xp, n, m, dOut.dtype, how, align_corners, align_mode, scale)
            dx = spread(xp, dx, axis, n, taps)
    return xp.array(dx, order="C")


by_attributes = without("OutSize", "SizeTensor", "Scale")  # whether no input holds the size of the result


def _infer(
    type, X, OutSize, SizeTensor, Scale, *, data_layout, interp_method, align_corners, align_mode, scale, **asked
):
    known = METHODS.get(len(X.shape))
    if known is None or 0 in X.shape:
        needs = "4 dimensions (an image) or 5 (a volume), none of them 0"
        raise ShapeError(message(type, "Input(X)", f"shape {list(X.shape)}", needs))
    if X.dtype.kind != "f" and (X.dtype != np.uint8 or interp_method == "bicubic"):
        raise DtypeError(message(type, "Input(X)", f"dtype {X.dtype}", "a floating dtype", "Convert it with cast()."))
    if interp_method not in known:
        needs = " or ".join(f'"{m}"' for m in known) + f", for an input of rank {len(X.shape)}"
        raise ArgumentValueError(message(type, "attribute 'interp_method'", repr(interp_method), needs))
    if data_layout not in ("NCHW", "NHWC"):
        needs = '"NCHW" or "NHWC", for volumes too'
        raise ArgumentValueError(message(type, "attribute 'data_layout'", repr(data_layout), needs))
    axes = places(X, data_layout)
    size = [X.shape[a] for a in axes]
    out = [UNKNOWN] * len(size)
    check_size_inputs(type, OutSize, SizeTensor)
    if Scale is not None:
        require_one_element(type, "Scale", Scale)
    if SizeTensor:
        check_size(type, [UNKNOWN] * len(SizeTensor), size)
    elif OutSize is None and Scale is None:
        wanted = [asked[name] for name in ("out_d", "out_h", "out_w")]
        out = asked_size(size, None, None, None, wanted[-len(size) :], scale)
        check_size(type, out, size)
    shape = list(X.shape)
    for axis, n in zip(axes, out, strict=True):
        shape[axis] = n
    return Meta(tuple(shape), X.dtype)


def declare_interpolation(
    type: str,
    doc: str,
    module: str,
    attrs: dict[str, Any],
    infer: Any,
    reference: Any,
    gradient: Any,
    **traits: Any,
) -> OpDef:
    """Declare a resizing operator of a module; the families differ in their attributes and in the form of the scale."""
    return op(
        type,
        inputs="X OutSize? SizeTensor*? Scale?",
        outputs="Out",
        attrs=attrs,
        lod=None,
        captured=by_attributes,
        fed_as="OutSize SizeTensor",
        **traits,
    )(
        SimpleNamespace(
            __module__=module,
            __doc__=f"{doc} As in Paddle the attribute interp_method says how, whatever the name of the operator.",
            infer=partial(infer, type),
            reference=reference,
            grad=Grad("X# OutSize? SizeTensor*? Scale? Out@GRAD", "X@GRAD", gradient, captured=by_attributes),
        )
    )


def _declare(type: str, doc: str, **traits: Any) -> OpDef:
    return declare_interpolation(type, doc, __name__, ATTRS, _infer, reference, gradient, **traits)


nearest_interp = _declare("nearest_interp", "An image at another size: each point is the nearest one of X.", flops=0)
bilinear_interp = _declare(
    "bilinear_interp",
    "An image at another size: each point is a mean of the four around it.",
    flops=PerElement(8, "Out"),
)
bicubic_interp = _declare("bicubic_interp", "An image at another size: each point is a cubic function of 16 around it.")
trilinear_interp = _declare("trilinear_interp", "A volume at another size: each point is a mean of the 8 around it.")
