"""Recurrent networks over sequences with the projection of their input, which models optimized for inference have."""

from __future__ import annotations

from typing import Any

from ...core.errors import ShapeError, message
from ...core.ranges import require_range
from ..framework.spec import Declaration, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.sequence_rows import starts_of
from ..support.shape_rules import UNKNOWN
from .gru import check_gru, gru
from .lstm import LSTM, check_lstm, lstm


def _product(where: str, X: Any, WeightX: Any, gates: int) -> Meta:
    """Return the Meta of X WeightX, which must have `gates` columns."""
    require_floats(where, X=X, WeightX=WeightX)
    require_shape(where, "X", X, (UNKNOWN, UNKNOWN))
    require_shape(where, "WeightX", WeightX, (X.shape[1], gates))
    return Meta((X.shape[0], gates), X.dtype, X.lod_level)


def _require_sequences(where: str, slot: str, rows: Any, lod: Any, **firsts: Any) -> None:
    """Raise unless the LoD of the rows has one level, and the first states a row for each sequence."""
    starts = starts_of(where, slot, lod, len(rows))
    for name, first in firsts.items():
        if first is not None and len(first) != len(starts) - 1:
            needs = f"{len(starts) - 1} rows, one for each sequence of {slot}"
            raise ShapeError(message(where, f"Input({name})", f"{len(first)} rows", needs))


def _times(size: int, n: int) -> int:
    return UNKNOWN if size == UNKNOWN else n * size


def _lods(places: str) -> Any:
    """Return the rule that gives the outputs marked with 1 the LoD of the first input."""

    def rule(lods: tuple, ins: tuple, outs: tuple, attrs: dict) -> tuple:
        return tuple(lods[0] if mark == "1" else None for mark in places)

    return rule


@op(
    "fusion_gru", inputs="X H0? WeightX WeightH Bias?", outputs="ReorderedH0~ XX~ BatchedInput~ BatchedOut~ Hidden",
    attrs={
        "activation": "tanh", "gate_activation": "sigmoid", "is_reverse": False, "use_seq": True, "origin_mode": False,
    }, needs_lod="X", lod=_lods("01001"),
)  # fmt: skip
class fusion_gru(Declaration):
    """Run `gru` over the sequences of XX = X WeightX, with the weight WeightH and Bias: Hidden.

    `origin_mode` has no effect, as in Paddle. The other outputs, which are buffers of Paddle's kernel, are not
    computed.
    """

    def infer(X, H0, WeightX, WeightH, Bias, *, activation, gate_activation, **_):
        size = WeightH.shape[0] if len(WeightH.shape) == 2 else UNKNOWN
        inner = _product("fusion_gru", X, WeightX, _times(size, 3))
        size = check_gru("fusion_gru", inner, H0, WeightH, Bias, activation, gate_activation)
        return None, inner, None, None, Meta((X.shape[0], size), X.dtype, X.lod_level)

    def reference(xp, X, H0, WeightX, WeightH, Bias, *, lod, activation, gate_activation, is_reverse):
        _require_sequences("fusion_gru", "X", X, lod, H0=H0)
        inner = xp.matmul(X, WeightX)
        attrs = {"activation": activation, "gate_activation": gate_activation}
        run = gru.reference(xp, inner, H0, WeightH, Bias, lod=lod, is_reverse=is_reverse, origin_mode=False, **attrs)
        return None, inner, None, None, run[-1]


@op(
    "fusion_lstm", inputs="X WeightX WeightH Bias H0? C0?",
    outputs="Hidden Cell XX~ BatchedInput~ BatchedHidden~ BatchedCell~ ReorderedH0~ ReorderedC0~ CheckedCell~",
    attrs={**LSTM, "use_seq": True}, needs_lod="X", lod=_lods("111000000"),
)  # fmt: skip
class fusion_lstm(Declaration):
    """Run `lstm` over the sequences of XX = X WeightX, with the weight WeightH and Bias: Hidden and Cell.

    The other outputs, which are buffers of Paddle's kernel, are not computed.
    """

    def infer(X, WeightX, WeightH, Bias, H0, C0, **attrs):
        size = WeightH.shape[0] if len(WeightH.shape) == 2 else UNKNOWN
        inner = _product("fusion_lstm", X, WeightX, _times(size, 4))
        check_lstm("fusion_lstm", inner, (H0, C0), size, size, WeightH, Bias, attrs)
        state = Meta((X.shape[0], size), X.dtype, X.lod_level)
        return state, state, inner, None, None, None, None, None, None

    def reference(
        xp, X, WeightX, WeightH, Bias, H0, C0,
        *, lod, use_peepholes, is_reverse, gate_activation, cell_activation, candidate_activation,
    ):  # fmt: skip
        _require_sequences("fusion_lstm", "X", X, lod, H0=H0, C0=C0)
        inner = xp.matmul(X, WeightX)
        hidden, cell, *_ = lstm.reference(
            xp, inner, H0, C0, WeightH, Bias, lod=lod, use_peepholes=use_peepholes, is_reverse=is_reverse,
            gate_activation=gate_activation, cell_activation=cell_activation, candidate_activation=candidate_activation,
        )  # fmt: skip
        return hidden, cell, inner, None, None, None, None, None, None


@op(
    "fused_embedding_fc_lstm", inputs="Ids Embeddings WeightH Bias H0? C0?",
    outputs="Hidden Cell XX~ BatchedInput~ BatchedHidden~ BatchedCell~ ReorderedH0~ ReorderedC0~",
    attrs={**LSTM, "use_seq": True}, needs_lod="Ids", lod=_lods("11100000"),
)  # fmt: skip
class fused_embedding_fc_lstm(Declaration):
    """Run `lstm` over the sequences of XX, the rows of Embeddings [rows, 4 * D] at Ids: Hidden and Cell.

    Ids is int64 [rows, 1]; WeightH is the weight. Embeddings already contain the products with the weights of the input
    and the first 4 * D numbers of Bias; only the peepholes of Bias are read. The other outputs, which are buffers of
    Paddle's kernel, are not computed.
    """

    def infer(Ids, Embeddings, WeightH, Bias, H0, C0, **attrs):
        where, size = "fused_embedding_fc_lstm", WeightH.shape[0] if len(WeightH.shape) == 2 else UNKNOWN
        require_dtype(where, "Ids", Ids, "int64")
        require_shape(where, "Ids", Ids, (UNKNOWN, 1))
        require_shape(where, "Embeddings", Embeddings, (UNKNOWN, _times(size, 4)))
        inner = Meta((Ids.shape[0], _times(size, 4)), Embeddings.dtype, Ids.lod_level)
        check_lstm(where, inner, (H0, C0), size, size, WeightH, Bias, attrs)
        state = Meta((Ids.shape[0], size), Embeddings.dtype, Ids.lod_level)
        return state, state, inner, None, None, None, None, None

    def reference(
        xp, Ids, Embeddings, WeightH, Bias, H0, C0,
        *, lod, use_peepholes, is_reverse, gate_activation, cell_activation, candidate_activation,
    ):  # fmt: skip
        _require_sequences("fused_embedding_fc_lstm", "Ids", Ids, lod, H0=H0, C0=C0)
        ids = Ids.reshape(-1)
        require_range("fused_embedding_fc_lstm", "Input(Ids)", ids, len(Embeddings))
        inner, peepholes = Embeddings[ids], Bias.copy()
        peepholes[:, : inner.shape[1]] = 0
        hidden, cell, *_ = lstm.reference(
            xp, inner, H0, C0, WeightH, peepholes, lod=lod, use_peepholes=use_peepholes, is_reverse=is_reverse,
            gate_activation=gate_activation, cell_activation=cell_activation, candidate_activation=candidate_activation,
        )  # fmt: skip
        return hidden, cell, inner, None, None, None, None, None
