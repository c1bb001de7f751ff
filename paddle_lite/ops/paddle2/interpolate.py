"""Resizing of images and volumes in the form of PaddlePaddle 2, with one scale for each axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ..framework.spec import Floats, OpDef
from ..support.interpolation_points import (
    axes_of,
    check_size,
    how_v2,
    resized_axes_v2,
    scaled_size,
    scales_of,
    spread_axes_v2,
)
from ..support.meta import Meta
from ..support.shape_rules import UNKNOWN
from ..vision.interpolate import all_resized, all_spread, check_size_inputs, declare_interpolation

RANKS = {"linear": (3,), "bilinear": (4,), "bicubic": (4,), "trilinear": (5,), "nearest": (4, 5)}
ATTRS: dict[str, Any] = {
    "data_layout": "NCHW",
    "out_d": 0,
    "out_h": 0,
    "out_w": 0,
    "scale": Floats([]),
    "interp_method": "bilinear",
    "align_corners": True,
    "align_mode": 1,
}


def reference(
    xp, X, OutSize, SizeTensor, Scale,
    *, data_layout, out_d, out_h, out_w, scale, interp_method, align_corners, align_mode,
):  # fmt: skip
    size = {"out_d": out_d, "out_h": out_h, "out_w": out_w, "scale": scale}
    axes = resized_axes_v2(X, OutSize, SizeTensor, Scale, data_layout=data_layout, interp_method=interp_method, **size)
    return all_resized(xp, X, axes, how_v2(interp_method), align_corners, align_mode)


def gradient(
    xp, X, OutSize, SizeTensor, Scale, dOut, *, data_layout, scale, interp_method, align_corners, align_mode
):  # fmt: skip
    where = {"data_layout": data_layout, "scale": scale, "interp_method": interp_method}
    axes = spread_axes_v2(X, OutSize, SizeTensor, Scale, dOut, **where)
    return all_spread(xp, dOut, axes, how_v2(interp_method), align_corners, align_mode)


def infer(type, X, OutSize, SizeTensor, Scale, *, data_layout, out_d, out_h, out_w, scale, interp_method, **_):
    ranks = RANKS.get(interp_method)
    if ranks is None:
        needs = " or ".join(f'"{m}"' for m in RANKS)
        raise ArgumentValueError(message(type, "attribute 'interp_method'", repr(interp_method), needs))
    if len(X.shape) not in ranks or 0 in X.shape:
        needs = f"{' or '.join(map(str, ranks))} dimensions, none of them 0, for {interp_method}"
        raise ShapeError(message(type, "Input(X)", f"shape {list(X.shape)}", needs))
    if X.dtype.kind != "f" and (X.dtype not in (np.uint8, np.int32, np.int64) or interp_method != "nearest"):
        raise DtypeError(message(type, "Input(X)", f"dtype {X.dtype}", "a floating dtype", "Convert it with cast()."))
    axes = axes_of(X, data_layout)
    size = [X.shape[a] for a in axes]
    out = [UNKNOWN] * len(size)
    check_size_inputs(type, OutSize, SizeTensor)
    if not SizeTensor and OutSize is None and Scale is None:
        scales = scales_of(type, None, scale, len(size))
        out = list((out_d, out_h, out_w)[-len(size) :])
        if scales:
            out = [n if n == UNKNOWN else scaled_size(n, s) for n, s in zip(size, scales, strict=True)]
        check_size(type, out, size)
    shape = list(X.shape)
    for axis, n in zip(axes, out, strict=True):
        shape[axis] = n
    return Meta(tuple(shape), X.dtype)


def _declare(type: str, doc: str) -> OpDef:
    return declare_interpolation(type, doc, __name__, ATTRS, infer, reference, gradient)


nearest_interp_v2 = _declare("nearest_interp_v2", "Images at another size: each point is the nearest one of X.")
linear_interp_v2 = _declare("linear_interp_v2", "Rows at another length: each point is a mean of the two around it.")
bilinear_interp_v2 = _declare("bilinear_interp_v2", "Images at another size: each point is a mean of four.")
bicubic_interp_v2 = _declare("bicubic_interp_v2", "Images at another size: each point is a cubic function of 16.")
trilinear_interp_v2 = _declare("trilinear_interp_v2", "Volumes at another size: each point is a mean of 8.")
