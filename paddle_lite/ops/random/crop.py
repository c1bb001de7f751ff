"""Crops at random places."""

from __future__ import annotations

from ...core.dtype import to_numpy
from ...core.errors import ShapeError, message
from ...kernels.cpu.random import random as draw
from ..framework.spec import Declaration, Required, op
from ..support.meta import Meta
from ..support.require import require_dtype


@op(
    "random_crop",
    inputs="X Seed",
    outputs="Out SeedOut~",
    attrs={"shape": Required("INTS"), "startup_seed": 0},
    effects="random",
    lod=None,
)
class random_crop(Declaration):
    """Crop the last dimensions of each instance of X to `shape` at a random place.

    Seed, int64 [1], is the seed of the generator; SeedOut is the seed for the next call.
    """

    def infer(X, Seed, *, shape):
        require_dtype("random_crop", "Seed", Seed, to_numpy("int64"))
        if 0 in Seed.shape:
            raise ShapeError(message("random_crop", "Input(Seed)", f"shape {list(Seed.shape)}", "[1]"))
        rank = len(X.shape) - len(shape)
        if rank < 1 or not shape:
            needs = f"fewer sizes than X of shape {list(X.shape)} has dimensions, and at least one"
            raise ShapeError(message("random_crop", "attribute 'shape'", list(shape), needs))
        if any(n < 1 or (m >= 0 and n > m) for n, m in zip(shape, X.shape[rank:], strict=True)):
            needs = f"sizes from 1 to those of X, {list(X.shape[rank:])}"
            raise ShapeError(message("random_crop", "attribute 'shape'", list(shape), needs))
        return Meta((*X.shape[:rank], *shape), X.dtype), Meta((1,), Seed.dtype)

    def reference(xp, X, Seed, *, shape):
        rank = X.ndim - len(shape)
        spare = [m - n + 1 for n, m in zip(shape, X.shape[rank:], strict=True)]
        each = X.reshape(-1, *X.shape[rank:])
        places, seed = draw.random_positions(len(each), spare, int(Seed.reshape(-1)[0]))
        grid = [xp.asarray(places[:, i]).reshape(-1, *[1] * len(shape)) for i in range(len(shape))]
        rows = xp.arange(len(each)).reshape(-1, *[1] * len(shape))
        steps = [xp.arange(n).reshape([-1 if i == j else 1 for j in range(len(shape))]) for i, n in enumerate(shape)]
        index = (rows, *(g + s for g, s in zip(grid, steps, strict=True)))
        return each[index].reshape(*X.shape[:rank], *shape), xp.asarray([seed], "int64")
