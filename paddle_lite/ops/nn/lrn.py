"""Local response normalisation, and spectral normalisation of weights."""

from __future__ import annotations

import math

from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ..framework.spec import MKLDNN, Declaration, Grad, op
from ..support.image_layout import from_channels_first, to_channels_first
from ..support.meta import Meta
from ..support.windows import check_layout
from .norm import of_result


def _over_channels(xp, x, n):
    """Return the sum over the n channels around each channel of [N, C, H, W]."""
    before = (n - 1) // 2
    total = xp.pad(x, ((0, 0), (before + 1, n - 1 - before), (0, 0), (0, 0))).cumsum(axis=1)
    return total[:, n:] - total[:, :-n]


@op(
    "lrn",
    inputs="X",
    outputs="Out MidOut",
    attrs={
        "n": 5,
        "k": 2.0,
        "alpha": 1e-4,
        "beta": 0.75,
        **MKLDNN,
        "data_format": "AnyLayout",
        "is_test": False,
    },
    lod=of_result,
    captured=True,
    stopped="MidOut",
)
class lrn(Declaration):
    """Out = X / MidOut ** beta, MidOut = k + alpha * the sum of the squares of the n channels around each.

    Source: Krizhevsky, Sutskever and Hinton, "ImageNet Classification with Deep Convolutional Neural Networks", 2012.
    """

    def infer(X, *, n, data_format, **_):
        if len(X.shape) != 4:
            raise ShapeError(message("lrn", "Input(X)", f"shape {list(X.shape)}", "4 dimensions"))
        if X.dtype.kind != "f":
            raise DtypeError(message("lrn", "Input(X)", f"dtype {X.dtype}", "float32 or float64"))
        if n < 1 or n % 2 == 0:
            raise ArgumentValueError(message("lrn", "attribute 'n'", n, "an odd number above 0"))
        check_layout("lrn", data_format)
        return X, Meta(X.shape, X.dtype)

    def reference(xp, X, *, n, k, alpha, beta, data_format):
        x = to_channels_first(X, data_format)
        squares = from_channels_first(_over_channels(xp, x * x, n), data_format)
        middle = xp.ascontiguousarray(k + alpha * squares).astype(X.dtype, copy=False)
        return X * middle**-beta, middle

    def gradient(xp, X, Out, MidOut, dOut, *, n, alpha, beta, data_format):
        shares = _over_channels(xp, to_channels_first(dOut * Out / MidOut, data_format), n)
        return dOut * MidOut**-beta - 2 * alpha * beta * X * from_channels_first(shares, data_format)

    grad = Grad("X Out MidOut Out@GRAD", "X@GRAD", gradient)


def _matrix(w, dim):
    """Return the weight with dimension `dim` as rows."""
    return (w if dim == 0 else w.swapaxes(0, 1)).reshape(w.shape[dim], -1)


def _largest(xp, w, U, V, power_iters, eps):
    """Return (the largest singular value of a matrix, its left and right vector) by power iteration from U and V."""
    u, v = U, V
    for _ in range(power_iters):
        v = w.T @ u
        v = v / (xp.sqrt((v * v).sum()) + xp.asarray(eps, dtype=v.dtype))
        u = w @ v
        u = u / (xp.sqrt((u * u).sum()) + xp.asarray(eps, dtype=u.dtype))
    return u @ (w @ v), u, v


@op(
    "spectral_norm",
    inputs="Weight U V",
    outputs="Out",
    attrs={"dim": 0, "power_iters": 1, "eps": 1e-12},
)
class spectral_norm(Declaration):
    """Out = Weight / its largest singular value, computed by power iteration from U and V.

    The gradient treats the singular vectors as constants, as in Paddle.
    Source: Miyato et al., "Spectral Normalization for Generative Adversarial Networks", 2018.
    """

    def infer(Weight, U, V, *, dim, power_iters, **_):
        type = "spectral_norm"
        if not 2 <= len(Weight.shape) <= 5 or 0 in Weight.shape:
            needs = "2 to 5 dimensions, none of them 0"
            raise ShapeError(message(type, "Input(Weight)", f"shape {list(Weight.shape)}", needs))
        if dim not in (0, 1):
            raise ArgumentValueError(message(type, "attribute 'dim'", dim, "0 or 1"))
        if power_iters < 0:
            raise ArgumentValueError(message(type, "attribute 'power_iters'", power_iters, "0 or more"))
        others = [n for i, n in enumerate(Weight.shape) if i != dim]
        for name, meta, size in (("U", U, Weight.shape[dim]), ("V", V, -1 if -1 in others else math.prod(others))):
            if len(meta.shape) != 1 or (-1 not in (size, meta.shape[0]) and meta.shape[0] != size):
                raise ShapeError(message(type, f"Input({name})", f"shape {list(meta.shape)}", f"[{size}]"))
        for name, meta in (("Weight", Weight), ("U", U), ("V", V)):
            if meta.dtype.kind != "f" or meta.dtype != Weight.dtype:
                needs = "float32 or float64, the same for all"
                raise DtypeError(message(type, f"Input({name})", f"dtype {meta.dtype}", needs))
        return Weight

    def reference(xp, Weight, U, V, *, dim, power_iters, eps):
        sigma, _, _ = _largest(xp, _matrix(Weight, dim), U, V, power_iters, eps)
        return Weight / sigma

    def gradient(xp, Weight, U, V, dOut, *, dim, power_iters, eps):
        sigma, u, v = _largest(xp, _matrix(Weight, dim), U, V, power_iters, eps)
        outer = u[:, None] * v
        if dim == 1:
            outer = outer.reshape(Weight.shape[1], Weight.shape[0], *Weight.shape[2:]).swapaxes(0, 1)
        return dOut / sigma - (dOut * Weight).sum() / (sigma * sigma) * outer.reshape(Weight.shape)

    grad = Grad("Weight U V Out@GRAD", "Weight@GRAD", gradient)
