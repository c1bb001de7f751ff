"""Numbers drawn with probabilities that an input holds."""

from __future__ import annotations

from ...core.dtype import to_numpy
from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ...core.host import to_host
from ...kernels.cpu.random import random as draw
from ..framework.spec import Declaration, op
from ..support.meta import Meta


@op("bernoulli", inputs="X", outputs="Out", attrs={"seed": 0}, effects="random", lod=None)
class bernoulli(Declaration):
    """Draw 1 with the probability in X, else 0. (PaddlePaddle has it from 2.0 on.)"""

    def infer(X, **_):
        _need_weights("bernoulli", X)
        return X

    def reference(xp, X, *, seed):
        host = to_host(X)
        if host.size and not (host.min() >= 0 and host.max() <= 1):
            got = f"{host.min()} to {host.max()}"
            raise ArgumentValueError(message("bernoulli", "Input(X)", got, "probabilities, 0 to 1"))
        return xp.asarray(draw.bernoulli(host, seed))


@op(
    "multinomial",
    inputs="X",
    outputs="Out",
    attrs={"num_samples": 1, "replacement": False, "seed": 0},
    effects="random",
    lod=None,
)
class multinomial(Declaration):
    """Draw `num_samples` indices for each row of X, with X as weights. (PaddlePaddle has it from 2.0 on.)"""

    def infer(X, *, num_samples, **_):
        _need_weights("multinomial", X)
        if len(X.shape) not in (1, 2) or X.shape[-1] == 0:
            raise ShapeError(message("multinomial", "Input(X)", f"shape {list(X.shape)}", "[kinds] or [rows, kinds]"))
        if num_samples < 1:
            raise ArgumentValueError(message("multinomial", "attribute 'num_samples'", num_samples, "1 or more"))
        return Meta((*X.shape[:-1], num_samples), to_numpy("int64"))

    def reference(xp, X, *, num_samples, replacement, seed):
        host = to_host(X)
        weights = host.reshape(-1, host.shape[-1])
        if not (weights >= 0).all() or not (weights < float("inf")).all():
            raise ArgumentValueError(
                message("multinomial", "Input(X)", "a weight below 0, or none", "weights of 0 or more")
            )
        possible = int((weights > 0).sum(axis=1).min()) if len(weights) else num_samples
        if possible < (1 if replacement else num_samples):
            fix = "" if replacement else "Draw with replacement=True, or fewer."
            needs = f"at least {1 if replacement else num_samples} weights above 0 in each row"
            raise ArgumentValueError(message("multinomial", "Input(X)", f"a row with {possible}", needs, fix))
        drawn = draw.multinomial(weights, num_samples, replacement, seed)
        return xp.asarray(drawn.reshape(*host.shape[:-1], num_samples))


def _need_weights(type, X):
    if X.dtype.kind != "f":
        raise DtypeError(message(type, "Input(X)", f"dtype {X.dtype}", "float32 or float64"))


@op(
    "sampling_id",
    inputs="X",
    outputs="Out",
    attrs={"min": 0.0, "max": 1.0, "seed": 0},
    effects="random",
)
class sampling_id(Declaration):
    """Draw an index for each row of probabilities: the place of a number from [min, max) in their cumulative sums."""

    def infer(X, *, min, max, **_):
        if X.dtype.kind != "f":
            raise DtypeError(message("sampling_id", "Input(X)", f"dtype {X.dtype}", "float32 or float64"))
        if len(X.shape) != 2 or X.shape[1] == 0:
            raise ShapeError(message("sampling_id", "Input(X)", f"shape {list(X.shape)}", "[rows, probabilities]"))
        if min >= max:
            raise ArgumentValueError(message("sampling_id", "attribute 'min'", min, f"less than max, {max}"))
        return Meta(X.shape[:1], to_numpy("int64"), X.lod_level)

    def reference(xp, X, *, min, max, seed):
        drawn = xp.asarray(draw.uniform([X.shape[0]], min, max, seed, X.dtype))
        return (X.cumsum(axis=1, dtype=X.dtype)[:, :-1] <= drawn[:, None]).sum(axis=1).astype("int64")
