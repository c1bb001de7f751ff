"""Chains of matrix products as one operator, which models optimized for inference have."""

from __future__ import annotations

from ...core.errors import ArgumentValueError, message
from ..framework.spec import Declaration, op
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN


@op(
    "fusion_squared_mat_sub", inputs="X Y", outputs="SquaredX~ SquaredY~ SquaredXY~ Out", attrs={"scalar": 1.0}, lod=None
)  # fmt: skip
class fusion_squared_mat_sub(Declaration):
    """Out = scalar * ((X Y)^2 - X^2 Y^2), where squares are of each element, for matrices X and Y."""

    def infer(X, Y, **_):
        where = "fusion_squared_mat_sub"
        require_floats(where, X=X, Y=Y)
        require_shape(where, "X", X, (UNKNOWN, UNKNOWN))
        require_shape(where, "Y", Y, (X.shape[1], UNKNOWN))
        product = Meta((X.shape[0], Y.shape[1]), X.dtype)
        return Meta(X.shape, X.dtype), Meta(Y.shape, X.dtype), product, product

    def reference(xp, X, Y, *, scalar):
        x, y, product = X * X, Y * Y, xp.square(xp.matmul(X, Y))
        return x, y, product, (product - xp.matmul(x, y)) * xp.asarray(scalar, dtype=X.dtype)


@op(
    "fusion_repeated_fc_relu", inputs="X W* Bias*", outputs="ReluOut*~ Out",
    lod=lambda lods, ins, outs, attrs: ([None] * len(outs[0]), lods[0]),
)  # fmt: skip
class fusion_repeated_fc_relu(Declaration):
    """Out = relu(relu(X W[0] + Bias[0]) W[1] + Bias[1]) ..., for two layers or more; ReluOut: what goes between them."""

    def infer(X, W, Bias):
        where = "fusion_repeated_fc_relu"
        if len(W) < 2 or len(Bias) != len(W):
            got = f"{len(W)} matrices and {len(Bias)} biases"
            raise ArgumentValueError(message(where, "Input(W)", got, "two matrices or more, with a bias for each"))
        given = {f"{slot}[{i}]": meta for slot, metas in (("W", W), ("Bias", Bias)) for i, meta in enumerate(metas)}
        require_floats(where, X=X, **given)
        require_shape(where, "X", X, (UNKNOWN, UNKNOWN))
        made = [Meta(X.shape, X.dtype)]
        for i, (w, bias) in enumerate(zip(W, Bias, strict=True)):
            require_shape(where, f"W[{i}]", w, (made[-1].shape[1], UNKNOWN))
            require_shape(where, f"Bias[{i}]", bias, (w.shape[1],), (1, w.shape[1]))
            made.append(Meta((X.shape[0], w.shape[1]), X.dtype))
        return made[1:-1], made[-1]._replace(lod_level=X.lod_level)

    def reference(xp, X, W, Bias):
        made = [X]
        for w, bias in zip(W, Bias, strict=True):
            made.append(xp.maximum(xp.matmul(made[-1], w) + bias.reshape(-1), 0))
        return made[1:-1], made[-1]
