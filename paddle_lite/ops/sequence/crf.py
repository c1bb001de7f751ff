"""Linear-chain conditional random fields: the cost of a labelling, and the best labelling.

Source: Lafferty, McCallum and Pereira, "Conditional Random Fields", 2001. Transition [D + 2, D] holds the scores of
starting with a tag, those of ending with it, then those of going from one tag (row) to another.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import LoDError, ShapeError, message
from ...core.ranges import require_range
from ..framework.spec import Declaration, Grad, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.sequence_spans import Spans, require_lengths, require_steps, spans_of
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


def spans_of_both(where: str, Emission: Any, Length: Any, lods: Any) -> Spans:
    """Return the spans of Emission, which Label must share; one of the two LoDs suffices."""
    of_emission, of_label = lods
    if Length is None and of_emission is not None and of_label is not None and of_emission != of_label:
        got, needs = f"LoD {[list(level) for level in of_label]}", [list(level) for level in of_emission]
        raise LoDError(message(where, "Input(Label)", got, f"{needs}, as Emission has"))
    return spans_of(where, "Emission", Emission, of_emission or of_label, Length)


@op(
    "linear_chain_crf",
    inputs="Emission Transition Label Length?",
    outputs="Alpha~ EmissionExps~ TransitionExps~ LogLikelihood",
    lod=None,
    needs_lod="Emission Label",
)
class linear_chain_crf(Declaration):
    """LogLikelihood [sequences, 1] = the negative log likelihood of the labels of each sequence.

    Emission [rows, D] has the score of each tag at each step, Label int64 [rows, 1] the tags; or Emission [N, steps, D],
    Label [N, steps] and Length [N]. For the gradient: EmissionExps = exp(Emission - its largest of the step),
    TransitionExps = exp(Transition), Alpha the weights of all ways up to a step that end with a tag, adding up to 1.
    """

    def infer(Emission, Transition, Label, Length):
        _check("linear_chain_crf", Emission, Transition, Label, Length)
        like, n = Meta(Emission.shape, Emission.dtype), UNKNOWN if Length is None else Emission.shape[0]
        return like, like, Meta(Transition.shape, Emission.dtype), Meta((n, 1), Emission.dtype)

    def reference(xp, Emission, Transition, Label, Length, *, lod):
        require_range("linear_chain_crf", "Input(Label)", Label, Emission.shape[-1])
        tags = Emission.shape[-1]
        top = Emission.max(axis=-1, keepdims=True)
        weights, ways, alpha = xp.exp(Emission - top), xp.exp(Transition), xp.zeros(Emission.shape, Emission.dtype)
        scores, tops, x, a = (v.reshape(-1, v.shape[-1]) for v in (Emission, top, weights, alpha))
        labels, costs = Label.reshape(-1), [xp.zeros(0, Emission.dtype)]
        for start, end in spans_of_both("linear_chain_crf", Emission, Length, lod):
            if start == end:
                costs.append(xp.zeros(1, Emission.dtype))
                continue
            logs = [tops[start:end].sum()]
            for t in range(start, end):
                state = x[t] * (ways[0] if t == start else a[t - 1] @ ways[2:])
                logs.append(xp.log(state.sum()))
                a[t] = state / state.sum()
            logs.append(xp.log((a[end - 1] * ways[1]).sum()))
            y = labels[start:end]
            given = scores[xp.arange(start, end), y].sum() + Transition[2:].reshape(-1)[y[:-1] * tags + y[1:]].sum()
            costs.append((xp.stack(logs).sum() - given - Transition[0, y[0]] - Transition[1, y[-1]]).reshape(1))
        return alpha, weights, ways, xp.concatenate(costs).reshape(-1, 1)

    def gradient(
        xp, Emission, Transition, Label, Length, Alpha, EmissionExps, TransitionExps, dLogLikelihood, *, lod,
        need=(True, True),
    ):  # fmt: skip
        tags = Emission.shape[-1]
        demission = xp.zeros(Alpha.shape, Alpha.dtype)
        dtransition = xp.zeros(TransitionExps.shape, Alpha.dtype)
        a, x, de = (v.reshape(-1, tags) for v in (Alpha, EmissionExps, demission))
        labels, ways, number = Label.reshape(-1), TransitionExps, xp.arange(tags)
        for i, (start, end) in enumerate(spans_of_both("linear_chain_crf", Emission, Length, lod)):
            d, beta = dLogLikelihood[i, 0], ways[1]
            for t in range(end - 1, start - 1, -1):
                of_step = a[t] * beta
                hit = (number == labels[t]).astype(Alpha.dtype)
                de[t] = d * (of_step / of_step.sum() - hit)
                if t == end - 1:
                    dtransition[1] += de[t]
                if t == start:
                    dtransition[0] += de[t]
                    continue
                after = x[t] * beta
                pairs = a[t - 1][:, None] * ways[2:] * after
                before = (number == labels[t - 1]).astype(Alpha.dtype)
                dtransition[2:] += d * (pairs / pairs.sum() - before[:, None] * hit)
                beta = ways[2:] @ after
                beta = beta / beta.sum()
        return demission if need[0] else None, dtransition if need[1] else None

    grad = Grad(
        "Emission# Transition# Label Length? Alpha EmissionExps TransitionExps LogLikelihood@GRAD",
        "Emission@GRAD Transition@GRAD",
        gradient,
    )


@op(
    "crf_decoding",
    inputs="Emission Transition Label? Length?",
    outputs="ViterbiPath",
    needs_lod="Emission",
)
class crf_decoding(Declaration):
    """ViterbiPath int64 = the tags of each sequence with the highest total score (Viterbi, 1967).

    Emission [rows, D] gives [rows, 1]; [N, steps, D] with Length gives [N, steps], 0 behind the end of a sequence. With
    Label it is 1 where the best tag is the label and 0 where not.
    """

    def infer(Emission, Transition, Label, Length):
        _check("crf_decoding", Emission, Transition, Label, Length)
        rows = Emission.shape[:-1]
        return Meta((*rows, 1) if Length is None else rows, INT64, Emission.lod_level)

    def reference(xp, Emission, Transition, Label, Length, *, lod):
        rows = Emission.shape[:-1]
        path, x = xp.zeros(rows, "int64"), Emission.reshape(-1, Emission.shape[-1])
        flat, labels = path.reshape(-1), None if Label is None else Label.reshape(-1)
        for start, end in spans_of("crf_decoding", "Emission", Emission, lod, Length):
            if start == end:
                continue
            best, came = x[start] + Transition[0], []
            for t in range(start + 1, end):
                ways = best[:, None] + Transition[2:]
                came.append(ways.argmax(axis=0))
                best = ways.max(axis=0) + x[t]
            tag = (best + Transition[1]).argmax()
            flat[end - 1] = tag
            for t in range(end - 2, start - 1, -1):
                tag = came[t - start][tag]
                flat[t] = tag
            if labels is not None:
                flat[start:end] = flat[start:end] == labels[start:end]
        return path.reshape(-1, 1) if Length is None else path
