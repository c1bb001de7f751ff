"""Operators on sequences of ids: windows of ids, ids left out, numbers added at ids; and masks made from lengths."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

from ...core.dtype import to_numpy
from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.indexed import add_at
from ...core.ranges import require_integers, require_range
from ..framework.costs import PerElement
from ..framework.spec import Declaration, Grad, Required, op
from ..support import sequence_rows as seq
from ..support.meta import Meta
from ..support.require import require_dtype, require_shape
from ..support.scalar_inputs import require_one_integer
from ..support.shape_rules import UNKNOWN


@op(
    "sequence_enumerate",
    inputs="X",
    outputs="Out",
    attrs={"win_size": Required("INT"), "pad_value": 0, "@ALL_KERNELS_MUST_COMPUTE_RUNTIME_SHAPE@": True},
    needs_lod="X",
    stopped="Out",
)
class sequence_enumerate(Declaration):
    """Return the windows of ids: Out[t] = the ids of rows t to t + win_size - 1, padded with `pad_value` at the end."""

    def infer(X, *, win_size, **_):
        require_integers("sequence_enumerate", "Input(X)", X)
        require_shape("sequence_enumerate", "X", X, (UNKNOWN, 1))
        if win_size < 2:
            raise ArgumentValueError(message("sequence_enumerate", "attribute 'win_size'", win_size, "2 or more"))
        return Meta((X.shape[0], win_size), X.dtype, X.lod_level)

    def reference(xp, X, *, lod, win_size, pad_value):
        starts = seq.starts_of("sequence_enumerate", "X", lod, X.shape[0])
        out = xp.full((X.shape[0], win_size), pad_value, X.dtype)
        for a, b in pairwise(starts):
            for j in range(min(win_size, b - a)):
                out[a : b - j, j] = X[a + j : b, 0]
        return out


@op(
    "sequence_erase", inputs="X", outputs="Out", attrs={"tokens": Required("INTS")}, lod="made", needs_lod="X",
)  # fmt: skip
class sequence_erase(Declaration):
    """Remove the rows of X that hold one of `tokens`."""

    def infer(X, **_):
        require_integers("sequence_erase", "Input(X)", X)
        require_shape("sequence_erase", "X", X, (UNKNOWN, 1))
        return Meta((UNKNOWN, 1), X.dtype, X.lod_level)

    def reference(xp, X, *, lod, tokens):
        starts = seq.starts_of("sequence_erase", "X", lod, X.shape[0], most=len(lod or ()))
        kept = ~xp.isin(X[:, 0], xp.asarray(list(tokens), X.dtype))
        before = [0, *xp.cumsum(kept).tolist()]
        return X[kept], (*lod[:-1], tuple(before[start] for start in starts))


@op(
    "sequence_mask", inputs="X MaxLenTensor?", outputs="Y", attrs={"maxlen": -1, "out_dtype": Required("INT")}, lod=None,
    flops=PerElement(1, "Y"),
    stopped="Y",
)  # fmt: skip
class sequence_mask(Declaration):
    """Compute Y[..., j] = 1 if j < X[...], else 0: shape [..., maxlen], where maxlen -1 stands for the maximum of X."""

    def infer(X, MaxLenTensor, *, maxlen, out_dtype):
        if MaxLenTensor is not None:
            require_one_integer("sequence_mask", "MaxLenTensor", MaxLenTensor)
        elif maxlen == 0:
            raise ArgumentValueError(message("sequence_mask", "attribute 'maxlen'", maxlen, "1 or more, or -1"))
        known = MaxLenTensor is None and maxlen > 0
        return Meta((*X.shape, maxlen if known else UNKNOWN), to_numpy(out_dtype))

    def reference(xp, X, MaxLenTensor, *, maxlen, out_dtype):
        if MaxLenTensor is not None:
            maxlen = int(MaxLenTensor.item())
            if maxlen < 1:
                raise ArgumentValueError(message("sequence_mask", "Input(MaxLenTensor)", maxlen, "1 or more"))
        elif maxlen < 0:
            maxlen = int(X.max()) if X.size else 0
        return (xp.arange(maxlen) < X[..., None]).astype(to_numpy(out_dtype))


@op(
    "sequence_scatter", inputs="X Ids Updates", outputs="Out", lod=None, needs_lod="Ids Updates"
)  # fmt: skip
class sequence_scatter(Declaration):
    """Add the Updates of sequence i to row i of X [N, D], at the columns in sequence i of Ids.

    The elements of a row of higher rank are columns in their order in memory, as in Paddle.
    """

    def infer(X, Ids, Updates):
        where = "sequence_scatter"
        if len(X.shape) < 2:
            raise ShapeError(message(where, "Input(X)", f"shape {list(X.shape)}", "2 or more dimensions"))
        require_integers(where, "Input(Ids)", Ids)
        require_dtype(where, "Updates", Updates, X.dtype)
        rows = Ids.shape[:1]
        require_shape(where, "Ids", Ids, rows, (*rows, 1))
        require_shape(where, "Updates", Updates, rows, (*rows, 1))
        return Meta(X.shape, X.dtype)

    def reference(xp, X, Ids, Updates, *, lod):
        columns = prod(X.shape[1:])
        require_range("sequence_scatter", "Input(Ids)", Ids, columns)
        rows = rows_of(lod, len(Ids), X.shape[0])
        out = xp.array(X, order="C")
        add_at(xp, out.reshape(len(out), columns), (xp.asarray(rows, "int64"), Ids.reshape(-1)), Updates.reshape(-1))
        return out

    def gradient(xp, Ids, Updates, dOut, *, lod, need=(True, True)):
        rows = xp.asarray(rows_of(lod, len(Ids), dOut.shape[0]), "int64")
        updates = (
            dOut.reshape(len(dOut), prod(dOut.shape[1:]))[rows, Ids.reshape(-1)].reshape(Updates.shape)
            if need[1]
            else None
        )
        return dOut if need[0] else None, updates

    grad = Grad("Ids Updates# Out@GRAD", "X@GRAD Updates@GRAD", gradient)


def rows_of(lods: Any, count: int, rows: int) -> list[int]:
    """Return the row of X for each id."""
    starts = seq.scatter_offsets(lods, count, rows)
    return [i for i, length in enumerate(seq.lengths_of(starts)) for _ in range(length)]
