"""Products with matrices that depend on the ranks of instances, for models that rank."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, message
from ...core.indexed import add_at
from ...core.ranges import require_range
from ..framework.spec import Declaration, Grad, op
from ..support.require import require_dtype, require_floats, require_shape
from ..support.shape_rules import UNKNOWN

WHERE = "rank_attention"


def _pairs(xp: Any, RankOffset: Any, rows: int, most: int) -> tuple[Any, Any, Any]:
    """Return, for all pairs of an instance and another that are there: its row, the row of the other, their matrix."""
    own, others, places = RankOffset[:, :1] - 1, RankOffset[:, 1::2] - 1, RankOffset[:, 2::2]
    there = (own >= 0) & (others >= 0)
    each = xp.broadcast_to(xp.arange(len(RankOffset))[:, None], there.shape)[there]
    other = places[there]
    require_range(WHERE, "Input(RankOffset), the rows of X", other, rows)
    block = (own * most + others)[there]
    require_range(WHERE, "Input(RankOffset), the ranks", block, most * most)
    return each, other, block


@op("rank_attention", inputs="X RankOffset RankParam", outputs="Out", attrs={"MaxRank": 3})
class rank_attention(Declaration):
    """Out[i] = the sum over k of X[row] times the matrix of the pair of ranks, for X [rows, D].

    RankOffset int32 [rows, 1 + 2 * MaxRank] has for each instance its rank, then for each k a rank and a row of X; ranks
    count from 1, and 0 says that there is none. RankParam [MaxRank * MaxRank * D, columns] holds a matrix [D, columns]
    for each pair of ranks, in the order of the instance's, then of the other's. Paddle has it on GPUs only. X gets no
    gradient, as in Paddle.
    """

    def infer(X, RankOffset, RankParam, *, MaxRank):
        if MaxRank < 1:
            raise ArgumentValueError(message(WHERE, "attribute 'MaxRank'", MaxRank, "1 or more"))
        require_floats(WHERE, X=X, RankParam=RankParam)
        require_dtype(WHERE, "RankOffset", RankOffset, np.dtype("int32"))
        require_shape(WHERE, "X", X, (UNKNOWN, UNKNOWN))
        require_shape(WHERE, "RankOffset", RankOffset, (X.shape[0], 2 * MaxRank + 1))
        rows = UNKNOWN if X.shape[1] == UNKNOWN else MaxRank * MaxRank * X.shape[1]
        require_shape(WHERE, "RankParam", RankParam, (rows, UNKNOWN))
        return X._replace(shape=(X.shape[0], RankParam.shape[1]))

    def reference(xp, X, RankOffset, RankParam, *, MaxRank):
        each, other, block = _pairs(xp, RankOffset, len(X), MaxRank)
        matrices = RankParam.reshape(MaxRank * MaxRank, X.shape[1], -1)
        out = xp.zeros((len(X), RankParam.shape[1]), X.dtype)
        add_at(xp, out, each, xp.matmul(X[other][:, None, :], matrices[block])[:, 0])
        return out

    def gradient(xp, X, RankOffset, RankParam, dOut, *, MaxRank):
        each, other, block = _pairs(xp, RankOffset, len(X), MaxRank)
        dparam = xp.zeros((MaxRank * MaxRank, X.shape[1], dOut.shape[1]), dOut.dtype)
        add_at(xp, dparam, block, X[other][:, :, None] * dOut[each][:, None, :])
        return dparam.reshape(RankParam.shape)

    grad = Grad("X RankOffset RankParam# Out@GRAD", "RankParam@GRAD", gradient)
