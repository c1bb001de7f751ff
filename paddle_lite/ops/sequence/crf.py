"""Linear-chain conditional random fields: the cost of a labelling, and the best labelling.

Source: Lafferty, McCallum and Pereira, "Conditional Random Fields", 2001. Transition [D + 2, D] holds the scores of
starting with a tag, those of ending with it, then those of going from one tag (row) to another.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import ShapeError, message
from ...core.ranges import require_range
from ..framework.call import without
from ..framework.spec import Declaration, Grad, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.sequence_spans import require_lengths, require_steps, spans_of, spans_of_both, steps_of_spans
from ..support.shape_rules import UNKNOWN

INT64 = np.dtype("int64")


def _check(where: str, Emission: Any, Transition: Any, Label: Any, Length: Any) -> None:
    padded = Length is not None
    require_floats(where, Emission=Emission, Transition=Transition)
    if len(Emission.shape) != (3 if padded else 2):
        needs = "shape [N, steps, tags], for Length is given" if padded else "shape [rows, tags]; or give Length"
        raise ShapeError(message(where, "Input(Emission)", f"shape {list(Emission.shape)}", needs))
    tags = Emission.shape[-1]
    rows = UNKNOWN if tags == UNKNOWN else tags + 2
    if len(Transition.shape) != 2 or Transition.shape[0] != UNKNOWN != Transition.shape[1] != Transition.shape[0] - 2:
        needs = "shape [tags + 2, tags]"
        raise ShapeError(message(where, "Input(Transition)", f"shape {list(Transition.shape)}", needs))
    require_shape(where, "Transition", Transition, (rows, tags))
    if Label is not None:
        require_dtype(where, "Label", Label, INT64)
        require_steps(where, "Label", Label, padded, 1)
        steps = Emission.shape[:-1]
        require_shape(where, "Label", Label, steps, (*steps, 1))
    if padded:
        require_lengths(where, Emission, Length=Length)


@op(
    "linear_chain_crf",
    inputs="Emission Transition Label Length?",
    outputs="Alpha~ EmissionExps~ TransitionExps~ LogLikelihood",
    lod=None,
    needs_lod="Emission Label",
    captured=without("Length"),
)
class linear_chain_crf(Declaration):
    """Compute the negative log likelihood of the labels of each sequence by a conditional random field: [sequences, 1].

    Emission [rows, D] holds the score of each tag at each step, Label int64 [rows, 1] the tags; or Emission is [N,
    steps, D], Label [N, steps], with Length [N]. For the gradient: EmissionExps = exp(Emission - maximum of the step),
    TransitionExps = exp(Transition), and Alpha the forward weights of each step, normalized to a sum of 1.
    """

    def infer(Emission, Transition, Label, Length):
        _check("linear_chain_crf", Emission, Transition, Label, Length)
        like, n = Meta(Emission.shape, Emission.dtype), UNKNOWN if Length is None else Emission.shape[0]
        return like, like, Meta(Transition.shape, Emission.dtype), Meta((n, 1), Emission.dtype)

    def reference(xp, Emission, Transition, Label, Length, *, lod):
        require_range("linear_chain_crf", "Input(Label)", Label, Emission.shape[-1])
        top = Emission.max(axis=-1, keepdims=True)
        weights, ways, alpha = xp.exp(Emission - top), xp.exp(Transition), xp.zeros(Emission.shape, Emission.dtype)
        scores, tops, x, a = (v.reshape(-1, v.shape[-1]) for v in (Emission, top, weights, alpha))
        labels, spans = Label.reshape(-1), spans_of_both("linear_chain_crf", Emission, Length, lod)
        steps = steps_of_spans(xp, spans)
        given, costs = xp.zeros(len(steps.order), "float64"), xp.zeros((len(spans), 1), Emission.dtype)
        for t, rows in enumerate(steps.rows):
            before = steps.rows[t - 1][: len(rows)]
            state = x[rows] * (a[before] @ ways[2:] if t else ways[0])
            total, y = state.sum(axis=1), labels[rows]
            a[rows] = state / total[:, None]
            of_label = Transition[labels[before] + 2, y] if t else Transition[0, y]
            given[: len(rows)] += (tops[rows, 0] - scores[rows, y]) + xp.log(total) - of_label
        ending = xp.log((a[steps.last] * ways[1]).sum(axis=1)) - Transition[1, labels[steps.last]]
        costs[steps.order, 0] = given + ending
        return alpha, weights, ways, costs

    def gradient(
        xp, Emission, Transition, Label, Length, Alpha, EmissionExps, TransitionExps, dLogLikelihood, *, lod,
        need=(True, True),
    ):  # fmt: skip
        tags, ways = Emission.shape[-1], TransitionExps
        demission, dtransition = xp.zeros(Alpha.shape, Alpha.dtype), xp.zeros(ways.shape, Alpha.dtype)
        a, x, de = (v.reshape(-1, tags) for v in (Alpha, EmissionExps, demission))
        hit = (Label.reshape(-1, 1) == xp.arange(tags)).astype(Alpha.dtype)
        steps = steps_of_spans(xp, spans_of_both("linear_chain_crf", Emission, Length, lod))
        of_sequence = dLogLikelihood[steps.order]
        beta = xp.zeros((len(steps.order), tags), Alpha.dtype) + ways[1]
        for t in range(len(steps.rows) - 1, -1, -1):
            rows = steps.rows[t]
            d, b, here = of_sequence[: len(rows)], beta[: len(rows)], hit[rows]
            of_step = a[rows] * b
            de[rows] = d * (of_step / of_step.sum(axis=1, keepdims=True) - here)
            if t == 0:
                dtransition[0] = de[rows].sum(axis=0)
                break
            before, after = steps.rows[t - 1][: len(rows)], x[rows] * b
            share = d / ((a[before] @ ways[2:]) * after).sum(axis=1, keepdims=True)
            dtransition[2:] += ways[2:] * ((a[before] * share).T @ after) - hit[before].T @ (d * here)
            b = after @ ways[2:].T
            beta[: len(rows)] = b / b.sum(axis=1, keepdims=True)
        dtransition[1] = de[steps.last].sum(axis=0)
        return demission if need[0] else None, dtransition if need[1] else None

    grad = Grad(
        "Emission# Transition# Label Length? Alpha EmissionExps TransitionExps LogLikelihood@GRAD",
        "Emission@GRAD Transition@GRAD",
        gradient,
        captured=without("Length"),
    )


@op(
    "crf_decoding",
    inputs="Emission Transition Label? Length?",
    outputs="ViterbiPath",
    needs_lod="Emission",
    captured=without("Length"),
)
class crf_decoding(Declaration):
    """Compute ViterbiPath int64, the tags of each sequence with the highest total score (Viterbi, 1967).

    Emission [rows, D] gives [rows, 1]; [N, steps, D] with Length gives [N, steps], padded with 0. With Label the result
    is 1 where the best tag equals the label, else 0.
    """

    def infer(Emission, Transition, Label, Length):
        _check("crf_decoding", Emission, Transition, Label, Length)
        rows = Emission.shape[:-1]
        return Meta((*rows, 1) if Length is None else rows, INT64, Emission.lod_level)

    def reference(xp, Emission, Transition, Label, Length, *, lod):
        rows = Emission.shape[:-1]
        path, x = xp.zeros(rows, "int64"), Emission.reshape(-1, Emission.shape[-1])
        flat, labels = path.reshape(-1), None if Label is None else Label.reshape(-1)
        steps, came = steps_of_spans(xp, spans_of("crf_decoding", "Emission", Emission, lod, Length)), []
        best = xp.zeros((len(steps.order), x.shape[1]), x.dtype) + Transition[0]
        for t, rows in enumerate(steps.rows):
            alive = slice(len(rows))
            if t:
                ways = best[alive, :, None] + Transition[2:]
                came.append(ways.argmax(axis=1))
                best[alive] = ways.max(axis=1)
            best[alive] += x[rows]
        tag = (best + Transition[1]).argmax(axis=1)
        for t in range(len(steps.rows) - 1, -1, -1):
            rows = steps.rows[t]
            flat[rows] = tag[: len(rows)]
            if t:
                tag[: len(rows)] = xp.take_along_axis(came[t - 1], tag[: len(rows), None], 1)[:, 0]
        if labels is not None and len(steps.order):
            every = xp.concatenate(steps.rows)
            flat[every] = flat[every] == labels[every]
        return path.reshape(-1, 1) if Length is None else path
