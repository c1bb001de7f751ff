"""Rows in random order."""

from __future__ import annotations

from math import prod

from ...core.dtype import to_numpy
from ...core.errors import ShapeError, message
from ...kernels.cpu.random.shuffle import shuffled
from ..framework.spec import Declaration, Grad, op
from ..support.meta import Meta
from ..support.require import require_dtype
from ..support.shape_rules import UNKNOWN

INT64 = to_numpy("int64")


@op(
    "shuffle_batch", inputs="X Seed", outputs="Out ShuffleIdx SeedOut", attrs={"startup_seed": 0}, effects="random",
    lod=lambda lods, ins, outs, attrs: (lods[0], None, None), flops=0,
)  # fmt: skip
class shuffle_batch(Declaration):
    """Shuffle the rows of X along its last dimension; ShuffleIdx int64 [rows] holds the new place of each row.

    Seed, int64 [1], is the seed of the generator; SeedOut is the seed for the next call.
    """

    def infer(X, Seed):
        require_dtype("shuffle_batch", "Seed", Seed, INT64)
        if 0 in Seed.shape:
            raise ShapeError(message("shuffle_batch", "Input(Seed)", f"shape {list(Seed.shape)}", "[1]"))
        if not X.shape or X.shape[-1] == 0:
            raise ShapeError(message("shuffle_batch", "Input(X)", f"shape {list(X.shape)}", "rows that are not empty"))
        rows = X.shape[:-1]
        return X, Meta((UNKNOWN if UNKNOWN in rows else prod(rows),), INT64), Meta((1,), INT64)

    def reference(xp, X, Seed):
        order, seed = shuffled(prod(X.shape[:-1]), int(Seed.reshape(-1)[0]))
        places = xp.asarray(order, dtype="int64")
        out = xp.empty(X.shape, X.dtype)
        out.reshape(-1, X.shape[-1])[places] = X.reshape(-1, X.shape[-1])
        return out, places, xp.asarray([seed], dtype="int64")

    def gradient(xp, ShuffleIdx, dOut):
        return dOut.reshape(-1, dOut.shape[-1])[ShuffleIdx].reshape(dOut.shape)

    grad = Grad("ShuffleIdx Out@GRAD", "X@GRAD", gradient)
