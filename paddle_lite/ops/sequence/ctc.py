"""Connectionist temporal classification: the CTC loss, and decoding of the best class of each step.

Source: Graves et al., "Connectionist Temporal Classification", 2006.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, message
from ...core.ranges import require_integers, require_range
from ..framework.call import without
from ..framework.spec import Declaration, Grad, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_floats, require_shape
from ..support.sequence_spans import of_logits, require_lengths, spans_of, spans_of_ctc
from ..support.shape_rules import UNKNOWN


@op(
    "ctc_align",
    inputs="Input InputLength?",
    outputs="Output OutputLength?",
    attrs={"blank": 0, "merge_repeated": True, "padding_value": 0},
    lod="made",
    needs_lod="Input",
)
class ctc_align(Declaration):
    """Collapse the classes of each sequence: remove repetitions (if `merge_repeated`) and blanks.

    Input int32 or int64 [rows, 1] with a LoD gives rows with a LoD, or [[-1]] if no class is left at all; [N, steps]
    with InputLength [N, 1] gives [N, steps], padded with `padding_value`, and OutputLength [N, 1].
    """

    def infer(Input, InputLength, **_):
        require_integers("ctc_align", "Input(Input)", Input)
        if InputLength is None:
            require_shape("ctc_align", "Input", Input, (UNKNOWN, 1), (UNKNOWN,))
            return Meta((UNKNOWN, 1), Input.dtype, 1), None
        require_shape("ctc_align", "Input", Input, (UNKNOWN, UNKNOWN))
        require_dtype("ctc_align", "InputLength", InputLength, Input.dtype)
        require_shape("ctc_align", "InputLength", InputLength, (Input.shape[0],), (Input.shape[0], 1))
        return Meta(Input.shape, Input.dtype), Meta((Input.shape[0], 1), Input.dtype)

    def reference(xp, Input, InputLength, *, lod, blank, merge_repeated, padding_value):
        spans, tokens, found = (
            spans_of("ctc_align", "Input", Input, lod, InputLength, "InputLength"),
            Input.reshape(-1),
            [],
        )
        for start, end in spans:
            x = tokens[start:end]
            keep = x != blank
            if merge_repeated:
                keep[1:] &= x[1:] != x[:-1]
            found.append(x[keep])
        if InputLength is None:
            starts = tuple(accumulate((len(x) for x in found), initial=0))
            rows = xp.concatenate(found) if starts[-1] else xp.full(1, -1, Input.dtype)
            return (rows.reshape(-1, 1), None), ((starts,), None)
        out = xp.full(Input.shape, padding_value, Input.dtype)
        for row, x in zip(out, found, strict=True):
            row[: len(x)] = x
        return (out, xp.asarray([len(x) for x in found], Input.dtype).reshape(-1, 1)), (None, None)


# --- the loss -------------------------------------------------------------------------------------------------------------


def log_ways(xp: Any, logs: Any, skip: Any) -> Any:
    """Return [steps, places]: the log of the probability of all paths that are at a place at a step.

    Arguments:
        logs: [steps, places], of each place's class at each step.
        skip: 0 where a path may skip the place before, -inf elsewhere.
    """
    never = xp.full(2, -np.inf, logs.dtype)
    ways = [xp.where(xp.arange(logs.shape[1]) < 2, logs[0], -np.inf)]
    for step in logs[1:]:
        before = xp.concatenate([never, ways[-1]])
        ways.append(xp.logaddexp(xp.logaddexp(before[2:], before[1:-1]), before[:-2] + skip) + step)
    return xp.stack(ways)


def ctc(xp: Any, logits: Any, labels: Any, blank: int) -> tuple[Any, Any]:
    """Return (loss, its gradient with respect to the logits) of one sequence; 0 if its labels need more steps."""
    steps, repeats = len(logits), int((labels[1:] == labels[:-1]).sum())
    if not steps or len(labels) + repeats > steps:
        return xp.zeros((), logits.dtype), xp.zeros(logits.shape, logits.dtype)
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_softmax = shifted - xp.log(xp.exp(shifted).sum(axis=1, keepdims=True))
    places = xp.full(2 * len(labels) + 1, blank, "int64")
    places[1::2] = labels
    skip = xp.full(len(places), -np.inf, logits.dtype)
    skip[2:][(places[2:] != places[:-2]) & (places[2:] != blank)] = 0
    logs = log_softmax[:, places]
    forth = log_ways(xp, logs, skip)
    reverse = xp.roll(skip[::-1], 2)  # backwards, a skip from a place becomes a skip to it
    back = log_ways(xp, logs[::-1, ::-1], reverse)[::-1, ::-1]
    total = xp.logaddexp(forth[-1, -1], forth[-1, -2]) if len(labels) else forth[-1, -1]
    shares = xp.exp(forth + back - logs - total)
    of_class = (places[:, None] == xp.arange(logits.shape[1])).astype(logits.dtype)
    return -total, xp.exp(log_softmax) - shares @ of_class


@op(
    "warpctc",
    inputs="Logits Label LogitsLength? LabelLength?",
    outputs="WarpCTCGrad~ Loss",
    attrs={"blank": 0, "norm_by_times": False},
    lod=None,
    needs_lod="Logits Label",
    captured=without("LogitsLength"),
)
class warpctc(Declaration):
    """Compute the connectionist temporal classification loss [N, 1]: -log P(labels) over all alignments with blanks.

    Logits [rows, classes + 1], to which a softmax is applied, and Label int32 [rows, 1] have a LoD; or Logits is
    [steps, N, classes + 1] and Label [N, labels], with LogitsLength and LabelLength int64 [N]. The loss of a sequence
    with too few steps for its labels is 0. WarpCTCGrad [steps, N, classes + 1] is the gradient of the loss.
    `norm_by_times` divides gradients, not the loss, by the number of steps of the sequence.
    """

    def infer(Logits, Label, LogitsLength, LabelLength, *, blank, **_):
        where = "warpctc"
        require_floats(where, Logits=Logits)
        require_dtype(where, "Label", Label, "int32")
        if (LogitsLength is None) != (LabelLength is None):
            missing = "LabelLength" if LabelLength is None else "LogitsLength"
            raise ArgumentTypeError(message(where, f"Input({missing})", "None", "both lengths, or neither"))
        padded = LogitsLength is not None
        if len(Logits.shape) != (3 if padded else 2):
            needs = (
                "[steps, N, classes + 1], for lengths are given" if padded else "[rows, classes + 1]; or give lengths"
            )
            raise ShapeError(message(where, "Input(Logits)", f"shape {list(Logits.shape)}", f"shape {needs}"))
        classes = Logits.shape[-1]
        if not 0 <= blank < (classes if classes != UNKNOWN else blank + 1):
            raise ArgumentValueError(message(where, "attribute 'blank'", blank, f"a class from 0 to {classes - 1}"))
        if not padded:
            require_shape(where, "Label", Label, (UNKNOWN, 1))
            return Meta((UNKNOWN, UNKNOWN, classes), Logits.dtype), Meta((UNKNOWN, 1), Logits.dtype)
        n = Logits.shape[1]
        require_shape(where, "Label", Label, (n, UNKNOWN))
        require_lengths(where, Meta((n,), Logits.dtype), LogitsLength=LogitsLength, LabelLength=LabelLength)
        return Meta(Logits.shape, Logits.dtype), Meta((n, 1), Logits.dtype)

    def reference(xp, Logits, Label, LogitsLength, LabelLength, *, lod, blank, norm_by_times):
        classes, padded = Logits.shape[-1], LogitsLength is not None
        require_range("warpctc", "Input(Label)", Label, classes)
        spans, of_label = spans_of_ctc(Logits, Label, LogitsLength, LabelLength, lod)
        rows = (Logits.swapaxes(0, 1) if padded else Logits).reshape(-1, classes)
        steps = Logits.shape[0] if padded else max((end - start for start, end in spans), default=0)
        slopes, losses = xp.zeros((steps, len(spans), classes), Logits.dtype), [xp.zeros(0, Logits.dtype)]
        for i, ((start, end), (first, last)) in enumerate(zip(spans, of_label, strict=True)):
            loss, slopes[: end - start, i] = ctc(xp, rows[start:end], Label.reshape(-1)[first:last], blank)
            losses.append(loss.reshape(1))
        return slopes, xp.concatenate(losses).reshape(-1, 1)

    def gradient(xp, Logits, LogitsLength, WarpCTCGrad, dLoss, *, lod, norm_by_times):
        slopes = WarpCTCGrad * dLoss.reshape(1, -1, 1)
        if LogitsLength is not None:
            times = LogitsLength.reshape(1, -1, 1).astype(slopes.dtype)
            return slopes / xp.maximum(times, 1) if norm_by_times else slopes
        each = [slopes[: end - start, i] for i, (start, end) in enumerate(pairwise(of_logits(lod)[0]))]
        parts = [x / max(len(x), 1) for x in each] if norm_by_times else each
        return xp.concatenate([xp.zeros((0, slopes.shape[2]), slopes.dtype), *parts])

    grad = Grad(
        "Logits# LogitsLength? WarpCTCGrad Loss@GRAD", "Logits@GRAD", gradient, needs_lod="Logits", captured=True
    )
