"""Unpooling: the maxima of max_pool2d_with_index are put back at their indices."""

from __future__ import annotations

import math
from typing import Any

from ...core.dtype import to_numpy
from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.ranges import require_range
from ..framework.spec import Declaration, Grad, Ints, Required, op
from ..support.matmul_shapes import as_matrix
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_one_shape


def _require_pairs(**attrs: Any) -> None:
    """Raise unless the attributes are two numbers each: windows and steps of 1 or more, paddings of 0 or more."""
    for name, pair in attrs.items():
        least = 0 if name == "paddings" else 1
        if len(pair) != 2 or min(pair) < least:
            raise ArgumentValueError(
                message("unpool", f"attribute {name!r}", list(pair), f"two numbers from {least} up")
            )


def _size(size, ksize, strides, paddings) -> list[int]:
    """Return the height and width of the image that such windows pool to `size`; -1 if unknown."""
    return [-1 if n < 0 else (n - 1) * s - 2 * p + k for n, k, s, p in zip(size, ksize, strides, paddings, strict=True)]


@op(
    "unpool",
    inputs="X Indices",
    outputs="Out",
    attrs={
        "ksize": Required("INTS"),
        "strides": Ints([1, 1]),
        "paddings": Ints([0, 0]),
        "unpooling_type": Required("STRING"),
    },
)
class unpool(Declaration):
    """Out = zeros, except Out[Indices[i]] = X[i] on each plane; of equal Indices the last one counts.

    Indices, int32, are as max_pool2d_with_index has them: points of the flattened plane of Out. The gradient of an
    element is that of its point, of all elements of one point alike, as Paddle has it.
    """

    def infer(X, Indices, *, ksize, strides, paddings, unpooling_type):
        require_floats("unpool", X=X)
        require_dtype("unpool", "Indices", Indices, to_numpy("int32"))
        if len(X.shape) != 4:
            raise ShapeError(message("unpool", "Input(X)", f"shape {list(X.shape)}", "images, shape [N, C, H, W]"))
        require_one_shape("unpool", X=X, Indices=Indices)
        _require_pairs(ksize=ksize, strides=strides, paddings=paddings)
        if unpooling_type != "max":
            raise ArgumentValueError(message("unpool", "attribute 'unpooling_type'", repr(unpooling_type), '"max"'))
        out = _size(X.shape[2:], ksize, strides, paddings)
        if any(m < 1 for m, n in zip(out, X.shape[2:], strict=True) if n != -1):
            raise ShapeError(message("unpool", "Input(X)", f"images that become {out}", "sizes of 1 or more"))
        return Meta((*X.shape[:2], *out), X.dtype, X.lod_level)

    def reference(xp, X, Indices, *, ksize, strides, paddings, unpooling_type):
        planes, size = math.prod(X.shape[:2]), _size(X.shape[2:], ksize, strides, paddings)
        require_range("unpool", "Input(Indices)", Indices, math.prod(size))
        out = xp.zeros((planes, math.prod(size)), X.dtype)
        out[xp.arange(planes)[:, None], as_matrix(Indices, 2)] = as_matrix(X, 2)
        return out.reshape(*X.shape[:2], *size)

    def gradient(xp, X, Indices, Out, dOut, *, ksize, strides, paddings, unpooling_type):
        planes = math.prod(X.shape[:2])
        picked = as_matrix(dOut, 2)[xp.arange(planes)[:, None], as_matrix(Indices, 2)]
        return picked.reshape(Indices.shape)

    grad = Grad("X# Indices Out Out@GRAD", "X@GRAD", gradient)
