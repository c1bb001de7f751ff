"""Long short-term memory over ragged batches: lstm, and lstmp, whose hidden state is projected."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, message
from ..framework.costs import RECURRENCE
from ..framework.spec import Declaration, Grad, op
from ..support.meta import Meta
from ..support.require import require_floats, require_shape
from ..support.shape_rules import UNKNOWN
from .ragged_batch import codes, first_state, require_activations, require_gates, steps, to_sequences
from .rnn_unit import activated, slope

LSTM: dict[str, Any] = {
    "use_peepholes": True,
    "is_reverse": False,
    "gate_activation": "sigmoid",
    "cell_activation": "tanh",
    "candidate_activation": "tanh",
}


def _times(size: int, n: int) -> int:
    return UNKNOWN if size == UNKNOWN else n * size


def check_lstm(
    where: str, Input: Any, states: Any, size: int, hidden: int, Weight: Any, Bias: Any, attrs: dict
) -> None:
    """Raise unless the inputs fit: `size` of the cell, `hidden` of what goes back into the gates."""
    given = {slot: state for slot, state in zip(("H0", "C0"), states, strict=True) if state is not None}
    require_floats(where, Input=Input, **given, Weight=Weight, Bias=Bias)
    require_shape(where, "Weight", Weight, (hidden, _times(size, 4)))
    require_gates(where, Input, size, 4)
    columns = 7 if attrs["use_peepholes"] else 4
    require_shape(where, "Bias", Bias, (1, _times(size, columns)))
    if "H0" in given and "C0" not in given:
        raise ArgumentTypeError(message(where, "Input(C0)", "None beside H0", "the first cells too, or neither"))
    for slot, width in (("H0", hidden), ("C0", size)):
        if slot in given:
            require_shape(where, slot, given[slot], (UNKNOWN, width))
    require_activations(where, **{name: value for name, value in attrs.items() if name.endswith("_activation")})


def _peepholes(Bias: Any, size: int) -> tuple[Any, Any, Any]:
    """Return the peephole weights of the input, forget and output gate; 0 if there are none."""
    if Bias.shape[1] == 4 * size:
        return 0, 0, 0
    return Bias[:, 4 * size : 5 * size], Bias[:, 5 * size : 6 * size], Bias[:, 6 * size :]


def _quarters(gates: Any) -> list[Any]:
    """Return views of the candidate, the input, the forget and the output gate."""
    size = gates.shape[1] // 4
    return [gates[:, k * size : (k + 1) * size] for k in range(4)]


def _step(xp: Any, gates: Any, c: Any, peepholes: Any, acts: list[int], clip: float = 0.0) -> tuple[Any, Any]:
    """Return the new cell and its activation; `gates` are activated in place. acts: of gates, cell and candidate."""
    of_gate, of_cell, of_candidate = acts
    (g, i, f, o), (to_i, to_f, to_o) = _quarters(gates), peepholes
    g[:], i[:], f[:] = (
        activated(xp, g, of_candidate),
        activated(xp, i + c * to_i, of_gate),
        activated(xp, f + c * to_f, of_gate),
    )
    c = g * i + c * f
    if clip > 0:
        c = xp.clip(c, -clip, clip)
    o[:] = activated(xp, o + c * to_o, of_gate)
    return c, activated(xp, c, of_cell)


def _step_back(xp: Any, gates: Any, before: Any, c: Any, s: Any, dh: Any, dc: Any, peepholes: Any, acts: list[int], clip: float = 0.0) -> tuple[Any, Any]:  # fmt: skip
    """Return the gradients of the gates before activation and of the previous cell, given those of output and cell."""
    of_gate, of_cell, of_candidate = acts
    (g, i, f, o), (to_i, to_f, to_o) = _quarters(gates), peepholes
    do = dh * s * slope(o, of_gate)
    dc = dc + dh * o * slope(s, of_cell) + do * to_o
    if clip > 0:
        dc = dc * (abs(c) < clip)
    dg, di, df = dc * i * slope(g, of_candidate), dc * g * slope(i, of_gate), dc * before * slope(f, of_gate)
    return xp.concatenate([dg, di, df, do], axis=1), dc * f + di * to_i + df * to_f


def _bias_gradient(xp: Any, dgates: Any, before: Any, cells: Any, Bias: Any) -> Any:
    """Return the sums over all steps: of the gates, and of the gates times the cells that they saw."""
    parts = [dgates]
    if Bias.shape[1] > dgates.shape[1]:
        _, di, df, do = _quarters(dgates)
        parts += [di * before, df * before, do * cells]
    return xp.concatenate(parts, axis=1).sum(axis=0).reshape(Bias.shape)


# --- lstm ----------------------------------------------------------------------------------------------------------------


@op(
    "lstm",
    inputs="Input H0? C0? Weight Bias",
    outputs="Hidden Cell BatchGate~ BatchCellPreAct~",
    attrs=LSTM,
    needs_lod="Input",
    lod=lambda lods, ins, outs, attrs: (lods[0], lods[0], None, None),
    flops=RECURRENCE,
)
class lstm(Declaration):
    """Run a long short-term memory over the sequences of Input = x W (Hochreiter and Schmidhuber, 1997; Graves, 2013).

    Input [rows, 4 * D], Weight [D, 4 * D] and Bias hold the candidate g, then the gates i, f and o; with
    `use_peepholes` Bias has three more parts p and is [1, 7 * D]. In each step g = candidate_activation(..), i = act(..
    + p_i c'), f = act(.. + p_f c'), c = g i + c' f, o = act(.. + p_o c), h = o cell_activation(c), where .. is Input +
    h' Weight + Bias and act is gate_activation. Hidden holds h, Cell c; Cell has no gradient, as in Paddle. BatchGate
    holds the gates and BatchCellPreAct the activated cells, in batch order (ops/support/time_steps.py).
    """

    def infer(Input, H0, C0, Weight, Bias, **attrs):
        size = Weight.shape[0] if len(Weight.shape) == 2 else UNKNOWN
        check_lstm("lstm", Input, (H0, C0), size, size, Weight, Bias, attrs)
        n, dtype = Input.shape[0], Input.dtype
        state, inner = Meta((n, size), dtype, Input.lod_level), Meta((n, size), dtype)
        return state, state, Meta((n, _times(size, 4)), dtype), inner

    def reference(
        xp, Input, H0, C0, Weight, Bias,
        *, lod, use_peepholes, is_reverse, gate_activation, cell_activation, candidate_activation,
    ):  # fmt: skip
        when = steps("lstm", Input, lod, is_reverse, H0=H0, C0=C0)
        size, rows, order = Weight.shape[0], xp.asarray(when.rows), xp.asarray(when.order)
        acts = codes(gate_activation, cell_activation, candidate_activation)
        h, c = (first_state(xp, first, len(order), Input, size)[order] for first in (H0, C0))
        gates = Input[rows] + Bias[:, : 4 * size]
        hidden, cell, squashed = (xp.empty((len(Input), size), Input.dtype) for _ in range(3))
        for start, end in when.spans:
            gates[start:end] += h[: end - start] @ Weight
            c, s = _step(xp, gates[start:end], c[: end - start], _peepholes(Bias, size), acts)
            h = gates[start:end, 3 * size :] * s
            hidden[rows[start:end]], cell[rows[start:end]], squashed[start:end] = h, c, s
        return hidden, cell, gates, squashed

    def gradient(
        xp, Input, H0, C0, Weight, Bias, Hidden, Cell, BatchGate, BatchCellPreAct, dHidden,
        *, lod, use_peepholes, is_reverse, gate_activation, cell_activation, candidate_activation,
    ):  # fmt: skip
        when = steps("lstm", Input, lod, is_reverse)
        size, rows, order, n = (
            Weight.shape[0],
            xp.asarray(when.rows),
            xp.asarray(when.order[: when.alive]),
            len(when.order),
        )
        acts = codes(gate_activation, cell_activation, candidate_activation)
        h0, c0 = (first_state(xp, first, n, Hidden, size) for first in (H0, C0))
        before, cells = when.before(xp, c0, Cell), Cell[rows]
        dh, dc = (xp.zeros((when.alive, size), Hidden.dtype) for _ in range(2))
        dgates = xp.empty(BatchGate.shape, Hidden.dtype)
        for start, end in reversed(when.spans):
            at, alive = slice(start, end), slice(end - start)
            dout = dh[alive] + dHidden[rows[at]]
            dgates[at], dc[alive] = _step_back(
                xp,
                BatchGate[at],
                before[at],
                cells[at],
                BatchCellPreAct[at],
                dout,
                dc[alive],
                _peepholes(Bias, size),
                acts,
            )
            dh[alive] = dgates[at] @ Weight.T
        dinput = to_sequences(xp, dgates, rows, len(Hidden))
        dweight = when.before(xp, h0, Hidden).T @ dgates
        dh0, dc0 = (None if first is None else to_sequences(xp, d, order, n) for first, d in ((H0, dh), (C0, dc)))
        return dinput, dh0, dc0, dweight, _bias_gradient(xp, dgates, before, cells, Bias)

    grad = Grad(
        "Input# H0? C0? Weight Bias Hidden Cell BatchGate BatchCellPreAct Hidden@GRAD",
        "Input@GRAD H0@GRAD C0@GRAD Weight@GRAD Bias@GRAD",
        gradient,
    )


# --- lstmp ---------------------------------------------------------------------------------------------------------------


@op(
    "lstmp",
    inputs="Input H0? C0? Weight ProjWeight Bias",
    outputs="Projection Cell BatchGate~ BatchCellPreAct~ BatchHidden~",
    attrs={**LSTM, "cell_clip": 0.0, "proj_clip": 0.0, "proj_activation": "tanh"},
    needs_lod="Input",
    lod=lambda lods, ins, outs, attrs: (lods[0], lods[0], None, None, None),
)
class lstmp(Declaration):
    """Run an lstm with a projected hidden state: r = proj_activation(h ProjWeight) enters the gates (Sak et al., 2014).

    ProjWeight is [D, P], Weight [P, 4 * D]. If they are above 0, `cell_clip` bounds the cells and `proj_clip` the
    projections. Projection [rows, P] holds r, Cell c; Cell has no gradient. BatchHidden holds h in batch order.
    """

    def infer(Input, H0, C0, Weight, ProjWeight, Bias, **attrs):
        require_floats("lstmp", Input=Input, ProjWeight=ProjWeight)
        require_shape("lstmp", "ProjWeight", ProjWeight, (UNKNOWN, UNKNOWN))
        size, width = ProjWeight.shape
        check_lstm("lstmp", Input, (H0, C0), size, width, Weight, Bias, attrs)
        n, dtype = Input.shape[0], Input.dtype
        level, inner = Input.lod_level, Meta((n, size), dtype)
        return (
            Meta((n, width), dtype, level),
            Meta((n, size), dtype, level),
            Meta((n, _times(size, 4)), dtype),
            inner,
            inner,
        )

    def reference(
        xp, Input, H0, C0, Weight, ProjWeight, Bias, *, lod, use_peepholes, is_reverse, cell_clip, proj_clip,
        gate_activation, cell_activation, candidate_activation, proj_activation,
    ):  # fmt: skip
        when = steps("lstmp", Input, lod, is_reverse, H0=H0, C0=C0)
        (size, width), rows, order = ProjWeight.shape, xp.asarray(when.rows), xp.asarray(when.order)
        *acts, of_projection = codes(gate_activation, cell_activation, candidate_activation, proj_activation)
        r = first_state(xp, H0, len(order), Input, width)[order]
        c = first_state(xp, C0, len(order), Input, size)[order]
        gates, projection = Input[rows] + Bias[:, : 4 * size], xp.empty((len(Input), width), Input.dtype)
        cell, squashed, hidden = (xp.empty((len(Input), size), Input.dtype) for _ in range(3))
        for start, end in when.spans:
            gates[start:end] += r[: end - start] @ Weight
            c, s = _step(xp, gates[start:end], c[: end - start], _peepholes(Bias, size), acts, cell_clip)
            hidden[start:end] = h = gates[start:end, 3 * size :] * s
            r = activated(xp, h @ ProjWeight, of_projection)
            if proj_clip > 0:
                r = xp.clip(r, -proj_clip, proj_clip)
            projection[rows[start:end]], cell[rows[start:end]], squashed[start:end] = r, c, s
        return projection, cell, gates, squashed, hidden

    def gradient(
        xp, H0, C0, Weight, ProjWeight, Bias, Projection, Cell, BatchGate, BatchCellPreAct, BatchHidden, dProjection,
        *, lod, use_peepholes, is_reverse, cell_clip, proj_clip,
        gate_activation, cell_activation, candidate_activation, proj_activation,
    ):  # fmt: skip
        when = steps("lstmp", Projection, lod, is_reverse)
        (size, width), rows, n = ProjWeight.shape, xp.asarray(when.rows), len(when.order)
        *acts, of_projection = codes(gate_activation, cell_activation, candidate_activation, proj_activation)
        before, cells = when.before(xp, first_state(xp, C0, n, Cell, size), Cell), Cell[rows]
        dr, dc = (xp.zeros((when.alive, k), Cell.dtype) for k in (width, size))
        dgates, dprojected = xp.empty(BatchGate.shape, Cell.dtype), xp.empty(Projection.shape, Cell.dtype)
        for start, end in reversed(when.spans):
            at, alive, r = slice(start, end), slice(end - start), Projection[rows[start:end]]
            dout = (dr[alive] + dProjection[rows[at]]) * slope(r, of_projection)
            dprojected[at] = dout * (abs(r) < proj_clip) if proj_clip > 0 else dout
            dgates[at], dc[alive] = _step_back(
                xp, BatchGate[at], before[at], cells[at], BatchCellPreAct[at], dprojected[at] @ ProjWeight.T, dc[alive],
                _peepholes(Bias, size), acts, cell_clip,
            )  # fmt: skip
            dr[alive] = dgates[at] @ Weight.T
        dweight = when.before(xp, first_state(xp, H0, n, Cell, width), Projection).T @ dgates
        order = xp.asarray(when.order[: when.alive])
        dh0, dc0 = (None if first is None else to_sequences(xp, d, order, n) for first, d in ((H0, dr), (C0, dc)))
        dbias = _bias_gradient(xp, dgates, before, cells, Bias)
        return to_sequences(xp, dgates, rows, len(Cell)), dh0, dc0, dweight, BatchHidden.T @ dprojected, dbias

    grad = Grad(
        "H0? C0? Weight ProjWeight Bias Projection Cell BatchGate BatchCellPreAct BatchHidden Projection@GRAD",
        "Input@GRAD H0@GRAD C0@GRAD Weight@GRAD ProjWeight@GRAD Bias@GRAD",
        gradient,
        needs_lod="Projection",
    )
