"""Operators on sequences that models optimized for inference have in the place of several."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ...core.errors import ArgumentValueError, LoDError, ShapeError, message
from ..framework.spec import Declaration, Required, op
from ..nn.ctr import cvm
from ..rnn.ragged_batch import codes, require_activations
from ..rnn.rnn_unit import activated
from ..support import sequence_rows as seq
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from .sequence import pooled, windows

# --- a convolution ----------------------------------------------------------------------------------------------------------


@op(
    "fusion_seqconv_eltadd_relu", inputs="X Filter Bias", outputs="Out ColMat~",
    attrs={"contextLength": Required("INT"), "contextStart": 0, "contextStride": 1}, needs_lod="X",
    lod=lambda lods, ins, outs, attrs: (lods[0], None),
)  # fmt: skip
class fusion_seqconv_eltadd_relu(Declaration):
    """Out = relu(ColMat Filter + Bias): each row of ColMat is a window of rows of the sequence, as sequence_conv has it."""

    def infer(X, Filter, Bias, *, contextLength, contextStride, **_):
        where = "fusion_seqconv_eltadd_relu"
        require_floats(where, X=X, Filter=Filter, Bias=Bias)
        require_shape(where, "X", X, (UNKNOWN, UNKNOWN))
        if contextLength < 1:
            raise ArgumentValueError(message(where, "attribute 'contextLength'", contextLength, "1 or more"))
        if contextStride != 1:
            raise ArgumentValueError(message(where, "attribute 'contextStride'", contextStride, "1"))
        width = UNKNOWN if X.shape[1] == UNKNOWN else contextLength * X.shape[1]
        require_shape(where, "Filter", Filter, (width, UNKNOWN))
        require_shape(where, "Bias", Bias, (Filter.shape[1],), (1, Filter.shape[1]))
        return Meta((X.shape[0], Filter.shape[1]), X.dtype, X.lod_level), Meta((X.shape[0], width), X.dtype)

    def reference(xp, X, Filter, Bias, *, lod, contextLength, contextStart, contextStride):
        starts = seq.starts_of("fusion_seqconv_eltadd_relu", "X", lod, X.shape[0])
        columns = windows(xp, X, None, starts, contextStart, contextLength)
        return xp.maximum(columns @ Filter + Bias.reshape(-1), 0), columns


# --- one row for each sequence ------------------------------------------------------------------------------------------------

POOLS = ("SUM", "AVERAGE", "SQRT")


def _check_pools(where: str, X: Any, pooltype: str, axis: int) -> None:
    require_floats(where, **{f"X[{i}]": x for i, x in enumerate(X)})
    if pooltype not in POOLS:
        raise ArgumentValueError(message(where, "attribute 'pooltype'", repr(pooltype), f"one of {', '.join(POOLS)}"))
    if axis != 1:
        raise ArgumentValueError(message(where, "attribute 'axis'", axis, "1"))
    for i, x in enumerate(X):
        require_shape(where, f"X[{i}]", x, (UNKNOWN, X[0].shape[1] if len(X[0].shape) == 2 else UNKNOWN))


def _pools(xp: Any, where: str, X: Any, lods: Any, pooltype: str) -> list[Any]:
    """Return one row for each sequence, of each input; 0 for an empty sequence."""
    each = [seq.starts_of(where, f"X[{i}]", lod, len(x)) for i, (x, lod) in enumerate(zip(X, lods, strict=True))]
    made = []
    for i, (x, starts) in enumerate(zip(X, each, strict=True)):
        seq.require_one_each(where, f"X[{i}]", starts, len(each[0]) - 1, "as the first input has")
        out = xp.zeros((len(starts) - 1, x.shape[1]), x.dtype)
        for row, (a, b) in enumerate(pairwise(starts)):
            if a < b:
                out[row] = pooled(xp, x[a:b], pooltype)
        made.append(out)
    return made


def _one_row_each(lods: tuple, ins: tuple, outs: tuple, attrs: dict) -> tuple:
    return ((tuple(range(len(outs[0]) + 1)),),)


@op(
    "fusion_seqpool_concat", inputs="X*", outputs="Out", attrs={"pooltype": "SUM", "axis": 1}, needs_lod="X",
    lod=_one_row_each,
)  # fmt: skip
class fusion_seqpool_concat(Declaration):
    """Out [sequences, inputs * width] = the sum of the rows of each sequence, of all inputs X [rows, width] side by side.

    AVERAGE divides it by the number of rows, SQRT by its square root.
    """

    def infer(X, *, pooltype, axis):
        _check_pools("fusion_seqpool_concat", X, pooltype, axis)
        width = X[0].shape[1]
        return Meta((UNKNOWN, UNKNOWN if width == UNKNOWN else len(X) * width), X[0].dtype, 1)

    def reference(xp, X, *, lod, pooltype, axis):
        return xp.concatenate(_pools(xp, "fusion_seqpool_concat", X, lod, pooltype), axis=1)


@op(
    "fusion_seqpool_cvm_concat", inputs="X* CVM", outputs="Out", attrs={"pooltype": "SUM", "use_cvm": True, "axis": 1},
    needs_lod="X", lod=_one_row_each,
)  # fmt: skip
class fusion_seqpool_cvm_concat(Declaration):
    """Out = that of fusion_seqpool_concat, with the first two columns of each input, shows and clicks, as `cvm` has them.

    Of CVM [sequences, 2] nothing is read, as in Paddle.
    """

    def infer(X, CVM, *, pooltype, use_cvm, axis):
        where = "fusion_seqpool_cvm_concat"
        _check_pools(where, X, pooltype, axis)
        require_floats(where, **{"X[0]": X[0], "CVM": CVM})
        require_shape(where, "CVM", CVM, (UNKNOWN, 2))
        if not use_cvm:
            raise ArgumentValueError(message(where, "attribute 'use_cvm'", use_cvm, "True"))
        width = X[0].shape[1]
        if 0 <= width < 2:
            raise ShapeError(message(where, "Input(X[0])", f"shape {list(X[0].shape)}", "two columns or more"))
        return Meta((UNKNOWN, UNKNOWN if width == UNKNOWN else len(X) * width), X[0].dtype, 1)

    def reference(xp, X, CVM, *, lod, pooltype, use_cvm, axis):
        parts = _pools(xp, "fusion_seqpool_cvm_concat", X, lod, pooltype)
        return xp.concatenate([cvm.reference(xp, part, CVM, lod=None, use_cvm=True) for part in parts], axis=1)


# --- a row for each sequence beside its rows ------------------------------------------------------------------------------------


@op(
    "fusion_seqexpand_concat_fc", inputs="X* FCWeight FCBias?", outputs="Out FCOut~", attrs={"fc_activation": "identity"},
    needs_lod="X", lod=lambda lods, ins, outs, attrs: (lods[0][0], None),
)  # fmt: skip
class fusion_seqexpand_concat_fc(Declaration):
    """Out = fc_activation([rows] FCWeight + FCBias), where the row of X[1], X[2] ... for a sequence stands beside its rows.

    X[0] [rows, D] has the sequences, the others one row for each of them. FCOut [sequences, columns] is the part of the
    product that is the same for all rows of a sequence, with FCBias.
    """

    def infer(X, FCWeight, FCBias, *, fc_activation):
        where = "fusion_seqexpand_concat_fc"
        bias = {} if FCBias is None else {"FCBias": FCBias}
        require_floats(where, **{f"X[{i}]": x for i, x in enumerate(X)}, FCWeight=FCWeight, **bias)
        if len(X) < 2:
            raise ArgumentValueError(message(where, "Input(X)", f"{len(X)} Variable", "two or more"))
        for i, x in enumerate(X):
            require_shape(where, f"X[{i}]", x, (UNKNOWN, UNKNOWN))
        widths = [x.shape[1] for x in X]
        require_shape(where, "FCWeight", FCWeight, (UNKNOWN if UNKNOWN in widths else sum(widths), UNKNOWN))
        columns = FCWeight.shape[1]
        for meta in bias.values():
            require_shape(where, "FCBias", meta, (columns,), (1, columns))
        require_activations(where, fc_activation=fc_activation)
        return Meta((X[0].shape[0], columns), X[0].dtype, X[0].lod_level), Meta((X[1].shape[0], columns), X[0].dtype)

    def reference(xp, X, FCWeight, FCBias, *, lod, fc_activation):
        where, (rows, *others) = "fusion_seqexpand_concat_fc", X
        starts = seq.starts_of(where, "X[0]", lod[0], len(rows))
        for i, other in enumerate(others, 1):
            if len(other) != len(starts) - 1:
                needs = f"{len(starts) - 1}, one for each sequence of X[0]"
                raise LoDError(message(where, f"Input(X[{i}])", f"{len(other)} rows", needs))
        shared = xp.matmul(xp.concatenate(others, axis=1), FCWeight[rows.shape[1] :])
        if FCBias is not None:
            shared = shared + FCBias.reshape(-1)
        out = xp.matmul(rows, FCWeight[: rows.shape[1]])
        for i, (a, b) in enumerate(pairwise(starts)):
            out[a:b] += shared[i]
        return activated(xp, out, codes(fc_activation)[0]), shared
