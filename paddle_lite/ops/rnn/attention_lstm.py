"""Long short-term memory whose input is an average of its sequence, by attention."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ...core.errors import ArgumentTypeError, message
from ..framework.spec import Declaration, op
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.sequence_rows import require_one_each, starts_of
from ..support.shape_rules import UNKNOWN
from .ragged_batch import codes, require_activations
from .rnn_unit import activated

WHERE = "attention_lstm"


def _weights(xp: Any, of_rows: Any, of_cell: Any, scalar: Any, bias: Any) -> Any:
    """Return the softmax of the scores of the rows of a sequence, relu'd, and scaled and relu'd once more."""
    scores = xp.maximum(of_rows + of_cell, 0)
    if scalar is not None:
        scores = xp.maximum(scores * scalar + (0 if bias is None else bias), 0)
    powers = xp.exp(scores - scores.max())
    return powers / powers.sum()


@op(
    "attention_lstm",
    inputs="X C0 H0? AttentionWeight AttentionBias? AttentionScalar? AttentionScalarBias? LSTMWeight LSTMBias",
    outputs="Hidden Cell AttentionedX~ AttentionFCOut~ LSTMX~ LSTMOUT~",
    attrs={"gate_activation": "sigmoid", "cell_activation": "tanh", "candidate_activation": "tanh"},
    needs_lod="X", lod=lambda lods, ins, outs, attrs: (lods[0], lods[0], None, None, None, None),
)  # fmt: skip
class attention_lstm(Declaration):
    """Run an LSTM with attention over each sequence of X [rows, M]: Hidden and Cell [rows, D], one step for each row.

    The input of a step is a weighted mean of all rows of the sequence. The weights are the softmax of relu([row,
    previous cell] AttentionWeight + AttentionBias); with AttentionScalar, relu(. * AttentionScalar +
    AttentionScalarBias) is applied before the softmax. LSTMWeight [D + M, 4 * D] and LSTMBias [1, 4 * D] hold the
    forget, input and output gate and the candidate; the rows for the hidden state come first. AttentionedX = X
    AttentionWeight + AttentionBias, without the cell. The other outputs, which are buffers of Paddle's kernel, are not
    computed.
    """

    def infer(
        X, C0, H0, AttentionWeight, AttentionBias, AttentionScalar, AttentionScalarBias, LSTMWeight, LSTMBias, **attrs
    ):  # fmt: skip
        more = {
            "H0": H0, "AttentionBias": AttentionBias, "AttentionScalar": AttentionScalar,
            "AttentionScalarBias": AttentionScalarBias,
        }  # fmt: skip
        more = {slot: meta for slot, meta in more.items() if meta is not None}
        weights = {"AttentionWeight": AttentionWeight, "LSTMWeight": LSTMWeight, "LSTMBias": LSTMBias}
        require_floats(WHERE, X=X, C0=C0, **weights, **more)
        require_shape(WHERE, "X", X, (UNKNOWN, UNKNOWN))
        require_shape(WHERE, "C0", C0, (UNKNOWN, UNKNOWN))
        size, both = C0.shape[1], UNKNOWN if UNKNOWN in (X.shape[1], C0.shape[1]) else X.shape[1] + C0.shape[1]
        gates = UNKNOWN if size == UNKNOWN else 4 * size
        one = (1, 1)
        needs = {
            "H0": C0.shape, "AttentionWeight": (both, 1), "LSTMWeight": (both, gates), "LSTMBias": (1, gates),
            "AttentionBias": one, "AttentionScalar": one, "AttentionScalarBias": one,
        }  # fmt: skip
        for slot, meta in (weights | more).items():
            require_shape(WHERE, slot, meta, needs[slot])
        if AttentionScalarBias is not None and AttentionScalar is None:
            raise ArgumentTypeError(
                message(WHERE, "Input(AttentionScalar)", "None beside AttentionScalarBias", "a Variable")
            )
        require_activations(WHERE, **attrs)
        state = Meta((X.shape[0], size), X.dtype, X.lod_level)
        return state, state, Meta((X.shape[0], 1), X.dtype), None, None, None

    def reference(
        xp, X, C0, H0, AttentionWeight, AttentionBias, AttentionScalar, AttentionScalarBias, LSTMWeight, LSTMBias,
        *, lod, gate_activation, cell_activation, candidate_activation,
    ):  # fmt: skip
        starts, size = starts_of(WHERE, "X", lod, len(X)), C0.shape[1]
        require_one_each(WHERE, "X", starts, len(C0), "the rows of C0")
        of_gate, of_cell, of_candidate = codes(gate_activation, cell_activation, candidate_activation)
        scores = X @ AttentionWeight[: X.shape[1]]
        if AttentionBias is not None:
            scores = scores + AttentionBias
        hidden, cell = (xp.empty((len(X), size), X.dtype) for _ in range(2))
        for i, (start, end) in enumerate(pairwise(starts)):
            c, h = C0[i : i + 1], xp.zeros((1, size), X.dtype) if H0 is None else H0[i : i + 1]
            for t in range(start, end):
                of_state = c @ AttentionWeight[X.shape[1] :]
                weights = _weights(xp, scores[start:end], of_state, AttentionScalar, AttentionScalarBias)
                x = weights.T @ X[start:end]
                gates = h @ LSTMWeight[:size] + x @ LSTMWeight[size:] + LSTMBias
                f, i_, o = (activated(xp, gates[:, k * size : (k + 1) * size], of_gate) for k in range(3))
                c = f * c + i_ * activated(xp, gates[:, 3 * size :], of_candidate)
                h = o * activated(xp, c, of_cell)
                hidden[t], cell[t] = h[0], c[0]
        return hidden, cell, scores, None, None, None
