"""Normalisation of columns by learned statistics."""

from __future__ import annotations

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.spec import MKLDNN, Declaration, Grad, op
from ..support.meta import Meta
from .norm import check_epsilon, check_vectors, of_result

SHOWN = 1e-7  # a slot is present if the magnitude of its first element is larger


def _shown(xp, X, slot_dim):
    """Return whether each element belongs to a slot whose first element is not 0."""
    firsts = xp.abs(X[:, ::slot_dim]) >= xp.asarray(SHOWN, dtype=X.dtype)
    return firsts.repeat(slot_dim, axis=1)[:, : X.shape[1]]


@op(
    "data_norm",
    inputs="scale_w? bias? X BatchSize BatchSum BatchSquareSum",
    outputs="Y Means~ Scales~",
    attrs={
        "epsilon": 1e-4,
        "slot_dim": -1,
        "summary_decay_rate": 0.9999999,
        "enable_scale_and_shift": False,
        "data_layout": "NCHW",
        "sync_stats": False,
        **MKLDNN,
    },
    lod=lambda lods, ins, outs, attrs: of_result(lods[2:], ins, outs, attrs),
    stopped="Means Scales",
)
class data_norm(Declaration):
    """Y = (X - Means) * Scales, with Means = BatchSum / BatchSize and Scales = sqrt(BatchSize / BatchSquareSum).

    With `enable_scale_and_shift` Y is scaled by scale_w and shifted by bias. With `slot_dim` every `slot_dim` columns are
    a slot. A slot whose first element is 0 is absent: its Y is 0, and the statistics ignore it.

    The gradients of the statistics are no derivatives but sums over the batch (number of rows, their sum, the sum of
    their squared distances from Means + epsilon; with `slot_dim` the means of these), as in Paddle.
    """

    def infer(scale_w, bias, X, BatchSize, BatchSum, BatchSquareSum, *, epsilon, enable_scale_and_shift, **_):
        if len(X.shape) != 2:
            raise ShapeError(message("data_norm", "Input(X)", f"shape {list(X.shape)}", "2 dimensions"))
        check_epsilon("data_norm", epsilon)
        vectors = {"BatchSize": BatchSize, "BatchSum": BatchSum, "BatchSquareSum": BatchSquareSum}
        if enable_scale_and_shift:
            for name, value in (("scale_w", scale_w), ("bias", bias)):
                if value is None:
                    needs = "a Variable, for attribute 'enable_scale_and_shift'"
                    raise ArgumentValueError(message("data_norm", f"Input({name})", "None", needs))
            vectors.update(scale_w=scale_w, bias=bias)
        check_vectors("data_norm", X, vectors, X.shape[1], "the columns of X")
        vector = Meta(BatchSize.shape, X.dtype)
        return X, vector, vector

    def reference(
        xp, scale_w, bias, X, BatchSize, BatchSum, BatchSquareSum, *, epsilon, slot_dim, enable_scale_and_shift
    ):
        means, scales = BatchSum / BatchSize, xp.sqrt(BatchSize / BatchSquareSum)
        y = (X - means) * scales
        if enable_scale_and_shift:
            y = y * scale_w + bias
        if slot_dim > 0:
            y = y * _shown(xp, X, slot_dim).astype(X.dtype)
        return y, means, scales

    def gradient(xp, scale_w, bias, X, Means, Scales, dY, *, epsilon, slot_dim, enable_scale_and_shift):
        d_scale = d_bias = None
        if enable_scale_and_shift and slot_dim > 0:
            dY = dY * _shown(xp, X, slot_dim).astype(X.dtype)
        dx = dY * Scales
        if enable_scale_and_shift:
            dx = dx * scale_w
            d_scale, d_bias = (dY * (X - Means) * Scales).sum(axis=0), dY.sum(axis=0)
        distances, epsilon = (X - Means) ** 2, xp.asarray(epsilon, dtype=X.dtype)
        if slot_dim <= 0:
            size = xp.full(X.shape[1], X.shape[0], X.dtype)
            sums, squares = X.sum(axis=0), distances.sum(axis=0) + size * epsilon
        else:
            shown = _shown(xp, X, slot_dim).astype(X.dtype)
            count = shown.sum(axis=0)
            size, share = xp.minimum(count, 1), 1 / xp.maximum(count, 1)
            sums, squares = (X * shown).sum(axis=0) * share, (distances * shown).sum(axis=0) * share + count * epsilon
        return d_scale, d_bias, dx, size, sums, squares

    grad = Grad(
        "scale_w? bias? X Means Scales Y@GRAD",
        "scale_w@GRAD bias@GRAD X@GRAD BatchSize@GRAD BatchSum@GRAD BatchSquareSum@GRAD",
        gradient,
    )
